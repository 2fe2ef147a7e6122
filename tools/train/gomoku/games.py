"""Files of Gomoku games to learn from: the moves of each game and what searches said of its positions, in one .npz.

A file is written whole or not at all and checked when it is read; nothing in it is unpickled. All games of a file have
one board and one rule.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine import atomic, npz

GAME, VERSION = "gomoku", 1
UNSEARCHED = -(1 << 15)
"""In place of a score: no search was made before this move."""
WON = 30_000
"""The score of a proved win, and the highest."""
UNKNOWN = 2
"""In place of a result: the moves are not a whole game."""
SIDES = (5, 25)


class SearchedError(ValueError):
    """A file that holds no such games; the message is one sentence without the file's name."""


@dataclass(frozen=True)
class SearchedGames:
    """Games on one board. moves: all games' moves one after the other, uint16, dense cells; scores: int16, one for each
    move: what a search said of the position before it for the side to move, or UNSEARCHED; lengths: uint16, moves of
    each game; results: int8, of each game for Black (1, 0, -1 or UNKNOWN). Where there is a score, the move is the
    search's choice."""

    width: int
    height: int
    rule: str
    moves: NDArray[np.uint16]
    scores: NDArray[np.int16]
    lengths: NDArray[np.uint16]
    results: NDArray[np.int8]

    @property
    def positions(self) -> int:
        """Positions that a search looked at."""
        return int((self.scores != UNSEARCHED).sum())


COLUMNS = {"moves": "<u2", "scores": "<i2", "lengths": "<u2", "results": "i1"}


class Collector:
    """Takes games one by one."""

    def __init__(self, width: int, height: int, rule: str) -> None:
        self._board = (width, height, rule)
        self._moves, self._scores = list[int](), list[int]()
        self._lengths, self._results = list[int](), list[int]()

    def add(self, moves: Sequence[int], scores: Sequence[int], result: int) -> None:
        """One score for each move."""
        self._moves += moves
        self._scores += scores
        self._lengths.append(len(moves))
        self._results.append(result)

    def games(self) -> SearchedGames:
        """All of them."""
        columns = (self._moves, self._scores, self._lengths, self._results)
        return SearchedGames(
            *self._board, *(np.array(one, kind) for one, kind in zip(columns, COLUMNS.values(), strict=True))
        )


def is_searched(path: Path) -> bool:
    """Whether a file says that it holds such games. Raises OSError."""
    try:
        _header(npz.read(path))
    except ValueError:
        return False
    return True


def write(path: Path, games: SearchedGames) -> None:
    """Write a file, on the disk when this returns. Raises OSError."""
    board = {"width": games.width, "height": games.height, "rule": games.rule}
    header = json.dumps({"version": VERSION, "game": GAME, "searched": True, **board})
    arrays: dict[str, Any] = {"header": np.frombuffer(header.encode(), np.uint8)}
    arrays |= {name: getattr(games, name).astype(kind) for name, kind in COLUMNS.items()}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    atomic.write(path, buffer.getvalue())


def read(path: Path) -> SearchedGames:
    """The games of a file. Raises SearchedError, OSError."""
    try:
        arrays = npz.read(path)
        header = _header(arrays)
        board = header["width"], header["height"], header["rule"]
        found = SearchedGames(*board, *(arrays[name] for name in COLUMNS))
    except SearchedError:
        raise
    except (ValueError, KeyError) as error:
        raise SearchedError(f"it is damaged or holds no games ({str(error) or type(error).__name__})") from None
    check(found)
    return found


def read_named(path: Path) -> SearchedGames:
    """The same; a SearchedError names the file."""
    try:
        return read(path)
    except SearchedError as error:
        raise SearchedError(f"'{path}': {error}") from None


def _header(arrays: npz.Arrays) -> dict[str, Any]:
    """Raises SearchedError for one that is not of such games, of this version."""
    try:
        header = json.loads(arrays["header"].tobytes())
    except (ValueError, KeyError, RecursionError) as error:
        raise SearchedError(f"it is damaged or holds no games ({error or type(error).__name__})") from None
    if not isinstance(header, dict) or not header.get("searched") or header.get("game") != GAME:
        raise SearchedError("it holds no games of Gomoku with searches")
    if header.get("version") != VERSION:
        raise SearchedError(f"it is not of version {VERSION}")
    return header


def check(found: SearchedGames) -> None:
    """Raises SearchedError, a sentence, unless everything is within its bounds. Moves may still be illegal."""
    sides = (found.width, found.height)
    if not all(type(side) is int and SIDES[0] <= side <= SIDES[1] for side in sides) or type(found.rule) is not str:
        raise SearchedError("it names no board")
    for name, kind in COLUMNS.items():
        array = getattr(found, name)
        if array.dtype != np.dtype(kind) or array.ndim != 1:
            raise SearchedError(f"its {name} are of another type or shape")
    if len(found.moves) != len(found.scores) or len(found.lengths) != len(found.results):
        raise SearchedError("its columns do not fit each other")
    if int(found.lengths.sum(dtype=np.int64)) != len(found.moves):
        raise SearchedError("its games are longer or shorter than its moves")
    if (found.moves >= found.width * found.height).any():
        raise SearchedError("a move is off the board")
    if not np.isin(found.results, (-1, 0, 1, UNKNOWN)).all():
        raise SearchedError("a result is none")
    if ((found.scores != UNSEARCHED) & (np.abs(found.scores.astype(np.int32)) > WON)).any():
        raise SearchedError("a score is out of range")
