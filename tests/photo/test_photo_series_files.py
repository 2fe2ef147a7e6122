"""`tengen photo --series`: from a folder or a video to a record."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("cv2", reason="photos need the extra `photo`")

import cv2
import numpy as np
from numpy.typing import NDArray
from photo_series import (
    Moves,
    Toy,
    board,
    moves_of,
    positions,
    random_game,
    seen,
    values,
)

from tengen.engine import records
from tengen.engine.records.replay import state_of
from tengen.tools.photo.pipeline import Settings
from tengen.tools.photo.results import PhotoError
from tengen.tools.photo.series import infer, run
from tengen.tools.photo.series.frames import photos, source_of, stills
from tengen.tools.photo.series.lock import Lock


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


@pytest.mark.parametrize(
    "given", [{"format": "obf"}, {"output": "game.png"}, {"output": "."}, {"size": 7}, {"overlay": "a.png"}]
)
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
    for turned, code, says in (
        (boards, 0, ""),
        (boards[::-1], 1, "warning: most frames show other stones than the record"),
    ):
        assert infer(seen(turned), "go").odd == (() if code == 0 else tuple(range(10)))
        for number, stones in enumerate(turned):
            cv2.imwrite(str(tmp_path / f"{number}.png"), Toy(9).draw(stones))
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
