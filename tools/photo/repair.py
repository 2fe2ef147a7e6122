"""The likeliest position near a reading of Go in which every group has a liberty: what can be scored.

Real boards are photographed between moves, so that a group without liberties is nearly always a point that was misread.
What is written to a file stays as it was read; only the score is made of the repaired position, and says so.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tengen.tools.photo.groups import Group, Spot, breathless
from tengen.tools.photo.position import NAMES, vertex
from tengen.tools.photo.results import Point, Reading

LIKELY = 0.005
"""The least probability of another reading of a point; otherwise the reading stays as it is."""
_MOST = 6


def with_liberties(reading: Reading) -> tuple[Reading, list[str]]:
    """The reading with as few and as likely changes as give every group a liberty, and a sentence for each.

    The reading itself, without a sentence, where nothing has to be changed or nothing likely helps.
    """
    changed, sentences = reading, list[str]()
    fixed = set(reading.edits)
    while stuck := breathless(changed.stones):
        if len(sentences) == _MOST:
            return reading, []
        options = [option for option in _options(changed, stuck[0]) if option[1] not in fixed]
        if not options:
            return reading, []
        _, spot, point = max(options, key=lambda option: (option[0], option[2] == Point.EMPTY))
        fixed.add(spot)
        was = NAMES[changed.stones[spot]]
        changed = _as(changed, spot, point)
        sentences.append(
            f"{vertex(reading, *spot)} is taken for {NAMES[point]}, not {was} as read: a group had no liberty"
        )
    return changed, sentences


def _options(reading: Reading, group: Group) -> list[tuple[float, Spot, int]]:
    """(how likely against what was read, point, what it may be) that could free the group."""
    own = int(reading.stones[group.spots[0]])
    wanted = [(spot, (Point.EMPTY, 3 - own)) for spot in group.spots]
    wanted += [(spot, (Point.EMPTY, own)) for spot in group.beside]
    found = []
    for spot, points in wanted:
        shares = reading.probabilities[spot]
        for point in points:
            if shares[point] >= LIKELY:
                found.append((float(shares[point] / shares[reading.stones[spot]]), spot, int(point)))
    return found


def _as(reading: Reading, spot: Spot, point: int) -> Reading:
    """The reading with one point's likeliest answers exchanged."""
    probabilities = reading.probabilities.copy()
    was = int(reading.stones[spot])
    probabilities[spot][[was, point]] = probabilities[spot][[point, was]]
    return replace(reading, probabilities=np.asarray(probabilities, np.float32))
