"""Files of chess positions to learn from: what a search said of each and how its game ended, in one .npz.

A file is written whole or not at all and checked when it is read; nothing in it is unpickled. Positions of one game lie
in one file.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine import atomic, npz

GAME, VERSION = "chess", 1
UNKNOWN = 2
"""In place of a result: the position is none of the game itself."""
HIGHEST = 30_000
"""A score, either way."""
PIECES = 12


class PositionsError(ValueError):
    """A file that holds no such positions; the message is one sentence without the file's name."""


@dataclass(frozen=True)
class LabelledPositions:
    """n positions. boards: n x 32, uint8, of which each holds two squares, a1 in the lower four bits of the first, as
    `ChessState.pieces` numbers pieces; sides: n, uint8, who moves (0 White); scores: n, int16, centipawns for the side
    to move; results: n, int8, of the game for the side to move (1, 0, -1 or UNKNOWN); halfmoves: n, uint8, plies
    without progress; games: n, int32, of which game in this file."""

    boards: NDArray[np.uint8]
    sides: NDArray[np.uint8]
    scores: NDArray[np.int16]
    results: NDArray[np.int8]
    halfmoves: NDArray[np.uint8]
    games: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.sides)


COLUMNS = {field.name: kind for field, kind in zip(
    fields(LabelledPositions), ("u1", "u1", "<i2", "i1", "u1", "<i4"), strict=True
)}  # fmt: skip


class Collector:
    """Takes positions one by one."""

    def __init__(self) -> None:
        self._boards, self._rest = bytearray(), list[tuple[int, int, int, int, int]]()

    def __len__(self) -> int:
        return len(self._rest)

    def add(self, pieces: bytes, side: int, score: float, result: int, halfmove: int, game: int) -> None:
        """pieces: 64, as `ChessState.pieces` has them."""
        self._boards += pieces
        limited = max(-HIGHEST, min(HIGHEST, round(score)))
        self._rest.append((side, limited, result, min(halfmove, 255), game))

    def positions(self) -> LabelledPositions:
        """All of them."""
        squares = np.frombuffer(bytes(self._boards), np.uint8).reshape(-1, 64)
        rest = np.array(self._rest, np.int32).reshape(-1, 5)
        sides, scores, results, halfmoves, games = rest.T
        boards = np.asarray(squares[:, ::2] | squares[:, 1::2] << 4, np.uint8)
        return LabelledPositions(
            boards, sides.astype(np.uint8), scores.astype(np.int16),
            results.astype(np.int8), halfmoves.astype(np.uint8), np.ascontiguousarray(games),
        )  # fmt: skip


def squares_of(boards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """n x 64 pieces, a1 first, of n x 32 boards."""
    found = np.empty((len(boards), 64), np.uint8)
    found[:, ::2], found[:, 1::2] = boards & 15, boards >> 4
    return found


def is_labelled(path: Path) -> bool:
    """Whether a file says that it holds such positions, in place of games. Raises OSError."""
    try:
        _header(npz.read(path))
    except ValueError:
        return False
    return True


def together(parts: Sequence[LabelledPositions]) -> LabelledPositions:
    """All positions of several files; `games` are of each file still."""
    return LabelledPositions(*(np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS))


def some(found: LabelledPositions, chosen: NDArray[np.bool_]) -> LabelledPositions:
    """Those of n positions that are chosen: n."""
    return LabelledPositions(*(getattr(found, name)[chosen] for name in COLUMNS))


def write(path: Path, positions: LabelledPositions) -> None:
    """Write a file, on the disk when this returns. Raises OSError."""
    header = json.dumps({"version": VERSION, "game": GAME, "labelled": True})
    arrays: dict[str, Any] = {"header": np.frombuffer(header.encode(), np.uint8)}
    arrays |= {name: getattr(positions, name).astype(kind) for name, kind in COLUMNS.items()}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    atomic.write(path, buffer.getvalue())


def read(path: Path) -> LabelledPositions:
    """The positions of a file. Raises PositionsError, OSError."""
    try:
        arrays = npz.read(path)
        _header(arrays)
        found = LabelledPositions(**{name: arrays[name] for name in COLUMNS})
    except PositionsError:
        raise
    except (ValueError, KeyError) as error:
        raise PositionsError(f"it is damaged or holds no positions ({str(error) or type(error).__name__})") from None
    check(found)
    return found


def read_named(path: Path) -> LabelledPositions:
    """The same; a PositionsError names the file."""
    try:
        return read(path)
    except PositionsError as error:
        raise PositionsError(f"'{path}': {error}") from None


def _header(arrays: npz.Arrays) -> None:
    """Raises PositionsError for one that is not of such positions, of this version."""
    try:
        header = json.loads(arrays["header"].tobytes())
    except (ValueError, KeyError, RecursionError) as error:
        raise PositionsError(f"it is damaged or holds no positions ({error or type(error).__name__})") from None
    if not isinstance(header, dict) or not header.get("labelled") or header.get("game") != GAME:
        raise PositionsError("it holds no labelled positions of chess")
    if header.get("version") != VERSION:
        raise PositionsError(f"it is not of version {VERSION}")


def check(found: LabelledPositions) -> None:
    """Raises PositionsError, a sentence, unless everything is within its bounds."""
    count = found.sides.size
    for name, kind in COLUMNS.items():
        array = getattr(found, name)
        if array.dtype != np.dtype(kind) or array.shape != ((count, 32) if name == "boards" else (count,)):
            raise PositionsError(f"its {name} are of another type or shape")
    squares = squares_of(found.boards)
    kings = [(squares == king).sum(1) for king in (6, PIECES)]
    if squares.max(initial=0) > PIECES or not all((count == 1).all() for count in kings):
        raise PositionsError("a board has pieces that there are not, or not one king of each side")
    if (np.count_nonzero(squares, axis=1) > 32).any():
        raise PositionsError("a board has more than 32 pieces")
    if not np.isin(found.results, (-1, 0, 1, UNKNOWN)).all() or found.sides.max(initial=0) > 1:
        raise PositionsError("a result or a side is none")
