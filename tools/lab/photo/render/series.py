"""Pictures of one game by one camera: board, table, light and lens stay, stones come and go, a hand reaches in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tengen.tools.lab.photo.render.board import draw_board
from tengen.tools.lab.photo.render.camera import draw_camera
from tengen.tools.lab.photo.render.clutter import backdrop, hand, table_things
from tengen.tools.lab.photo.render.laying import body_sides, lay, misplaced
from tengen.tools.lab.photo.render.light import light_up, sense
from tengen.tools.lab.photo.render.reversi import draw_field, draw_field_look
from tengen.tools.lab.photo.render.shot import Scene, Shot, labelled, under
from tengen.tools.lab.photo.render.stones import draw_lamps, draw_look, draw_stones, stand
from tengen.tools.lab.photo.render.textures import Image, Rng, draw
from tengen.tools.photo.geometry import Lattice, apply


class Sitting:
    """A board on a table under a camera that does not move. `size` points a side (8: Reversi), `side` pixels."""

    def __init__(self, seed: int, size: int, side: int = 900) -> None:
        rng = np.random.default_rng(seed)
        self.size, self._seed = size, seed
        pitch = float(np.clip(side / (size + 2), 14, 64))
        is_field = size == 8
        self._board = draw_field(rng, pitch) if is_field else draw_board(rng, size, pitch)
        self._look = draw_field_look(rng) if is_field else draw_look(rng)
        self._lamps = draw_lamps(rng)
        self._camera = draw_camera(rng, self._board.grid(), self._board.body(), side)
        floor = -self._board.thickness
        self._table = backdrop(rng, self._camera, floor)
        table_things(rng, self._table, self._camera, self._board.body(), floor, self._look, self._lamps)
        body_sides(rng, self._table, self._camera, self._board)
        ticks = np.arange(size, dtype=float)
        x, y = np.meshgrid(ticks, ticks * self._board.aspect)
        self._spots = np.stack([x, y], -1)
        self._off = misplaced(rng, size * size, flat=is_field).reshape(size, size, 2)
        self._points = apply(self._camera.plane(), self._spots)
        self._style = "reversi" if is_field else "photo"

    @property
    def lattice(self) -> Lattice:
        """The board, without what the lens does, as a scene has it."""
        shot = Shot(self._table, self._points, np.zeros((self.size,) * 2, np.int8), self._none(), self._style)
        return labelled(shot).lattice

    def shoot(self, stones: NDArray[np.int8], rng: Rng, *, with_hand: bool = False) -> Scene:
        """The picture with these stones (size, size) of Point. `rng` draws what changes: the hand and the noise."""
        fixed = np.random.default_rng(self._seed + 1)
        image = self._table.copy()
        rows, columns = np.nonzero(stones)
        spots = self._spots[rows, columns] + self._off[rows, columns]
        lay(fixed, image, self._camera, self._board, self._look, spots, self._lamps)
        places = stand(self._look, spots)
        draw_stones(fixed, image, self._camera, self._look, self._lamps, places, stones[rows, columns])
        hidden = self._hand(image, rng) if with_hand else self._none()
        light = np.random.default_rng(self._seed + 2)
        image = sense(light, light_up(light, image))
        noise = rng.normal(0, 1.5, image.shape)
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
        return labelled(Shot(image, self._points, stones, hidden, self._style))

    def _hand(self, image: Image, rng: Rng) -> NDArray[np.bool_]:
        cell = float(np.linalg.norm(self._points[1:] - self._points[:-1], axis=-1).mean())
        row, column = (int(n) for n in rng.integers(0, self.size, 2))
        x, y = self._points[row, column]
        return under(hand(rng, image, (float(x), float(y)), cell * draw(rng, 0.9, 1.4)), self._points, cell)

    def _none(self) -> NDArray[np.bool_]:
        return np.zeros((self.size, self.size), np.bool_)
