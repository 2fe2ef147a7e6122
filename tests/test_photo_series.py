"""`tengen photo --series`: frames in order, a board held fast, moves inferred, a record written."""

from __future__ import annotations

import json
import time
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("cv2", reason="photos need the extra `photo`")

import cv2
import numpy as np
from numpy.typing import NDArray
from photo_series import Camera, Moves, Toy, positions, random_game, readings

from tengen.engine import records
from tengen.engine.games import get_game
from tengen.engine.records.replay import state_of
from tengen.tools.photo.pipeline import Settings, read_picture
from tengen.tools.photo.reading import PhotoError, Point
from tengen.tools.photo.series import Inferred, infer, run
from tengen.tools.photo.series.frames import photos, source_of, stills
from tengen.tools.photo.series.lock import Lock

Frames = list[NDArray[np.float32]]


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


def seen(boards: list[NDArray[np.int8]], order: str = "") -> Frames:
    """Sure frames of the boards; `order` names them ("0 1 1 3"), else each once."""
    chosen = [int(word) for word in order.split()] if order else range(len(boards))
    return [readings(boards[index].astype(int), 0.99) for index in chosen]


# game, size, moves, seed, camera, frames a position, positions a frame
SERIES = [
    ("go", 9, 40, 1, Camera(1), 1, 1),
    ("go", 13, 40, 3, Camera(3, hand=0.2, wild=0.3), 2, 1),
    ("go", 13, 50, 5, Camera(5), 1, 2),
    ("go", 19, 40, 6, Camera(6, hand=0.25), 2, 1),
    ("gomoku", 15, 40, 1, Camera(7), 1, 1),
    ("reversi", 8, 60, 1, Camera(8), 1, 1),
    ("reversi", 8, 60, 2, Camera(9), 1, 2),
]


@pytest.mark.parametrize("game, size, length, seed, camera, looks, gap", SERIES)
def test_moves_of_noisy_frames(game: str, size: int, length: int, seed: int, camera: Camera, looks: int, gap: int) -> None:
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


def board(*stones: str, size: int = 9) -> NDArray[np.int8]:
    """A board with "b:D4" and "w:E5"."""
    cells = np.zeros(size * size, np.int8)
    for colour, cell in moves_of(" ".join(stones), size=size):
        cells[cell] = colour + 1
    return cells.reshape(size, size)


# what happens on the board, and the moves that are left
CORRECTIONS = {
    "taken back": ((("b:D4",), ("b:D4", "w:E5"), ("b:D4",), ("b:D4", "w:F6"), ("b:D4", "w:F6", "b:C3")), "D4 F6 C3"),
    "pushed": ((("b:D4",), ("b:D4", "w:E5"), ("b:D4", "w:E6"), ("b:D4", "w:E6", "b:C3")), "D4 E6 C3"),
    "pushed later": (
        (("b:D4",), ("b:D4", "w:E5"), ("b:D4", "w:E5", "b:C3"), ("b:D4", "w:E6", "b:C3"), ("b:D4", "w:E6", "b:C3", "w:G7")),
        "D4 E6 C3 G7",
    ),
    "the wrong colour": (
        (("b:D4",), ("b:D4", "b:E5"), ("b:D4", "b:E5", "b:C3"), ("b:D4", "w:E5", "b:C3"), ("b:D4", "w:E5", "b:C3", "w:G7")),
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
    assert [any("twice in a row" in doubt for doubt in move.doubts) for move in inferred.moves] == [False, False, True, False]


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


# files


def values(series: Path | str, **given: object) -> Namespace:
    usual = {"output": None, "size": None, "game": None, "corners": None, "black": "", "white": "", "event": "",
             "date": None, "format": None, "next": None, "komi": None, "rules": None, "detector": "auto"}  # fmt: skip
    return Namespace(series=str(series), **{**usual, **given})


def filmed(folder: Path, moves: Moves, toy: Toy, spoilt: tuple[int, ...] = ()) -> Path:
    """A folder with a photo of each position."""
    folder.mkdir(exist_ok=True)
    for number, stones in enumerate(positions("go", toy.size, moves)):
        image = toy.draw(stones, hand=number % 4 == 3)
        cv2.imwrite(str(folder / f"{number}.png"), image if number not in spoilt else image[:, ::-1] * 0)
    return folder


def test_a_folder_becomes_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moves = random_game("go", 9, 14, 2)
    folder = filmed(tmp_path / "photos", moves, Toy(9), spoilt=(5,))
    (folder / "6a.png").write_bytes(b"no picture")
    target = tmp_path / "game.sgf"
    assert run(values(folder, output=str(target), black="Kim", event="club"), Toy.read) == 0
    record = records.read(target)
    assert list(record.moves) == moves
    assert (record.players[0], record.properties["EV"], record.width) == ("Kim", "club", 9)
    assert state_of(record).stones() == positions("go", 9, moves)[-1].tobytes()
    said = capsys.readouterr().err
    assert "16 photos, 14 used, 2 skipped, no board found (5.png, 6a.png)" in said
    assert "go 9x9: 14 moves" in said and "6a.png" in said


def test_the_camera_is_pushed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moves = random_game("go", 9, 12, 3)
    folder = filmed(tmp_path / "photos", moves[:6], Toy(9))
    for number, stones in enumerate(positions("go", 9, moves)[6:], 6):
        cv2.imwrite(str(folder / f"{number}.png"), Toy(9, x=71, y=48).draw(stones))
    assert run(values(folder), Toy.read) == 0
    assert list(records.read(capsys.readouterr().out.encode()).moves) == moves


def test_doubts_are_comments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moves = moves_of("D4 E5 C3 G7 F3")
    folder = filmed(tmp_path / "photos", moves, Toy(9))
    for number in (2, 3, 4):
        (folder / f"{number}.png").unlink()
    assert run(values(folder), Toy.read) == 1
    out, err = capsys.readouterr()
    assert out.count("Doubtful: the order is a guess (first seen in 5.png)") == 4
    assert "5 moves, 4 of them doubtful" in err
    assert run(values(folder, format="json"), Toy.read) == 1
    content = json.loads(capsys.readouterr().out)
    assert [move["move"] for move in content["moves"]][0] == "D4"
    assert content["moves"][1]["doubts"] == ["the order is a guess"]


def test_a_handicap(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    stones = board("b:C3", "b:G7")
    for number, more in enumerate([(), ("w:G3",), ("w:G3", "b:C7")]):
        cv2.imwrite(str(folder / f"{number}.png"), Toy(9).draw(stones + board(*more)))
    assert run(values(folder), Toy.read) == 0
    record = records.read(capsys.readouterr().out.encode())
    assert (record.handicap, record.setup, record.first) == (2, stones.tobytes(), 1)


def test_no_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = filmed(tmp_path / "photos", moves_of("D4 E5"), Toy(9), spoilt=(0, 1, 2))
    assert run(values(folder), Toy.read) == 3
    assert "no board was found (3 photos)" in capsys.readouterr().err


def test_corners_of_the_user_are_honoured(tmp_path: Path) -> None:
    moves = moves_of("D4 E5 C3")
    folder = filmed(tmp_path / "photos", moves, Toy(9, mark=False))  # which the finder cannot find
    corners = ",".join(f"{number:g}" for number in Toy(9).lattice().corners().ravel())
    assert run(values(folder, output=str(tmp_path / "a.sgf")), Toy.read) == 3
    assert run(values(folder, output=str(tmp_path / "a.sgf"), corners=corners, size=9), Toy.read) == 0
    assert list(records.read(tmp_path / "a.sgf").moves) == moves


def test_photos_are_ordered(tmp_path: Path) -> None:
    from PIL import Image

    for name in ("10.jpg", "9.jpg", "b.jpg"):
        Image.new("RGB", (64, 64)).save(tmp_path / name)
    assert [path.name for path in photos(tmp_path)] == ["9.jpg", "10.jpg", "b.jpg"]
    for name, second in (("10.jpg", 3), ("9.jpg", 5), ("b.jpg", 4)):
        tags = Image.Exif()
        tags.get_ifd(0x8769)[0x9003] = f"2024:05:06 07:08:0{second}"
        Image.new("RGB", (64, 64)).save(tmp_path / name, exif=tags)
    assert [path.name for path in photos(tmp_path)] == ["10.jpg", "b.jpg", "9.jpg"]


def test_a_video_becomes_a_record(tmp_path: Path) -> None:
    moves = moves_of("D4 E5 C3 G7 F3")
    video = cv2.VideoWriter(str(tmp_path / "game.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 320))
    toy = Toy(9)
    for stones in positions("go", 9, moves):
        for position in range(0, 320, 60):
            video.write(toy.draw(stones, hand=True, at=position))
        for _ in range(16):
            video.write(toy.draw(stones))
    video.release()
    taken = list(stills(tmp_path / "game.avi"))
    assert 6 <= len(taken) <= 20
    assert run(values(tmp_path / "game.avi", output=str(tmp_path / "game.sgf")), Toy.read) == 0
    assert list(records.read(tmp_path / "game.sgf").moves) == moves


# what is given, a part of the sentence
REFUSED = [
    ("none", "there is no"),
    ("empty", "holds no pictures"),
    ("one.png", "is one picture"),
    ("text.mp4", "is no video that can be read"),
    ("nul\0name", "nul"),
]


@pytest.mark.parametrize("name, sentence", REFUSED)
def test_sources_that_are_none(name: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    cv2.imwrite(str(tmp_path / "one.png"), np.zeros((64, 64, 3), np.uint8))
    (tmp_path / "text.mp4").write_text("not a video")
    with pytest.raises(PhotoError, match=sentence):
        list(source_of(str(tmp_path / name)).frames)


@pytest.mark.parametrize("given", [{"format": "obf"}, {"output": "game.png"}, {"output": "."}, {"size": 7}, {"overlay": "a.png"}])
def test_options_that_do_not_fit(given: dict[str, object], tmp_path: Path) -> None:
    filmed(tmp_path / "photos", [], Toy(9))
    with pytest.raises(PhotoError):
        run(values(tmp_path / "photos", **given), Toy.read)


def test_the_size_is_that_of_most_frames() -> None:
    def read(image: NDArray[np.uint8], settings: Settings) -> list:
        found = Toy.read(image, settings)
        wrong = image[0, 0, 0] == 1 and settings.size is None
        return [Toy.as_size(reading, 13) for reading in found] if wrong else found

    images = [Toy(9).draw(np.zeros((9, 9), np.int8)) for _ in range(3)]
    images[0][0, 0, 0] = 1
    lock = Lock(read, Settings())
    assert lock.vote(images)
    assert (lock.size, lock.settings.game) == (9, "go")


def test_frames_of_another_order_are_no_silent_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Photos whose names put the last one first, and a board that is found in few of them: told, and the code says so."""
    boards = positions("go", 9, random_game("go", 9, 14, 3))
    for turned, code, says in ((boards, 0, ""), (boards[::-1], 1, "warning: most frames show other stones than the record")):
        assert infer(seen(turned), "go").odd == (() if code == 0 else tuple(range(10)))
        for number, board in enumerate(turned):
            cv2.imwrite(str(tmp_path / f"{number}.png"), Toy(9).draw(board))
        assert run(values(tmp_path, output=str(tmp_path / "game.sgf")), Toy.read) == code
        assert says in capsys.readouterr().err


def test_a_doubtful_board_of_a_series_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def unsure(image: NDArray[np.uint8], settings: Settings) -> list:
        return [replace(reading, found=0.6) for reading in Toy.read(image, settings)]

    cv2.imwrite(str(tmp_path / "1.png"), Toy(9).draw(np.zeros((9, 9), np.int8)))
    assert run(values(tmp_path, output=str(tmp_path / "new" / "game.sgf")), unsure) == 1
    assert "warning: the board may lie elsewhere, or have another size (60 % sure)" in capsys.readouterr().err
    assert (tmp_path / "new" / "game.sgf").is_file()


def test_a_series_is_not_overwritten(tmp_path: Path) -> None:
    photo = tmp_path / "1.png"
    cv2.imwrite(str(photo), Toy(9).draw(np.zeros((9, 9), np.int8)))
    before = photo.read_bytes()
    for series in (tmp_path, tmp_path / "film.avi"):
        target = photo if series.is_dir() else series
        target.touch()
        with pytest.raises(PhotoError, match="is not overwritten"):
            run(values(series, output=str(target), format="sgf"), Toy.read)
    assert photo.read_bytes() == before


# the real series and the rendered one


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
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_rendered_series(seed: int, tmp_path: Path) -> None:
    """The bar: sixty moves, a hand in every third frame, read back to the same moves."""
    from tengen.tools.photo.render.series import Sitting

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
    assert time.process_time() - begun < 10
    assert len(set(plain(inferred)) & set(moves)) > 0.95 * len(set(moves))
