"""Boards as photos across a room show them: flat, small, among people and other boards; and boards that touch."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.lab.photo.render.board import FlatBoard, draw_board
from tengen.tools.lab.photo.render.camera import Camera, Floats, aimed, draw_turn, framed
from tengen.tools.lab.photo.render.clutter import SKINS, THINGS, bowl, hand, paper
from tengen.tools.lab.photo.render.laying import body_sides, lay, misplaced
from tengen.tools.lab.photo.render.positions import Stones, draw_position
from tengen.tools.lab.photo.render.shot import Shot, under
from tengen.tools.lab.photo.render.stones import Lamp, StoneLook, draw_lamps, draw_look, draw_stones, stand
from tengen.tools.lab.photo.render.textures import (
    TABLES,
    Image,
    Rng,
    chance,
    draw,
    jitter,
    pick,
    smooth_noise,
    table_surface,
    tinted,
)  # fmt: skip
from tengen.tools.photo.geometry import apply

FINER = 1.3
"""Pictures are drawn this much larger and made smaller then, because lines far away are thinner than a pixel."""
LARGER, FINEST = 1.7, 3.6
"""Photos of rooms are so much larger than others, and no board's cells smaller in them than so many pixels across."""


ROOM = {"right": (-0.5, 0.0), "left": (0.5, 0.0), "down": (0.0, -0.5)}
"""How far the first of two boards gives way, in its widths and heights."""


@dataclass(frozen=True)
class Place:
    """A board in the room, where its stones lie and how; `offset` (2,) and `turn` from the first one's coordinates."""

    board: FlatBoard
    stones: Stones
    offset: Floats
    turn: float


def far(rng: Rng, side: int, stones: Stones) -> Shot:
    """A board seen flat or small, often one of several."""
    kind = pick(rng, {"flat": 4, "small": 4, "both": 2})
    tilt = np.deg2rad(draw(rng, 58, 80) if kind != "small" else draw(rng, 15, 62))
    share = draw(rng, *{"flat": (0.22, 0.8), "small": (0.06, 0.25), "both": (0.2, 0.35)}[kind])
    side = round(side * LARGER)
    return _room(rng, side, stones, float(tilt), share, _neighbours(rng))


def pair(rng: Rng, side: int, stones: Stones) -> Shot:
    """Two boards of the same kind whose edges touch, or nearly."""
    tilt, share = float(np.deg2rad(draw(rng, 0, 50))), draw(rng, 0.3, 0.48)
    return _room(rng, side, stones, tilt, share, None)


def _neighbours(rng: Rng) -> list[tuple[float, float, float]]:
    """Offsets in sizes of the board, and turns, of the other boards; none at all on many pictures."""
    if chance(rng, 0.45):
        return []
    row = draw(rng, 1.5, 3.2)
    spots = [(row, 0.0), (-row, 0.0), (0.0, -row * draw(rng, 1, 1.6)), (row, -row * 1.2), (2 * row, 0.0)]
    chosen = rng.permutation(len(spots))[: int(rng.integers(1, 4))]
    return [(spots[n][0], spots[n][1] + rng.normal(0, 0.15), float(rng.normal(0, 0.12))) for n in chosen]


def _room(
    rng: Rng, side: int, stones: Stones, tilt: float, share: float, others: list[tuple[float, float, float]] | None
) -> Shot:
    """The picture of a board in a room; `others` None puts a second one against it."""
    large = round(side * FINER)
    pitch = float(np.clip(large * share * 1.1 / len(stones), 8, 40))
    board = draw_board(rng, len(stones), pitch)
    extent = float(len(stones))
    towards = np.pi / 2 + draw_turn(rng) * (0.5 if tilt < 1 else 1.0)
    camera = aimed(rng, board.grid(), tilt, towards, extent * draw(rng, 2.2, 6))
    aspect = float(rng.choice([4 / 3, 4 / 3, 3 / 2, 16 / 9, 3 / 4, 1.0]))
    share = max(share, FINEST * board.size * FINER / (large * min(1.0, aspect)))
    along = pick(rng, {"right": 1, "left": 1, "down": 1}) if others is None else None
    camera = framed(rng, camera, board.grid(), share, aspect, large, pulled=ROOM.get(along or "", (0.0, 0.0)))
    places = [Place(board, stones, np.zeros(2), 0.0)]
    if along is not None:
        places.append(_beside(rng, board, along, stones))
    for x, y, turn in others or []:
        second = draw_board(rng, int(rng.choice([19, 19, 13, 9])), pitch)
        scale = extent * 1.15
        place = Place(second, draw_position(rng, second.size), np.array([x * scale, y * scale]), turn)
        if _is_ahead(camera, place, extent):
            places.append(place)
    lamps, look = draw_lamps(rng), draw_look(rng)
    image = _hall(rng, camera, board, tilt)
    order = sorted(places, key=lambda place: -_distance(camera, place))
    for place in order:
        _put(rng, image, _seen_from(camera, place), place, look, lamps)
    points = [_points(_seen_from(camera, place), place.board) for place in places]
    cell = float(np.linalg.norm(points[0][:, 1:] - points[0][:, :-1], axis=-1).mean())
    cover = np.zeros(image.shape[:2], np.uint8)
    if chance(rng, 0.12):
        spot = points[0][int(rng.integers(board.size)), int(rng.integers(board.size))]
        cover = hand(rng, image, (float(spot[0]), float(spot[1])), cell * draw(rng, 0.8, 1.4))
    small = cv2.resize(image, None, fx=1 / FINER, fy=1 / FINER, interpolation=cv2.INTER_AREA)
    near = [(one + 0.5) / FINER - 0.5 for one in points]
    shot = Shot(np.asarray(small, np.uint8), near[0], stones, under(cover, points[0], cell), "photo")
    return replace(shot, others=tuple(near[1:]))


def _beside(rng: Rng, board: FlatBoard, along: str, stones: Stones) -> Place:
    """A second board against one side of the first: its mirror image, the same again, or another one as large."""
    left, top, right, bottom = board.margins
    wide, tall = board.size - 1 + left + right, board.aspect * (board.size - 1) + top + bottom
    gap = 0.0 if chance(rng, 0.6) else draw(rng, 0, 0.3)
    offset = {"right": (wide + gap, 0.0), "left": (-wide - gap, 0.0), "down": (0.0, tall + gap)}[along]
    other = draw_position(rng, board.size) if chance(rng, 0.5) else stones[:, ::-1].copy()
    return Place(board, other, np.array(offset), 0.0)


def _is_ahead(camera: Camera, place: Place, cells: float) -> bool:
    """Whether all of a board lies well before the camera, as what is drawn has to: `cells` of one."""
    body = np.column_stack([place.board.body(), np.zeros(4)])
    seen = _seen_from(camera, place)
    return bool(((body - seen.centre) @ (seen.forward * [1, 1, -1]) > 0.5 * cells).all())


def _distance(camera: Camera, place: Place) -> float:
    return float(np.linalg.norm(camera.centre[:2] - place.offset - place.board.grid().mean(0)))


def _seen_from(camera: Camera, place: Place) -> Camera:
    """The camera in the coordinates of a board that lies elsewhere."""
    return camera.at(place.offset, place.turn) if place.offset.any() or place.turn else camera


def _points(camera: Camera, board: FlatBoard) -> Floats:
    ticks = np.arange(board.size, dtype=float)
    x, y = np.meshgrid(ticks, ticks * board.aspect)
    return apply(camera.plane(), np.stack([x, y], -1))


def _put(rng: Rng, image: Image, camera: Camera, place: Place, look: StoneLook, lamps: list[Lamp]) -> None:
    """Draw a board and its stones."""
    board, floor = place.board, -place.board.thickness
    rows, columns = np.nonzero(place.stones)
    spots = np.stack([columns, rows * board.aspect], -1) + misplaced(rng, len(rows), flat=False)
    for _ in range(int(rng.integers(0, 3))):
        edge = board.body()[int(rng.integers(4))]
        spot = edge + (edge - board.grid().mean(0)) * draw(rng, 0.15, 0.5)
        if chance(rng, 0.7):
            bowl(rng, image, camera, spot, floor, look, lamps)
        else:
            paper(rng, image, camera, spot, floor)
    body_sides(rng, image, camera, board)
    lay(rng, image, camera, board, look, spots, lamps)
    draw_stones(rng, image, camera, look, lamps, stand(look, spots), place.stones[rows, columns])


def _hall(rng: Rng, camera: Camera, board: FlatBoard, tilt: float) -> Image:
    """Walls, people and the table, as the camera sees them."""
    shape = (camera.height, camera.width)
    colour = jitter(rng, TABLES[int(rng.integers(len(TABLES)))], 0.2)
    image = tinted(smooth_noise(rng, *shape, max(shape) / draw(rng, 1, 4)), colour, draw(rng, 0.05, 0.3))
    for _ in range(int(rng.integers(2, 14))):
        _upright_thing(rng, image)
    middle = board.grid().mean(0)
    reach = np.array([draw(rng, 0.55, 3), draw(rng, 0.52, 1.2)]) * (board.size + 4)
    on_table, world = _on_plane(camera, -board.thickness, middle)
    inside = on_table & (np.abs(world - middle.astype(np.float32)) < reach.astype(np.float32)).all(-1)
    people = int(rng.integers(0, 5)) if tilt > 0.6 else int(rng.integers(0, 2))
    for _ in range(people):
        _person(rng, image, draw(rng, 0.3, 0.9))
    if chance(rng, 0.9):
        scale = 420 / (2 * float(reach.max()))
        surface = table_surface(rng, 440, 440)
        at = ((world - middle.astype(np.float32) + reach.astype(np.float32)) * np.float32(scale)).astype(np.float32)
        cloth = cv2.remap(surface, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        image[inside] = cloth[inside]
    return image


def _on_plane(camera: Camera, height: float, middle: Floats) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
    """Which pixels see the level of this height in front of the camera, and (x, y) there."""
    back = np.linalg.inv(camera.plane(height))
    seen = camera.plane(height) @ [middle[0], middle[1], 1.0]
    sign = np.sign((back @ (seen / seen[2]))[2])
    u, v = np.meshgrid(np.arange(camera.width, dtype=np.float32), np.arange(camera.height, dtype=np.float32))
    x, y, w = (np.float32(r[0]) * u + np.float32(r[1]) * v + np.float32(r[2]) for r in back)
    ahead = w * np.float32(sign) > 1e-9
    safe = np.where(ahead, w, np.float32(1))
    return ahead, np.clip(np.stack([x / safe, y / safe], -1), -1e4, 1e4)


def _upright_thing(rng: Rng, image: Image) -> None:
    """A window, poster, shelf, chair or leg of a table."""
    tall, wide = image.shape[:2]
    x, y = draw(rng, 0, wide), draw(rng, 0, tall)
    size = np.array([draw(rng, 0.01, 0.25) * wide, draw(rng, 0.03, 0.4) * tall])
    colour = jitter(rng, THINGS[int(rng.integers(len(THINGS)))], 0.25)
    ends = (int(x), int(y)), (int(x + size[0]), int(y + size[1]))
    cv2.rectangle(image, ends[0], ends[1], colour, -1)
    if chance(rng, 0.4):  # a window's bars
        for n in range(1, int(rng.integers(2, 5))):
            at = int(x + size[0] * n / 4)
            cv2.line(image, (at, ends[0][1]), (at, ends[1][1]), jitter(rng, colour, 0.4), max(1, wide // 250))


def _person(rng: Rng, image: Image, tallness: float) -> None:
    """A head, a body and an arm, somewhere behind the table."""
    tall, wide = image.shape[:2]
    head = draw(rng, 0.02, 0.09) * wide * (0.5 + tallness)
    x, y = draw(rng, 0, wide), draw(rng, -0.05, 0.45) * tall
    shirt = jitter(rng, THINGS[int(rng.integers(len(THINGS)))], 0.3)
    skin = jitter(rng, SKINS[int(rng.integers(len(SKINS)))], 0.1)
    body = (int(x), int(y + head * 3.6)), (int(head * 1.7), int(head * 2.7))
    cv2.ellipse(image, body[0], body[1], 0, 0, 360, shirt, -1, cv2.LINE_AA)
    for sign in (-1, 1):
        shoulder = (int(x + sign * head * 1.3), int(y + head * 2))
        elbow = (int(x + sign * head * 2.2), int(y + head * 5))
        cv2.line(image, shoulder, elbow, shirt, max(1, int(head * 0.7)), cv2.LINE_AA)
        wrist = (int(x + sign * head * draw(rng, -0.5, 1.5)), int(y + head * draw(rng, 5.5, 7)))
        cv2.line(image, elbow, wrist, skin, max(1, int(head * 0.5)), cv2.LINE_AA)
    face, half = (int(x), int(y)), max(1, int(head))
    cv2.ellipse(image, face, (max(1, int(head * 0.8)), half), 0, 0, 360, skin, -1, cv2.LINE_AA)
    hair = jitter(rng, (30, 30, 35) if chance(rng, 0.7) else (120, 150, 170), 0.2)
    cv2.ellipse(image, face, (max(1, int(head * 0.85)), half), 0, 180, 360, hair, -1, cv2.LINE_AA)
