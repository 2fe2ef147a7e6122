"""A board seen from straight above: its surface, lines, margins and print, as a texture to be put into a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from tengen.tools.lab.photo.render.camera import Floats
from tengen.tools.lab.photo.render.lettering import print_margins
from tengen.tools.lab.photo.render.lines import blend, line_cover
from tengen.tools.lab.photo.render.textures import (
    Colour,
    Image,
    Rng,
    chance,
    cloth,
    draw,
    jitter,
    mottled,
    pick,
    smooth_noise,
    white_noise,
    wood,
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
    if chance(rng, 0.16):  # a sheet with a small grid on it
        margins = [m + draw(rng, 1, 6) * size / 19 for m in margins]
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
        ink = (
            ink[0] + (base[0] - ink[0]) * weight,
            ink[1] + (base[1] - ink[1]) * weight,
            ink[2] + (base[2] - ink[2]) * weight,
        )
    cover = line_cover(rng, size, aspect, pitch, (left, top), (height, width))
    blend(surface, cover, ink)
    origin = np.array([left, top]) * pitch
    print_margins(rng, surface, ink, size, aspect, pitch, origin)
    _wear(rng, surface, aspect * pitch * (size - 1), origin)
    _rim(rng, surface, pitch, min(margins))
    thick = 0.05 if kind == "cloth" else draw(rng, 0.1, 0.9) if chance(rng, 0.75) else draw(rng, 0.9, 4)
    shade = draw(rng, 0.45, 1.05)
    side = jitter(rng, (base[0] * shade, base[1] * shade, base[2] * shade), 0.08)
    board = FlatBoard(surface, size, aspect, pitch, (left, top, right, bottom), thick, side, ink)
    return _trayed(rng, board) if chance(rng, 0.08) else board


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


def _wear(rng: Rng, surface: Image, length: float, origin: Floats) -> None:
    """A fold through the middle, creases and stains."""
    height, width = surface.shape[:2]
    if chance(rng, 0.25):
        along = chance(rng, 0.5)
        middle = origin[0 if along else 1] + length / 2
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
        np.copyto(
            surface,
            np.clip(surface * stain[..., None] + white_noise(rng, height, width)[..., None] * 2, 0, 255),
            casting="unsafe",
        )


def _trayed(rng: Rng, board: FlatBoard) -> FlatBoard:
    """The board in a wide frame of another wood or colour."""
    wide = draw(rng, 0.6, 3.5) * board.size / 19
    border = round(wide * board.pitch)
    wide = border / board.pitch
    height, width = (n + 2 * border for n in board.texture.shape[:2])
    colour = jitter(rng, WOODS[int(rng.integers(len(WOODS)))], 0.15)
    if chance(rng, 0.5):
        gain = draw(rng, 0.25, 0.8)
        colour = (board.side[0] * gain, board.side[1] * gain, board.side[2] * gain)
    texture = wood(rng, height, width, colour, draw(rng, 0.03, 0.15), board.pitch * draw(rng, 0.3, 2))
    texture[border:-border, border:-border] = board.texture
    gap = max(1, round(board.pitch * draw(rng, 0.02, 0.12)))
    box = (border - gap, border - gap), (width - border + gap, height - border + gap)
    cv2.rectangle(texture, box[0], box[1], (15, 15, 15) if chance(rng, 0.7) else (200, 210, 215), gap)
    left, top, right, bottom = board.margins
    margins = (left + wide, top + wide, right + wide, bottom + wide)
    return replace(board, texture=texture, margins=margins, side=colour)


def _rim(rng: Rng, surface: Image, pitch: float, margin: float) -> None:
    """A frame, band or bevel along the edge of the board."""
    if not chance(rng, 0.2):
        return
    height, width = surface.shape[:2]
    colour = (
        jitter(rng, WOODS[int(rng.integers(len(WOODS)))], 0.15) if chance(rng, 0.5) else jitter(rng, (30, 30, 32), 0.2)
    )
    wide = max(2, round(draw(rng, 0.1, max(0.15, margin - 0.35)) * pitch))
    inset = round(draw(rng, 0, 0.15) * pitch) if chance(rng, 0.3) else 0
    box = (inset + wide // 2, inset + wide // 2), (width - 1 - inset - wide // 2, height - 1 - inset - wide // 2)
    cv2.rectangle(surface, box[0], box[1], colour, wide)
