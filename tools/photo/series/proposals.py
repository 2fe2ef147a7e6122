"""Proposals for the moves before a frame: moves that the frame shows, and corrections of earlier ones.

A correction is a stone taken back, read in the wrong colour at first, or pushed to the next point: the line is played
again with that one move changed, so it stays a legal game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.results import Point
from tengen.tools.photo.series.line import Line, begin

SHOWN = 0.5
"""Nats that a frame and what comes after it must say for a move; less than one costs: it may spare a later cost."""
GONE = 7.0
"""Nats for a correction; a little less than one costs."""
EXPECTED, OTHERS, LOST, CORRECTED = 6, 3, 3, 3
"""How many are tried: moves of the expected colour, of the other, chains that vanished, points to correct."""


class Proposal(NamedTuple):
    """A line after one more thing has happened; moves cost less than corrections."""

    line: Line
    is_correction: bool


def proposals(line: Line, size: int, worth: NDArray[np.float32], frame: int, corrections: bool) -> Iterator[Proposal]:
    """Lines that follow, each by one thing. `worth` (points, 3): what the series says from this frame on."""
    gain = worth - worth[np.arange(len(line.stones)), line.stones][:, None]
    for colour, move in moves(line, gain):
        after = line.played(colour, move, frame)
        if after is not None:
            yield Proposal(after, False)
    if corrections:
        for after in corrected(line, size, gain):
            yield Proposal(after, True)


def moves(line: Line, gain: NDArray[np.float32]) -> list[tuple[int, int]]:
    """(colour, point) of the moves that the gains (points, 3) speak for, the clearest first."""
    chosen = []
    for colour in (0, 1):
        column = np.where(line.stones == Point.EMPTY, gain[:, colour + 1], -np.inf)
        most = EXPECTED if line.expected in (None, colour) else OTHERS
        best = np.argpartition(-column, min(most, len(column) - 1))[:most]
        chosen += [(colour, int(cell)) for cell in best[np.argsort(-column[best])] if column[cell] > SHOWN]
    return chosen + [move for move in captures(line, gain) if move not in chosen]


def captures(line: Line, gain: NDArray[np.float32]) -> list[tuple[int, int]]:
    """(colour, point): the last liberty of each chain of Go that the gains say is gone."""
    if line.game != "go":
        return []
    lost = np.where(line.stones > 0, gain[:, 0], -np.inf)
    state, found = line.state, []
    for cell in np.argsort(-lost)[:LOST]:
        if lost[cell] > SHOWN:
            liberties = state.liberties_of(int(cell))  # type: ignore[attr-defined]
            if len(liberties) == 1:
                found.append((2 - int(line.stones[cell]), int(liberties[0])))
    return found


def corrected(line: Line, size: int, gain: NDArray[np.float32]) -> Iterator[Line]:
    """The line played again without, or with another, move at each point whose stone is not there any more."""
    stones = line.stones
    lost = np.where(stones > 0, gain.max(-1), -np.inf)
    cells = [int(cell) for cell in np.argsort(-lost)[:CORRECTED] if lost[cell] > GONE]
    if not cells:
        return
    way = line.way()
    for cell in cells:
        index = next((at for at in range(len(way) - 1, 0, -1) if way[at].step[1] == cell), 0)  # type: ignore[index]
        later = [after.step for after in way[index + 1 :] if after.step is not None]
        for start in _changed(way[index], cell, size, gain):
            after = start.replayed(later)
            if after is not None:
                yield after


def _changed(line: Line, cell: int, size: int, gain: NDArray[np.float32]) -> Iterator[Line]:
    """What may have been instead of the line's last move, at this point, or instead of a stone of the set-up."""
    if line.step is None or line.before is None:
        if line.setup is not None and line.setup[cell]:
            yield begin(line.game, size, line.setup[:cell] + b"\0" + line.setup[cell + 1 :])
        return
    colour, _, frame = line.step
    yield line.before
    for other in [(1 - colour, cell), *((colour, near) for near in _shown_nearby(cell, size, colour, gain))]:
        after = line.before.played(*other, frame)
        if after is not None:
            yield after


def _shown_nearby(cell: int, size: int, colour: int, gain: NDArray[np.float32]) -> Iterator[int]:
    """The points next to this one where a stone of that colour has appeared."""
    row, column = divmod(cell, size)
    for place in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        near = place[0] * size + place[1]
        if 0 <= place[0] < size and 0 <= place[1] < size and gain[near, colour + 1] > SHOWN:
            yield near
