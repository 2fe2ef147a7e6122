"""A whole picture of a board with its labels."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.lab.photo.render import club, window
from tengen.tools.lab.photo.render.board import FlatBoard, draw_board
from tengen.tools.lab.photo.render.camera import Camera, Floats, draw_camera
from tengen.tools.lab.photo.render.clutter import Mask, backdrop, bowl, hand, shade, table_things
from tengen.tools.lab.photo.render.digital import Sheet, draw_sheet
from tengen.tools.lab.photo.render.framing import reframed
from tengen.tools.lab.photo.render.laying import body_sides, lay, misplaced, side_by_side
from tengen.tools.lab.photo.render.lettering import write
from tengen.tools.lab.photo.render.light import light_up, sense
from tengen.tools.lab.photo.render.overlays import OVER
from tengen.tools.lab.photo.render.positions import discs, draw_position
from tengen.tools.lab.photo.render.reversi import draw_field, draw_field_look
from tengen.tools.lab.photo.render.shot import Scene, Shot, labelled, under
from tengen.tools.lab.photo.render.stones import (
    StoneLook,
    draw_lamps,
    draw_look,
    draw_stones,
    outlines,
    stand,
)
from tengen.tools.lab.photo.render.textures import Image, Rng, chance, draw, pick
from tengen.tools.photo.geometry import Window, apply

STYLES = ("photo", "reversi", "digital", "window", "marked", "pointed", "far", "pair")
"""A board on a table; one of Reversi; a diagram; a part of a board, in a diagram or a photo; a diagram with what
programs put over it; one with many cursors and pointers; a board across a room; two that touch. None draws the first
three."""
SIZE_WEIGHTS = {"19": 60.0, "13": 13.0, "9": 13.0, "15": 9.0, "17": 5.0}


def render_scene(
    rng: Rng,
    *,
    style: str | None = None,
    size: int | None = None,
    side: int | None = None,
    stones: NDArray[np.int8] | None = None,
) -> Scene:
    """A picture drawn at random; the same for the same state of `rng`.

    `style` is one of STYLES, `size` the points a side (8 is Reversi's field of squares, and only that), `side` the
    picture's longest side in pixels (480..900 if None), `stones` (size, size) the position of 0, 1 black, 2 white.
    Raises ValueError for a style or size that there is not, or stones of another size.
    """
    if style not in (None, *STYLES) or (size is not None and size != 8 and str(size) not in SIZE_WEIGHTS):
        raise ValueError("no such style or size of board")
    if stones is not None and (stones.ndim != 2 or stones.shape != (size or len(stones),) * 2):
        raise ValueError("the stones do not fit the board")
    if stones is not None:
        size = len(stones)
    if style is None:
        style = (
            "reversi" if size == 8 else pick(rng, {"photo": 70, "reversi": 12 if size is None else 0, "digital": 18})
        )
    side = side or int(rng.integers(480, 901))
    if size is None:
        size = 8 if style == "reversi" else int(pick(rng, SIZE_WEIGHTS))
    if (style == "reversi") != (size == 8) and style not in ("digital", *OVER):
        raise ValueError("Reversi is played on 8 x 8 squares, and only there")
    position = stones if stones is not None else discs(rng, 8) if size == 8 else draw_position(rng, size)
    if style == "window":
        shot = _part(rng, side, position)
    elif style in ("far", "pair"):
        shot = (club.far if style == "far" else club.pair)(rng, side, position)
    elif style in ("digital", *OVER):
        shot = _drawn(rng, side, position, style=style)
    else:
        shot = _photographed(rng, style, size, side, position)
    if not shot.others:
        shot = reframed(rng, shot, side)
    return labelled(_developed(rng, shot))


def _part(rng: Rng, side: int, position: NDArray[np.int8]) -> Shot:
    """A diagram of a part of a board, or a diagram or photo of which a part is cut out."""
    kind = pick(rng, window.KINDS)
    if kind == "book":
        part = window.draw_window(rng, position)
        return replace(_drawn(rng, side, position, part), cut=~part.mask(len(position)))
    large = round(side * draw(rng, 1.2, 2))
    is_photo = kind in ("close", "side")
    shot = _photographed(rng, "photo", len(position), large, position) if is_photo else _drawn(rng, large, position)
    return window.cut(rng, shot, side, few=kind == "side")


def _photographed(rng: Rng, style: str, size: int, side: int, position: NDArray[np.int8]) -> Shot:
    """A real board on a table."""
    pitch = float(np.clip(side * draw(rng, 0.95, 1.15) / (size + 2), 14, 64))
    board = draw_field(rng, pitch) if style == "reversi" else draw_board(rng, size, pitch)
    look = draw_field_look(rng) if style == "reversi" else draw_look(rng)
    lamps = draw_lamps(rng)
    camera = draw_camera(rng, board.grid(), board.body(), side)
    floor = -board.thickness
    image = backdrop(rng, camera, floor)
    low = camera.project(
        np.column_stack(
            [board.body() - lamps[0].direction[:2] * draw(rng, 0, 1.2) * (board.thickness + 0.2), np.full(4, floor)]
        )
    )
    shade(image, low, draw(rng, 0, 0.6), draw(rng, 2, 14))
    table_things(rng, image, camera, board.body(), floor, look, lamps)
    body_sides(rng, image, camera, board)
    rows, columns = np.nonzero(position)
    spots = np.stack([columns, rows * board.aspect], -1) + misplaced(rng, len(rows), flat=style == "reversi")
    if style == "reversi":
        spots = side_by_side(spots, look.diameter)
    colours = position[rows, columns]
    extra, extra_colours = _strays(rng, board)
    spots, colours = np.concatenate([spots, extra]), np.concatenate([colours, extra_colours])
    lay(rng, image, camera, board, look, spots, lamps)
    places = stand(look, spots)
    draw_stones(rng, image, camera, look, lamps, places, colours)
    ticks = np.arange(size, dtype=float)
    x, y = np.meshgrid(ticks, ticks * board.aspect)
    points = apply(camera.plane(), np.stack([x, y], -1))
    cell = float(np.linalg.norm(points[1:] - points[:-1], axis=-1).mean())
    if chance(rng, 0.05) and style != "reversi":  # discs are turned over too often to be marked
        _marks(rng, image, camera, look, places[: len(rows)], colours, cell)
    cover = _covered(rng, image, camera, board, look, points, cell)
    return Shot(image, points, position, under(cover, points, cell), style)


def _strays(rng: Rng, board: FlatBoard) -> tuple[Floats, NDArray[np.int8]]:
    """Stones that lie on the margin of the board, beside the grid."""
    body, grid = board.body(), board.grid()
    if not chance(rng, 0.06):
        return np.zeros((0, 2)), np.zeros(0, np.int8)
    spots = rng.uniform(body[0], body[2], (int(rng.integers(3, 60)), 2))
    away = np.maximum(grid[0] - spots, spots - grid[2]).max(1)
    spots = spots[away > 0.85]
    return spots, rng.integers(1, 3, len(spots)).astype(np.int8)


def _marks(
    rng: Rng, image: Image, camera: Camera, look: StoneLook, places: Floats, colours: NDArray[np.int8], cell: float
) -> None:
    """Numbers or stickers on some stones."""
    middle, _ = outlines(camera, places, look)
    share = draw(rng, 0.02, 1)
    for n, (x, y) in enumerate(middle):
        if not chance(rng, share):
            continue
        tone = (235.0, 235.0, 235.0) if colours[n] == 1 else (25.0, 25.0, 25.0)
        if chance(rng, 0.8):
            write(image, str(int(rng.integers(1, 200))), (x, y), cell * 0.32, tone)
        else:
            cv2.circle(image, (round(x), round(y)), max(1, round(cell * 0.15)), (40, 40, 220), -1, cv2.LINE_AA)


def _covered(
    rng: Rng, image: Image, camera: Camera, board: FlatBoard, look: StoneLook, points: Floats, cell: float
) -> Mask:
    """Draw hands and bowls over the board; the mask (height, width) of what they cover."""
    cover = np.zeros(image.shape[:2], np.uint8)
    if chance(rng, 0.07):
        spot = points[int(rng.integers(board.size)), int(rng.integers(board.size))]
        cover = hand(rng, image, (float(spot[0]), float(spot[1])), cell * draw(rng, 0.8, 1.5))
    if chance(rng, 0.04):
        before = image.copy()
        grid = board.grid()
        edge = grid[int(rng.integers(4))] * 0.97 + grid.mean(0) * 0.03
        bowl(rng, image, camera, edge + rng.normal(0, 2, 2), 0.0, look, draw_lamps(rng))
        changed = cv2.absdiff(before, image).max(-1) > 12
        cover |= np.asarray(
            cv2.morphologyEx((changed * 255).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8
        )
    return cover


def _drawn(rng: Rng, side: int, position: NDArray[np.int8], part: Window | None = None, style: str = "digital") -> Shot:
    """A diagram or a screenshot."""
    sheet: Sheet = draw_sheet(rng, len(position), side, position, part, style)
    return Shot(sheet.image, sheet.points, position, np.zeros(position.shape, np.bool_), "digital")


def _developed(rng: Rng, shot: Shot) -> Shot:
    image = shot.image
    if shot.style != "digital" or chance(rng, 0.15):
        image = sense(rng, light_up(rng, image))
    elif chance(rng, 0.5):
        image = sense(rng, image)
    return replace(shot, image=image)
