"""Draw the overlays of programs on a board: hints, heat maps, territory, ghosts, cursors and pointers.

None of it changes what a point holds: a marked stone is a stone, and a hint or a stone seen through is none.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.lab.photo.render.camera import Floats
from tengen.tools.lab.photo.render.lettering import FONTS, write
from tengen.tools.lab.photo.render.positions import influence
from tengen.tools.lab.photo.render.textures import Colour, Image, Rng, chance, draw, jitter, pick

BLACK, WHITE = 1, 2
BRIGHT: tuple[Colour, ...] = (
    (235, 235, 60), (80, 200, 80), (60, 220, 200), (40, 200, 240), (40, 140, 240), (60, 60, 220), (190, 70, 150),
    (220, 130, 40), (160, 220, 120), (200, 160, 240),
)  # fmt: skip
"""Colours of hints, from the best move's to the worst's and some more."""
LAYERS = {
    "hints": 5.0, "heat": 1.5, "ownership": 2.0, "territory": 2.5, "ghost": 2.5, "variation": 1.5, "cursor": 3.0,
    "pointer": 2.5, "last": 4.0, "letters": 2.0, "dots": 1.5, "arrows": 0.7,
}  # fmt: skip
"""The frequencies of layers on `marked` pictures."""
POINTED = {"filled": 3.0, "bold": 4.0, "cursor": 2.0, "pointer": 3.0}
"""Those on `pointed` pictures, many of them at once: what hides or tints a whole point."""
OVER = {"marked": LAYERS, "pointed": POINTED}
"""The layers over pictures of these styles."""


@dataclass(frozen=True)
class Diagram:
    """A picture of `stones` (size, size), point (column, row) at `origin` + `pitch` (column, row); `ground` its colour.

    Points that do not show hold -1.
    """

    image: Image
    stones: NDArray[np.int8]
    origin: Floats
    pitch: float
    ground: Colour

    def spot(self, row: int, column: int) -> tuple[float, float]:
        """The pixel of a point."""
        x, y = self.origin + np.array([column, row]) * self.pitch
        return float(x), float(y)

    def some(self, rng: Rng, count: int, *, empty: bool) -> list[tuple[int, int]]:
        """Up to `count` points (row, column) that are empty, or hold stones, drawn at random."""
        found = np.argwhere(self.stones == 0 if empty else self.stones > 0)
        return [(int(row), int(column)) for row, column in rng.permutation(found)[:count]]


def overlay(rng: Rng, diagram: Diagram, style: str) -> None:
    """Put over a diagram what programs show, in place: one to three of LAYERS, or up to nine of POINTED."""
    if style == "pointed":
        for _ in range(int(rng.integers(1, 10))):
            draw_layer(rng, diagram, pick(rng, POINTED))
        return
    left = dict(LAYERS)
    for _ in range(int(rng.choice([1, 2, 3], p=[0.5, 0.35, 0.15]))):
        name = pick(rng, left)
        del left[name]
        draw_layer(rng, diagram, name)


def draw_layer(rng: Rng, diagram: Diagram, name: str) -> None:
    """Put one of LAYERS or POINTED over a diagram, in place; nothing where no point suits it."""
    _DRAWN[name](rng, diagram)


def veil(image: Image, spot: tuple[float, float], reach: float, colour: Colour, alpha: float, *, square: bool) -> None:
    """A disc or square of this colour through which `1 - alpha` of what is below shows, in place."""
    x, y = spot
    low = np.maximum(np.floor(np.array([x, y]) - reach - 1), 0).astype(int)
    high = np.minimum(np.ceil(np.array([x, y]) + reach + 2), image.shape[1::-1]).astype(int)
    if (high <= low).any():
        return
    under = image[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros(under.shape[:2], np.float32)
    centre = (round((x - low[0]) * 16), round((y - low[1]) * 16))
    if square:
        ends = [tuple(round(n + sign * reach * 16) for n in centre) for sign in (-1, 1)]
        cv2.rectangle(mask, ends[0], ends[1], 1.0, -1, cv2.LINE_AA, 4)
    else:
        cv2.circle(mask, centre, round(reach * 16), 1.0, -1, cv2.LINE_AA, 4)
    weight = mask[..., None] * np.float32(alpha)
    np.copyto(under, under * (1 - weight) + np.asarray(colour, np.float32) * weight, casting="unsafe")


def _ring(image: Image, spot: tuple[float, float], reach: float, colour: Colour, wide: int) -> None:
    at = (round(spot[0] * 16), round(spot[1] * 16))
    cv2.circle(image, at, round(reach * 16), colour, wide, cv2.LINE_AA, 4)


def _figures(rng: Rng) -> str:
    """A win rate, a loss of points or a number of visits."""
    kind = pick(rng, {"rate": 3, "loss": 2, "visits": 2})
    if kind == "rate":
        return f"{draw(rng, 0, 99):.1f}" if chance(rng, 0.5) else f"{int(draw(rng, 1, 99))}%"
    if kind == "loss":
        return f"{draw(rng, -9, 3):+.1f}"
    return str(int(draw(rng, 1, 999))) if chance(rng, 0.5) else f"{draw(rng, 1, 99):.1f}k"


def _hints(rng: Rng, diagram: Diagram) -> None:
    """Coloured discs with figures on empty points, as analysis engines' front ends draw them."""
    alpha = 1.0 if chance(rng, 0.35) else draw(rng, 0.3, 0.95)
    reach, lines, worst = draw(rng, 0.28, 0.5), int(rng.integers(0, 4)), int(rng.integers(2, len(BRIGHT) + 1))
    rim: Colour | None = None
    if chance(rng, 0.4):
        rim = (0, 0, 0) if chance(rng, 0.5) else (255, 255, 255)
    ink: Colour = (0, 0, 0) if chance(rng, 0.7) else (255, 255, 255)
    fades, square, font = chance(rng, 0.5), chance(rng, 0.06), FONTS[int(rng.integers(3))]
    count = int(rng.integers(1, 30)) if chance(rng, 0.8) else int(rng.integers(30, 120))
    for rank, (row, column) in enumerate(diagram.some(rng, count, empty=True)):
        spot, pitch = diagram.spot(row, column), diagram.pitch
        colour = jitter(rng, BRIGHT[min(rank, worst - 1) if chance(rng, 0.8) else int(rng.integers(len(BRIGHT)))], 0.1)
        size = reach * (1.0 if rank < 4 or not fades else draw(rng, 0.5, 1))
        veil(diagram.image, spot, size * pitch, colour, alpha * (draw(rng, 0.5, 1) if fades else 1), square=square)
        if rim is not None and (rank == 0 or chance(rng, 0.5)):
            _ring(diagram.image, spot, size * pitch, rim, max(1, round(pitch / 22)))
        for line in range(lines):
            away = (line - (lines - 1) / 2) * pitch * 0.24
            write(diagram.image, _figures(rng), (spot[0], spot[1] + away), pitch * draw(rng, 0.14, 0.24), ink, font)


def _heat(rng: Rng, diagram: Diagram) -> None:
    """A heat map: coloured squares or glows on many points, most of them faint."""
    size = len(diagram.stones)
    field = np.abs(influence(rng, size, draw(rng, 0.6, 2)))
    colour, square = jitter(rng, BRIGHT[int(rng.integers(len(BRIGHT)))], 0.1), chance(rng, 0.6)
    reach, most = draw(rng, 0.3, 0.52) * diagram.pitch, draw(rng, 0.3, 0.9)
    for row, column in np.argwhere((diagram.stones == 0) & (field > draw(rng, 0.2, 1.5))):
        alpha = most * min(1.0, float(field[row, column]) / 2)
        veil(diagram.image, diagram.spot(row, column), reach, colour, alpha, square=square)


def _ownership(rng: Rng, diagram: Diagram) -> None:
    """Who will own what: black and white squares, large or opaque where that is sure, over stones too."""
    size = len(diagram.stones)
    owner = influence(rng, size, draw(rng, 1, 2.5))
    by_size, over, square = chance(rng, 0.5), chance(rng, 0.6), chance(rng, 0.8)
    most = draw(rng, 0.16, 0.3) if by_size else draw(rng, 0.14, 0.5)
    alpha = 1.0 if by_size and chance(rng, 0.5) else draw(rng, 0.25, 0.6)
    tones: tuple[Colour, Colour] = ((0, 0, 0), (255, 255, 255)) if chance(rng, 0.8) else ((220, 90, 40), (60, 60, 220))
    for row, column in np.argwhere(diagram.stones >= 0):
        if diagram.stones[row, column] and not over:
            continue
        share = min(1.0, abs(float(owner[row, column])))
        reach = most * (share if by_size else 1.0) * diagram.pitch
        tone = tones[int(owner[row, column] > 0)]
        if diagram.stones[row, column]:
            reach = min(reach, 0.2 * diagram.pitch)
        shown = alpha if by_size else alpha * share
        veil(diagram.image, diagram.spot(row, column), reach, tone, shown, square=square)


def _territory(rng: Rng, diagram: Diagram) -> None:
    """Small squares, dots or crosses of either colour on empty points, and of the other colour on dead stones."""
    owner = influence(rng, len(diagram.stones), draw(rng, 1, 3))
    kind = pick(rng, {"square": 4, "dot": 3, "cross": 1, "stone": 1.5})
    reach = (draw(rng, 0.22, 0.3) if kind == "stone" else draw(rng, 0.1, 0.22)) * diagram.pitch
    full, dead = chance(rng, 0.6), draw(rng, 0, 0.3)
    for row, column in np.argwhere(diagram.stones >= 0):
        stone = int(diagram.stones[row, column])
        value = float(owner[row, column])
        if (stone == 0 and not full and abs(value) < 0.7) or (stone and abs(value) > dead):
            continue
        side = 3 - stone if stone else (BLACK if value > 0 else WHITE)
        tone: Colour = (10, 10, 10) if side == BLACK else (245, 245, 245)
        x, y = diagram.spot(row, column)
        if kind == "cross":
            at = (round(x), round(y))
            wide = max(1, round(diagram.pitch / 12))
            cv2.drawMarker(diagram.image, at, tone, cv2.MARKER_TILTED_CROSS, round(2 * reach), wide, cv2.LINE_AA)
        else:
            veil(diagram.image, (x, y), reach, tone, 1.0, square=kind == "square")
            if kind == "stone" and side == WHITE:
                _ring(diagram.image, (x, y), reach, (60, 60, 60), 1)


def _ghost(rng: Rng, diagram: Diagram) -> None:
    """The stone under the mouse, seen through."""
    for row, column in diagram.some(rng, 1 if chance(rng, 0.8) else int(rng.integers(2, 6)), empty=True):
        _faint(rng, diagram, row, column, int(rng.integers(1, 3)), draw(rng, 0.2, 0.5))


def _faint(rng: Rng, diagram: Diagram, row: int, column: int, colour: int, alpha: float) -> None:
    """A stone of this colour through which the board shows."""
    spot, reach = diagram.spot(row, column), draw(rng, 0.4, 0.5) * diagram.pitch
    tone: Colour = (10, 10, 10) if colour == BLACK else (245, 245, 245)
    veil(diagram.image, spot, reach, tone, alpha, square=False)
    if chance(rng, 0.3):
        shine = (spot[0] - reach / 3, spot[1] - reach / 3)
        veil(diagram.image, shine, reach / 3, (255, 255, 255), alpha / 3, square=False)


def _variation(rng: Rng, diagram: Diagram) -> None:
    """A line of play that is thought of: numbered stones, seen through."""
    alpha, first = draw(rng, 0.3, 0.55), int(rng.integers(1, 3))
    for move, (row, column) in enumerate(diagram.some(rng, int(rng.integers(2, 14)), empty=True)):
        colour = first if move % 2 == 0 else 3 - first
        _faint(rng, diagram, row, column, colour, alpha)
        tone: Colour = (255, 255, 255) if colour == BLACK else (0, 0, 0)
        write(diagram.image, str(move + 1), diagram.spot(row, column), diagram.pitch * draw(rng, 0.3, 0.45), tone)


def _cursor(rng: Rng, diagram: Diagram) -> None:
    """A square, brackets or a cross around the point that is chosen, empty or not."""
    chosen = diagram.some(rng, 1, empty=chance(rng, 0.6)) or diagram.some(rng, 1, empty=True)
    for row, column in chosen:
        (x, y), pitch = diagram.spot(row, column), diagram.pitch
        colours = (*BRIGHT, (20.0, 20.0, 20.0), (245.0, 245.0, 245.0))
        colour = jitter(rng, colours[int(rng.integers(len(colours)))], 0.1)
        reach, wide = draw(rng, 0.3, 0.55) * pitch, max(1, round(pitch * draw(rng, 0.03, 0.12)))
        kind = pick(rng, {"square": 4, "brackets": 2, "cross": 1, "ring": 1, "filled": 1, "hairs": 1})
        low, high = (round(x - reach), round(y - reach)), (round(x + reach), round(y + reach))
        if kind == "square":
            cv2.rectangle(diagram.image, low, high, colour, wide)
        elif kind == "brackets":
            arm = round(reach * draw(rng, 0.4, 0.8))
            for px, dx in ((low[0], arm), (high[0], -arm)):
                for py, dy in ((low[1], arm), (high[1], -arm)):
                    cv2.line(diagram.image, (px, py), (px + dx, py), colour, wide)
                    cv2.line(diagram.image, (px, py), (px, py + dy), colour, wide)
        elif kind == "ring":
            _ring(diagram.image, (x, y), reach, colour, wide)
        elif kind == "filled":
            _tinted(rng, diagram, (x, y), reach, colour)
        else:
            long = max(diagram.image.shape) if kind == "hairs" else round(reach)
            cv2.line(diagram.image, (round(x - long), round(y)), (round(x + long), round(y)), colour, min(wide, 3))
            cv2.line(diagram.image, (round(x), round(y - long)), (round(x), round(y + long)), colour, min(wide, 3))


def _filled(rng: Rng, diagram: Diagram) -> None:
    """A square through which the point that is chosen shows, mostly a stone; more often grey than coloured."""
    for row, column in diagram.some(rng, int(rng.integers(1, 4)), empty=chance(rng, 0.4)):
        grey = draw(rng, 0, 255)
        colour: Colour = (grey, grey, grey) if chance(rng, 0.6) else BRIGHT[int(rng.integers(len(BRIGHT)))]
        reach = draw(rng, 0.3, 0.55) * diagram.pitch
        _tinted(rng, diagram, diagram.spot(row, column), reach, jitter(rng, colour, 0.1))


def _bold(rng: Rng, diagram: Diagram) -> None:
    """A thick square, ring or cross, or a large dot, that covers most of a stone, mostly in the other colour."""
    for row, column in diagram.some(rng, int(rng.integers(1, 4)), empty=chance(rng, 0.15)):
        (x, y), pitch = diagram.spot(row, column), diagram.pitch
        dark = diagram.stones[row, column] == WHITE if chance(rng, 0.7) else chance(rng, 0.5)
        plain: Colour = (20, 20, 20) if dark else (240, 240, 240)
        colour = jitter(rng, plain if chance(rng, 0.7) else BRIGHT[int(rng.integers(len(BRIGHT)))], 0.1)
        reach, wide = draw(rng, 0.2, 0.42) * pitch, max(1, round(pitch * draw(rng, 0.06, 0.18)))
        kind = pick(rng, {"square": 3, "ring": 1, "dot": 1, "cross": 1})
        if kind == "square":
            low, high = (round(x - reach), round(y - reach)), (round(x + reach), round(y + reach))
            cv2.rectangle(diagram.image, low, high, colour, wide)
        else:
            _shape(rng, diagram.image, kind, (x, y), reach, colour, wide)


def _tinted(rng: Rng, diagram: Diagram, spot: tuple[float, float], reach: float, colour: Colour) -> None:
    veil(diagram.image, spot, min(reach, 0.5 * diagram.pitch), colour, draw(rng, 0.2, 0.5), square=True)


ARROW = np.array([[0, 0], [0, 17], [4, 13], [7, 20], [9.5, 19], [6.5, 12], [12, 12]]) / 20
HAND = np.array([
    [0, 0], [2, 0], [2, 8], [4, 8], [6, 9], [8, 9], [10, 10], [12, 11], [12, 16], [10, 20], [2, 20], [-3, 13],
    [-3, 11], [0, 12],
]) / 20  # fmt: skip


def _pointer(rng: Rng, diagram: Diagram) -> None:
    """A mouse pointer over the board; on some boards the stone that it would play is seen under it."""
    for row, column in diagram.some(rng, 1, empty=chance(rng, 0.7)):
        if diagram.stones[row, column] == 0 and chance(rng, 0.3):
            _faint(rng, diagram, row, column, int(rng.integers(1, 3)), draw(rng, 0.2, 0.5))
        size = max(10.0, draw(rng, 0.5, 1.3) * diagram.pitch)
        shape = ARROW if chance(rng, 0.75) else HAND
        tip = np.array(diagram.spot(row, column)) + rng.uniform(-0.45, 0.45, 2) * diagram.pitch
        corners = np.round((tip + shape * size) * 16).astype(np.int32)
        fill, edge = (255, 255, 255), (0, 0, 0)
        if chance(rng, 0.25):
            fill, edge = edge, fill
        cv2.fillPoly(diagram.image, [corners], fill, cv2.LINE_AA, 4)
        cv2.polylines(diagram.image, [corners], True, edge, max(1, round(size / 20)), cv2.LINE_AA, 4)


def _last(rng: Rng, diagram: Diagram) -> None:
    """The mark of the last move, or of some stones: a shape or number in the other colour or a bright one."""
    count = 1 if chance(rng, 0.7) else int(rng.integers(2, 12))
    kind = pick(rng, {"ring": 2, "dot": 2, "triangle": 2, "square": 2, "number": 1.5, "cross": 1, "wedge": 0.7})
    bright = jitter(rng, BRIGHT[int(rng.integers(len(BRIGHT)))], 0.1) if chance(rng, 0.55) else None
    share, filled = draw(rng, 0.1, 0.33), chance(rng, 0.5)
    for row, column in diagram.some(rng, count, empty=False):
        spot, pitch = diagram.spot(row, column), diagram.pitch
        tone: Colour = bright or ((245, 245, 245) if diagram.stones[row, column] == BLACK else (10, 10, 10))
        _shape(rng, diagram.image, kind, spot, pitch * share, tone, -1 if filled else max(1, round(pitch / 13)))


def _shape(rng: Rng, image: Image, kind: str, spot: tuple[float, float], reach: float, tone: Colour, wide: int) -> None:
    x, y = spot
    if kind == "number":
        write(image, str(int(rng.integers(1, 250))), spot, max(reach * 1.6, 5), tone, FONTS[int(rng.integers(3))])
    elif kind in ("ring", "dot"):
        _ring(image, spot, reach, tone, -1 if kind == "dot" else abs(wide))
    elif kind == "cross":
        at = (round(x), round(y))
        cv2.drawMarker(image, at, tone, cv2.MARKER_TILTED_CROSS, round(2 * reach), max(1, wide), cv2.LINE_AA)
    else:
        turn = {"triangle": (-90, 30, 150), "square": (-135, -45, 45, 135), "wedge": (-135, 135, 45)}[kind]
        angles = np.deg2rad(turn)
        corners = np.stack([x + 1.2 * reach * np.cos(angles), y + 1.2 * reach * np.sin(angles)], -1)
        drawn = np.round(corners * 16).astype(np.int32)
        if wide < 0:
            cv2.fillPoly(image, [drawn], tone, cv2.LINE_AA, 4)
        else:
            cv2.polylines(image, [drawn], True, tone, wide, cv2.LINE_AA, 4)


def _letters(rng: Rng, diagram: Diagram) -> None:
    """A to E and on, on empty points: bare, on the ground's colour or on coloured discs; some on stones."""
    below = pick(rng, {"ground": 2, "none": 2, "disc": 2})
    colour = jitter(rng, BRIGHT[int(rng.integers(len(BRIGHT)))], 0.1)
    dark: Colour = (20, 20, 20) if sum(diagram.ground) > 260 or below == "disc" else (235, 235, 235)
    ink = colour if below != "disc" and chance(rng, 0.3) else dark
    points = diagram.some(rng, int(rng.integers(1, 12)), empty=True)
    lower = chance(rng, 0.3)
    for n, (row, column) in enumerate(points):
        spot, pitch = diagram.spot(row, column), diagram.pitch
        if below != "none":
            fill = diagram.ground if below == "ground" else colour
            veil(diagram.image, spot, pitch * 0.38, fill, 1.0 if below == "ground" else 0.85, square=False)
        write(diagram.image, chr((97 if lower else 65) + n % 26), spot, pitch * draw(rng, 0.4, 0.6), ink, FONTS[n % 3])


def _dots(rng: Rng, diagram: Diagram) -> None:
    """Coloured dots on many stones: how good the moves were."""
    reach = draw(rng, 0.1, 0.22)
    for row, column in diagram.some(rng, int(rng.integers(1, 200)), empty=False):
        colour = BRIGHT[int(rng.integers(len(BRIGHT)))]
        veil(diagram.image, diagram.spot(row, column), reach * diagram.pitch, colour, draw(rng, 0.6, 1), square=False)


def _arrows(rng: Rng, diagram: Diagram) -> None:
    """Lines and arrows between points."""
    colour = jitter(rng, BRIGHT[int(rng.integers(len(BRIGHT)))], 0.2)
    wide = max(1, round(diagram.pitch * draw(rng, 0.04, 0.12)))
    points = diagram.some(rng, 2 * int(rng.integers(1, 4)), empty=True)
    for start, end in zip(points[::2], points[1::2], strict=False):
        ends = [tuple(round(n) for n in diagram.spot(*point)) for point in (start, end)]
        cv2.arrowedLine(diagram.image, ends[0], ends[1], colour, wide, cv2.LINE_AA, 0, 0.06)


_DRAWN = {
    "hints": _hints, "heat": _heat, "ownership": _ownership, "territory": _territory, "ghost": _ghost,
    "variation": _variation, "cursor": _cursor, "pointer": _pointer, "last": _last, "letters": _letters, "dots": _dots,
    "arrows": _arrows, "filled": _filled, "bold": _bold,
}  # fmt: skip
