"""The reading of a picture: values that pass between the stages, no behaviour."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.geometry import Lattice, Window
from tengen.tools.photo.warnings import Warned

CERTAIN = 0.95
"""A point whose confidence is below this is uncertain: it is listed and marked for a person to look at."""


class Point(IntEnum):
    """The states of a point of a board; the numbers are the channels of a reader's answer."""

    EMPTY = 0
    BLACK = 1
    WHITE = 2
    HIDDEN = 3


class PhotoError(ValueError):
    """A picture, an option or a file that cannot be used. The message is one sentence for the user."""


class NoBoardError(PhotoError):
    """A picture without a readable board; the message says what it seems to show."""


class PartError(NoBoardError):
    """A picture that shows a part of a board whose place is not known."""


@dataclass(frozen=True)
class Hypothesis:
    """A lattice that a finder proposes; `score` orders the hypotheses of one finder, larger is better.

    `notes` warn the user of how it was found.
    """

    lattice: Lattice
    score: float
    source: str
    notes: tuple[Warned, ...] = ()


@dataclass(frozen=True)
class Reading:
    """One board of a picture.

    `probabilities` (size, size, 4), float32, [row, column, Point], sum to 1 and are calibrated; `found` is the
    probability that the lattice is right. `warnings` are for the user. `window` is the part of the board that
    the picture shows where it does not show all; the points beyond it are empty in `stones`, of no confidence, and
    hidden.
    """

    lattice: Lattice
    probabilities: NDArray[np.float32]
    found: float
    game: str
    warnings: tuple[Warned, ...] = ()
    edits: frozenset[tuple[int, int]] = field(default=frozenset())
    window: Window | None = None

    @property
    def size(self) -> int:
        return self.lattice.size

    @property
    def shown(self) -> NDArray[np.bool_]:
        """(size, size): which points the picture shows, hidden or not."""
        return (self.window or Window.whole(self.size)).mask(self.size)

    @property
    def stones(self) -> NDArray[np.int8]:
        """(size, size) of Point.EMPTY, BLACK, WHITE: the likeliest of the three where a point is hidden too."""
        return np.asarray(self.probabilities[..., :3].argmax(-1), np.int8)

    @property
    def confidence(self) -> NDArray[np.float32]:
        """(size, size): the probability of what `stones` says."""
        return np.asarray(self.probabilities[..., :3].max(-1), np.float32)

    @property
    def uncertain(self) -> tuple[tuple[int, int], ...]:
        """(row, column) of the points that a person should look at, the least certain first; edited ones are not."""
        found = [(row, column) for row, column in np.argwhere(self.shown & (self.confidence < CERTAIN)).tolist()]
        found = [point for point in found if point not in self.edits]
        return tuple(sorted(found, key=lambda point: (float(self.confidence[point]), point)))
