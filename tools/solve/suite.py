"""Suites of chess: positions of an EPD file with their tasks, and the results of a search.

Of EPD's operations these are looked at: "bm" the best moves, "am" those to avoid, "dm" mate in so many moves, "id".
Moves are read leniently (`tengen.engine.records.san`). A position none of whose moves can be read is told and not
counted, nor is a line that is no position or asks for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tengen.engine.config import Config
from tengen.engine.games import get_game
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.engine.records import Record, RecordError, content_of, epd
from tengen.engine.records.base import excerpt
from tengen.engine.records.epd import GAME
from tengen.engine.records.replay import state_of
from tengen.engine.records.san import move_of
from tengen.engine.sentence import printable

if TYPE_CHECKING:
    from tengen.engine._core import ChessState
    from tengen.engine.info import Line

_SIGN = re.compile(r"\s++(?=[+#!?]+(?:\s|$))")  # "Qd1 +", as old suites have it
_WORD = re.compile(r"[^\s,]+")


@dataclass(frozen=True)
class Wanted:
    """A position and what solves it: one of the moves `best`, or none of `avoid` where there are no best ones; and a
    mate in `mate` moves or fewer, where that is not 0. text: what is asked for, as the file says it."""

    number: int
    name: str
    state: ChessState
    text: str
    best: frozenset[int] = frozenset()
    avoid: frozenset[int] = frozenset()
    mate: int = 0

    def is_solved(self, line: Line) -> bool:
        """Whether a search that ends with this line as its best has solved it."""
        if self.best and line.move not in self.best:
            return False
        return line.move not in self.avoid and (not self.mate or 0 < mate_of(line) <= self.mate)


class Refused(NamedTuple):
    """A position that is not looked at, and why."""

    number: int
    reason: str


@dataclass(frozen=True)
class Found:
    """The move that the search would play, and whether it solves the position. seconds: by the clock."""

    wanted: Wanted
    line: Line
    nodes: int
    seconds: float

    @property
    def is_solved(self) -> bool:
        """Whether it is what the file asks for."""
        return self.wanted.is_solved(self.line)

    @property
    def mates_later(self) -> bool:
        """Whether it mates, but in more moves than the file asks for, and nothing else is wrong."""
        wanted = self.wanted
        return mate_of(self.line) > wanted.mate > 0 and replace(wanted, mate=0).is_solved(self.line)


def mate_of(line: Line) -> int:
    """Moves until the side to move mates, below 0 until it is mated, 0: neither is known."""
    proof = line.proof
    if proof is None or proof.result == 0:
        return 0
    return proof.result * ((proof.plies + 1) // 2)


def read_suite(path: Path, mate: int = 0) -> list[Wanted | Refused]:
    """Read the task of each position of a file, in their order. mate: in how many moves, where a position says nothing
    of what it wants. Raises RecordError for a file that cannot be read or has no line of a position."""
    found: list[Wanted | Refused] = []
    for number, row in enumerate(epd.loads_kept(content_of(path)), 1):
        try:
            if isinstance(row, RecordError):
                raise row
            found.append(wanted_of(number, row, mate))
        except ValueError as error:
            found.append(Refused(number, str(error)))
    return found


def wanted_of(number: int, record: Record, mate: int = 0) -> Wanted:
    """Return the task of a position; see `read_suite`. Raises ValueError where that is nothing, or cannot be read."""
    state: ChessState = state_of(record)  # type: ignore[assignment]
    if state.is_terminal():
        raise ValueError(f"the game is over: {state.ending()}")
    known = record.properties
    moves, unread = {}, []
    for key in ("bm", "am"):
        words = _WORD.findall(_SIGN.sub("", known.get(key, "")))
        named = [(word, _read(state, word)) for word in words]
        moves[key] = frozenset(move for _, move in named if move >= 0)
        unread += [f"{key} {word} is no legal move" for word, move in named if move < 0]
    in_moves = known.get("dm", "").strip()
    is_count = in_moves.isascii() and in_moves.isdecimal() and len(in_moves) < 4
    if in_moves and not is_count:
        unread.append(f"dm {excerpt(in_moves)} is no number of moves")
    text, wanted_mate = _text(known), int(in_moves) if is_count else 0
    if mate and not text:
        text, wanted_mate = f"mate in {mate}", mate
    if not (moves["bm"] or moves["am"] or wanted_mate):
        raise ValueError(unread[0] if unread else "neither bm, am nor dm says what is wanted")
    return Wanted(number, known.get("id", ""), state, text, moves["bm"], moves["am"], wanted_mate)


def _read(state: ChessState, word: str) -> int:
    """The move of a word, also where the sign of a capture stands elsewhere ("Bcx3") or UCI writes it, -1: none."""
    if (move := move_of(state, word)) >= 0 or (move := move_of(state, word.replace("x", ""))) >= 0:
        return move
    try:
        return get_game(GAME).move_from_text(state, word)
    except ValueError:
        return -1


def _text(known: Mapping[str, str]) -> str:
    """What a position asks for, as the file says it."""
    parts = (f"{'' if key == 'bm' else key + ' '}{known[key].strip()}" for key in ("bm", "am", "dm") if known.get(key))
    return ", ".join(parts)


class Searcher:
    """Looks at one position after the other, each with an empty memory, by the player `alphabeta`."""

    def __init__(self, seconds: float, threads: int, memory: int, weights: str | None = None) -> None:
        """weights: a file, "auto" or "none". Raises ConfigError or NetworkError with one sentence."""
        chosen = {} if weights is None else {"alphabeta.weights": weights}
        config = Config(game=GAME, player="alphabeta", threads=threads, memory=memory, net="none", set=chosen)
        self._player, self._limits = Player(config), Limits(seconds=seconds)
        self._player.prepare()

    def find(self, positions: Iterable[Wanted]) -> Iterator[Found | Refused]:
        """Search for so many seconds, less where all is known: a mate, or a move that is the only one. Refused where
        the search breaks."""
        for wanted in positions:
            try:
                yield self._found(wanted)
            except Exception as error:
                yield Refused(wanted.number, printable(f"its search broke: {type(error).__name__}: {error}", 200))

    def _found(self, wanted: Wanted) -> Found:
        self._player.forget()
        self._player.begin(wanted.state)
        request = MoveRequest(wanted.state.to_move, limits=self._limits, play=False, resign=False)
        info = self._player.genmove(request).info
        if info.best is None:
            raise ValueError("no move was found")
        return Found(wanted, info.best, info.playouts, info.seconds)

    def close(self) -> None:
        """Let the player go."""
        self._player.close()


def row_of(found: Found) -> str:
    """One line of the table."""
    line, wanted = found.line, found.wanted
    mate = mate_of(line)
    score = f"mate {mate}" if mate else f"{line.score:+.0f}"
    move = get_game(GAME).move_to_text(wanted.state, line.move)
    asked = f"{wanted.name}: {wanted.text}" if wanted.name else wanted.text
    return (
        f"{wanted.number:4d} {'yes' if found.is_solved else 'no':>6s} {move:>5s} {score:>8s} {line.depth:5d} "
        f"{found.nodes:12,d} {found.seconds:7.2f}  {asked}"
    )


HEAD = "  no solved  move    score depth        nodes seconds  asked"
