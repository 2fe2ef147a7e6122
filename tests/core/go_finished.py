"""Finished games of Go with the margin that was agreed, from the records of the GNU Go regression tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tengen.engine import records
from tengen.engine.records import Record
from tengen.engine.records.replay import start_of

LEAST_MOVES = 30
RESULT = re.compile(r"([BW])\+(\d+(?:\.\d+)?)")
AREA_RULES = ("chinese", "aga", "tt", "tromp", "nz", "new zealand")


class Finished(NamedTuple):
    """A position of a game that ended by passes. score: black - white by area, without komi, as the players agreed."""

    name: str
    stones: NDArray[np.int8]
    score: float


def finished_games(folder: Path) -> Iterator[Finished]:
    """Every even game below a folder that ended by a pass with a margin, by name.

    Area is territory with prisoners, and the stones that each side has put on the board: that makes an area score of
    a record by Japanese rules.
    """
    for path in sorted(folder.rglob("*.sgf")):
        try:
            record = records.read(path)
            found = _finished(path.stem, record)
        except (records.RecordError, ValueError, IndexError):
            continue
        if found is not None:
            yield found


def _finished(name: str, record: Record) -> Finished | None:
    result = RESULT.fullmatch(record.result)
    cells = record.width * record.height
    if not result or record.width != record.height or record.handicap > 1 or record.setup or record.komi is None:
        return None
    if len(record.moves) < LEAST_MOVES or record.moves[-1][1] != cells:
        return None
    state: Any = start_of(record)
    put = [0, 0]
    for colour, move in record.moves:
        state.play_as(colour, move)
        put[colour] += move != cells
    score = float(result[2]) * (1 if result[1] == "B" else -1) + record.komi
    if not (record.rules or "").lower().startswith(AREA_RULES):
        score += put[0] - put[1]
    stones = np.frombuffer(state.stones(), np.int8).reshape(record.height, record.width)
    return Finished(name, stones, score)
