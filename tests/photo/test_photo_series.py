"""`tengen photo --series`: the moves that frames in order show."""

from __future__ import annotations

import pytest

pytest.importorskip("cv2", reason="photos need the extra `photo`")

import numpy as np
from photo_series import (
    Camera,
    Frames,
    board,
    moves_of,
    plain,
    positions,
    random_game,
    readings,
    seen,
)

from tengen.tools.photo.results import Point
from tengen.tools.photo.series import infer

# game, size, moves, seed, camera, frames a position, positions a frame
SERIES = [
    ("go", 9, 40, 1, Camera(1), 1, 1),
    ("go", 13, 40, 3, Camera(3, hand=0.2, wild=0.3), 2, 1),
    ("go", 13, 50, 5, Camera(5), 1, 2),
    pytest.param("go", 19, 40, 6, Camera(6, hand=0.25), 2, 1, marks=pytest.mark.slow),
    ("gomoku", 15, 40, 1, Camera(7), 1, 1),
    ("reversi", 8, 60, 1, Camera(8), 1, 1),
    ("reversi", 8, 60, 2, Camera(9), 1, 2),
]


@pytest.mark.parametrize("game, size, length, seed, camera, looks, gap", SERIES)
def test_moves_of_noisy_frames(
    game: str, size: int, length: int, seed: int, camera: Camera, looks: int, gap: int
) -> None:
    moves = random_game(game, size, length, seed)
    boards = positions(game, size, moves)
    shown = [*range(0, len(boards) - 1, gap), len(boards) - 1]
    frames = [camera.shoot(boards[index], hand=look % 2 == 1) for index in shown for look in range(looks)]
    frames.append(camera.shoot(boards[-1]))
    inferred = infer(frames, game)
    assert plain(inferred) == moves
    assert inferred.setup is None


# moves, frames that are seen of positions 0.., the moves that are read; a line each
KNOWN = {
    "one by one": ("D4 E4 E5 D5", "", "D4 E4 E5 D5"),
    "a stone captured": ("D4 D5 A1 C4 A2 E4 A3 D3", "", "D4 D5 A1 C4 A2 E4 A3 D3"),
    "a capture in a gap": ("D4 D5 A1 C4 A2 E4 A3 D3 J9", "0 1 2 3 4 5 6 9 9", "D4 D5 A1 C4 A2 E4 A3 D3 J9"),
    "a ko": ("D4 E4 C5 F5 D6 E6 E5 D5 A1 A2 E5", "", "D4 E4 C5 F5 D6 E6 E5 D5 A1 A2 E5"),
    "a stone for one frame": ("B1 A2 J9 B2 A1 C1", "0 1 2 3 4 5 6 6", "B1 A2 J9 B2 A1 C1"),
    "the middle is missing": ("D4 E4 E5 D5 G7", "0 1 5 5", "D4 E4 E5 D5 G7"),
    "White moves twice": ("D4 E4 w:E5 w:G7 D5", "", "D4 E4 w:E5 w:G7 D5"),
    "nothing happens": ("", "0 0 0", ""),
}


@pytest.mark.parametrize("case", KNOWN)
def test_known_games(case: str) -> None:
    played, order, expected = KNOWN[case]
    inferred = infer(seen(positions("go", 9, moves_of(played)), order), "go")
    assert sorted(plain(inferred)) == sorted(moves_of(expected))
    colours = [colour for colour, _ in moves_of(expected)]
    assert [move.colour for move in inferred.moves] == colours


# what happens on the board, and the moves that are left
CORRECTIONS = {
    "taken back": ((("b:D4",), ("b:D4", "w:E5"), ("b:D4",), ("b:D4", "w:F6"), ("b:D4", "w:F6", "b:C3")), "D4 F6 C3"),
    "pushed": ((("b:D4",), ("b:D4", "w:E5"), ("b:D4", "w:E6"), ("b:D4", "w:E6", "b:C3")), "D4 E6 C3"),
    "pushed later": (
        (
            ("b:D4",),
            ("b:D4", "w:E5"),
            ("b:D4", "w:E5", "b:C3"),
            ("b:D4", "w:E6", "b:C3"),
            ("b:D4", "w:E6", "b:C3", "w:G7"),
        ),
        "D4 E6 C3 G7",
    ),
    "the wrong colour": (
        (
            ("b:D4",),
            ("b:D4", "b:E5"),
            ("b:D4", "b:E5", "b:C3"),
            ("b:D4", "w:E5", "b:C3"),
            ("b:D4", "w:E5", "b:C3", "w:G7"),
        ),
        "D4 E5 C3 G7",
    ),
    "a phantom": ((("b:D4",), ("b:D4", "w:A9"), ("b:D4",), ("b:D4", "w:E5"), ("b:D4", "w:E5", "b:C3")), "D4 E5 C3"),
}


@pytest.mark.parametrize("case", CORRECTIONS)
@pytest.mark.parametrize("looks", [1, 3, 8])
def test_corrections(case: str, looks: int) -> None:
    shown, expected = CORRECTIONS[case]
    frames = [frame for stones in ((), *shown) for frame in seen([board(*stones)] * looks)]
    assert plain(infer([*frames, frames[-1]], "go")) == moves_of(expected)


def test_the_order_within_a_gap_is_called_a_guess() -> None:
    boards = positions("go", 9, moves_of("D4 E5 C3 G7 F3"))
    inferred = infer(seen(boards, "0 1 5 5"), "go")
    assert [bool(move.doubts) for move in inferred.moves] == [False, True, True, True, True]
    assert inferred.moves[1].doubts == ("the order is a guess",)
    assert not infer(seen(boards, "0 1 3 5 5"), "go").doubtful  # one of each colour: they alternate


def test_colours_out_of_turn_are_doubtful() -> None:
    inferred = infer(seen(positions("go", 9, moves_of("D4 E5 w:C3 G7"))), "go")
    assert [any("twice in a row" in doubt for doubt in move.doubts) for move in inferred.moves] == [
        False,
        False,
        True,
        False,
    ]


def test_a_move_under_a_hand_is_found_when_the_hand_is_gone() -> None:
    boards = positions("go", 9, moves_of("D4 E5 C3 G7"))
    frames = seen(boards, "0 1 2 3 4 4")
    for index in (2, 3):
        frames[index][:, 4] = [0, 0, 0, 1]
    assert plain(infer(frames, "go")) == moves_of("D4 E5 C3 G7")


def test_a_frame_of_something_else_is_left_out() -> None:
    moves = random_game("go", 9, 20, 4)
    frames = seen(positions("go", 9, moves))
    rng = np.random.default_rng(1)
    wild = readings(rng.integers(0, 3, (9, 9)), 0.99)
    inferred = infer([*frames[:11], wild, *frames[11:], frames[-1], wild], "go")
    assert plain(inferred) == moves
    assert inferred.bad == (11, len(frames) + 2)


def test_frames_begin_with_stones() -> None:
    moves = random_game("go", 13, 60, 11)
    boards = positions("go", 13, moves)[30:]
    inferred = infer(seen(boards, " ".join(map(str, [*range(31), 30]))), "go")
    assert inferred.setup == boards[0].tobytes()
    assert plain(inferred) == moves[30:]


@pytest.mark.parametrize("frames", [[], [np.zeros((9, 9, 4), np.float32), np.zeros((13, 13, 4), np.float32)]])
def test_frames_that_are_no_series(frames: Frames) -> None:
    with pytest.raises(ValueError, match="frames of one size"):
        infer(frames, "go")


def test_nothing_is_known_of_frames_of_hands() -> None:
    hidden = readings(np.full((9, 9), int(Point.HIDDEN)), 1.0)
    assert infer([hidden, np.full_like(hidden, np.nan)], "go").moves == ()
