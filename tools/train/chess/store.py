"""Labelled positions of chess of many files as one set on the disk, which may be larger than memory: flat columns, each
position once."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tengen.tools.train.chess.returns import returns
from tengen.tools.train.data import positions

COLUMNS = {**{name: positions.COLUMNS[name] for name in ("boards", "sides", "scores", "results")}, "returns": "<u2"}
"""Name -> type: those of `positions.LabelledPositions`, and `returns`; 38 bytes a position."""
AT_ONCE, SHARES = 1 << 20, 16
"""Positions that are worked on at once; parts in which equal ones are looked for."""
_MIXERS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], np.uint64)


class Stored(NamedTuple):
    """n positions whose columns lie in files, as `nets.chess_fitting.Labelled` has them. again: how many more were left
    out, since they were there before."""

    boards: NDArray[np.uint8]
    sides: NDArray[np.uint8]
    scores: NDArray[np.int16]
    results: NDArray[np.int8]
    returns: NDArray[np.uint16]
    again: int


def store(
    files: Sequence[Path], folder: Path, share: float = 0, tell: Callable[[int], None] = lambda done: None
) -> Stored:
    """Write the positions of `files` into `folder`, which is made anew; of equal positions, with the same side to move,
    the first. share: of `returns`. tell: gets how many files are read. The folder is the caller's to remove. Raises
    PositionsError with the file's name, OSError."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    count = 0
    with ExitStack() as stack:
        out = {name: stack.enter_context((folder / name).open("wb")) for name in COLUMNS}
        for number, path in enumerate(files):
            found = positions.read_named(path)
            more = {"returns": returns(found, share)}
            for name, file in out.items():
                column = more[name] if name in more else getattr(found, name)
                file.write(column.astype(COLUMNS[name]).tobytes())
            count += len(found)
            tell(number + 1)
    columns = {name: _column(folder / name, name, count) for name in COLUMNS}
    kept = _compact(columns, _is_first(columns["boards"], columns["sides"]))
    first = {name: column[:kept] for name, column in columns.items()}
    return Stored(**first, again=count - kept)


def _column(path: Path, name: str, count: int) -> NDArray[Any]:
    """The numbers of a file, which reading and writing bring into memory and back."""
    shape = (count, 32) if name == "boards" else (count,)
    if not count:
        return np.empty(shape, COLUMNS[name])
    return np.asarray(np.memmap(path, COLUMNS[name], "r+", shape=shape))


def _is_first(boards: NDArray[Any], sides: NDArray[Any]) -> NDArray[np.bool_]:
    """Which positions were not there before, by hashes of 64 bits."""
    hashes = np.empty(len(sides), np.uint64)
    for begin in range(0, len(sides), AT_ONCE):
        part = slice(begin, begin + AT_ONCE)
        words = np.ascontiguousarray(boards[part]).view("<u8")
        mixed = (words ^ words >> np.uint64(29)) * _MIXERS
        mixed ^= mixed >> np.uint64(32)
        hashes[part] = (mixed * _MIXERS[::-1]).sum(1, dtype=np.uint64) ^ sides[part].astype(np.uint64)
    first = np.zeros(len(sides), np.bool_)
    for share in range(SHARES):  # what is sorted at once takes several times its memory
        at = np.flatnonzero(hashes % np.uint64(SHARES) == share)
        first[at[np.unique(hashes[at], return_index=True)[1]]] = True
    return first


def _compact(columns: dict[str, NDArray[Any]], is_kept: NDArray[np.bool_]) -> int:
    """Move what is kept to the beginning; how many they are."""
    kept = 0
    for begin in range(0, len(is_kept), AT_ONCE):
        part = slice(begin, begin + AT_ONCE)
        chosen = is_kept[part]
        count = int(np.count_nonzero(chosen))
        for column in columns.values():
            column[kept : kept + count] = column[part][chosen]
        kept += count
    return kept
