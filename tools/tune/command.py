"""`tengen tune`: the command line."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from tengen.engine import files
from tengen.engine.config import Config, ConfigError, load, merge
from tengen.engine.games import get_game
from tengen.engine.search import fitting, make_search
from tengen.tools.arguments import Parser, number, whole_number
from tengen.tools.jobs import Jobs
from tengen.tools.journal import Journal
from tengen.tools.live import Live, Pace
from tengen.tools.match.own.game import Played, tally
from tengen.tools.match.own.match import openings
from tengen.tools.match.own.sides import Match
from tengen.tools.match.statistics.tally import Tally
from tengen.tools.options import Assign
from tengen.tools.tune import report
from tengen.tools.tune.space import choose
from tengen.tools.tune.spsa import Spsa
from tengen.tools.tune.tuner import Plan
from tengen.tools.tune.tuner import run as run_plan


def configure(parser: Parser) -> None:
    """Declare the options."""
    count = partial(whole_number, low=1)
    add = parser.add_argument
    add("--game", metavar="GAME", help="the game (go)")
    add("--player", metavar="NAME", help="the player whose options are tuned (the game's default)")
    add("--options", required=True, metavar="LIST", help="names, wildcards, ranges: 'mcts.c=0.1:3,mcts.prior_*'")
    add("--out", required=True, metavar="FILE", help="the TOML file to write, for --config")
    add("--games", type=partial(count, high=10**8), default=2000, metavar="N", help="games of the tuning (2000)")
    add("--verify", type=partial(whole_number, low=0, high=10**6), default=200, metavar="N",
        help="games of the last match, tuned against start (200)")  # fmt: skip
    add("--playouts", type=partial(count, high=2**40), metavar="N", help="playouts for a move")
    add("--time", type=partial(number, low=0.001, high=1e6), metavar="S", help="seconds for a move")
    add("--pairs", type=partial(count, high=10**4), default=8, metavar="N", help="pairs of games an iteration (8)")
    add("--jobs", type=partial(count, high=256), default=1, metavar="N", help="games at a time (1)")
    add("--seed", type=partial(whole_number, low=0, high=10**6), default=1, metavar="N", help="seed (1)")
    add("--size", type=partial(count, low=2, high=25), metavar="N", help="board size (as in matches: Go 9, Gomoku 15)")
    add("--plies", type=partial(whole_number, low=0, high=60), metavar="N", help="random moves of an opening")
    add("--rules", metavar="RULES", help="rules of the game")
    add("--config", metavar="FILE", help="start from the settings of a TOML file")
    add("--set", action=Assign, metavar="K=V", default={}, help="start from this value of an option; repeatable")
    add("--step", type=partial(number, low=0.001, high=0.5), default=0.15, metavar="S",
        help="the first difference of the two sides, as a share of an option's scale (0.15)")  # fmt: skip
    add("--rate", type=partial(number, low=0.01, high=100), default=1.5, metavar="R",
        help="steps that a match won by all its games moves at first (1.5)")  # fmt: skip
    add("--state", metavar="FILE", help="where the run is kept, to go on after a stop (OUT.state)")
    add("--data", metavar="FILE", help="also write the player's own data file (the mix of reversi)")


def run(values: Namespace) -> int:
    """Tune, verify, write. Raises ValueError and OSError with one sentence."""
    plan = plan_of(values)
    for path in filter(None, (values.out, values.data)):
        if not Path(path).absolute().parent.is_dir() or (os.path.lexists(path) and not Path(path).is_file()):
            raise ConfigError(f"cannot write '{path}': its folder is missing, or it is no regular file")
    if values.data:
        report.data_text(plan, plan.start(), None)
    path = values.state or f"{values.out}.state"
    with (
        Live() as live,
        Journal(path, plan.whole_header(), older=[plan.header()]) as journal,
        Jobs(values.jobs) as jobs,
    ):
        if journal.is_older:
            live.line(f"'{path}' was begun by an older tengen, which did not keep by what files it played: "
                      "they are taken for the same")  # fmt: skip
        known = len(journal.rows)
        live.line(f"tuning {len(plan.parameters)} options, {plan.spsa.iterations} iterations of {2 * plan.pairs} games"
                  + (f", going on after {known} results" if known else ""))  # fmt: skip
        try:
            tuned, match = run_plan(
                plan, journal, jobs,
                on_step=lambda step: live.row(report.step_parts(plan, step)),
                on_tuned=lambda tuned: _write(values, plan, tuned, None),
                on_game=partial(_on_game, live, plan.verify),
                on_part=_Part(live, plan),
            )  # fmt: skip
        except KeyboardInterrupt:
            live.clear()
            live.line("stopped; the same command goes on from here")
            raise
    _write(values, plan, tuned, match)
    print(report.changes_text(plan.parameters, tuned))
    if match.games:
        print(report.verdict(match))
    return 0


def plan_of(values: Namespace) -> Plan:
    """The run that a command line asks for. Raises ValueError with one sentence for nonsense."""
    base = load(values.config) if values.config else Config()
    fields = ("game", "player", "playouts", "time", "rules", "set")
    base = merge(base, {name: getattr(values, name) for name in fields})
    if base.playouts is None and base.time is None:
        raise ConfigError("nothing bounds a move: give --playouts or --time")
    if base.level is not None:
        raise ConfigError("a level cannot be tuned")
    iterations = values.games // (2 * values.pairs)
    if iterations < 1:
        raise ConfigError(f"{values.games} games are fewer than one iteration of {2 * values.pairs}")
    if iterations > 4000:
        raise ConfigError(f"{values.games} games are more than 4000 iterations: give more --pairs")
    game = get_game(base.game)
    base = replace(base, player=base.player or next(iter(game.players)))
    assert base.player is not None
    defaults = make_search(game, base.player, {}).options()
    base = replace(base, set=fitting(defaults, base.set))
    words = [word.strip() for word in values.options.split(",") if word.strip()]
    if not words:
        raise ConfigError("--options names nothing")
    parameters = tuple(choose(defaults, words, base.set))
    if not parameters:
        raise ConfigError(f"--options '{values.options}' names nothing to tune")
    plan = Plan(
        base, parameters, Spsa(iterations, values.seed, values.step, values.rate), values.pairs, values.verify,
        values.size, values.plies,
    )  # fmt: skip
    openings(Match(plan.start(), plan.start(), 2, 1, plan.size, plan.plies))  # a size or rules the game lacks: now
    return plan


class _Part:
    """Says how far an iteration is, and when all of them are done."""

    def __init__(self, live: Live, plan: Plan) -> None:
        self._live, self._plan = live, plan
        self._pace: Pace | None = None

    def __call__(self, iteration: int, games: int) -> None:
        each, count = 2 * self._plan.pairs, self._plan.spsa.iterations
        done = iteration * each + games
        self._pace = self._pace or Pace(done)
        left = self._pace.left(done, count * each)
        text = f"iteration {iteration + 1}/{count}: {games} of {each} games"
        self._live.update([text, f"ETA {left}"], separator=", ")


def _on_game(live: Live, count: int, games: Sequence[Played]) -> None:
    live.update(f"verification: {len(games)} of {count} games")
    if len(games) % max(1, count // 10) == 0:
        live.line(f"verification: {tally(games).as_text()}")


def _write(values: Namespace, plan: Plan, tuned: Config, match: Tally | None) -> None:
    files.write(values.out, report.toml_text(plan, tuned, match).encode())
    if values.data:
        files.write(values.data, report.data_text(plan, tuned, match).encode())
