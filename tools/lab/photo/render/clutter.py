"""Everything that is not the board: tables, bowls, loose stones, hands, cups, papers; and pictures without a board."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.lab.photo.render.camera import Camera, Floats
from tengen.tools.lab.photo.render.lettering import FONTS, write
from tengen.tools.lab.photo.render.light import light_up, sense
from tengen.tools.lab.photo.render.stones import Lamp, StoneLook, draw_stones, stand
from tengen.tools.lab.photo.render.textures import (
    TABLES,
    Colour,
    Image,
    Rng,
    chance,
    draw,
    jitter,
    mottled,
    pick,
    smooth_noise,
    table_surface,
    tiles,
    tinted,
)  # fmt: skip

SKINS: tuple[Colour, ...] = (
    (150, 180, 225),
    (120, 155, 210),
    (90, 125, 185),
    (60, 85, 140),
    (40, 55, 95),
    (135, 165, 200),
)
THINGS: tuple[Colour, ...] = (
    (40, 60, 110), (25, 35, 70), (60, 90, 150), (30, 30, 32), (235, 235, 235), (150, 70, 40), (40, 40, 170),
    (60, 130, 60), (90, 150, 200), (120, 120, 125),
)  # fmt: skip
Mask = NDArray[np.uint8]


def backdrop(rng: Rng, camera: Camera, height: float) -> Image:
    """The table and room behind a board whose table is at this height, as the camera sees them."""
    kind = pick(rng, {"table": 6, "plain": 3, "gradient": 1})
    shape = (camera.height, camera.width)
    if kind != "table":
        colour = jitter(rng, TABLES[int(rng.integers(len(TABLES)))], 0.1)
        if kind == "plain" and chance(rng, 0.5):
            return np.full((*shape, 3), np.clip(colour, 0, 255), np.uint8)
        return tinted(smooth_noise(rng, *shape, max(shape) / draw(rng, 1, 3)), colour, draw(rng, 0.02, 0.25))
    surface = table_surface(rng, 420, 420)
    plane = camera.plane(height)
    middle = np.linalg.inv(plane) @ [camera.width / 2, camera.height / 2, 1]
    middle = middle[:2] / middle[2]
    scale = draw(rng, 0.05, 0.2)
    turn = draw(rng, 0, 2 * np.pi)
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    lay = np.array([[c, -s, middle[0] - 210 * (c - s)], [s, c, middle[1] - 210 * (s + c)], [0, 0, 1]])
    out = cv2.warpPerspective(surface, plane @ lay, shape[::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(out, np.uint8)


def shade(image: Image, polygon: Floats, strength: float, soft: float) -> None:
    """Darken a convex polygon (n, 2) of the picture with a soft edge, in place."""
    quarter = np.zeros((-(-image.shape[0] // 4), -(-image.shape[1] // 4)), np.float32)
    cv2.fillConvexPoly(quarter, np.round(np.clip(polygon / 4, -4000, 4000) * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    quarter = np.asarray(cv2.GaussianBlur(quarter, (0, 0), max(soft / 4, 0.5)), np.float32)
    full = cv2.resize(1 - quarter * np.float32(strength), image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    np.copyto(image, cv2.multiply(image, cv2.merge([full, full, full]), dtype=cv2.CV_8U))


def table_things(
    rng: Rng, image: Image, camera: Camera, body: Floats, floor: float, look: StoneLook, lamps: list[Lamp]
) -> None:
    """Papers, bowls, cups and loose stones on the table around a board with these corners (4, 2), in place."""
    for _ in range(int(rng.integers(0, 4)) if chance(rng, 0.5) else 0):
        paper(rng, image, camera, _beside(rng, body, draw(rng, -2, 12)), floor)
    bowls = int(rng.integers(1, 5)) if chance(rng, 0.4) else 0
    for _ in range(bowls):
        bowl(rng, image, camera, _beside(rng, body, draw(rng, 1.8, 6)), floor, look, lamps)
    if chance(rng, 0.3):
        count = int(rng.integers(1, 25))
        centre, spread = _beside(rng, body, draw(rng, 1, 5)), draw(rng, 0.5, 5)
        spots = centre + rng.normal(0, spread, (count, 2))
        spots = spots[(spots < body.min(0) - 0.7).any(1) | (spots > body.max(0) + 0.7).any(1)]
        colours = rng.integers(1, 3, len(spots)) if chance(rng, 0.6) else np.full(len(spots), int(rng.integers(1, 3)))
        draw_stones(rng, image, camera, look, lamps, stand(look, spots, floor), colours.astype(np.int8))


def _beside(rng: Rng, body: Floats, away: float) -> Floats:
    """A spot (2,) on the table this many cells outside the board."""
    side, along = int(rng.integers(4)), draw(rng, -0.1, 1.1)
    a, b = body[side], body[(side + 1) % 4]
    edge = (b - a) / np.linalg.norm(b - a)
    return np.asarray(a + (b - a) * along + np.array([edge[1], -edge[0]]) * away, np.float64)


def _polygon(image: Image, points: Floats, colour: Colour) -> None:
    corners = np.round(np.clip(points, -9000, 9000) * 16).astype(np.int32)
    cv2.fillConvexPoly(image, corners, colour, cv2.LINE_AA, 4)


def circle(camera: Camera, spot: Floats, radius: float, height: float) -> Floats:
    """Pixels (24, 2) of a level circle."""
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = np.stack([spot[0] + radius * np.cos(turn), spot[1] + radius * np.sin(turn), np.full(24, height)], -1)
    return camera.project(ring)


def bowl(
    rng: Rng, image: Image, camera: Camera, spot: Floats, floor: float, look: StoneLook, lamps: list[Lamp]
) -> None:
    """A bowl, lid, cup or plate, often with stones in it."""
    radius, tall = draw(rng, 1.5, 3.6), draw(rng, 0.5, 3.5)
    colour = jitter(rng, THINGS[int(rng.integers(len(THINGS)))], 0.2)
    shade(
        image, circle(camera, spot - lamps[0].direction[:2] * tall * 0.6, radius * 1.1, floor), draw(rng, 0.1, 0.6), 8
    )
    levels = np.linspace(0, 1, 6)
    for level in levels:
        belly = radius * (0.8 + 0.25 * np.sin(np.pi * (0.15 + 0.7 * level)))
        gain = 0.6 + 0.4 * level
        _polygon(
            image,
            circle(camera, spot, belly, floor + tall * level),
            (colour[0] * gain, colour[1] * gain, colour[2] * gain),
        )
    dark = draw(rng, 0.15, 0.7)
    _polygon(
        image, circle(camera, spot, radius * 0.9, floor + tall), (colour[0] * dark, colour[1] * dark, colour[2] * dark)
    )
    if chance(rng, 0.75):
        count = int(rng.integers(8, 45))
        turn, reach = rng.uniform(0, 2 * np.pi, count), radius * 0.62 * np.sqrt(rng.random(count))
        spots = spot + np.stack([np.cos(turn) * reach, np.sin(turn) * reach], -1)
        places = stand(look, spots, floor + tall * 0.8)
        places[:, 2] += rng.uniform(0, 0.4, count)
        draw_stones(rng, image, camera, look, lamps, places, np.full(count, int(rng.integers(1, 3)), np.int8))


def paper(rng: Rng, image: Image, camera: Camera, spot: Floats, floor: float) -> None:
    """A sheet, book, phone or box on the table, some with text or squares."""
    wide, tall = draw(rng, 1.5, 9), draw(rng, 1.5, 12)
    turn = draw(rng, 0, 2 * np.pi)
    along = np.array([np.cos(turn), np.sin(turn)]) * wide / 2
    up = np.array([-np.sin(turn), np.cos(turn)]) * tall / 2
    flat = np.array([spot - along - up, spot + along - up, spot + along + up, spot - along + up])
    corners = camera.project(np.column_stack([flat, np.full(4, floor)]))
    if not np.isfinite(corners).all() or np.abs(corners).max() > 6000:
        return
    sheet = mottled(rng, 96, 96, jitter(rng, THINGS[int(rng.integers(len(THINGS)))], 0.2), 0.03)
    kind = pick(rng, {"plain": 2, "text": 2, "squares": 1})
    ink = jitter(rng, (30, 30, 30) if sheet.mean() > 110 else (230, 230, 230), 0.2)
    if kind == "text":
        for row in range(8, 92, int(rng.integers(6, 14))):
            write(sheet, "".join(chr(int(c)) for c in rng.integers(97, 123, 14)), (48, row), 5, ink)
    elif kind == "squares":
        step = int(rng.integers(6, 20))
        sheet[::step] = ink
        sheet[:, ::step] = ink
    source = np.array([[0, 0], [95, 0], [95, 95], [0, 95]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    cv2.warpPerspective(sheet, matrix, image.shape[1::-1], image, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)


def hand(rng: Rng, image: Image, reach: tuple[float, float], cell: float) -> Mask:
    """Draw an arm from the picture's edge to a pixel; the mask (height, width) of 0 or 255 that it covers."""
    height, width = image.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    tip = np.array(reach)
    side = int(rng.integers(4))
    start = np.array(
        [
            [draw(rng, 0, width), -9.0],
            [width + 9.0, draw(rng, 0, height)],
            [draw(rng, 0, width), height + 9.0],
            [-9.0, draw(rng, 0, height)],
        ][side]
    )
    way = (start - tip) / max(float(np.linalg.norm(start - tip)), 1e-6)
    palm = tip + way * cell * 2.6
    across = np.array([-way[1], way[0]])
    skin = jitter(rng, SKINS[int(rng.integers(len(SKINS)))], 0.08)
    layer = np.zeros((height, width, 3), np.uint8)

    def stroke(a: Floats, b: Floats, thick: float, colour: Colour) -> None:
        ends = [tuple(int(n * 8) for n in p) for p in (a, b)]
        for target, paint in ((layer, colour), (mask, 255)):
            cv2.line(target, ends[0], ends[1], paint, max(1, round(thick)), cv2.LINE_AA, 3)

    sleeve = jitter(rng, THINGS[int(rng.integers(len(THINGS)))], 0.3)
    wrist = palm + way * cell * 2.5
    stroke(palm, wrist, cell * 1.9, skin)
    stroke(
        wrist + way * cell * draw(rng, 0, 5), start, cell * draw(rng, 2.2, 3.5), sleeve if chance(rng, 0.6) else skin
    )
    stroke(palm, wrist + way * cell * 5, cell * 1.8, skin)
    stroke(palm - across * cell * 0.5, palm + across * cell * 0.5, cell * 2.2, skin)
    fingers = int(rng.integers(1, 6))
    for n in range(fingers):
        bend = (n - (fingers - 1) / 2) * draw(rng, 0.3, 0.6)
        end = tip + across * bend * cell * 1.3 + way * abs(bend) * cell * 0.6
        gain = draw(rng, 0.9, 1.06)
        stroke(
            palm + across * bend * cell * 0.8,
            end,
            cell * draw(rng, 0.55, 0.85),
            (skin[0] * gain, skin[1] * gain, skin[2] * gain),
        )
    rounded = cv2.distanceTransform(mask, cv2.DIST_L2, 3) if mask.any() else mask.astype(np.float32)
    gain = np.clip(0.72 + 0.28 * rounded / (cell * 0.5), 0, 1).astype(np.float32)
    lit = cv2.multiply(layer, cv2.merge([gain, gain, gain]), dtype=cv2.CV_8U)
    weight = cv2.GaussianBlur(mask, (0, 0), 0.8).astype(np.float32)[..., None] / 255
    np.copyto(image, image * (1 - weight) + lit * weight, casting="unsafe")
    return np.where(mask > 127, 255, 0).astype(np.uint8)


def render_clutter(rng: Rng, side: int | None = None) -> Image:
    """A picture with no board of points in it: `side` is its longest side (480..900 if None)."""
    side = side or int(rng.integers(480, 901))
    wide, tall = (
        (side, round(side * draw(rng, 0.55, 1))) if chance(rng, 0.5) else (round(side * draw(rng, 0.55, 1)), side)
    )
    kind = pick(rng, {"table": 3, "tiles": 3, "chess": 2, "keys": 2, "page": 2, "window": 1, "discs": 2})
    image = table_surface(rng, tall, wide)
    if kind == "tiles":
        image = tiles(rng, tall, wide, jitter(rng, TABLES[int(rng.integers(len(TABLES)))], 0.2), draw(rng, 0.03, 0.3))
    elif kind == "page":
        image[:] = mottled(rng, tall, wide, jitter(rng, (235, 240, 240), 0.05), 0.02)
        size, font = draw(rng, 7, 20), FONTS[int(rng.integers(4))]
        for row in np.arange(size * 2, tall, size * draw(rng, 1.6, 2.4)):
            text = "".join(chr(int(c)) if c > 97 else " " for c in rng.integers(92, 123, int(wide / size)))
            write(image, text, (wide / 2, float(row)), size, (30, 30, 30), font)
    elif kind != "table":
        _cells(rng, image, kind)
    corners = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float32)
    moved = corners + (rng.normal(0, 0.12, (4, 2)) * [wide, tall]).astype(np.float32)
    if chance(rng, 0.7):
        matrix = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
        under = table_surface(rng, tall, wide)
        image = np.asarray(
            cv2.warpPerspective(image, matrix, (wide, tall), under, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT), np.uint8
        )
    for _ in range(int(rng.integers(0, 8))):
        spot, reach = (int(rng.uniform(0, wide)), int(rng.uniform(0, tall))), int(draw(rng, 0.01, 0.12) * side)
        cv2.circle(
            image, spot, max(2, reach), jitter(rng, THINGS[int(rng.integers(len(THINGS)))], 0.2), -1, cv2.LINE_AA
        )
    if chance(rng, 0.2):
        hand(rng, image, (draw(rng, 0, wide), draw(rng, 0, tall)), side * draw(rng, 0.02, 0.05))
    return sense(rng, light_up(rng, image))


def _cells(rng: Rng, image: Image, kind: str) -> None:
    """A chess board, keys, a barred window or rows of discs, in place."""
    tall, wide = image.shape[:2]
    columns = 8 if kind == "chess" else int(rng.integers(3, 16))
    rows = columns if kind == "chess" else int(rng.integers(2, 12))
    step = min(wide / (columns + 1), tall / (rows + 1))
    first = jitter(rng, THINGS[int(rng.integers(len(THINGS)))], 0.2)
    second = jitter(rng, TABLES[int(rng.integers(len(TABLES)))], 0.2)
    gap = 0.0 if kind == "chess" else draw(rng, 0.03, 0.3)
    for row in range(rows):
        for column in range(columns):
            x, y = (column + 0.5 + (0.25 * (row % 2) if kind == "keys" else 0)) * step, (row + 0.5) * step
            colour = first if kind == "keys" or (kind == "chess" and (row + column) % 2) else second
            if kind == "discs":
                if chance(rng, 0.8):
                    cv2.circle(
                        image,
                        (round(x + step / 2), round(y + step / 2)),
                        round(step * (0.5 - gap / 2)),
                        colour,
                        -1,
                        cv2.LINE_AA,
                    )
                continue
            low, high = (round(x + gap * step), round(y + gap * step)), (round(x + step), round(y + step))
            cv2.rectangle(image, low, high, colour, -1)
            if kind == "keys":
                write(image, chr(int(rng.integers(65, 91))), (x + step / 2, y + step / 2), step * 0.3, second)
            if kind == "chess" and chance(rng, 0.35):
                tone = (240, 240, 240) if chance(rng, 0.5) else (30, 30, 30)
                cv2.circle(image, (round(x + step / 2), round(y + step / 2)), round(step * 0.33), tone, -1, cv2.LINE_AA)
