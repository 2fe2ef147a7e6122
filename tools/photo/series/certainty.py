"""Find moves of a series that are guesses, and frames that do not show the game: what the frames do not decide."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.series.evidence import Table
from tengen.tools.photo.series.line import Line, Step

CLEAR = 2.0
"""Nats by which a reading must beat the others to count as seen."""
ENOUGH = 3.5
"""Nats that all readings of a stone together must say for it."""
ODD = 3
"""Points that a frame may have wrong and still fit to the game: what the hand holds, a misread stone."""
_COLOURS = ("Black", "White")


def doubts_of(table: Table, steps: list[Step]) -> list[list[str]]:
    """Return, for each move, sentences about its doubts; none for most."""
    doubts: list[list[str]] = [[] for _ in steps]
    points = table.shape[1]
    for index, step in enumerate(steps):
        if step.move < points and _support(table, step, _until(steps, index, len(table))) < ENOUGH:
            doubts[index].append("the stone is hardly seen")
        if index and step.colour == steps[index - 1].colour:
            doubts[index].append(f"{_COLOURS[step.colour]} moves twice in a row: a move or a pass may be missing")
    for colour in (0, 1):
        own = [index for index, step in enumerate(steps) if step.colour == colour and step.move < points]
        for first, second in zip(own, own[1:], strict=False):
            if not _ordered(table, steps[first], steps[second]):
                for index in (first, second):
                    if _ORDER not in doubts[index]:
                        doubts[index].append(_ORDER)
    return doubts


_ORDER = "the order is a guess"


def at_odds(table: Table, way: list[Line]) -> tuple[int, ...]:
    """The frames that clearly show other stones than the game has then, at more than ODD points."""
    found = []
    line = 0
    for frame, now in enumerate(table):
        while line + 1 < len(way) and (step := way[line + 1].step) is not None and step.frame <= frame:
            line += 1
        held = now[np.arange(len(now)), way[line].stones]
        if int((now.max(-1) - held > CLEAR).sum()) > ODD:
            found.append(frame)
    return tuple(found)


def _until(steps: list[Step], index: int, frames: int) -> int:
    """The frame from which on the point of a move may hold something else: it was played at again."""
    later = (step.frame for step in steps[index + 1 :] if step.move == steps[index].move)
    return max(next(later, frames), steps[index].frame + 1)


def _support(table: Table, step: Step, until: int) -> float:
    """Nats for the stone over the frames in which it may be seen, the best run of them: it may be captured later."""
    lead = _lead(table[step.frame : until, step.move], step.colour + 1)
    return float(np.cumsum(lead).max(initial=-np.inf))


def _lead(readings: NDArray[np.float32], content: int) -> NDArray[np.float32]:
    """(frames,) of nats for one content of a point over the best other."""
    others = np.delete(readings, content, -1).max(-1)
    return np.asarray(readings[:, content] - others, np.float32)


def _ordered(table: Table, first: Step, second: Step) -> bool:
    """Whether a frame shows the first stone and the second point still without its stone."""
    shown = _lead(table[first.frame : second.frame, first.move], first.colour + 1) > CLEAR
    free = _lead(table[first.frame : second.frame, second.move], second.colour + 1) < -CLEAR
    return bool((shown & free).any())
