"""The board of a series, held fast from frame to frame: found once, looked for again when camera or board has moved.

Whether it moved is told by the phase correlation of the board seen from above now and when it was found (Kuglin and
Hines 1975), and by how sure the reader is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.confidence import DOUBTED
from tengen.tools.photo.geometry import Floats, Image, Lattice
from tengen.tools.photo.pipeline import Settings
from tengen.tools.photo.results import NoBoardError, Point, Reading
from tengen.tools.photo.warnings import Warned, warning

Read = Callable[[Image, Settings], list[Reading]]
PITCH, MARGIN = 10, 1.0
"""Pixels a cell, and cells around, of the board that is compared."""
MOVED = 0.12
"""Cells by which it may lie elsewhere without being looked for again."""
CLEAR = 0.08
"""Response of the phase correlation below which it tells nothing."""
WORSE = 0.03
"""The loss of the reader's certainty that is allowed."""
ALIKE = 0.3
"""Correlation with how the board looked that one still has with a hand over it."""
COVERED = 0.1
"""Share of the points that may be hidden in what later frames are compared with."""
STALE = 40
"""Frames after which the board is looked for again in any case."""
_OTHER = 0.25  # cells between two lattices that are not the same


@dataclass(frozen=True)
class _Held:
    """Where the board is, in pictures of this shape, how it looked, and how sure its reader was."""

    lattice: Lattice
    shape: tuple[int, ...]
    view: NDArray[np.float32]
    sure: float


class Lock:
    """Reads the frames of one series. `corners` are those of `settings`, for the first frames.

    warnings: sentences about the board that was found in those.
    """

    def __init__(self, read: Read, settings: Settings) -> None:
        self._read = read
        self.settings = settings
        self._held: _Held | None = None
        self._age = 0
        self.warnings: tuple[Warned, ...] = ()

    @property
    def size(self) -> int | None:
        return None if self._held is None else self._held.lattice.size

    def vote(self, images: Sequence[Image]) -> bool:
        """Settle size and game by what most of these first frames show, and where the board is; False for none."""
        found = [(image, reading) for image in images for reading in self._boards(image, self.settings)[:1]]
        if not found:
            return False
        weights: dict[tuple[int, str], float] = {}
        for _, reading in found:
            key = reading.size, reading.game
            weights[key] = weights.get(key, 0.0) + reading.found
        size, game = max(weights, key=lambda key: weights[key])
        self.settings = replace(self.settings, size=size, game=game)
        image, reading = max(
            (pair for pair in found if (pair[1].size, pair[1].game) == (size, game)), key=lambda pair: sureness(pair[1])
        )
        self._hold(image, reading)
        if reading.found < DOUBTED:
            self.warnings = (warning("series-board-unsure", sure=100 * reading.found),)
        return True

    def read(self, image: Image) -> Reading | None:
        """Read the board in a frame, numbered as in the first one; None if the board is not found."""
        held = self._held
        if held is None:
            return None
        self._age += 1
        kept = None
        if image.shape == held.shape:
            shift, response = self._shift(held, image, held.lattice)
            if (response < CLEAR or shift < MOVED) and likeness(held, image, held.lattice) > ALIKE:
                kept = self._at(image, held.lattice)
            if kept is not None and self._is_plain(kept, held) and response >= CLEAR and self._age < STALE:
                self._held = replace(held, view=_view(image, held.lattice))
                return kept
        return self._again(image, held, kept)

    @staticmethod
    def _is_plain(reading: Reading, held: _Held) -> bool:
        """Whether the reader is as sure as ever, and little is hidden."""
        hidden = float((reading.probabilities.argmax(-1) == Point.HIDDEN).mean())
        return sureness(reading) >= held.sure - WORSE and hidden < COVERED

    def _again(self, image: Image, held: _Held, kept: Reading | None) -> Reading | None:
        """Look for the board; the reading `kept` on the lattice so far stands where that finds nothing better."""
        self._age = 0
        readings = [reading for reading in self._boards(image, replace(self.settings, corners=None))
                    if reading.size == held.lattice.size]  # fmt: skip
        best = max(readings, key=lambda reading: likeness(held, image, reading.lattice), default=None)
        if best is None:
            return kept
        lattice = self._turned(held, image, best.lattice)
        if image.shape == held.shape and _apart(lattice, held.lattice) < _OTHER and kept is not None:
            return kept
        reading = self._at(image, lattice)
        if reading is None or (kept is not None and sureness(reading) < sureness(kept)):
            return kept
        self._hold(image, reading)
        return reading

    def _at(self, image: Image, lattice: Lattice) -> Reading | None:
        found = self._boards(image, replace(self.settings, corners=lattice.corners(), is_held=True))
        return found[0] if found and found[0].size == lattice.size else None

    def _boards(self, image: Image, settings: Settings) -> list[Reading]:
        """The whole boards of a frame: of one that shows a part only the next may show all."""
        try:
            return [reading for reading in self._read(image, settings) if reading.window is None]
        except NoBoardError:
            return []

    def _hold(self, image: Image, reading: Reading) -> None:
        self._held = _Held(reading.lattice, image.shape, _view(image, reading.lattice), sureness(reading))

    @staticmethod
    def _shift(held: _Held, image: Image, lattice: Lattice) -> tuple[float, float]:
        """(cells, response): how far the board now lies from where it was."""
        view = _view(image, lattice)
        window = cv2.createHanningWindow((view.shape[1], view.shape[0]), cv2.CV_32F)
        (x, y), response = cv2.phaseCorrelate(held.view, view, window)
        return float(np.hypot(x, y)) / PITCH, float(response)

    @staticmethod
    def _turned(held: _Held, image: Image, lattice: Lattice) -> Lattice:
        """The lattice with its first corner where the held one has it, as far as the pictures of the board tell."""
        corners = lattice.corners()
        turns = [Lattice.from_corners(np.roll(corners, turn, 0), lattice.size) for turn in range(4)]
        if image.shape == held.shape and _apart(turns[0], held.lattice) < lattice.size / 4:
            return turns[0]
        scores = [likeness(held, image, turn) for turn in turns]
        best = int(np.argmax(scores))
        return turns[best] if scores[best] > scores[0] + 0.1 else turns[0]


def sureness(reading: Reading) -> float:
    """The mean probability of what the points that are not hidden are said to hold."""
    probabilities = reading.probabilities.reshape(-1, 4)
    shown = probabilities[probabilities.argmax(-1) != Point.HIDDEN]
    return float(shown.max(-1).mean()) if len(shown) else 0.0


def likeness(held: _Held, image: Image, lattice: Lattice) -> float:
    """Correlation of the board with how it looked when it was seen last; 0 where there is nothing to see."""
    before, now = (view.ravel() - view.mean() for view in (held.view, _view(image, lattice)))
    size = float(np.linalg.norm(before) * np.linalg.norm(now))
    return float(before @ now) / size if size else 0.0


def _view(image: Image, lattice: Lattice) -> NDArray[np.float32]:
    """The board from above, small and grey, without what is brighter or darker as a whole."""
    grey = np.asarray(cv2.cvtColor(lattice.rectify(image, PITCH, MARGIN), cv2.COLOR_BGR2GRAY), np.float32)
    return np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), 3 * PITCH), np.float32)


def _apart(a: Lattice, b: Lattice) -> float:
    """The largest distance of their corners, in cells."""
    gaps: Floats = np.linalg.norm(a.corners() - b.corners(), axis=1)
    return float(gaps.max()) / b.cell()
