"""`tengen photo --series` on the real series and on rendered ones."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("cv2", reason="photos need the extra `photo`")

import cv2
import numpy as np
from numpy.typing import NDArray
from pace import slowness
from photo_series import (
    Camera,
    Moves,
    plain,
    positions,
    random_game,
    readings,
    values,
)
from whole_sets import some_of

from tengen.engine import records
from tengen.engine.records.replay import state_of
from tengen.tools.photo.pipeline import read_picture
from tengen.tools.photo.series import infer, run


def real_moves(folder: Path) -> list[tuple[int, set[int]]]:
    """(colour, points that come in any order) of the labels of the real series."""
    rows = [(folder / f"{number:02d}.txt").read_text().split()[1:] for number in range(12)]
    boards = [np.array([".XO".index(cell) for cell in row]) for row in rows]
    moves = []
    for before, after in zip(boards, boards[1:], strict=False):
        added = np.flatnonzero((before == 0) & (after > 0))
        moves.append((int(after[added[0]]) - 1, {int(cell) for cell in added}))
    return moves


def agreeing(inferred: Moves, truth: list[tuple[int, set[int]]]) -> float:
    """The share of the moves that are right and in their place."""
    places = [(colour, cells) for colour, cells in truth for _ in cells]
    right = sum(move[0] == colour and move[1] in cells for move, (colour, cells) in zip(inferred, places, strict=False))
    return right / max(len(inferred), len(places))


def test_real_series_labels(shared: Callable[[str], Path]) -> None:
    folder = shared("photos/series/gomrade_seq")
    rows = [(folder / f"{number:02d}.txt").read_text().split()[1:] for number in range(12)]
    frames = [readings(np.array([".XO".index(cell) for cell in row]).reshape(19, 19), 0.98) for row in rows]
    inferred = infer(frames, "go")
    truth = real_moves(folder)
    assert agreeing(plain(inferred), truth) == 1.0
    # the beginning of the game is known, the board turned by 180 degrees
    known = records.read(folder / "game1.sgf")
    assert plain(inferred)[: len(known.moves)] == [(colour, 360 - move) for colour, move in known.moves]


@pytest.mark.slow
def test_real_series(shared: Callable[[str], Path], tmp_path: Path) -> None:
    folder = shared("photos/series/gomrade_seq")
    assert run(values(folder, output=str(tmp_path / "game.sgf"))) in (0, 1)
    assert agreeing(list(records.read(tmp_path / "game.sgf").moves), real_moves(folder)) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 1 + len(some_of(3))))
def test_rendered_series(seed: int, tmp_path: Path) -> None:
    """The bar: sixty moves, a hand in every third frame, read back to the same moves."""
    from tengen.tools.lab.photo.render.series import Sitting

    moves = random_game("go", 19, 60, seed)
    rng = np.random.default_rng(seed)
    sitting = Sitting(seed, 19)
    for number, stones in enumerate(positions("go", 19, moves)):
        for look in ("a", "b")[number % 3 == 2 :]:
            scene = sitting.shoot(stones, rng, with_hand=number % 3 == 1 and look == "a")
            cv2.imwrite(str(tmp_path / f"{number}{look}.png"), scene.image)
    assert run(values(tmp_path, output=str(tmp_path / "game.sgf")), read_picture) in (0, 1)
    record = records.read(tmp_path / "game.sgf")
    truth = turned_to_fit(positions("go", 19, moves)[-1], state_of(record).stones(), moves)
    assert list(record.moves) == truth


def turned_to_fit(board: NDArray[np.int8], stones: bytes, moves: Moves) -> Moves:
    """The moves on the board turned or mirrored as the picture shows it."""
    cells = np.arange(board.size).reshape(board.shape)
    for mirrored in (cells, cells[:, ::-1]):
        for turn in range(4):
            way = np.rot90(mirrored, turn)
            if board.ravel()[way.ravel()].tobytes() == stones:
                place = {int(cell): index for index, cell in enumerate(way.ravel())}
                return [(colour, place[move]) for colour, move in moves]
    return moves


@pytest.mark.slow
@pytest.mark.timing
def test_three_hundred_frames_take_seconds() -> None:
    moves = random_game("go", 19, 299, 1)
    camera = Camera(1, hand=0.2, wild=0.2)
    frames = [camera.shoot(stones, hand=index % 5 == 0) for index, stones in enumerate(positions("go", 19, moves))]
    begun = time.process_time()
    inferred = infer(frames, "go")
    assert time.process_time() - begun < 10 * slowness()
    assert len(set(plain(inferred)) & set(moves)) > 0.95 * len(set(moves))
