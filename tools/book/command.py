"""`tengen book FILE`: an opening book by our own search, grown for as long as it is given, and on from where it was;
`--new` begins one, `--polyglot` writes one of chess for other programs.

Every round the positions that cost least to come to (`growing.py`) are searched by all processes, the book is counted
through again and written whole, so that Ctrl-C or a kill loses one round.
"""

from __future__ import annotations

import os
import time
from argparse import Namespace
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine import atomic
from tengen.engine.config import nearest
from tengen.engine.games import GAMES, get_game
from tengen.engine.games.base import Game, State
from tengen.engine.games.book import Book, BookError, notation_of, read
from tengen.tools.arguments import Parser, number, whole_number
from tengen.tools.book.growing import Growth, Searched
from tengen.tools.jobs import Jobs
from tengen.tools.live import Live, bar
from tengen.tools.locking import beside
from tengen.tools.match.openings.choice import OpeningsSpec, choose
from tengen.tools.match.openings.start import moves_of, start_state
from tengen.tools.match.spec import GameSpec

if TYPE_CHECKING:
    from tengen.engine.info import Line
    from tengen.engine.options import Value
    from tengen.engine.search.base import Search

USUAL = "reversi"
"""The game if none is named."""
ROUND = 16
"""Positions of a round for each process."""
MEMORY_MB = 64.0
"""The memory of the transposition table of a process."""


def configure(parser: Parser) -> None:
    """Declare the options."""
    add = parser.add_argument
    whole = partial(whole_number, low=1)
    add("file", metavar="FILE", help="the book, which goes on from where it is")
    add("--new", action="store_true", help="begin a book that is not there yet")
    games = [name for name in GAMES if get_game(name).parts.book]
    add("--game", default=USUAL, choices=games, help=f"the game ({USUAL})")
    add(
        "--openings",
        metavar="FILE",
        help="begin with these positions (SGF, PSQ, PGN, move lists ...); without: the game's start",
    )
    add("--rules", metavar="NAME", help="Gomoku: freestyle (the default), standard, renju, caro, exact-caro")
    add("--size", type=partial(whole, high=25), metavar="N", help="Gomoku: lines of the board (15)")
    add("--minutes", type=partial(number, low=0.01, high=1e6), metavar="M", help="end after so long")
    add("--positions", type=partial(whole, high=10**7), metavar="N", help="end with so many positions")
    add("--depth", type=partial(whole, high=60), default=14, metavar="N", help="plies that are looked ahead (14)")
    add("--lines", type=partial(whole, high=32), default=4, metavar="N", help="moves of a position (4)")
    add("--ply-cost", type=partial(number, low=0.01, high=100), metavar="D",
        help="what a ply costs, in what moves give away (1 disc, 12 centipawns, 30 units of Gomoku): the"
             " less, the longer and narrower")  # fmt: skip
    add("--weights", metavar="FILE", help="tables to evaluate by (tengen's own; none: do without)")
    add("--polyglot", metavar="OUT", help="chess: write the book in Polyglot's format as well, when it has grown")
    add("--jobs", type=partial(whole, high=256), default=os.cpu_count() or 1, metavar="N",
        help="processes that search (the processors)")  # fmt: skip


def run(values: Namespace) -> int:
    """Grow the book. Raises ValueError or OSError with one sentence."""
    game, path = get_game(values.game), Path(values.file)
    if not path.parent.is_dir():
        raise BookError(f"there is no folder '{path.parent}'")
    if not (path.exists() or values.new):
        raise BookError(f"there is no book '{path}'{nearest(path.name, _names_beside(path))}: --new begins one")
    if path.exists() and values.new:
        raise BookError(f"'{path}' is there already: leave --new out to go on with it, or name another file")
    if values.polyglot:
        Book(game).notation.as_polyglot(Book(game))
    with beside(path, "grows the book"), Live(is_patient=True) as live:
        starts = starts_of(values, game, live.result)
        growth = Growth(read(path, game) if path.exists() else Book(game), starts, ply_cost=values.ply_cost)
        started = time.monotonic()
        live.result(f"{len(growth)} positions in '{path}'")
        with Jobs(values.jobs) as jobs:
            while (keys := growth.next(_room(values, len(growth)))) and not _is_over(values, started):
                tasks = [(game.name, key, values.depth, values.lines, values.weights) for key in keys]
                live.update(f"searching {len(tasks)} positions")
                for done, (key, found) in enumerate(jobs.run(search, tasks), 1):
                    growth.add(key, found)
                    live.update([f"{bar(done, len(tasks))} positions of this round", f"{len(growth)} in the book"])
                growth.back_up()
                atomic.write(path, growth.book.packed())
                live.result(line_of(growth, time.monotonic() - started))
        if values.polyglot:
            atomic.write(Path(values.polyglot), growth.book.notation.as_polyglot(growth.book))
    return 0


def starts_of(values: Namespace, game: Game, tell: Callable[[str], None]) -> list[State]:
    """The positions that the book begins with. Raises ValueError."""
    rules = values.rules or game.default_rules.name
    if rules not in game.rule_sets:
        raise ValueError(f"{game.name} has no rules '{rules}'{nearest(rules, list(game.rule_sets))}")
    spec = GameSpec(game.name, values.size or game.default_size, rules)
    try:
        game.check_size(spec.size, spec.size)
    except ValueError:
        raise ValueError(f"{game.name} has no board of {spec.size} lines") from None
    start = start_state(spec)
    if not notation_of(game).holds(start):
        raise ValueError(f"books of {game.name} are for boards of {game.default_size} lines")
    if values.openings is None:
        return [start]
    found: list[State] = []
    for opening in choose(OpeningsSpec(values.openings, order="sequential"), spec, 1, 0, tell):
        state = start_state(spec, opening.position)
        for move in moves_of(state, game.name, opening.moves):
            state.play(move)
        found += [] if state.is_terminal() else [state]
    if not found:
        raise ValueError(f"'{values.openings}' has no opening after which a game goes on")
    return found


def _names_beside(path: Path) -> list[str]:
    """The books in the same folder, and what else ends as the file does."""
    return [one.name for one in path.parent.iterdir() if one.suffix in (path.suffix, ".book") and one.is_file()]


def search(game_name: str, key: str, depth: int, lines: int, weights: str | None) -> tuple[str, Searched]:
    """The best moves of a position, with the mean of what two depths find: where the side that moves last is thought
    too low or too high, odd and even depths differ, and values of all plies stand side by side in a book. Runs in a
    worker process."""
    from tengen.engine._core import StopToken
    from tengen.engine.limits import Limits
    from tengen.engine.search.base import Root

    state = notation_of(get_game(game_name)).state_of(key)
    searcher = _searcher(game_name, weights)
    found = searcher.run(Root(state), Limits(depth=depth, lines=lines), StopToken()).lines[:lines]
    if depth == 1 or all(line.proof is not None for line in found):
        return key, [(line.move, line.score, line.depth, line.proof is not None) for line in found]
    allow = [line.move for line in found]
    other = searcher.run(Root(state, allow=allow), Limits(depth=depth - 1, lines=lines), StopToken()).lines
    before = {line.move: line.score for line in other}

    def value_of(line: Line) -> float:
        return line.score if line.proof is not None else (line.score + before.get(line.move, line.score)) / 2

    return key, [(line.move, value_of(line), line.depth, line.proof is not None) for line in found]


def line_of(growth: Growth, seconds: float) -> str:
    """Return the line of progress after a round."""
    line = growth.line_text()
    worth = growth.worth(growth.starts[0])
    return f"{len(growth):7d} positions {seconds:8.0f} s  {worth:+.2f}  {len(line)} plies: {' '.join(line[:16])}"


def _room(values: Namespace, count: int) -> int:
    most: int = ROUND * values.jobs
    return most if values.positions is None else max(0, min(most, values.positions - count))


def _is_over(values: Namespace, started: float) -> bool:
    return values.minutes is not None and time.monotonic() - started >= 60 * values.minutes


@lru_cache(maxsize=1)
def _searcher(game_name: str, weights: str | None) -> Search:
    from tengen.engine.search import make_search

    settings: dict[str, Value] = {"alphabeta.memory_mb": MEMORY_MB}
    if weights is not None:
        settings["alphabeta.weights"] = weights
    return make_search(get_game(game_name), "alphabeta", settings)
