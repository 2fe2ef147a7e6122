"""A board seen from straight above: its surface, lines, margins and print, as a texture to be put into a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from tengen.tools.photo.render.camera import Floats
from tengen.tools.photo.render.textures import (
    Colour, Field, Image, Rng, chance, cloth, draw, jitter, mottled, pick, smooth_noise, white_noise, wood,
)  # fmt: skip

WOODS: tuple[Colour, ...] = (
    (110, 180, 225), (90, 165, 215), (130, 190, 220), (70, 140, 200), (60, 115, 180), (140, 195, 225), (60, 170, 235),
    (165, 200, 220), (150, 180, 200), (60, 95, 150), (45, 70, 120), (80, 130, 175), (120, 165, 205), (60, 130, 220),
)  # fmt: skip
PLAINS: tuple[Colour, ...] = (
    (60, 200, 235), (40, 180, 230), (120, 215, 240), (190, 215, 230), (215, 225, 232), (240, 240, 240), (190, 195, 190),
    (150, 185, 215), (185, 190, 225), (90, 150, 90), (160, 190, 150), (200, 170, 140), (130, 130, 135), (60, 160, 240),
    (200, 215, 205), (175, 205, 215),
)  # fmt: skip
DARK_LINES: tuple[Colour, ...] = ((20, 20, 22), (12, 12, 12), (40, 45, 55), (30, 50, 85), (60, 70, 90))
LIGHT_LINES: tuple[Colour, ...] = ((245, 245, 245), (120, 200, 235), (210, 225, 235))


@dataclass(frozen=True)
class FlatBoard:
    """`texture` has point (column, row) at ((column + left) * pitch, (row * aspect + top) * pitch), pixel middles.

    Margins left, top, right, bottom are in cells; `thickness` too. `cells` marks a board of squares.
    """

    texture: Image
    size: int
    aspect: float
    pitch: float
    margins: tuple[float, float, float, float]
    thickness: float
    side: Colour
    ink: Colour
    cells: bool = False

    def body(self) -> Floats:
        """The corners (4, 2) of the board in world coordinates."""
        left, top, right, bottom = self.margins
        last = self.size - 1
        return _corners(-left, -top, last + right, last * self.aspect + bottom)

    def grid(self) -> Floats:
        """The outermost points (4, 2), or the corners of the field of squares, in world coordinates."""
        out = 0.5 if self.cells else 0.0
        last = self.size - 1
        return _corners(-out, -out * self.aspect, last + out, (last + out) * self.aspect)

    def to_texture(self) -> Floats:
        """The homography (3, 3) from world (x, y) to pixels of the texture."""
        left, top = self.margins[:2]
        return np.array([[self.pitch, 0, left * self.pitch], [0, self.pitch, top * self.pitch], [0, 0, 1.0]])


def _corners(x0: float, y0: float, x1: float, y1: float) -> Floats:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def draw_board(rng: Rng, size: int, pitch: float) -> FlatBoard:
    """A board of lines with about `pitch` pixels a cell."""
    aspect = draw(rng, 1.03, 1.085) if chance(rng, 0.45) else draw(rng, 0.99, 1.02)
    even = draw(rng, 0.45, 1.6)
    spread = 0.03 if chance(rng, 0.6) else 0.5
    margins = [float(np.clip(even * np.exp(rng.normal(0, spread)), 0.4, 3)) for _ in range(4)]
    if chance(rng, 0.15):
        margins[int(rng.integers(4))] += draw(rng, 0.5, 4)
    if chance(rng, 0.08):  # a sheet with a small grid on it
        margins = [m + draw(rng, 1, 5) * size / 19 for m in margins]
    left, top, right, bottom = margins
    height = round((aspect * (size - 1) + top + bottom) * pitch)
    width = round((size - 1 + left + right) * pitch)
    kind = pick(rng, {"wood": 6, "plain": 3.5, "cloth": 1, "photo": 0.5})
    base = jitter(rng, _colour(rng, kind), 0.07)
    surface = _surface(rng, kind, base, height, width, pitch)
    bright = float(np.dot(base, (0.114, 0.587, 0.299)))
    light = (bright < 95 and chance(rng, 0.5)) or chance(rng, 0.03)
    inks = LIGHT_LINES if light else DARK_LINES
    ink = jitter(rng, inks[int(rng.integers(len(inks)))], 0.1)
    if chance(rng, 0.2):  # faint
        weight = draw(rng, 0.35, 0.7)
        ink = (ink[0] + (base[0] - ink[0]) * weight, ink[1] + (base[1] - ink[1]) * weight, ink[2] + (base[2] - ink[2]) * weight)
    cover = line_cover(rng, size, aspect, pitch, (left, top), (height, width))
    blend(surface, cover, ink)
    origin = np.array([left, top]) * pitch
    _print(rng, surface, ink, size, aspect, pitch, origin)
    _wear(rng, surface, aspect * pitch * (size - 1), origin)
    _rim(rng, surface, pitch, min(margins))
    thick = 0.05 if kind == "cloth" else draw(rng, 0.1, 0.9) if chance(rng, 0.75) else draw(rng, 0.9, 4)
    shade = draw(rng, 0.45, 1.05)
    side = jitter(rng, (base[0] * shade, base[1] * shade, base[2] * shade), 0.08)
    return FlatBoard(surface, size, aspect, pitch, (left, top, right, bottom), thick, side, ink)


def _colour(rng: Rng, kind: str) -> Colour:
    table = WOODS if kind in ("wood", "photo") else PLAINS
    return table[int(rng.integers(len(table)))]


def _surface(rng: Rng, kind: str, base: Colour, height: int, width: int, pitch: float) -> Image:
    if kind == "wood":
        surface = wood(rng, height, width, base, draw(rng, 0.01, 0.12), pitch * draw(rng, 0.15, 2.5))
    elif kind == "cloth":
        surface = cloth(rng, height, width, base, draw(rng, 0.03, 0.12))
    elif kind == "photo":  # strong grain
        surface = wood(rng, height, width, base, draw(rng, 0.12, 0.25), pitch * draw(rng, 0.3, 1.5))
    else:
        surface = mottled(rng, height, width, base, draw(rng, 0.005, 0.05))
    return surface


def line_cover(
    rng: Rng,
    size: int,
    aspect: float,
    pitch: float,
    margin: tuple[float, float],
    shape: tuple[int, int],
    stars: Sequence[tuple[int, int]] | None = None,
) -> Field:
    """How much ink (height, width) 0..1 the lines and star points leave on each pixel."""
    height, width = shape
    thin = draw(rng, 0.02, 0.06) if chance(rng, 0.8) else draw(rng, 0.06, 0.12)
    thick = thin * (draw(rng, 1.5, 4) if chance(rng, 0.3) else 1.0)
    columns = (np.arange(size) + margin[0]) * pitch
    rows = (np.arange(size) * aspect + margin[1]) * pitch
    weights = np.full(size, max(thin * pitch, draw(rng, 0.6, 1.0)))
    weights[[0, -1]] = max(thick * pitch, weights[0])
    across = _profile(columns, weights, width)
    down = _profile(rows, weights, height)
    within_x = _extent(columns[0] - weights[0] / 2, columns[-1] + weights[0] / 2, width)
    within_y = _extent(rows[0] - weights[0] / 2, rows[-1] + weights[0] / 2, height)
    cover = np.maximum(across[None] * within_y[:, None], down[:, None] * within_x[None])
    if chance(rng, 0.2):  # a second frame outside
        away, wide = draw(rng, 0.15, 0.45) * pitch, draw(rng, 0.04, 0.15) * pitch
        box = [columns[0] - away, rows[0] - away, columns[-1] + away, rows[-1] + away]
        cover = np.maximum(cover, _frame(box, wide, shape))
    if chance(rng, 0.3):  # worn
        wear = smooth_noise(rng, height, width, pitch * draw(rng, 0.5, 4))
        cover = cover * np.clip(1.1 + wear * np.float32(draw(rng, 0.1, 0.5)), 0, 1)
    for x, y in star_points(rng, size) if stars is None else stars:
        spot = (int((x + margin[0]) * pitch * 16), int((y * aspect + margin[1]) * pitch * 16))
        cv2.circle(cover, spot, int(max(star_radius(rng, thin) * pitch, 0.8) * 16), 1.0, -1, cv2.LINE_AA, 4)
    return np.asarray(cover, np.float32)


def star_radius(rng: Rng, thin: float) -> float:
    """The radius of star points in cells, near one size for a board whose lines are `thin` cells wide."""
    return 0.07 + thin * 1.2 + 0.01 * float(rng.random())


def star_points(rng: Rng, size: int) -> list[tuple[int, int]]:
    """The star points that a board of this size may have; now and then none."""
    if chance(rng, 0.15) or size < 9:
        return []
    edge = 2 if size == 9 else 3
    middle = size // 2
    ticks = (edge, middle, size - 1 - edge)
    if size in (17, 19) or (size == 13 and chance(rng, 0.3)):
        return [(x, y) for x in ticks for y in ticks]
    corners = [(x, y) for x in (edge, size - 1 - edge) for y in (edge, size - 1 - edge)]
    return [*corners, (middle, middle)] if chance(rng, 0.85) else corners


def _profile(centres: Floats, widths: Floats, length: int) -> Field:
    """Cover (length,) of strips with these centres and widths, in pixels."""
    pixels = np.arange(length)[:, None]
    low, high = centres - widths / 2, centres + widths / 2
    part = np.minimum(pixels + 0.5, high) - np.maximum(pixels - 0.5, low)
    return np.asarray(np.clip(part, 0, 1).max(1), np.float32)


def _extent(low: float, high: float, length: int) -> Field:
    return _profile(np.array([(low + high) / 2]), np.array([high - low]), length)


def _frame(box: list[float], wide: float, shape: tuple[int, int]) -> Field:
    x0, y0, x1, y1 = box
    outer = [_extent(y0 - wide, y1 + wide, shape[0])[:, None] * _extent(x0 - wide, x1 + wide, shape[1])[None]]
    outer.append(_extent(y0, y1, shape[0])[:, None] * _extent(x0, x1, shape[1])[None])
    return np.asarray(outer[0] - outer[1], np.float32)


def blend(surface: Image, cover: Field, ink: Colour) -> None:
    """Paint with ink where cover (height, width) 0..1 says, in place."""
    weight = cv2.merge([cover, cover, cover])
    mixed = surface + (np.asarray(ink, np.float32) - surface) * weight
    np.copyto(surface, np.clip(mixed, 0, 255), casting="unsafe")


FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX)
LETTERS = "ABCDEFGHJKLMNOPQRST"


def write(image: Image, text: str, centre: tuple[float, float], tall: float, colour: Colour, font: int = cv2.FONT_HERSHEY_SIMPLEX, weight: int = 1) -> None:
    """Text `tall` pixels high, its middle at a pixel."""
    scale = max(tall, 4) / 21
    (wide, high), _ = cv2.getTextSize(text, font, scale, weight)
    cv2.putText(image, text, (round(centre[0] - wide / 2), round(centre[1] + high / 2)), font, scale, colour, weight, cv2.LINE_AA)


def coordinates(rng: Rng, image: Image, ink: Colour, size: int, aspect: float, pitch: float, origin: Floats, away: float) -> None:
    """Letters along the rows and numbers along the columns, `away` cells outside the lines."""
    tall, font = draw(rng, 0.25, 0.5) * pitch, FONTS[int(rng.integers(4))]
    both, digits = chance(rng, 0.6), chance(rng, 0.15)
    weight = 2 if pitch > 30 and chance(rng, 0.4) else 1
    last = size - 1
    for n in range(size):
        first, second = (str(n + 1) if digits else LETTERS[n]), str(size - n)
        for sign, end in ((-1, 0.0), (1, float(last)))[: 2 if both else 1]:
            write(image, first, (origin[0] + n * pitch, origin[1] + (end * aspect + sign * away) * pitch), tall, ink, font, weight)
            write(image, second, (origin[0] + (end + sign * away) * pitch, origin[1] + n * aspect * pitch), tall, ink, font, weight)


def _print(rng: Rng, surface: Image, ink: Colour, size: int, aspect: float, pitch: float, origin: Floats) -> None:
    """Coordinates, a maker's name or a picture in the margin."""
    if chance(rng, 0.15):
        coordinates(rng, surface, ink, size, aspect, pitch, origin, draw(rng, 0.5, 0.9))
    height, width = surface.shape[:2]
    if chance(rng, 0.25):
        for _ in range(int(rng.integers(1, 4))):
            tall = draw(rng, 0.2, 0.7) * pitch
            across = draw(rng, 0.1, 0.9) * width
            down = (origin[1] - draw(rng, 0.5, 1.5) * pitch) if chance(rng, 0.5) else height - draw(rng, 0.2, 0.8) * (height - origin[1] - aspect * (size - 1) * pitch)
            text = "".join(chr(int(c)) for c in rng.integers(65, 91, int(rng.integers(3, 14))))
            colour = ink if chance(rng, 0.6) else jitter(rng, (60, 60, 200) if chance(rng, 0.5) else (140, 160, 60), 0.2)
            write(surface, text, (across, down), tall, colour, FONTS[int(rng.integers(5))], int(rng.integers(1, 3)))


def _wear(rng: Rng, surface: Image, length: float, origin: Floats) -> None:
    """A fold through the middle, creases and stains."""
    height, width = surface.shape[:2]
    if chance(rng, 0.25):
        along = chance(rng, 0.5)
        middle = (origin[0] if along else origin[1]) + length / 2 * (1 if along else 1.0)
        wide = max(1, round(draw(rng, 0.002, 0.012) * length))
        tone = draw(rng, -160, 90)
        at = int(np.clip(middle - wide / 2, 0, (width if along else height) - wide - 1))
        strip = surface[:, at : at + wide] if along else surface[at : at + wide]
        np.copyto(strip, np.clip(strip + tone, 0, 255), casting="unsafe")
        if chance(rng, 0.3):
            half = surface[:, at:] if along else surface[at:]
            np.copyto(half, np.clip(half * draw(rng, 0.9, 1.1), 0, 255), casting="unsafe")
    if chance(rng, 0.1):
        field = np.zeros((height, width), np.float32)
        for _ in range(int(rng.integers(2, 9))):
            a, b = (tuple(int(n) for n in rng.uniform(0, 1, 2) * [width, height]) for _ in range(2))
            cv2.line(field, a, b, draw(rng, -1, 1), max(1, round(length / 150)), cv2.LINE_AA)
        field = np.asarray(cv2.blur(field, (7, 7)), np.float32) * draw(rng, 20, 70)
        np.copyto(surface, np.clip(surface + field[..., None], 0, 255), casting="unsafe")
    if chance(rng, 0.15):
        stain = smooth_noise(rng, height, width, length / 6) * np.float32(draw(rng, 0.02, 0.08)) + np.float32(1)
        np.copyto(surface, np.clip(surface * stain[..., None] + white_noise(rng, height, width)[..., None] * 2, 0, 255), casting="unsafe")


def _rim(rng: Rng, surface: Image, pitch: float, margin: float) -> None:
    """A frame, band or bevel along the edge of the board."""
    if not chance(rng, 0.2):
        return
    height, width = surface.shape[:2]
    colour = jitter(rng, WOODS[int(rng.integers(len(WOODS)))], 0.15) if chance(rng, 0.5) else jitter(rng, (30, 30, 32), 0.2)
    wide = max(2, round(draw(rng, 0.1, max(0.15, margin - 0.35)) * pitch))
    inset = round(draw(rng, 0, 0.15) * pitch) if chance(rng, 0.3) else 0
    box = (inset + wide // 2, inset + wide // 2), (width - 1 - inset - wide // 2, height - 1 - inset - wide // 2)
    cv2.rectangle(surface, box[0], box[1], colour, wide)
