"""Draw a board and its stones into a picture: its sides, its surface with shadows, where stones lie."""

from __future__ import annotations

import cv2
import numpy as np

from tengen.tools.lab.photo.render.board import FlatBoard
from tengen.tools.lab.photo.render.camera import Camera, Floats
from tengen.tools.lab.photo.render.stones import Lamp, StoneLook, shadow_mask
from tengen.tools.lab.photo.render.textures import Image, Rng, chance, draw
from tengen.tools.photo.geometry import apply


def body_sides(rng: Rng, image: Image, camera: Camera, board: FlatBoard) -> None:
    """Draw the visible sides of the board's body."""
    top = board.body()
    middle = top.mean(0)
    for n in range(4):
        a, b = top[n], top[(n + 1) % 4]
        outward = (a + b) / 2 - middle
        if (camera.centre[:2] - (a + b) / 2) @ outward <= 0:
            continue
        face = np.array([[*a, 0], [*b, 0], [*b, -board.thickness], [*a, -board.thickness]])
        gain = draw(rng, 0.5, 1.0)
        colour = (board.side[0] * gain, board.side[1] * gain, board.side[2] * gain)
        corners = np.round(np.clip(camera.project(face), -9000, 9000) * 16).astype(np.int32)
        cv2.fillConvexPoly(image, corners, colour, cv2.LINE_AA, 4)


def misplaced(rng: Rng, count: int, *, flat: bool) -> Floats:
    """How far off its point each stone lies (count, 2), in cells."""
    spread = draw(rng, 0.01, 0.05) if chance(rng, 0.5) else draw(rng, 0.04, 0.11)
    off = rng.normal(0, spread, (count, 2)) + rng.normal(0, 0.02, 2)
    length = np.linalg.norm(off, axis=1, keepdims=True)
    return np.asarray(off * np.minimum(1, 0.35 / np.maximum(length, 1e-9)), np.float64)


def side_by_side(spots: Floats, diameter: float) -> Floats:
    """The spots (n, 2) of discs, in cells, moved apart until hardly any two of this diameter lie in each other."""
    spots = spots.copy()
    for _ in range(12):
        away = spots[:, None] - spots[None]
        distance = np.linalg.norm(away, axis=-1) + np.eye(len(spots)) * 9
        lack = np.clip(diameter - distance, 0, None)
        if not lack.any():
            break
        spots += 0.5 * ((lack / distance)[..., None] * away).sum(1)
    return spots


def lay(
    rng: Rng, image: Image, camera: Camera, board: FlatBoard, look: StoneLook, spots: Floats, lamps: list[Lamp]
) -> None:
    """Put the board's surface with the shadows of stones at spots (n, 2) into the picture, in place."""
    texture = board.texture
    origin = (board.margins[0] * board.pitch, board.margins[1] * board.pitch)
    strength = draw(rng, 0, 0.7)
    if len(spots):
        mask = shadow_mask(rng, (texture.shape[0], texture.shape[1]), spots, look, lamps, board.pitch, origin)
        gain = np.asarray(255 - mask * strength, np.uint8)
        texture = np.asarray(cv2.multiply(texture, cv2.merge([gain, gain, gain]), scale=1 / 255), np.uint8)
    matrix = camera.plane() @ np.linalg.inv(board.to_texture())
    shape = (camera.width, camera.height)
    top = cv2.warpPerspective(texture, matrix, shape, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = np.zeros(shape[::-1], np.uint8)
    corners = np.round(np.clip(apply(camera.plane(), board.body()), -9000, 9000) * 16).astype(np.int32)
    cv2.fillConvexPoly(cover, corners, 255, cv2.LINE_AA, 4)
    cv2.copyTo(top, cover, image)
