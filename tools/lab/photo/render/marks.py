"""Draw the marks of programs and books on a diagram: letters and marks on empty points, numbers and marks on stones."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.lab.photo.render.camera import Floats
from tengen.tools.lab.photo.render.lettering import FONTS, write
from tengen.tools.lab.photo.render.textures import Colour, Image, Rng, chance, draw, pick


def print_letters(
    rng: Rng, image: Image, position: NDArray[np.int8], origin: Floats, pitch: float, ground: Colour
) -> None:
    """Letters and marks on empty points."""
    rows, columns = np.nonzero(position == 0)
    if len(rows) == 0:
        return
    kind = pick(rng, {"letters": 3, "squares": 1, "crosses": 1, "dots": 1})
    for n, at in enumerate(rng.permutation(len(rows))[: int(rng.integers(1, 20))]):
        x, y = origin + np.array([columns[at], rows[at]]) * pitch
        tone: Colour = (30, 30, 30) if n % 5 else (40, 40, 200)
        if kind == "letters":
            cv2.circle(image, (round(x), round(y)), round(pitch * 0.35), ground, -1, cv2.LINE_AA)
            write(image, chr(65 + n % 26), (x, y), pitch * 0.45, tone)
        elif kind == "squares":
            reach = pitch * 0.2
            cv2.rectangle(
                image,
                (round(x - reach), round(y - reach)),
                (round(x + reach), round(y + reach)),
                tone,
                max(1, round(pitch / 16)),
            )
        elif kind == "crosses":
            cv2.drawMarker(image, (round(x), round(y)), tone, cv2.MARKER_TILTED_CROSS, round(pitch * 0.4), 2)
        else:
            cv2.circle(image, (round(x), round(y)), max(1, round(pitch * 0.14)), tone, -1, cv2.LINE_AA)


def print_numbers(
    rng: Rng, image: Image, pixels: Floats, colours: NDArray[np.int8], pitch: float, printed: bool
) -> None:
    """Move numbers, marks and the mark of the last move."""
    kind = pick(
        rng,
        {"none": 4, "last": 4, "some": 2.5, "all": 2.5, "shapes": 1}
        if not printed
        else {"none": 3, "some": 3, "all": 3, "shapes": 1},
    )
    if kind == "none" or len(pixels) == 0:
        return
    order = rng.permutation(len(pixels))
    count = {"last": 1, "all": len(order)}.get(kind, int(rng.integers(1, min(len(order), 60) + 1)))
    font, tall, first = FONTS[int(rng.integers(4))], draw(rng, 0.3, 0.5) * pitch, int(rng.integers(1, 100))
    weight = 2 if pitch > 32 else 1
    shape = pick(rng, {"ring": 2, "dot": 2, "square": 1, "cross": 1})
    accents: tuple[Colour, ...] = ((40, 40, 220), (220, 120, 40), (60, 180, 60), (0, 0, 0), (255, 255, 255))
    accent = accents[int(rng.integers(len(accents)))]
    for n, at in enumerate(order[:count]):
        x, y = pixels[at]
        tone: Colour = (255, 255, 255) if colours[at] == 1 else (0, 0, 0)
        if kind in ("some", "all"):
            text = str(first + n)
            write(
                image,
                text,
                (x, y),
                tall * (0.8 if len(text) > 2 else 1),
                (40, 40, 220) if n == count - 1 and chance(rng, 0.3) else tone,
                font,
                weight,
            )
            continue
        tone = accent if kind == "last" and chance(rng, 0.5) else tone
        spot, wide = (round(x), round(y)), max(1, round(pitch / 14))
        if shape == "ring":
            cv2.circle(image, spot, round(pitch * 0.22), tone, wide, cv2.LINE_AA)
        elif shape == "dot":
            cv2.circle(image, spot, max(1, round(pitch * 0.14)), tone, -1, cv2.LINE_AA)
        elif shape == "square":
            reach = round(pitch * 0.18)
            cv2.rectangle(image, (spot[0] - reach, spot[1] - reach), (spot[0] + reach, spot[1] + reach), tone, wide)
        else:
            cv2.drawMarker(image, spot, tone, cv2.MARKER_CROSS, round(pitch * 0.4), wide)
