"""Diagrams: screenshots of programs, and diagrams printed in books and newspapers, then scanned."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.lab.photo.render.board import WOODS
from tengen.tools.lab.photo.render.camera import Camera, Floats
from tengen.tools.lab.photo.render.lettering import FONTS, Ruled, coordinates, write
from tengen.tools.lab.photo.render.lines import REVERSI_STARS, blend, line_cover
from tengen.tools.lab.photo.render.marks import print_letters, print_numbers
from tengen.tools.lab.photo.render.overlays import OVER, Diagram, overlay
from tengen.tools.lab.photo.render.reversi import FIELDS
from tengen.tools.lab.photo.render.stones import StoneLook, draw_lamps, draw_look, draw_stones, shadow_mask, stand
from tengen.tools.lab.photo.render.textures import (
    TABLES,
    Colour,
    Image,
    Rng,
    chance,
    draw,
    jitter,
    mottled,
    smooth_noise,
    table_surface,
    white_noise,
    wood,
)  # fmt: skip
from tengen.tools.photo.geometry import Window, apply

SHEETS: tuple[Colour, ...] = (
    (120, 200, 235),
    (80, 180, 230),
    (50, 150, 250),
    (150, 205, 230),
    (110, 180, 220),
    (90, 190, 240),
    (200, 220, 230),
)


NIGHTS: tuple[Colour, ...] = (
    (0, 0, 0), (18, 18, 18), (30, 30, 30), (40, 34, 28), (54, 47, 40), (60, 60, 60), (45, 30, 20), (30, 45, 25),
)  # fmt: skip
"""Grounds of programs in their dark mode."""


@dataclass(frozen=True)
class Sheet:
    """`image`, and the pixels (size, size, 2) of its points."""

    image: Image
    points: Floats


def draw_sheet(
    rng: Rng, size: int, side: int, position: NDArray[np.int8], window: Window | None = None, style: str = "digital"
) -> Sheet:
    """A diagram of this position (size, size), or of a window of it, its longest side about `side` pixels.

    The points that a window leaves out have pixels too: where they would be. A style of OVER shows what programs put
    over boards, and may be light on dark.
    """
    marked = style in OVER
    printed = size != 8 and chance(rng, 0.1 if style == "marked" else 0.3 if window is None else 0.6)
    dark = marked and not printed and chance(rng, 0.2)
    window = window or Window.whole(size)
    across, down = window.right - window.left, window.bottom - window.top
    margins = _margins(rng, size)
    left, top, right, bottom = margins
    pitch = side / max(across + left + right, down + top + bottom)
    if not printed and chance(rng, 0.5):
        pitch = max(6.0, np.floor(pitch))
    width, height = round((across + left + right) * pitch), round((down + top + bottom) * pitch)
    corner = (left - window.left, top - window.top)
    origin = np.array(corner) * pitch
    if dark:
        image, ground, ink = _night(rng, height, width)
    else:
        image, ground = _ground(rng, window, size == 8, height, width, origin, pitch, printed)
        ink = _ink(rng, ground, printed)
    if size == 8:
        cover = line_cover(
            rng,
            9,
            1.0,
            pitch,
            (left - 0.5, top - 0.5),
            (height, width),
            stars=REVERSI_STARS if chance(rng, 0.6) else (),
        )
    else:
        cover = line_cover(rng, size, 1.0, pitch, corner, (height, width), window=window)
    blend(image, cover, ink)
    if size != 8 and min(margins) > 0.75 and chance(rng, 0.6):
        away = draw(rng, 0.6, min(margins) - 0.1 if min(margins) < 1.3 else 1.1)
        coordinates(rng, image, ink, Ruled(size, 1.0, pitch, origin, window), away)
    position = window.only(position)
    shown = np.where(window.mask(size), position, -1).astype(np.int8)
    if chance(rng, 0.2):
        print_letters(rng, image, shown, origin, pitch, ground)
    if dark:
        _night_stones(rng, image, position, origin, pitch, ink)
    else:
        _stones(rng, image, position, origin, pitch, printed)
    if marked and not (dark and chance(rng, 0.5)):
        overlay(rng, Diagram(image, shown, origin, pitch, ground), style)
    ticks = np.arange(size, dtype=float)
    points = np.stack(np.meshgrid(ticks, ticks), -1) * pitch + origin
    if printed and chance(rng, 0.7):
        return _scanned(rng, image, points)
    if chance(rng, 0.25):
        return _windowed(rng, image, points, side)
    return Sheet(image, points)


def _margins(rng: Rng, size: int) -> list[float]:
    """Left, top, right, bottom in cells; programs cut close, and some have much beside the board."""
    even = draw(rng, 0.5, 0.62) if chance(rng, 0.35) else draw(rng, 0.6, 1.8)
    margins = [even] * 4
    if size == 8:
        margins = [max(m, 0.52) for m in margins]
    elif chance(rng, 0.08):
        margins = [draw(rng, 0.03, 0.3)] * 4
    if chance(rng, 0.15):
        margins[int(rng.integers(4))] += draw(rng, 0.5, size / 2)
    return margins


def _ground(
    rng: Rng, window: Window, squares: bool, height: int, width: int, origin: Floats, pitch: float, printed: bool
) -> tuple[Image, Colour]:
    """The surface under the lines, and its colour."""
    if printed:
        colour = jitter(rng, (250, 250, 250), 0.02) if chance(rng, 0.7) else jitter(rng, (205, 225, 232), 0.05)
        return mottled(rng, height, width, colour, draw(rng, 0, 0.02)), colour
    table = FIELDS if squares else WOODS if chance(rng, 0.4) else SHEETS
    colour = jitter(rng, table[int(rng.integers(len(table)))], 0.08)
    if not squares and chance(rng, 0.06):
        colour = jitter(rng, TABLES[int(rng.integers(len(TABLES)))], 0.1)
    if chance(rng, 0.5):
        image = np.full((height, width, 3), np.clip(colour, 0, 255), np.uint8)
    else:
        image = wood(rng, height, width, colour, draw(rng, 0.02, 0.12), pitch * draw(rng, 0.2, 2))
    if chance(rng, 0.3):  # what lies around the board has another colour
        other = jitter(rng, TABLES[int(rng.integers(len(TABLES)))], 0.15)
        away = draw(rng, 0.52, 0.9) * pitch
        inside = image.copy()
        image[:] = other
        first, last = np.array([[window.left, window.top], [window.right, window.bottom]]) * pitch + origin
        low, high = np.maximum(np.round(first - away), 0).astype(int), np.round(last + away).astype(int)
        image[low[1] : high[1], low[0] : high[0]] = inside[low[1] : high[1], low[0] : high[0]]
    return image, colour


def _ink(rng: Rng, ground: Colour, printed: bool) -> Colour:
    if printed:
        level = draw(rng, 0, 60)
        return level, level, level
    if sum(ground) < 250 and chance(rng, 0.5):
        return jitter(rng, (220, 220, 220), 0.1)
    weight = draw(rng, 0, 0.65)
    return ground[0] * weight, ground[1] * weight, ground[2] * weight


def _stones(rng: Rng, image: Image, position: NDArray[np.int8], origin: Floats, pitch: float, printed: bool) -> None:
    """Draw the stones of a position, flat or round, with what programs and books put on them."""
    rows, columns = np.nonzero(position)
    spots = np.stack([columns, rows], -1).astype(float)
    colours = position[rows, columns]
    look = _look(rng)
    if not printed and chance(rng, 0.55):
        lamps = draw_lamps(rng)
        if chance(rng, 0.6):
            shape = (image.shape[0], image.shape[1])
            mask = shadow_mask(rng, shape, spots, look, lamps[:1], pitch, (float(origin[0]), float(origin[1])))
            gain = np.asarray(255 - mask * draw(rng, 0.1, 0.6), np.uint8)
            np.copyto(image, cv2.multiply(image, cv2.merge([gain, gain, gain]), scale=1 / 255))
        draw_stones(rng, image, above(origin, pitch, image, len(position)), look, lamps, stand(look, spots), colours)
    else:
        _flat_stones(rng, image, spots * pitch + origin, colours, look, pitch, printed)
    print_numbers(rng, image, spots * pitch + origin, colours, pitch, printed)


def _night(rng: Rng, height: int, width: int) -> tuple[Image, Colour, Colour]:
    """A dark ground for light lines, its colour and that of the lines."""
    ground = jitter(rng, NIGHTS[int(rng.integers(len(NIGHTS)))], 0.2)
    image = np.full((height, width, 3), np.clip(ground, 0, 255), np.uint8)
    if chance(rng, 0.2):
        image = mottled(rng, height, width, ground, draw(rng, 0, 0.05))
    level = draw(rng, 110, 255)
    return image, ground, jitter(rng, (level, level, level), 0.04)


def _night_stones(
    rng: Rng, image: Image, position: NDArray[np.int8], origin: Floats, pitch: float, ink: Colour
) -> None:
    """Flat stones on a dark ground: the black ones darker than it or outlined, the white ones light."""
    rows, columns = np.nonzero(position)
    radius, wide = draw(rng, 0.4, 0.5) * pitch, max(1, round(pitch * draw(rng, 0.03, 0.08)))
    black, white = draw(rng, 0, 30), draw(rng, 205, 255)
    outlined = float(image.mean()) < 70 or chance(rng, 0.5)
    both = chance(rng, 0.4)
    for row, column in zip(rows, columns, strict=True):
        x, y = origin + np.array([column, row]) * pitch
        spot, is_white = (round(x * 16), round(y * 16)), position[row, column] == 2
        cv2.circle(image, spot, round(radius * 16), ((white if is_white else black),) * 3, -1, cv2.LINE_AA, 4)
        if outlined and (both or not is_white):
            cv2.circle(image, spot, round((radius - wide / 2) * 16), ink, wide, cv2.LINE_AA, 4)
    print_numbers(rng, image, np.stack([columns, rows], -1) * pitch + origin, position[rows, columns], pitch, True)


def _look(rng: Rng) -> StoneLook:
    look = draw_look(rng, flat=chance(rng, 0.2))
    black, white = draw(rng, 0, 45), draw(rng, 215, 255)
    return StoneLook(
        draw(rng, 0.84, 1.0), 0.45, 0.5, look.flat, ((black,) * 3, (white,) * 3), look.gloss, look.lines, look.rim
    )


def above(origin: Floats, pitch: float, image: Image, size: int) -> Camera:
    """A camera straight above and so far away that nothing leans."""
    matrix = np.array([[pitch, 0, 0, origin[0]], [0, pitch, 0, origin[1]], [0, 0, 0, 1.0]])
    axes = np.eye(3)
    return Camera(
        matrix, np.array([size / 2, size / 2, 1e4]), axes[0], axes[1], axes[2], image.shape[1], image.shape[0]
    )


def _flat_stones(
    rng: Rng, image: Image, pixels: Floats, colours: NDArray[np.int8], look: StoneLook, pitch: float, printed: bool
) -> None:
    radius = look.diameter / 2 * pitch * (0.98 if printed else 1)
    wide = max(1, round(pitch * draw(rng, 0.02, 0.07)))
    rim = 0.0 if printed else draw(rng, 0, 140)
    outlined = printed or chance(rng, 0.75)
    hollow = printed and chance(rng, 0.05)
    for (x, y), colour in zip(pixels, colours, strict=True):
        spot = (round(x * 16), round(y * 16))
        fill = look.colours[int(colour) - 1]
        if not hollow or colour == 1:
            cv2.circle(image, spot, round(radius * 16), fill, -1, cv2.LINE_AA, 4)
        if outlined and colour == 2:
            cv2.circle(image, spot, round((radius - wide / 2) * 16), (rim, rim, rim), wide, cv2.LINE_AA, 4)


def _scanned(rng: Rng, image: Image, points: Floats) -> Sheet:
    """A scan or a photo of a page: a little askew, unevenly grey, spotted, or black and white only."""
    height, width = image.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    slack = 0.01 if chance(rng, 0.7) else 0.05
    moved = corners + (rng.normal(0, slack, (4, 2)) * [width, height]).astype(np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(corners, moved.astype(np.float32)), np.float64)
    image = np.asarray(cv2.warpPerspective(image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    field = image * (1 + smooth_noise(rng, height, width, width / 2)[..., None] * np.float32(draw(rng, 0, 0.08)))
    field = field + white_noise(rng, height, width)[..., None] * np.float32(draw(rng, 0, 18))
    out = np.clip(field, 0, 255).astype(np.uint8)
    if chance(rng, 0.25):
        grey = cv2.cvtColor(cv2.GaussianBlur(out, (0, 0), 0.8), cv2.COLOR_BGR2GRAY)
        out = np.asarray(
            cv2.cvtColor(cv2.threshold(grey, draw(rng, 110, 190), 255, cv2.THRESH_BINARY)[1], cv2.COLOR_GRAY2BGR),
            np.uint8,
        )
    return Sheet(out, apply(matrix, points))


def _windowed(rng: Rng, image: Image, points: Floats, side: int) -> Sheet:
    """The board as part of a window, with text and buttons around it."""
    height, width = image.shape[:2]
    tall, wide = round(side * draw(rng, 0.56, 1)), side
    if chance(rng, 0.5):
        tall, wide = wide, tall
    factor = min(tall / height, wide / width) * draw(rng, 0.6, 1)
    small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    colour = jitter(rng, TABLES[int(rng.integers(len(TABLES)))], 0.15)
    page = (
        np.full((tall, wide, 3), np.clip(colour, 0, 255), np.uint8)
        if chance(rng, 0.75)
        else table_surface(rng, tall, wide)
    )
    tall, wide = page.shape[:2]  # a surface may end a pixel early
    ink: Colour = (30, 30, 30) if sum(colour) > 380 else (225, 225, 225)
    for _ in range(int(rng.integers(0, 14))):
        x, y, size = draw(rng, 0, wide), draw(rng, 0, tall), draw(rng, 8, 22)
        if chance(rng, 0.3):
            cv2.rectangle(page, (int(x), int(y)), (int(x + size * 5), int(y + size * 2)), jitter(rng, colour, 0.3), -1)
        write(
            page,
            "".join(chr(int(c)) for c in rng.integers(97, 123, int(rng.integers(2, 18)))),
            (x, y),
            size,
            ink,
            FONTS[int(rng.integers(4))],
        )
    high, broad = small.shape[:2]
    top, left = int(rng.integers(0, max(1, tall - high + 1))), int(rng.integers(0, max(1, wide - broad + 1)))
    high, broad = min(high, tall - top), min(broad, wide - left)
    page[top : top + high, left : left + broad] = small[:high, :broad]
    return Sheet(page, (points + 0.5) * factor - 0.5 + [left, top])
