"""Units of work that are matches: two networks of a run, or one against a program that does not learn.

Games are numbered; 2n and 2n + 1 share an opening, and the network that is judged has Black in the first of them.
"""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.engine import files
from tengen.engine.config import Config
from tengen.tools.executors.base import Unit
from tengen.tools.match.own.game import Played, play_game
from tengen.tools.match.own.match import openings
from tengen.tools.match.own.sides import Match
from tengen.tools.train.settings.kinds import KATAGO_ENDING, WEIGHTS_ENDING
from tengen.tools.train.settings.sections import Board

if TYPE_CHECKING:
    from tengen.tools.match.own.together import Side
    from tengen.tools.match.spec import GameResult

OURS = "network"
GAMES_FOLDER = "/usr/games"
"""Debian's folder of GNU Go, which is not on every PATH."""


def play_lot(unit: Unit) -> Mapping[str, Any]:
    """Games of two networks; figures: "scores" of the first by number."""
    facts = unit.facts
    played: list[Played] = []
    for size, numbers in by_size(facts["board"], facts["numbers"]).items():
        played += _played(facts, size, numbers)
    return _scores(unit, {game.number: game.score for game in played})


def by_size(board: Mapping[str, Any], numbers: Sequence[int]) -> dict[int, list[int]]:
    """The games of a match on each of the sizes of a run: pairs take turns."""
    sizes = Board(**board).sizes
    found: dict[int, list[int]] = {}
    for number in numbers:
        found.setdefault(sizes[number // 2 % len(sizes)], []).append(number)
    return found


def _played(facts: Mapping[str, Any], size: int, numbers: Sequence[int]) -> list[Played]:
    game = facts["board"]["name"]
    base = Config(game=game, player=facts["player"], playouts=facts["visits"], threads=1)
    base = replace(base, precision=facts["precision"], device=facts["device"])
    a, b = (_playing(base, facts[name]) for name in ("a", "b"))
    match = Match(a, b, facts["games"], facts["seed"], size, facts["plies"])
    anybody = Config(game=game)
    rows = openings(Match(anybody, anybody, facts["games"], facts["seed"], size, facts["plies"]))
    tasks = [(number, rows[number // 2]) for number in numbers]
    if not a.net.endswith(KATAGO_ENDING):
        return [play_game(match, opening, number) for number, opening in tasks]
    from tengen.tools.match.own.together import play_sides

    sides = [_side(config) for config in (a, b)]
    try:
        return play_sides(match, sides, tasks)
    finally:
        for side in sides:
            side.evaluator.close()


def _playing(base: Config, path: str) -> Config:
    """By a network of a run, or by weights."""
    if path.endswith(WEIGHTS_ENDING):
        return replace(base, set={f"{base.player}.weights": path})
    return replace(base, net=path)


def _side(config: Config) -> Side:
    """A side whose network belongs to this match alone: a worker sees hundreds."""
    from tengen.engine.games import get_game
    from tengen.engine.play.levels import level_in_force
    from tengen.tools.match.own.together import Side
    from tengen.tools.train.play.evaluators import load_go

    level = level_in_force(get_game(config.game), config)
    return Side(config, level, load_go(config.net, config.precision, config.device))


def play_anchor(unit: Unit) -> Mapping[str, Any]:
    """Games against GNU Go, our `uct` or pure MCTS, by the match tool in this process; figures as `play_lot`."""
    facts = unit.facts
    scores: dict[int, float] = {}
    for size, numbers in by_size(facts["board"], facts["numbers"]).items():
        folder = Path(unit.draft).with_suffix(f".{size}")
        words = [
            "--game", facts["board"]["name"], "--size", f"{size}", "--games", f"{len(numbers)}",
            "--plies", f"{facts['plies']}",
            "--seed", f"{facts['seed'] + numbers[0]}", "--out", str(folder), "--engine", f"name={OURS}",
            f"player={facts['player']}", _named(facts["player"], facts["a"]), f"playouts={facts['visits']}",
            f"precision={facts['precision']}", f"device={facts['device']}",
            "--engine", *opponent_words(facts),
        ]  # fmt: skip
        for row in _match(words, folder):
            is_first = row.first == OURS
            points = {"1-0": 1.0, "0-1": 0.0}.get(row.result, 0.5)
            scores[numbers[2 * (row.pair - 1) + (not is_first)]] = points if is_first else 1 - points
        shutil.rmtree(folder, ignore_errors=True)
    return _scores(unit, scores)


def _named(player: str, path: str) -> str:
    """The setting of a match that says by what is played."""
    return f"{player}.weights={path}" if path.endswith(WEIGHTS_ENDING) else f"net={path}"


def opponent_words(facts: Mapping[str, Any]) -> list[str]:
    """The settings of an anchor for `--engine`."""
    if facts["opponent"] == "gnugo":
        command = [find_gnugo() or "gnugo", "--mode", "gtp", "--level", f"{facts['level']}", "--chinese-rules"]
        return ["name=gnugo", f"command={shlex.join(command)}", "protocol=gtp"]
    name = facts["opponent"]
    return [f"name={name}", f"player={name}", f"playouts={facts['playouts']}", "net=none"]


def find_gnugo() -> str | None:
    """GNU Go's program, where it is installed."""
    return shutil.which("gnugo") or shutil.which("gnugo", path=GAMES_FOLDER)


def _match(words: Sequence[str], folder: Path) -> list[GameResult]:
    """The games of `tengen match`. Raises RuntimeError with what it says when it fails."""
    from tengen.tools.arguments import Parser
    from tengen.tools.match import command
    from tengen.tools.match.run.store import read

    parser = Parser(prog="match")
    command.configure(parser)
    out, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        code = command.run(parser.parse_strictly(list(words)))
    if code:
        raise RuntimeError(f"a match failed: {said.getvalue().strip()[-300:]}")
    return [row for row in read(folder) if row.result != "*"]


def _scores(unit: Unit, scores: Mapping[int, float]) -> dict[str, Any]:
    """Write and return them."""
    found = {str(number): scores[number] for number in sorted(scores)}
    files.write(unit.draft, json.dumps(found).encode())
    return {"scores": found}
