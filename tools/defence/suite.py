"""A suite as text, a position a line: `15x15 freestyle: h8i9j8h10; lost by k8; game 3fa2c1d07b21`.

A line `# game 3fa2c1d07b21` names a game that gave none, so that it is not looked at again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tengen.engine import files
from tengen.engine.games import get_game
from tengen.engine.games.base import State
from tengen.engine.records import Record
from tengen.engine.records.points import list_moves, point, point_text
from tengen.engine.records.psq import GAME
from tengen.engine.sentence import excerpt

LARGEST = 64 << 20
_LINE = re.compile(r"(\d{1,2})x(\d{1,2}) ([a-z-]{1,20}): (\S{1,2000}); lost by (\S{2,3})(?:; game ([0-9a-f]{12}))?")
_GAME = re.compile(r"# game ([0-9a-f]{12})")


@dataclass(frozen=True)
class Case:
    """A position with the move that lost it. moves: from the empty board, both sides in turn. game: whence it is."""

    width: int
    height: int
    rules: str
    moves: tuple[int, ...]
    lost_by: int
    game: str = ""

    def state(self) -> State:
        """The position. Raises ValueError for moves that cannot be played."""
        game = get_game(GAME)
        game.check_size(self.width, self.height)
        if self.rules not in game.rule_sets:
            raise ValueError(f"unknown rules '{self.rules}'")
        state = game.new_state(self.width, self.height, game.rule_sets[self.rules], game.default_komi)
        for move in self.moves:
            state.play(move)
        if state.is_terminal():
            raise ValueError("the game is over")
        return state

    def text(self, move: int) -> str:
        """A point of its board."""
        return point_text(GAME, self.width, self.height, move)

    def line(self) -> str:
        """In the file."""
        moves = "".join(map(self.text, self.moves))
        game = f"; game {self.game}" if self.game else ""
        return f"{self.width}x{self.height} {self.rules}: {moves}; lost by {self.text(self.lost_by)}{game}"


@dataclass
class Suite:
    """The positions of a file; games: the names of those that were looked at."""

    cases: list[Case]
    games: list[str]

    def text(self) -> str:
        """The file."""
        named = {case.game for case in self.cases}
        without = [f"# game {game}" for game in self.games if game not in named]
        return "\n".join([*(case.line() for case in self.cases), *without, ""])


def read(path: Path) -> Suite:
    """Raises ValueError naming the line that is none, or OSError."""
    suite = Suite([], [])
    for row, line in enumerate(files.read(path, LARGEST).decode("utf-8", "replace").splitlines(), 1):
        if named := _GAME.fullmatch(line):
            suite.games.append(named[1])
        elif line.strip() and not line.startswith("#"):
            try:
                suite.cases.append(case_of(line))
            except ValueError as error:
                raise ValueError(f"'{path}', line {row}: {error}") from None
            suite.games += filter(None, [suite.cases[-1].game])
    return suite


def case_of(line: str) -> Case:
    """Raises ValueError with one sentence."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"{excerpt(line, 40)} is no position of a suite")
    width, height = int(match[1]), int(match[2])
    get_game(GAME).check_size(width, height)
    moves = tuple(move for _, move in list_moves(Record(GAME, width, height), match[4]))
    case = Case(width, height, match[3], moves, point(GAME, width, height, match[5]), match[6] or "")
    if not case.state().is_legal(case.lost_by):
        raise ValueError(f"{match[5]} is no legal move there")
    return case


def name_of(record: Record, rules: str) -> str:
    """The name of a game: the same for the same moves under the same rules."""
    words: Iterable[object] = (record.width, record.height, rules, *(move for _, move in record.moves))
    return hashlib.sha256(" ".join(map(str, words)).encode()).hexdigest()[:12]
