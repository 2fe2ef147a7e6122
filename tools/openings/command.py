"""`tengen openings FILE`: balanced openings of Gomoku, Renju and Caro by our own search, and on from where it was.

Opening number n is a function of the seed and n: all stones but the last are drawn by the opening rule, the last is
the one that a short search finds nearest to balance, and a longer search confirms it. The file is text for
`tengen match --openings`; its first line says by which settings it was made and how many were tried.
"""

from __future__ import annotations

import os
import random
import re
import time
from argparse import Namespace
from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tengen.engine import atomic, files
from tengen.engine.games import get_game
from tengen.engine.games.base import State
from tengen.engine.records import Record, RecordError
from tengen.engine.records.points import list_moves, point_text
from tengen.engine.records.psq import GAME
from tengen.tools.arguments import Parser, number, whole_number
from tengen.tools.jobs import Jobs
from tengen.tools.live import Live, bar
from tengen.tools.locking import beside
from tengen.tools.openings.placing import OPENING_RULES, drawn, least_image, places

if TYPE_CHECKING:
    from tengen.engine.search.base import Search

LOOK = 6
"""Plies of the search that chooses the last stone."""
DOUBT = 0.1
"""By how much more than is asked for the short search may be out of balance."""
ROUND = 4
"""Openings of a round for each process."""
MEMORY_MB = 64.0
LARGEST = 64 << 20
_HEAD = re.compile(r"# tengen openings: (.{1,300}); tried (\d{1,9})")


class Settings(NamedTuple):
    """What decides which openings are found."""

    size: int
    rules: str
    rule: str
    plies: int
    balance: float
    depth: int
    seed: int

    def words(self) -> str:
        """In the file."""
        return (
            f"{self.size}x{self.size}, {self.rules}, {self.rule}, {self.plies} stones, within {self.balance:g} %, "
            f"depth {self.depth}, seed {self.seed}"
        )

    def start(self) -> State:
        """The empty board."""
        game = get_game(GAME)
        return game.new_state(self.size, self.size, game.rule_sets[self.rules], game.default_komi)


class Found(NamedTuple):
    """The opening with a number; None: it was not balanced."""

    number: int
    moves: Sequence[int] | None


def configure(parser: Parser) -> None:
    """Declare the options."""
    add = parser.add_argument
    whole = partial(whole_number, low=1)
    rules = "; ".join(f"{name}: {rule.doc}" for name, rule in OPENING_RULES.items())
    add("file", metavar="FILE", help="the openings, a line each; a file that is there is gone on with")
    add("--count", type=partial(whole, high=10**6), default=100, metavar="N", help="how many there shall be (100)")
    add("--size", type=partial(whole, high=25), default=15, metavar="N", help="lines of the board (15)")
    add("--rules", default="freestyle", choices=list(get_game(GAME).rule_sets), help="what wins (freestyle)")
    add("--opening", default="free", choices=list(OPENING_RULES), help=f"where the stones may lie (free). {rules}")
    add("--plies", type=partial(whole, high=20), metavar="N", help="stones of an opening (5; swap2 3)")
    add("--balance", type=partial(number, low=0.1, high=50), default=5.0, metavar="P",
        help="how far from 50 %% the winning chances may be, in percent (5)")  # fmt: skip
    add("--depth", type=partial(whole, high=30), default=12, metavar="N", help="plies that are looked ahead (12)")
    add("--seed", type=partial(whole_number, low=0, high=2**31), default=1, metavar="N", help="draws others (1)")
    add("--jobs", type=partial(whole, high=256), default=os.cpu_count() or 1, metavar="N",
        help="processes that search (the processors)")  # fmt: skip


def run(values: Namespace) -> int:
    """Find openings. Raises ValueError or OSError with one sentence."""
    plies = values.plies or (3 if values.opening == "swap2" else 5)
    settings = Settings(values.size, values.rules, values.opening, plies, values.balance, values.depth, values.seed)
    path = Path(values.file)
    if not path.parent.is_dir():
        raise ValueError(f"there is no folder '{path.parent}'")
    get_game(GAME).check_size(settings.size, settings.size)
    with beside(path, "finds openings"), Live(is_patient=True) as live:
        openings = Openings(path, settings)
        started = time.monotonic()
        live.result(f"{len(openings.lines)} openings in '{path}'")
        with Jobs(values.jobs) as jobs:
            while len(openings.lines) < values.count:
                tasks = [(settings, number) for number in range(openings.tried, openings.tried + ROUND * jobs.count)]
                for found in sorted(jobs.run(find, tasks)):
                    if len(openings.lines) < values.count:
                        openings.add(found)
                openings.write()
                live.update([f"{bar(len(openings.lines), values.count)} openings", f"{openings.tried} tried"])
        live.result(f"{len(openings.lines)} openings, {openings.tried} tried, {time.monotonic() - started:.0f} s")
    return 0


class Openings:
    """The openings of a file; tried: how many numbers were looked at."""

    def __init__(self, path: Path, settings: Settings) -> None:
        """Raises ValueError for a file that is none of these settings, OSError where it cannot be read."""
        self._path, self._settings = path, settings
        self.lines: list[str] = []
        self.tried = 0
        self._images: set[bytes] = set()
        if path.exists():
            self._read(files.read(path, LARGEST).decode("utf-8", "replace"))

    def add(self, found: Found) -> None:
        """Keep an opening, unless an image of it is there."""
        self.tried = found.number + 1
        if found.moves is None or (image := self._image(found.moves)) in self._images:
            return
        self._images.add(image)
        side = self._settings.size
        self.lines.append("".join(point_text(GAME, side, side, cell) for cell in found.moves))

    def write(self) -> None:
        """Replace the file."""
        head = f"# tengen openings: {self._settings.words()}; tried {self.tried}"
        atomic.write(self._path, "\n".join([head, *self.lines, ""]))

    def _read(self, text: str) -> None:
        head, *lines = text.splitlines() or [""]
        match = _HEAD.fullmatch(head)
        if match is None:
            raise ValueError(f"'{self._path}' is there and was not made by tengen openings: name another file")
        if match[1] != self._settings.words():
            raise ValueError(f"'{self._path}' holds openings of {match[1]}; asked for are {self._settings.words()}")
        self.tried = int(match[2])
        board = Record(GAME, self._settings.size, self._settings.size)
        for row, line in enumerate(lines, 2):
            try:
                self._images.add(self._image([cell for _, cell in list_moves(board, line)]))
            except ValueError as error:
                raise RecordError(f"'{self._path}', line {row}: {error}") from None
            self.lines.append(line)

    def _image(self, moves: Sequence[int]) -> bytes:
        """Raises ValueError for moves that cannot be played."""
        state = self._settings.start()
        for cell in moves:
            state.play(cell)
        return least_image(state.stones(), state.width, state.height)


def find(settings: Settings, number: int) -> Found:
    """The opening with that number. Runs in a worker process; the same wherever it runs."""
    from tengen.engine._core import StopToken
    from tengen.engine.limits import EVERY, Limits
    from tengen.engine.search.base import Root

    rule, search = OPENING_RULES[settings.rule], _searcher()
    state, moves = drawn(settings.start(), rule, settings.plies - 1, random.Random(f"{settings.seed} {number}"))
    if len(moves) < settings.plies - 1:
        return Found(number, None)
    search.clear()
    allowed = set(places(state, rule, len(moves)))
    look = search.run(Root(state), Limits(depth=min(LOOK, settings.depth), lines=EVERY), StopToken())
    lines = [line for line in look.lines if line.move in allowed]
    if not lines:
        return Found(number, None)
    nearest = min(lines, key=lambda line: (abs(line.expected - 0.5), line.move))
    state.play(last := nearest.move)
    if state.is_terminal() or abs(nearest.expected - 0.5) > settings.balance / 100 + DOUBT:
        return Found(number, None)
    search.clear()
    best = search.run(Root(state), Limits(depth=settings.depth), StopToken()).best
    is_balanced = best is not None and abs(best.expected - 0.5) <= settings.balance / 100
    return Found(number, [*moves, last] if is_balanced else None)


@lru_cache(maxsize=1)
def _searcher() -> Search:
    from tengen.engine.search import make_search

    return make_search(get_game(GAME), "alphabeta", {"alphabeta.memory_mb": MEMORY_MB})
