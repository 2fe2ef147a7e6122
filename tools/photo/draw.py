"""Drawing on pictures: shapes of the plane of a board with a contrasting edge, smooth text, boards from above.

Colours are blue-green-red. Coordinates are pixel middles as in `geometry`; shapes are smooth and placed to 1/16 pixel.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from tengen.tools.photo.geometry import Floats, Image, Lattice

Colour = tuple[int, int, int]
BLACK: Colour = (22, 22, 22)
WHITE: Colour = (250, 250, 250)
DARK: Colour = (30, 30, 30)
_BITS = 4


def polyline(image: Image, points: Floats, colour: Colour, width: int, edge: int = 0, is_closed: bool = True) -> None:
    """Draw a line through pixels (n, 2); with `edge`, a dark line so much wider on each side lies under it."""
    if not np.isfinite(points).all() or np.abs(points).max() > 30_000:
        return
    fixed = np.round(points * (1 << _BITS)).astype(np.int32).reshape(-1, 1, 2)
    if edge:
        cv2.polylines(image, [fixed], is_closed, DARK, width + 2 * edge, cv2.LINE_AA, _BITS)
    cv2.polylines(image, [fixed], is_closed, colour, width, cv2.LINE_AA, _BITS)


def polygon(image: Image, points: Floats, colour: Colour) -> None:
    """Fill the convex polygon of pixels (n, 2)."""
    if np.isfinite(points).all() and np.abs(points).max() <= 30_000:
        fixed = np.round(points * (1 << _BITS)).astype(np.int32).reshape(-1, 1, 2)
        cv2.fillConvexPoly(image, fixed, colour, cv2.LINE_AA, _BITS)


def circle(lattice: Lattice, column: float, row: float, radius: float) -> Floats:
    """Pixels (48, 2) of a circle of the board's plane; `radius` in cells."""
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    return lattice.project(np.stack([column + radius * np.cos(angles), row + radius * np.sin(angles)], -1))


def square(lattice: Lattice, column: float, row: float, half: float) -> Floats:
    """Pixels (4, 2) of a square of the board's plane; `half` a side in cells."""
    steps = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    return lattice.project(steps + (column, row))


def blend(image: Image, layer: Image, share: float) -> Image:
    """A picture with another of its size over it."""
    return np.asarray(cv2.addWeighted(layer, share, image, 1 - share, 0), np.uint8)


class Lettering:
    """Texts that are put on a picture together: Pillow draws them, which takes a copy of the picture."""

    def __init__(self) -> None:
        self._texts: list[tuple[Floats, str, int, Colour, Colour | None, str]] = []

    def add(
        self, spot: Sequence[float] | Floats, text: str, size: int, colour: Colour = DARK, halo: Colour | None = None,
        anchor: str = "mm",
    ) -> None:  # fmt: skip
        """Remember a text at (x, y); `anchor` as Pillow has it ("mm" middle, "lm" its left end, "rm" its right)."""
        self._texts.append((np.asarray(spot, float), text, size, colour, halo, anchor))

    def put_on(self, image: Image) -> Image:
        """The picture with the texts."""
        canvas = Pillow.fromarray(np.ascontiguousarray(image[..., ::-1]))
        pen = ImageDraw.Draw(canvas)
        for spot, text, size, colour, halo, anchor in self._texts:
            width = max(1, size // 9) if halo else 0
            fill, stroke = colour[::-1], halo[::-1] if halo else None
            place = (float(spot[0]), float(spot[1]))
            pen.text(place, text, fill, font(size), anchor, stroke_width=width, stroke_fill=stroke)
        return np.ascontiguousarray(np.asarray(canvas, np.uint8)[..., ::-1])


def length(text: str, size: int) -> float:
    """Pixels that a text is wide."""
    return float(font(size).getlength(text))


@lru_cache(maxsize=16)
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The font that comes with Pillow."""
    return ImageFont.load_default(size)
