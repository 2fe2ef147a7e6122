"""From a picture to readings: finders propose lattices, the reader reads them, what agrees best is kept.

`read_picture` is the whole of it; every stage can be called alone (`find.get_finder`, `reader.read`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo import reader
from tengen.tools.photo.find import get_finder, network
from tengen.tools.photo.geometry import SIZES, Floats, Image, Lattice
from tengen.tools.photo.given import given
from tengen.tools.photo.reading import Hypothesis, PhotoError, Point, Reading
from tengen.tools.photo.sides import lined

GAMES = {"go": (9, 13, 15, 17, 19), "gomoku": (15, 19), "reversi": (8,)}
"""The sizes looked for when a game is named."""
OTHERS = ("lines", "stones")
"""Finders that are asked when the networks are not sure of any board."""
FINDING = 1280
"""Pixels of a picture's longer side in which boards are looked for; stones are read in all of them."""
REFUSED = 0.3
"""A board that is this unlikely to be where it was found is not reported."""
UNCLEAR = 0.93
"""Where the points are less certain than this in the mean, only a board without that doubt is reported."""
DOUBTED = 0.9
"""A board less likely than this is reported with a warning."""
WHOLE = 0.75
"""So is one whose points are all right with less than this probability."""
_OUTSIDE = 0.35
"""Cells beyond the picture's edge at which nothing of a stone is seen any more."""
LIKELY = (-16.6, 10.97, 0.78)
"""Log odds that a lattice is right: constant, per score of the fit, per mean log odds of its points.

`lab calibrate` over 732 lattices found in 550 rendered boards (150 of Reversi) and 100 pictures without a board."""


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
            kind = f"{self.game} board" if self.game else "board"
            raise PhotoError(f"a {kind} of size {self.size} cannot be read from a picture: {known} can")
        return (self.size,)


def read_picture(image: Image, settings: Settings = Settings()) -> list[Reading]:  # noqa: B008
    """The boards of a picture (h, w, 3), best first; an empty list where there is none.

    Raises PhotoError for settings that do not fit.
    """
    sizes = settings.sizes()
    if settings.corners is not None:
        candidates = given(image, settings.corners, sizes)
    else:
        small, factor = reduced(image)
        finder = together if settings.detector == "auto" else get_finder(settings.detector)
        candidates = [scaled(hypothesis, 1 / factor) for hypothesis in finder(small, sizes)]
    readings = [judge(image, hypothesis, settings) for hypothesis in candidates[: settings.boards + 2]]
    readings.sort(key=lambda reading: -reading.found)
    return apart([reading for reading in readings if is_board(reading)], settings.boards)


def is_board(reading: Reading) -> bool:
    """Whether a reading is worth reporting: the lattice likely, or at least clear what its points hold.

    Points under a hand say nothing of that, unless they are more than half of the board.
    """
    clear = float(shown(reading.probabilities)[:, :3].max(-1).mean())
    return reading.found >= (REFUSED if clear >= UNCLEAR else DOUBTED)


def reduced(image: Image) -> tuple[Image, float]:
    """The picture as large as finders need it, and how much smaller that is."""
    factor = min(1.0, FINDING / max(image.shape[:2]))
    if factor == 1.0:
        return image, factor
    return np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8), factor


def scaled(hypothesis: Hypothesis, factor: float) -> Hypothesis:
    """The same in the picture made `factor` times as large."""
    return replace(hypothesis, lattice=hypothesis.lattice.scaled(factor))


def together(image: Image, sizes: Sequence[int]) -> list[Hypothesis]:
    """What the networks find; where they are not sure, also what they make of other finders' proposals."""
    found = network.find(image, sizes)
    if found and found[0].score > network.SURE:
        return found
    lined = (*sizes, 9) if 8 in sizes and 9 not in sizes else sizes  # they see the nine lines between eight squares
    for name in OTHERS:
        for proposal in get_finder(name)(image, lined)[:2]:
            settled = network.settle(image, proposal.lattice.corners(), sizes)
            if settled is not None:
                found.append(Hypothesis(settled.lattice.oriented(), settled.score, name))
        if any(hypothesis.score > network.SURE for hypothesis in found):
            break
    return sorted(found, key=lambda hypothesis: -hypothesis.score)


def judge(image: Image, hypothesis: Hypothesis, settings: Settings) -> Reading:
    """Read the stones on a proposed lattice and say how sure it is that it lies right."""
    lattice = hypothesis.lattice
    probabilities = reader.read(image, lattice)
    hide_outside(probabilities, lattice, image.shape[0], image.shape[1])
    game = settings.game or ("reversi" if lattice.size == 8 else "gomoku" if lattice.size == 15 else "go")
    reading = Reading(lattice, probabilities, likelihood(hypothesis.score, probabilities), game)
    if lattice.cells and settings.game is None and settings.size is None and not reading.stones.any():
        return judge(image, nine_lines(image, hypothesis), settings)
    return replace(reading, warnings=(*hypothesis.notes, *doubts(reading)))


def nine_lines(image: Image, hypothesis: Hypothesis) -> Hypothesis:
    """Eight squares without a disc as the nine lines around them: no Reversi board is empty, many of Go are."""
    settled = network.settle(image, hypothesis.lattice.corners(), (9,), rounds=2)
    lattice = settled.lattice if settled else lined(hypothesis.lattice)
    note = "an empty board of nine lines is taken for Go: say --game reversi if it is one of eight squares"
    return Hypothesis(lattice, hypothesis.score, hypothesis.source, (*hypothesis.notes, note))


def likelihood(score: float, probabilities: NDArray[np.float32]) -> float:
    """The probability that a lattice is right, from the score of its fit and how clear its points are."""
    constant, by_score, by_points = LIKELY
    odds = constant + by_score * score + by_points * clearness(probabilities)
    return float(1 / (1 + np.exp(-np.clip(odds, -30, 30))))


def clearness(probabilities: NDArray[np.float32]) -> float:
    """The mean over the points (size, size, 4) that show of the log odds of what each is read as."""
    best = np.clip(shown(probabilities)[..., :3].max(-1), 1e-3, 1 - 1e-3)
    return float(np.log(best / (1 - best)).mean())


def shown(probabilities: NDArray[np.float32]) -> NDArray[np.float32]:
    """The points (n, 4) that are not hidden; all of them where those are fewer than half."""
    seen = probabilities[..., Point.HIDDEN] <= 0.5
    return probabilities[seen if seen.mean() > 0.5 else np.ones_like(seen)]


def doubts(reading: Reading) -> Iterator[str]:
    """Sentences about what a person should check."""
    if reading.found < DOUBTED:
        sure = f"{100 * reading.found:.0f} % sure"
        yield f"the board may lie elsewhere ({sure}): check its corners, or give them with --corners"
    hidden = int((reading.probabilities[..., Point.HIDDEN] > 0.5).sum())
    if hidden:
        yield f"{hidden} point{'s are' if hidden > 1 else ' is'} hidden or outside of the picture"
    whole = float(np.prod(np.clip(reading.confidence, 1e-6, 1), dtype=np.float64))
    if whole < WHOLE:
        yield f"some points are not clear (all are right with a probability of {100 * whole:.0f} %): check those marked"


def hide_outside(probabilities: NDArray[np.float32], lattice: Lattice, height: int, width: int) -> None:
    """Mark the points whose middles lie clearly outside of the picture as hidden."""
    points = lattice.points()
    reach = _OUTSIDE * lattice.cell()
    outside = ((points < -reach) | (points > np.array([width, height]) - 1 + reach)).any(-1)
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
