"""The score of a reading: one picture judged by its labels, many pictures summed up.

Strict counting: a picture without a board, or with a board of another size, has all its points wrong. Points labelled
hidden are not counted. Orientation counts as the outside scorer `eval_photos.py` counts it: a right reading that is
turned is wrong (and `turned` says so). Intervals are Wilson's, of boards only: points of one picture share its light
and its corners, so that an interval that took them as independent would be far too narrow.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tengen.tools.lab.photo.dataset import SYMBOLS, Labelled
from tengen.tools.match.statistics.elo import wilson
from tengen.tools.photo.geometry import Floats
from tengen.tools.photo.results import CERTAIN, Point, Reading

T = TypeVar("T")
Mistake = tuple[int, int, Point, Point]
"""(row, column, what is there, what was read)."""
CLOSE, NEAR = 0.2, 0.5
"""Corner errors in cells: up to the first a reader hardly suffers, beyond the second it reads other points."""
BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 0.995, 0.999, 1.0)


@dataclass(frozen=True)
class Outcome:
    """One picture. `points` are the labelled points that are not hidden, `wrong` of them are.

    `found_size` is None and `error` says why if no board was read. `corner_error` is the distance of the worst corner
    in true cells (whatever corner the reading starts at), infinite without a board, None where no corners are marked;
    `found` is None without a board. `confidence` and
    `correct` hold every point that the reading gives; of a board of the wrong size none is correct. `boards` is the
    number of boards in the answer, of which the first is judged.
    """

    name: str
    kind: str
    size: int
    points: int
    wrong: int
    seconds: float
    found_size: int | None = None
    corner_error: float | None = None
    turned: bool = False
    boards: int = 0
    found: float | None = None
    warnings: tuple[str, ...] = ()
    error: str = ""
    mistakes: tuple[Mistake, ...] = ()
    confidence: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32), repr=False)
    correct: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_), repr=False)

    @property
    def has_right_size(self) -> bool:
        return self.found_size == self.size

    @property
    def is_right(self) -> bool:
        """Whether every point is right."""
        return self.has_right_size and self.wrong == 0

    @property
    def has_right_lattice(self) -> bool:
        """Whether the size is right and every corner, if corners are marked, within half a cell."""
        return self.has_right_size and (self.corner_error is None or self.corner_error <= NEAR)


def judge(labelled: Labelled, readings: Sequence[Reading], seconds: float, error: str = "") -> Outcome:
    """The outcome of a picture of which these boards were read."""
    shown = labelled.labels != Point.HIDDEN
    points, kind = int(shown.sum()), "digital" if labelled.is_digital else "photo"
    if not readings:
        reason = error or "no board found"
        lost = None if labelled.lattice is None else math.inf
        return Outcome(labelled.name, kind, labelled.size, points, points, seconds, None, lost, error=reason)
    reading = readings[0]
    confidence = reading.confidence
    if reading.size == labelled.size:
        differs = (reading.stones != labelled.labels) & shown
        mistakes = tuple(
            (int(row), int(column), Point(int(labelled.labels[row, column])), Point(int(reading.stones[row, column])))
            for row, column in np.argwhere(differs)
        )
        wrong, sure, correct = len(mistakes), confidence[shown], ~differs[shown]
        turned = wrong > 2 and _is_turned(labelled, reading)
    else:
        mistakes, wrong, sure, turned = (), points, confidence.ravel(), False
        correct = np.zeros(sure.shape, np.bool_)
    return Outcome(
        labelled.name, kind, labelled.size, points, wrong, seconds, reading.size, corner_error(labelled, reading),
        turned, len(readings), reading.found, reading.warnings, "", mistakes, sure, correct,
    )  # fmt: skip


def corner_error(labelled: Labelled, reading: Reading) -> float | None:
    """How far the worst corner lies from the true one, in true cells; the best of the eight ways to number them."""
    if labelled.lattice is None:
        return None
    true = labelled.lattice.corners()
    worst = (np.linalg.norm(quad - true, axis=1).max() for quad in _numberings(reading.lattice.corners()))
    return float(min(worst)) / labelled.lattice.cell()


def _numberings(quad: Floats) -> Iterator[Floats]:
    for order in (quad, quad[::-1]):
        for turn in range(4):
            yield np.roll(order, turn, 0)


def _is_turned(labelled: Labelled, reading: Reading) -> bool:
    """Whether a turned or mirrored reading has at most two mistakes."""
    shown = labelled.labels != Point.HIDDEN
    views = [np.rot90(board, turn) for board in (reading.stones, reading.stones.T) for turn in range(4)]
    return any(int(((view != labelled.labels) & shown).sum()) <= 2 for view in views)


def row(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The figures of some pictures (at least one); the keys are the names in the JSON file."""
    sized = [outcome for outcome in outcomes if outcome.has_right_size]
    corners = [outcome.corner_error for outcome in outcomes if outcome.corner_error is not None]
    found = [error for error in corners if math.isfinite(error)]
    seconds = [outcome.seconds for outcome in outcomes]
    points, seen = sum(outcome.points for outcome in outcomes), sum(outcome.points for outcome in sized)
    return {
        "pictures": len(outcomes),
        "refused": sum(outcome.found_size is None for outcome in outcomes),
        "right_size": share(outcomes, lambda outcome: outcome.has_right_size),
        "right": share(outcomes, lambda outcome: outcome.is_right),
        "at_most_2_wrong": share(outcomes, lambda outcome: outcome.has_right_size and outcome.wrong <= 2),
        "turned": sum(outcome.turned for outcome in outcomes),
        "points": points,
        "points_right": (points - sum(outcome.wrong for outcome in outcomes)) / max(1, points),
        "points_right_where_right_size": (seen - sum(outcome.wrong for outcome in sized)) / max(1, seen),
        "corner_error_median": float(np.median(found)) if found else None,
        "corners_close": share(corners, lambda error: error <= CLOSE),
        "corners_near": share(corners, lambda error: error <= NEAR),
        "seconds_median": float(np.median(seconds)),
        "seconds_max": max(seconds),
    }


def share(items: Sequence[T], holds: Callable[[T], bool]) -> dict[str, Any]:
    """Count the items for which something holds: count, of, share and its 95 % interval."""
    count = sum(map(holds, items))
    part = count / max(1, len(items))
    return {"count": count, "of": len(items), "share": part, "interval": list(wilson(part, len(items)))}


def groups(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """All pictures, those of each kind, and the photos of each size: no group is empty."""
    named: dict[str, list[Outcome]] = {"all": list(outcomes)}
    for kind in ("photo", "digital"):
        named[kind] = [outcome for outcome in outcomes if outcome.kind == kind]
    for size in sorted({outcome.size for outcome in outcomes}):
        named[f"photo {size}x{size}"] = [outcome for outcome in named["photo"] if outcome.size == size]
    return {name: some for name, some in named.items() if some}


def calibration(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Whether confidence is deserved. Certain points are counted over all labelled points, refused pictures included.

    `bins`: [low, high, points, mean confidence, share right] by confidence; `found_bins`: the same by
    `Reading.found` of pictures, where right is a lattice of the right size with every corner within half a cell
    (without marked corners: of the right size). `silent`: the boards reported without a warning that are fully right.
    """
    read = [outcome for outcome in outcomes if outcome.found_size is not None]
    none = np.zeros(0)
    confidence = np.concatenate([none, *(outcome.confidence for outcome in read)])
    correct = np.concatenate([none, *(outcome.correct for outcome in read)]).astype(bool)
    certain = confidence >= CERTAIN
    total = len(confidence) + sum(outcome.points for outcome in outcomes if outcome.found_size is None)
    silent = [outcome for outcome in read if not outcome.warnings]
    return {
        "certain_from": CERTAIN,
        "certain_share": float(certain.sum()) / max(1, total),
        "certain_share_of_read": float(certain.mean()) if len(certain) else 0.0,
        "certain_right": float(correct[certain].mean()) if certain.any() else None,
        "certain_wrong": int((certain & ~correct).sum()),
        "silent": share(silent, lambda outcome: outcome.is_right),
        "bins": _reliability(confidence, correct),
        "found_bins": _reliability(
            np.array([outcome.found for outcome in read], np.float64),
            np.array([outcome.has_right_lattice for outcome in read], bool),
        ),
    }


def _reliability(confidence: Floats, correct: NDArray[np.bool_]) -> list[list[float]]:
    rows = []
    for low, high in zip(BINS, BINS[1:], strict=False):
        inside = (confidence >= low) & ((confidence < high) | (high == BINS[-1]))
        if count := int(inside.sum()):
            rows.append([low, high, count, float(confidence[inside].mean()), float(correct[inside].mean())])
    return rows


def confusion(outcomes: Sequence[Outcome]) -> Counter[str]:
    """How often one thing was read for another, as "X>." (black read as empty), on boards of the right size."""
    return Counter(
        f"{SYMBOLS[there]}>{SYMBOLS[read]}" for outcome in outcomes for _, _, there, read in outcome.mistakes
    )
