"""Opening books in Polyglot's format, as chess GUIs have them: a sorted file of 16 bytes a move.

An entry is the position's key (64 bits), a move, its weight and what it has learned, all big-endian
(http://hgm.nubati.net/book_format.html). python-chess makes the keys; nothing of the file is kept in memory.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from tengen.engine import files
from tengen.engine.games.chess.text import fen_of

if TYPE_CHECKING:
    from tengen.engine._core import ChessState

ENTRY = struct.Struct(">QHHI")
MOST_MOVES = 256
"""Entries of one position that are read."""
_NONE_MOVED = 0
"""A move that is written as nothing."""


class PolyglotError(ValueError):
    """A file that is no such book; the message is one sentence."""


class BookMove(NamedTuple):
    """A legal move of a book; weight: how often it should be played, relative to the others."""

    move: int
    weight: int


class Polyglot:
    """One book, open while it is used."""

    def __init__(self, path: files.Name) -> None:
        """Raises PolyglotError for what is no book, OSError for a file that cannot be read."""
        self._file: BinaryIO = files.open_regular(path)
        size = self._file.seek(0, 2)
        self._count, rest = divmod(size, ENTRY.size)
        if rest or not self._count or not self._is_sorted():
            self._file.close()
            raise PolyglotError(f"'{path}' is no opening book in Polyglot's format")

    def close(self) -> None:
        """Let the file go."""
        self._file.close()

    def find(self, state: ChessState) -> list[BookMove]:
        """The legal moves of a position, the heaviest first. Raises OSError, ImportError (without python-chess)."""
        import chess
        import chess.polyglot

        key = chess.polyglot.zobrist_hash(chess.Board(fen_of(state), chess960=True))
        found: dict[int, int] = {}
        at = self._first(key)
        while at < self._count and len(found) < MOST_MOVES:
            entry = self._entry(at)
            if entry[0] != key:
                break
            move = _dense(state, entry[1])
            if move is not None:
                found[move] = found.get(move, 0) + entry[2]
            at += 1
        return sorted((BookMove(*item) for item in found.items()), key=lambda one: -one.weight)

    def choose(self, state: ChessState, generator: random.Random) -> int | None:
        """A move drawn by the weights, none of weight 0; None where the book has none. Raises as `find`."""
        moves = [one for one in self.find(state) if one.weight > 0]
        return generator.choices(moves, [one.weight for one in moves])[0].move if moves else None

    def _first(self, key: int) -> int:
        """Where the entries of a key begin."""
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            if self._entry(middle)[0] < key:
                low = middle + 1
            else:
                high = middle
        return low

    def _entry(self, number: int) -> tuple[int, int, int, int]:
        """key, move, weight, learned."""
        self._file.seek(number * ENTRY.size)
        data = self._file.read(ENTRY.size)
        if len(data) != ENTRY.size:
            raise OSError(None, "the file has become shorter")
        key, move, weight, learned = ENTRY.unpack(data)
        return key, move, weight, learned

    def _is_sorted(self) -> bool:
        """Whether some of the keys ascend, as they do in a book."""
        step = max(1, self._count // 64)
        keys = [self._entry(number)[0] for number in range(0, self._count, step)]
        return keys == sorted(keys)


def packed(entries: Iterable[tuple[ChessState, Sequence[BookMove]]]) -> bytes:
    """The file of positions and their moves; without moves of weight 0. Raises ImportError (without python-chess)."""
    import chess
    import chess.polyglot

    rows = []
    for state, moves in entries:
        key = chess.polyglot.zobrist_hash(chess.Board(fen_of(state), chess960=True))
        rows += [(key, -one.weight, _written(one.move)) for one in moves if one.weight > 0]
    return b"".join(ENTRY.pack(key, move, -lighter, 0) for key, lighter, move in sorted(rows))


def _written(move: int) -> int:
    """Our move as a book's."""
    return move >> 6 & 63 | (move & 63) << 6 | move >> 12 << 12


def _dense(state: ChessState, written: int) -> int | None:
    """A book's move as ours: target, start and piece are told alike, castling is the king that takes its rook."""
    if written == _NONE_MOVED:
        return None
    start, end, promotion = written >> 6 & 63, written & 63, written >> 12 & 7
    move = start | end << 6 | promotion << 12
    if promotion > 4 or not state.is_legal(move):
        return None
    return move
