"""Draw the text on a board: coordinates along its sides, names and pictures in its margins."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from tengen.engine.games.vertex import COLUMNS
from tengen.tools.lab.photo.render.camera import Floats
from tengen.tools.lab.photo.render.textures import Colour, Image, Rng, chance, draw, jitter
from tengen.tools.photo.geometry import Window

FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
)
PRINTS: tuple[Colour, ...] = (
    (60, 60, 210), (200, 130, 50), (70, 160, 70), (60, 190, 235), (180, 90, 160), (40, 40, 40), (230, 230, 230),
)  # fmt: skip


def write(
    image: Image,
    text: str,
    centre: tuple[float, float],
    tall: float,
    colour: Colour,
    font: int = cv2.FONT_HERSHEY_SIMPLEX,
    weight: int = 1,
) -> None:
    """Text `tall` pixels high, its middle at a pixel."""
    scale = max(tall, 4) / 21
    (wide, high), _ = cv2.getTextSize(text, font, scale, weight)
    cv2.putText(
        image,
        text,
        (round(centre[0] - wide / 2), round(centre[1] + high / 2)),
        font,
        scale,
        colour,
        weight,
        cv2.LINE_AA,
    )


@dataclass(frozen=True)
class Ruled:
    """The lines of a board. pitch: pixels of a column. aspect: of a row, in columns. origin: pixels (2,) of the upper
    left point of the board. window: the part that is drawn, None for all of it."""

    size: int
    aspect: float
    pitch: float
    origin: Floats
    window: Window | None = None


def coordinates(rng: Rng, image: Image, ink: Colour, lines: Ruled, away: float) -> None:
    """Letters along the rows and numbers along the columns, `away` cells outside the lines (of a window)."""
    size, aspect, pitch, origin = lines.size, lines.aspect, lines.pitch, lines.origin
    window = lines.window or Window.whole(size)
    tall, font = draw(rng, 0.25, 0.5) * pitch, FONTS[int(rng.integers(4))]
    both, digits = chance(rng, 0.6), chance(rng, 0.15)
    weight = 2 if pitch > 30 and chance(rng, 0.4) else 1
    ends_x, ends_y = (window.left, window.right), (window.top, window.bottom)
    for n in range(size):
        first, second = (str(n + 1) if digits else COLUMNS[n]), str(size - n)
        for sign, across, down in list(zip((-1, 1), ends_x, ends_y, strict=True))[: 2 if both else 1]:
            if window.left <= n <= window.right:
                at = (origin[0] + n * pitch, origin[1] + (down * aspect + sign * away) * pitch)
                write(image, first, at, tall, ink, font, weight)
            if window.top <= n <= window.bottom:
                at = (origin[0] + (across + sign * away) * pitch, origin[1] + n * aspect * pitch)
                write(image, second, at, tall, ink, font, weight)


def print_margins(
    rng: Rng, surface: Image, ink: Colour, size: int, aspect: float, pitch: float, origin: Floats
) -> None:
    """Coordinates, a maker's name or a picture in the margin."""
    if chance(rng, 0.15):
        coordinates(rng, surface, ink, Ruled(size, aspect, pitch, origin), draw(rng, 0.5, 0.9))
    height, width = surface.shape[:2]
    if chance(rng, 0.25):
        for _ in range(int(rng.integers(1, 4))):
            tall = draw(rng, 0.2, 0.7) * pitch
            across = draw(rng, 0.1, 0.9) * width
            down = (
                (origin[1] - draw(rng, 0.5, 1.5) * pitch)
                if chance(rng, 0.5)
                else height - draw(rng, 0.2, 0.8) * (height - origin[1] - aspect * (size - 1) * pitch)
            )
            text = "".join(chr(int(c)) for c in rng.integers(65, 91, int(rng.integers(3, 14))))
            colour = (
                ink if chance(rng, 0.6) else jitter(rng, (60, 60, 200) if chance(rng, 0.5) else (140, 160, 60), 0.2)
            )
            write(surface, text, (across, down), tall, colour, FONTS[int(rng.integers(5))], int(rng.integers(1, 3)))
    if chance(rng, 0.12):
        low = origin - 0.6 * pitch
        high = origin + np.array([1, aspect]) * (size - 1) * pitch + 0.6 * pitch
        for _ in range(int(rng.integers(1, 6))):
            _picture(rng, surface, low, high, pitch)


def _picture(rng: Rng, surface: Image, low: Floats, high: Floats, pitch: float) -> None:
    """A coloured spot, box or figure outside the pixels low (2,) to high (2,), in place."""
    height, width = surface.shape[:2]
    inside = surface[max(0, int(low[1])) : int(high[1]) + 1, max(0, int(low[0])) : int(high[0]) + 1]
    kept = inside.copy()
    colour = jitter(rng, PRINTS[int(rng.integers(len(PRINTS)))], 0.2)
    spot = (int(draw(rng, 0, width)), int(draw(rng, 0, height)))
    reach = (int(draw(rng, 0.3, 3) * pitch), int(draw(rng, 0.3, 2) * pitch))
    if chance(rng, 0.5):
        cv2.ellipse(surface, spot, reach, draw(rng, 0, 180), 0, 360, colour, -1, cv2.LINE_AA)
    elif chance(rng, 0.5):
        cv2.rectangle(
            surface, (spot[0] - reach[0], spot[1] - reach[1]), (spot[0] + reach[0], spot[1] + reach[1]), colour, -1
        )
    else:
        corners = np.array(spot) + rng.normal(0, 1, (5, 2)) * reach
        cv2.fillPoly(surface, [np.round(corners).astype(np.int32)], colour, cv2.LINE_AA)
    inside[:] = kept
