"""Reports of a run: lines of progress, and the TOML file of the tuned player."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tengen.engine.config import Config
from tengen.engine.games import get_game
from tengen.engine.search import make_search
from tengen.tools.match.statistics.tally import Tally
from tengen.tools.tune.space import Parameter
from tengen.tools.tune.tuner import Plan, Step

SHOWN = 6


def step_parts(plan: Plan, step: Step) -> list[str]:
    """One line of progress: iteration and score of the comparison, the first values, how many there are."""
    lead = f"{step.iteration + 1:5}/{plan.spsa.iterations} {step.score:+.2f}"
    values = [f"{name.rpartition('.')[2]} {value:g}" for name, value in list(step.values.items())[:SHOWN]]
    rest = [f"... of {len(step.values)}"] if len(step.values) > SHOWN else []
    return [f"{lead}  {values[0]}", *values[1:], *rest]


def changes_text(parameters: Sequence[Parameter], tuned: Config) -> str:
    """A line for every option: name, start, result."""
    width = max(len(row.name) for row in parameters)
    return "\n".join(f"{row.name:{width}}  {row.start:10g} -> {tuned.set[row.name]:g}" for row in parameters)


def verdict(match: Tally) -> str:
    """Describe the result of the last match in one line."""
    low, high = match.interval()
    words = "stronger" if low > 0.5 else "weaker" if high < 0.5 else "not shown to be stronger or weaker"
    return f"tuned against start: {match.as_text()}: {words}"


def toml_text(plan: Plan, tuned: Config, match: Tally | None) -> str:
    """A configuration for `--config` with all options of the player that were set or tuned."""
    lines = [
        f"# {_made(plan, tuned)}",
        f"# {_verdict(match)}",
        f'game = "{tuned.game}"',
        f'player = "{tuned.player}"',
        "",
        "[set]",
        *(f'"{name}" = {json.dumps(value, ensure_ascii=False)}' for name, value in sorted(tuned.set.items())),
    ]
    return "\n".join(lines) + "\n"


def data_text(plan: Plan, tuned: Config, match: Tally | None) -> str:
    """The search's own data file with the tuned values. Raises ValueError when the player has none."""
    game = get_game(tuned.game)
    player = str(tuned.player)
    if game.players[player].search != "mix":
        raise ValueError(f"the player '{player}' of {tuned.game} has no data file")
    from tengen.engine.games.reversi import mix as reversi_mix

    options = make_search(game, player, tuned.set).options()
    values = {
        option.name.removeprefix("mix."): option.default
        for option in options
        if option.name.startswith("mix.") and isinstance(option.default, int | float)
    }
    card = {"name": "tuned", "made": _made(plan, tuned), "match": _verdict(match)}
    return reversi_mix.dumps(reversi_mix.Mix(values, card))


def _made(plan: Plan, tuned: Config) -> str:
    limit = f"{tuned.playouts} playouts" if tuned.playouts else f"{tuned.time:g} s"
    games = 2 * plan.pairs * plan.spsa.iterations
    return f"tengen tune: {games} games at {limit} a move, seed {plan.spsa.seed}"


def _verdict(match: Tally | None) -> str:
    return verdict(match) if match is not None and match.games else "not verified by a match"
