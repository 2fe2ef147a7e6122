"""Series of readings that a camera over a game might give: random games, and frames of them with what goes wrong."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.engine.games import get_game
from tengen.engine.games.base import State
from tengen.tools.photo.geometry import Lattice
from tengen.tools.photo.pipeline import Settings
from tengen.tools.photo.results import Point, Reading
from tengen.tools.photo.series import Inferred

Moves = list[tuple[int, int]]
Frames = list[NDArray[np.float32]]


def random_game(game: str, size: int, length: int, seed: int) -> Moves:
    """A legal game of moves near each other, with captures where there are any to make; passes only where forced."""
    rng = np.random.default_rng(seed)
    rules = get_game(game)
    state = rules.new_state(size, size, rules.default_rules, 0.0)
    moves: Moves = []
    seen = {state.position_key}
    while len(moves) < length and not state.is_terminal():
        legal = [move for move in state.legal_moves() if move != state.pass_move]
        legal = [move for move in legal if state.key_after(move) not in seen] if game == "go" else legal
        colour = state.to_move
        move = state.pass_move if not legal else _choice(state, legal, moves, size, rng)
        moves.append((colour, move))
        state.play(move)
        seen.add(state.position_key)
    return moves


def _choice(state: State, legal: list[int], moves: Moves, size: int, rng: np.random.Generator) -> int:
    """A move that captures, more often than not, else one near one of the last moves, else any."""
    own = 1 + state.to_move
    taking = []
    for move in legal if isinstance(getattr(state, "ko_point", None), int) else ():
        after = state.copy()
        after.play(move)
        if after.stones().count(3 - own) < state.stones().count(3 - own):
            taking.append(move)
    if taking and rng.random() < 0.6:
        return int(rng.choice(taking))
    if moves and rng.random() < 0.75:
        row, column = divmod(moves[-int(rng.integers(1, 1 + min(3, len(moves))))][1], size)
        near = [move for move in legal if max(abs(move // size - row), abs(move % size - column)) <= 2]
        legal = near or legal
    return int(rng.choice(legal))


def positions(game: str, size: int, moves: Moves, setup: bytes | None = None) -> list[NDArray[np.int8]]:
    """The boards (size, size) of Point before the first move and after each."""
    rules = get_game(game)
    state = rules.new_state(size, size, rules.default_rules, 0.0)
    if setup is not None:
        state.setup(setup, 0)  # type: ignore[attr-defined]
    boards = [board_of(state, size)]
    for colour, move in moves:
        state.play_as(colour, move)
        boards.append(board_of(state, size))
    return boards


def board_of(state: State, size: int) -> NDArray[np.int8]:
    return np.frombuffer(state.stones(), np.int8).reshape(size, size)


@dataclass
class Camera:
    """What turns boards into readings. misread: the share of points that a frame has wrong; hand: that it hides.

    wild: the share of the points under a hand that are read as stones instead.
    """

    seed: int = 1
    misread: float = 0.005
    hand: float = 0.0
    wild: float = 0.0

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)

    def shoot(self, board: NDArray[np.int8], hand: bool = False) -> NDArray[np.float32]:
        """The probabilities (size, size, 4) of one frame."""
        rng, size = self.rng, len(board)
        said = board.astype(int)
        wrong = rng.random(board.shape) < self.misread
        said[wrong] = (said[wrong] + rng.integers(1, 3, int(wrong.sum()))) % 3
        sure = np.where(wrong, rng.uniform(0.5, 0.97, board.shape), rng.uniform(0.97, 0.9999, board.shape))
        if hand and self.hand:
            covered = self._hand(size)
            wild = covered & (rng.random(board.shape) < self.wild)
            said[covered] = Point.HIDDEN
            said[wild] = rng.integers(1, 3, int(wild.sum()))
            sure[covered] = 0.95
        return readings(said, sure)

    def _hand(self, size: int) -> NDArray[np.bool_]:
        """A bar from the lower edge upwards."""
        width = max(1, round(size * self.hand * 1.4))
        left, top = self.rng.integers(0, size - width + 1), self.rng.integers(0, size // 2)
        covered = np.zeros((size, size), bool)
        covered[top:, left : left + width] = True
        return covered


def readings(said: NDArray[np.int_], sure: NDArray[np.float64] | float) -> NDArray[np.float32]:
    """Probabilities (size, size, 4) that say this with that much certainty."""
    rest = (1 - np.broadcast_to(sure, said.shape)) / 3
    frame = np.repeat(rest[..., None], 4, -1)
    np.put_along_axis(frame, np.asarray(said)[..., None], np.broadcast_to(sure, said.shape)[..., None], -1)
    return frame.astype(np.float32)


@dataclass(frozen=True)
class Toy:
    """A flat drawn board whose stones a few lines can read, found by a red mark at its upper left point."""

    size: int
    x: int = 40
    y: int = 30
    pitch: int = 28
    mark: bool = True

    def lattice(self) -> Lattice:
        far = (self.size - 1) * self.pitch
        x, y = self.x, self.y
        return Lattice.from_corners([(x, y), (x + far, y), (x + far, y + far), (x, y + far)], self.size)

    def draw(self, stones: NDArray[np.int8], *, hand: bool = False, at: int = 200) -> NDArray[np.uint8]:
        """(320, 320, 3); the hand is a bar from below."""
        image = np.full((320, 320, 3), (90, 170, 200), np.uint8)
        points = self.lattice().points().astype(int).tolist()
        for line in range(self.size):
            cv2.line(image, points[line][0], points[line][-1], (40, 60, 70), 1)
            cv2.line(image, points[0][line], points[-1][line], (40, 60, 70), 1)
        cv2.rectangle(image, (5, self.y - 3), (15, self.y + 250), (60, 120, 60), -1)
        for row, column in zip(*np.nonzero(stones), strict=True):
            level = 15 if stones[row, column] == Point.BLACK else 245
            cv2.circle(image, points[row][column], self.pitch // 2 - 1, (level,) * 3, -1)
        if hand:
            cv2.rectangle(image, (at, 150), (at + 40, 319), (120, 140, 220), -1)
        if self.mark:
            image[self.y - 24 : self.y - 16, self.x - 4 : self.x + 4] = (0, 0, 255)
        return image

    @staticmethod
    def read(image: NDArray[np.uint8], settings: Settings) -> list[Reading]:
        """What `read_picture` is for photos."""
        if settings.corners is not None:
            lattice = Lattice.from_corners(settings.corners, settings.size or 9)
        else:
            red = np.argwhere((image[..., 2] > 190) & (image[..., 0] < 80) & (image[..., 1] < 80))
            if not len(red):
                return []
            row, column = np.round(red.mean(0) + 0.5)
            lattice = Toy(settings.size or 9, int(column), int(row) + 20).lattice()
        said = np.zeros((lattice.size, lattice.size), int)
        for row, column in np.ndindex(said.shape):
            x, y = np.round(lattice.points()[row, column]).astype(int)
            patch = image[max(0, y - 6) : y + 7, max(0, x - 6) : x + 7].reshape(-1, 3)
            blue, _, red_ = np.median(patch, 0)
            tones = {
                Point.BLACK: red_ < 60,
                Point.WHITE: blue > 220,
                Point.HIDDEN: red_ - blue > 95 and red_ > 200 + 10,
            }
            said[row, column] = next((point for point, is_so in tones.items() if is_so), Point.EMPTY)
        return [Reading(lattice, readings(said, 0.99), 0.9, settings.game or "go")]

    @staticmethod
    def as_size(reading: Reading, size: int) -> Reading:
        lattice = Lattice.from_corners(reading.lattice.corners(), size)
        return Reading(lattice, readings(np.zeros((size, size), int), 0.99), reading.found, reading.game)


def moves_of(text: str, game: str = "go", size: int = 9) -> Moves:
    """ "D4 E5 b:C3": alternating from Black unless the colour is given."""
    rules = get_game(game)
    state = rules.new_state(size, size, rules.default_rules, 0.0)
    moves: Moves = []
    for word in text.split():
        colour, _, point = word.rpartition(":")
        side = "bw".index(colour) if colour else 1 - moves[-1][0] if moves else 0
        moves.append((side, rules.move_from_text(state, point)))
    return moves


def plain(inferred: Inferred) -> Moves:
    return [(move.colour, move.move) for move in inferred.moves]


def values(series: Path | str, **given: object) -> Namespace:
    usual = {"output": None, "size": None, "game": None, "corners": None, "black": "", "white": "", "event": "",
             "date": None, "format": None, "next": None, "komi": None, "rules": None, "detector": "auto"}  # fmt: skip
    return Namespace(series=str(series), **{**usual, **given})


def seen(boards: list[NDArray[np.int8]], order: str = "") -> Frames:
    """Sure frames of the boards; `order` names them ("0 1 1 3"), else each once."""
    chosen = [int(word) for word in order.split()] if order else range(len(boards))
    return [readings(boards[index].astype(int), 0.99) for index in chosen]


def board(*stones: str, size: int = 9) -> NDArray[np.int8]:
    """A board with "b:D4" and "w:E5"."""
    cells = np.zeros(size * size, np.int8)
    for colour, cell in moves_of(" ".join(stones), size=size):
        cells[cell] = colour + 1
    return cells.reshape(size, size)
