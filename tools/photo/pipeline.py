"""From a picture to readings: finders propose lattices, the reader reads them, what agrees best is kept.

`read_picture` is the whole of it; every stage can be called alone (`find.get_finder`, `reader.read`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo import reader
from tengen.tools.photo.find import get_finder
from tengen.tools.photo.geometry import SIZES, Floats, Image, Lattice
from tengen.tools.photo.reading import Hypothesis, PhotoError, Point, Reading

GAMES = {"go": (9, 13, 15, 17, 19), "gomoku": (15, 19), "reversi": (8,)}
"""The sizes looked for when a game is named."""
_FOUND = 0.5


@dataclass(frozen=True)
class Settings:
    """What the user says about a picture. `corners` (4, 2) are in pixels of it, upper left of the board first."""

    size: int | None = None
    game: str | None = None
    corners: Floats | None = None
    detector: str = "auto"
    boards: int = 1

    def sizes(self) -> tuple[int, ...]:
        """The sizes to look for. Raises PhotoError if size and game do not fit."""
        allowed = GAMES[self.game] if self.game else SIZES
        if self.size is None:
            return allowed
        if self.size not in SIZES or (self.game and (self.size == 8) != (self.game == "reversi")):
            known = ", ".join(map(str, allowed))
            raise PhotoError(f"a {self.game or 'board'} of size {self.size} cannot be read from a picture: {known} can")
        return (self.size,)


def read_picture(image: Image, settings: Settings = Settings()) -> list[Reading]:  # noqa: B008
    """The boards of a picture (h, w, 3), best first; an empty list where there is none.

    Raises PhotoError for settings that do not fit.
    """
    sizes = settings.sizes()
    if settings.corners is not None:
        candidates = given(image, settings.corners, sizes)
    else:
        name = "network" if settings.detector == "auto" else settings.detector
        candidates = get_finder(name)(image, sizes)
    readings = [judge(image, hypothesis, settings) for hypothesis in candidates[:6]]
    readings.sort(key=lambda reading: -reading.found)
    return apart([reading for reading in readings if reading.found >= _FOUND], settings.boards)


def given(image: Image, corners: Floats, sizes: Sequence[int]) -> list[Hypothesis]:
    """The lattice between corners that the user gave, of the size that fits best."""
    from tengen.tools.photo.find.network import settle

    try:
        found = settle(image, np.asarray(corners, float), sizes, rounds=1)
        size = found.lattice.size if found else sizes[-1]
        return [Hypothesis(Lattice.from_corners(corners, size), 2.0, "given")]
    except ValueError as error:
        raise PhotoError(str(error)) from None


def judge(image: Image, hypothesis: Hypothesis, settings: Settings) -> Reading:
    """Read the stones on a proposed lattice and say how sure it is that it lies right."""
    lattice = hypothesis.lattice
    probabilities = reader.read(image, lattice)
    hide_outside(probabilities, lattice, image.shape[0], image.shape[1])
    found = 1.0 if hypothesis.source == "given" else hypothesis.score
    game = settings.game or ("reversi" if lattice.size == 8 else "gomoku" if lattice.size == 15 else "go")
    return Reading(lattice, probabilities, found, game)


def hide_outside(probabilities: NDArray[np.float32], lattice: Lattice, height: int, width: int) -> None:
    """Mark the points whose middles lie outside of the picture as hidden."""
    points = lattice.points()
    outside = (points < -0.5).any(-1) | (points[..., 0] > width - 0.5) | (points[..., 1] > height - 0.5)
    probabilities[outside] *= 0.5
    probabilities[outside, Point.HIDDEN] += 0.5


def apart(readings: list[Reading], most: int) -> list[Reading]:
    """The best readings whose boards do not overlap."""
    kept: list[Reading] = []
    for reading in readings:
        middle = reading.lattice.project(np.array([(reading.size - 1) / 2, (reading.size - 1) / 2]))
        for other in kept:
            place = other.lattice.locate(middle)
            if (place > -0.5).all() and (place < other.size - 0.5).all():
                break
        else:
            kept.append(reading)
    return kept[:most]
