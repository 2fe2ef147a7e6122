"""Gomoku and Renju in RenLib's libraries (.lib): a tree of moves, of which each line to its end is a game.

A header of 20 bytes (255, "RenLib", 255, version, ten times 255; the oldest files have none), then the nodes in order,
first moves first. A node is two bytes: a point (16 * row + column, rows from the top from 0, columns from 1; 0 is the
root, or a pass) and flags: another move follows at the same place later (128), the line ends here (64), an old comment
(32), a mark (16), a comment (8), the start (4), no move but a text on the board (2), two bytes of further flags (1),
whose lowest bit is a text on the board. Comments and texts come in pairs of bytes up to a zero; old comments up to a
byte with its highest bit set. Boards are 15x15; the rules are those of renju.
Read only. Left out: comments, marks and texts; passes, after which a side moves twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tengen.engine.records.base import MAX_BYTES, MAX_GAMES, Record, RecordError, collect, first_of
from tengen.engine.records.psq import GAME

SIGN, HEADER, NEWEST = b"\xffRenLib\xff", 20, (3, 4)
_SIZE, _CENTRE = 15, 0x78
_DOWN, _END, _OLD, _COMMENT, _NO_MOVE, _MORE = 128, 64, 32, 8, 2, 1
_TEXT = 1  # of the further flags
_PASS, _NONE = -1, -2
"""In a line: a pass, and a node that is no move."""
_DEEPEST = 2 * _SIZE * _SIZE
_ZERO, _MARKED = re.compile(rb"\0"), re.compile(rb"[\x80-\xff]")
"""What ends a text, and an old one."""
_NOTHING = "the library holds no moves"
_READ = ": the library is read up to it"
_IN_A_MOVE = "the file ends within a move" + _READ

Line = list[int]
"""Cells from the first move on."""


def loads(data: bytes | str) -> Record:
    """Read the first line of a library. Raises RecordError with one sentence."""
    return first_of(_games(data), _NOTHING)


def loads_all(data: bytes | str) -> list[Record]:
    """Read every line; a damaged library up to the damage. Raises RecordError with one sentence."""
    return collect(_games(data), _NOTHING)


def dumps(record: Record) -> str:
    """Raises RecordError: libraries are no text."""
    raise RecordError("RenLib's libraries are read only: write SGF, PSQ or text")


def _games(data: bytes | str) -> Iterator[Record]:
    """The lines as games; the last one says why no more was read. Raises RecordError where there is none at all."""
    if isinstance(data, str):
        raise RecordError("RenLib's libraries are no text")
    if len(data) > MAX_BYTES:
        raise RecordError(f"the file is larger than {MAX_BYTES >> 20} MB")
    reader = _Reader(data)
    last: Record | None = None
    for number, line in enumerate(_without_beginnings(reader.lines())):
        if number == MAX_GAMES:
            reader.said = f"the library holds more than {MAX_GAMES} lines: the others are left out"
            break
        if last is not None:
            yield last
        last = _record(line)
    if last is None and reader.said:
        raise RecordError(reader.said)
    if last is not None:
        yield replace(last, warnings=(reader.said,)) if reader.said else last


def _record(line: Line) -> Record:
    moves = tuple((number % 2, cell) for number, cell in enumerate(line) if cell >= 0)
    return Record(GAME, _SIZE, _SIZE, rules="renju", moves=moves)


def _without_beginnings(lines: Iterator[Line]) -> Iterator[Line]:
    """The lines without those that another one goes on: both stand side by side."""
    kept: Line = []
    for line in lines:
        if line[: len(kept)] == kept:
            kept = line
        elif kept[: len(line)] != line:
            yield kept
            kept = line
    if kept:
        yield kept


class _Reader:
    """The nodes of a library. said: why reading stopped before the end, "" if it did not."""

    def __init__(self, data: bytes) -> None:
        """Raises RecordError for a file that is no library."""
        self._data, self._at = data, 0
        self.said = ""
        if data.startswith(SIGN):
            if len(data) < HEADER:
                raise RecordError("the file ends within the header of a RenLib library")
            if (data[8], data[9]) > NEWEST:
                raise RecordError(f"the library is of RenLib's version {data[8]}.{data[9]}; 3.4 is the newest known")
            self._at = HEADER
        elif data[:1] != bytes((_CENTRE,)):
            raise RecordError("the file is no RenLib library")

    def lines(self) -> Iterator[Line]:
        """The moves from the first one to each end of a line, and to where reading stopped."""
        path: Line = []
        branches: list[int] = []  # lengths of the path before moves that have others beside them
        is_first = True
        while node := self._node():
            point, flags = node
            if point or not is_first:
                cell = _cell(point)
                if cell is None or len(path) == _DEEPEST:
                    what = f"{point} is no point" if cell is None else f"a line has more than {_DEEPEST} moves"
                    self.said = f"byte {self._at}: {what}{_READ}"
                    break
                if flags & _DOWN:
                    branches.append(len(path))
                path.append(_NONE if flags & _NO_MOVE else cell)
            is_first = False
            if not self._skip_texts(flags):
                self.said = "the file ends within a comment" + _READ
                break
            if flags & _END:
                yield _moves_of(path)
                del path[branches.pop() if branches else 0 :]
        yield _moves_of(path)

    def _node(self) -> tuple[int, int] | None:
        """Point and flags of the next node, the further ones above the others; None at the end."""
        data, at = self._data, self._at
        if len(data) - at < 2:
            if at < len(data):
                self.said = _IN_A_MOVE
            return None
        point, flags = data[at], data[at + 1]
        self._at = at + 2
        if flags & _MORE:
            if len(data) - at < 4:
                self.said = _IN_A_MOVE
                return None
            flags |= data[at + 3] << 8
            self._at = at + 4
        return point, flags

    def _skip_texts(self, flags: int) -> bool:
        """Pass over what is written about a node; False where the file ends within it."""
        is_whole = True
        if flags & _OLD:
            is_whole = self._skip(_MARKED)
        elif flags & _COMMENT:
            is_whole = self._skip(_ZERO)
        return self._skip(_ZERO) if is_whole and flags >> 8 & _TEXT else is_whole

    def _skip(self, end: re.Pattern[bytes]) -> bool:
        """Pass over a text and its last byte; texts fill pairs of bytes. False where the file ends within it."""
        found = end.search(self._data, self._at)
        if found is None:
            return False
        self._at += (found.end() - self._at + 1) // 2 * 2
        return True


def _cell(point: int) -> int | None:
    """The cell of a point, PASS for 0; None for what is none."""
    row, column = divmod(point, 16)
    if not point:
        return _PASS
    return row * _SIZE + column - 1 if row < _SIZE and column else None


def _moves_of(path: Line) -> Line:
    """The path up to a node that is no move."""
    return path[: path.index(_NONE)] if _NONE in path else path[:]
