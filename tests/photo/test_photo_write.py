"""Positions from pictures as files: every format is read back, by our readers and by the engine over GTP."""

from __future__ import annotations

import io
import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cv2")
pytest.importorskip("PIL")

from photo_boards import GO, GOMOKU, REVERSI, grey, picture, reading  # noqa: E402
from sgfmill import sgf  # noqa: E402

from tengen.engine import records  # noqa: E402
from tengen.tools import cli  # noqa: E402
from tengen.tools.photo import command, confidence, one_picture, overlay, write  # noqa: E402
from tengen.tools.photo.edit import edited, keep_label, parse_corners, parse_edits  # noqa: E402
from tengen.tools.photo.position import Facts, checked, doubts, point_of, record_of, vertex  # noqa: E402
from tengen.tools.photo.results import PhotoError, Point, Reading  # noqa: E402
from tengen.tools.photo.warnings import KINDS, warning  # noqa: E402

Tengen = Callable[..., subprocess.CompletedProcess[str]]
BOARDS = {
    "go": reading(GO, "go", [(1, 2), (8, 0)]),
    "gomoku": reading(GOMOKU, "gomoku", [(7, 5)]),
    "reversi": reading(REVERSI, "reversi", [(0, 0)]),
}
EMPTY = "\n".join([". " * 8] * 8)
FACTS = Facts("Bl[ack] \\ Ü", "White", "Cup: round 1", "2024-05-06")
HOLD = [
    (game, form)
    for game, forms in {"go": "sgf txt", "gomoku": "sgf txt psq", "reversi": "sgf txt obf"}.items()
    for form in forms.split()
]


def test_the_command_names_the_formats_that_there_are() -> None:
    assert command.FORMATS == tuple(write.FORMATS)


@pytest.mark.parametrize(("game", "form"), HOLD)
def test_every_format_is_read_back(game: str, form: str, tmp_path: Path) -> None:
    board = BOARDS[game]
    path = tmp_path / f"board.{form}"
    path.write_text(write.text_of(board, form, FACTS, picture()), "utf-8")
    record = records.read(path)
    stones = bytearray(board.size * board.size)
    for colour, cell in record.moves:
        stones[cell] = 1 + colour
    assert (record.game, record.width, record.height) == (game, board.size, board.size)
    assert (record.setup or bytes(stones)) == board.stones.tobytes()
    assert cli.main(["convert", str(path), str(tmp_path / "other.sgf")]) == 0
    if form in ("sgf", "txt"):
        assert record.players == (FACTS.black, FACTS.white)
        assert record.properties == {"EV": FACTS.event, "DT": FACTS.date}


@pytest.mark.parametrize("game", BOARDS)
def test_the_engine_takes_the_position(game: str, tmp_path: Path, tengen: Tengen) -> None:
    """By loadsgf and by the commands, with either side to move or as is guessed; the board is what was read."""
    board, send = BOARDS[game], ""
    for side in (None, 0, 1):
        facts = replace(FACTS, next=side)
        (tmp_path / f"{side}.sgf").write_text(write.text_of(board, "sgf", facts, picture()), "utf-8")
        send += f"loadsgf {side}.sgf\nshowboard\n{write.text_of(board, 'gtp', facts, picture())}"
        send += f"showboard\n{'genmove b' if game == 'go' else 'query_boardsize'}\n"
    words = ("gtp", "--game", game, "--playouts", "1", "--seed", "1", "--file-root", str(tmp_path))
    done = tengen(*words, send=f"{send}quit\n")
    assert done.returncode == 0 and "?" not in done.stdout, done.stdout
    boards = re.findall(r"^ ?\d+ ([.XO ]+)$", done.stdout, re.M)
    wanted = [" ".join(".XO"[stone] for stone in row) for row in board.stones]
    assert boards == 3 * 2 * wanted
    guess = {"go": "Black", "gomoku": "Black", "reversi": "White"}[game]
    sides = [side for side in (guess, "Black", "White") for _ in range(2)]
    assert re.findall(r"Next player: (\w+)", done.stdout) == sides


def test_sgf_marks_and_lists_what_is_uncertain() -> None:
    board = replace(BOARDS["go"], warnings=("a hand covers ] the board",))
    text = write.text_of(board, "sgf", FACTS, picture())
    game = sgf.Sgf_game.from_string(text)
    root = game.get_root()
    assert {key: root.get_raw(key) for key in ("FF", "GM", "SZ", "CA")} == {
        "FF": b"4", "GM": b"1", "SZ": b"9", "CA": b"UTF-8"
    }  # fmt: skip
    assert root.get("SQ") == {(7, 2), (0, 0)} and root.get_raw("AP").startswith(b"Tengen:")
    comment = root.get("C")
    assert "Warning: a hand covers ] the board\n" in comment and "'board.jpg'" in comment
    assert "Uncertain points: C8 black 70 %, A1 empty 70 %." in comment
    assert root.get_setup_stones()[0] == {(7, 2), (6, 6), (4, 4), (2, 2), (0, 8)}
    assert not root.has_property("PL") and not root.has_property("KM")


def test_sgf_of_a_sure_board_has_no_marks_and_what_the_user_says() -> None:
    facts = Facts(next=1, komi=6.5, rules="japanese")
    root = sgf.Sgf_game.from_string(write.text_of(reading(GO, "go"), "sgf", facts, picture())).get_root()
    assert not root.has_property("SQ") and "Uncertain" not in root.get("C")
    assert (root.get("PL"), root.get("KM"), root.get("RU")) == ("w", 6.5, "japanese")


def test_text_begins_with_the_board_and_ends_with_the_doubts() -> None:
    text = write.text_of(BOARDS["go"], "txt", Facts(), picture())
    assert text.startswith("game: go\nsize: 9x9\n. . . . . . . . .\n. . X . O")
    assert text.splitlines()[-1] == "# Uncertain points: C8 black 70 %, A1 empty 70 %."
    with_moves = reading(GO, "gomoku")
    assert records.read(write.text_of(with_moves, "txt", Facts(), picture()).encode()).game == "gomoku"


def test_gtp_commands() -> None:
    assert write.text_of(BOARDS["reversi"], "gtp", Facts(), picture()).splitlines() == [
        "boardsize 8", "clear_board", "set_position W d4 B e4 B d5 B e5 B e6", "gogui-setup_player w",
    ]  # fmt: skip
    text = write.text_of(BOARDS["go"], "gtp", Facts(komi=7.5), picture())
    assert text.splitlines()[:3] == ["boardsize 9", "clear_board", "komi 7.5"] and " B J1\n" in text
    empty = reading("\n".join([". . . . . . . . ."] * 9), "go")
    assert write.text_of(empty, "gtp", Facts(), picture()) == "boardsize 9\nclear_board\n"


def test_psq_plays_the_stones_in_turn() -> None:
    text = write.text_of(BOARDS["gomoku"], "psq", Facts("a", "b"), picture())
    assert text.splitlines() == ["Piskvorky 15x15, 11:11, 0", "6,8,0", "7,8,0", "8,8,0", "9,8,0", "a", "b", "0"]


def test_obf_and_the_side_to_move() -> None:
    assert write.text_of(BOARDS["reversi"], "obf", Facts(), picture()).startswith("-" * 27 + "OX------XX-------X--")
    assert write.text_of(BOARDS["reversi"], "obf", Facts(), picture()).endswith("- O;\n")
    assert write.text_of(BOARDS["reversi"], "obf", Facts(next=0), picture()).endswith("- X;\n")


def test_json_has_everything() -> None:
    board = edited(replace(BOARDS["go"], warnings=(warning("nine-lines"),)), {"e5": Point.WHITE})
    value = json.loads(write.text_of(board, "json", Facts(next=1), picture(0.5)))
    assert (value["game"], value["size"], value["next"], value["black"], value["white"]) == ("go", 9, "white", 4, 5)
    assert value["rows"][1] == "..X.O...." and np.shape(value["confidence"]) == (9, 9)
    assert value["corners"][0] == [60.5, 60.5] and value["found"] == 0.97  # pixels of a file twice as large
    assert [doubt["point"] for doubt in value["uncertain"]] == ["C8", "A1"]
    assert value["uncertain"][0]["read"] == "black"
    assert value["uncertain"][0]["probability"] == {"empty": 0.1, "black": 0.7, "white": 0.1, "hidden": 0.1}
    assert (value["edited"], value["warnings"], value["taken"]) == (
        ["E5"],
        [KINDS["nine-lines"].sentence],
        "2024-05-06T07:08:09",
    )
    assert value["warning_codes"] == ["nine-lines"]


@pytest.mark.parametrize(("game", "form", "says"), [
    ("go", "psq", "PSQ holds Gomoku only"),
    ("go", "obf", "OBF holds 8x8 Othello positions only"),
    ("gomoku", "obf", "OBF holds 8x8"),
    ("reversi", "psq", "PSQ holds Gomoku only"),
    ("empty", "gtp", "GTP has no commands for a Reversi board without discs"),
])  # fmt: skip
def test_what_a_format_cannot_hold(game: str, form: str, says: str) -> None:
    with pytest.raises(PhotoError, match=f"{says}.*: choose another --format"):
        write.text_of(BOARDS.get(game) or reading(EMPTY, "reversi"), form, Facts(), picture())


def test_psq_refuses_stones_that_are_not_in_turn() -> None:
    board = edited(BOARDS["gomoku"], {"a1": Point.WHITE})
    with pytest.raises(PhotoError, match="which 2 black and 3 white stones are not"):
        write.text_of(board, "psq", Facts(), picture())


def test_a_hostile_name_stays_harmless() -> None:
    name = "a]\\;B[aa](\n\x1b[31m\udcff.jpg"
    for form in write.FORMATS:
        board = BOARDS["gomoku" if form == "psq" else "reversi" if form == "obf" else "go"]
        text = write.text_of(board, form, Facts("B]", "W\\"), picture(name=name))
        assert "\x1b" not in text and text.encode()
    game = sgf.Sgf_game.from_string(write.text_of(BOARDS["go"], "sgf", Facts("B]", "W\\"), picture(name=name)))
    assert len(game.get_main_sequence()) == 1 and game.get_player_name("b") == "B]"


# positions: who is next, what is odd


@pytest.mark.parametrize(("board", "side"), [
    (BOARDS["go"], None), (BOARDS["gomoku"], 0), (BOARDS["reversi"], 1),
    (edited(BOARDS["gomoku"], {"a1": Point.BLACK}), 1), (edited(BOARDS["gomoku"], {"a1": Point.WHITE}), None),
])  # fmt: skip
def test_who_is_next(board: Reading, side: int | None) -> None:
    assert record_of(board, Facts()).to_move == side
    assert record_of(board, Facts(next=1)).to_move == 1


def test_a_side_that_must_pass_is_not_next() -> None:
    """White has one disc in a corner that it can use; Black, whose turn it is by number, cannot move."""
    rows = ["O X X . . . . .", "X X X . . . . .", *[". . . . . . . ."] * 6]
    board = reading("\n".join(rows), "reversi")
    assert (board.stones != 0).sum() == 6 and record_of(board, Facts()).to_move == 1


@pytest.mark.parametrize(("diagram", "game", "says"), [
    (GO, "go", None), (GOMOKU, "gomoku", None), (REVERSI, "reversi", None),
    ("\n".join([". " * 9] * 9), "go", "no stone was read"),
    ("\n".join([". " * 8] * 8), "reversi", "no stone was read"),
    ("\n".join(["X O " + ". " * 7, "O " + ". " * 8] + [". " * 9] * 7), "go", "a group without liberties breaks the rules: A9"),
    (GOMOKU.replace("X O X O", "X X X O"), "gomoku", "3 black and 1 white stones are no Gomoku"),
    ("\n".join(["X O . . . . . ."] + [". " * 8] * 7), "reversi", "a square of the four in the middle is empty"),
])  # fmt: skip
def test_what_no_game_has_is_a_warning(diagram: str, game: str, says: str | None) -> None:
    found = checked(reading(diagram, game)).warnings
    assert (found == ()) if says is None else (len(found) == 1 and says in found[0])


@pytest.mark.parametrize(("game", "spot", "text"), [
    ("go", (0, 0), "A9"), ("go", (8, 8), "J1"), ("gomoku", (0, 8), "i15"), ("gomoku", (14, 0), "a1"),
    ("reversi", (0, 0), "a1"), ("reversi", (4, 5), "f5"), ("reversi", (7, 7), "h8"),
])  # fmt: skip
def test_points_as_players_write_them(game: str, spot: tuple[int, int], text: str) -> None:
    assert vertex(BOARDS[game], *spot) == text and point_of(BOARDS[game], text.upper()) == spot


def test_doubts_come_worst_first_and_never_round_up_to_certain() -> None:
    board = reading(GO, "go", [(0, 0)])
    board.probabilities[3, 3] = [0.9495, 0.02, 0.02, 0.0105]
    assert doubts(board) == ["A9 empty 70 %", "D6 empty 94 %"]


# corrections


@pytest.mark.parametrize("text", [
    "10,20,100,20,100,90,10,90", "10,20 10,90 100,90 100,20", "(10, 20), (100, 90), (100, 20), (10, 90)",
    "[[10, 20], [100, 20], [100, 90], [10, 90]]",
])  # fmt: skip
def test_corners_in_any_order_go_clockwise_from_the_first(text: str) -> None:
    assert parse_corners(text).tolist() == [[10, 20], [100, 20], [100, 90], [10, 90]]


def test_corners_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.corners.json"
    path.write_text("[[100, 20], [100, 90], [10, 90], [10, 20]]")
    assert parse_corners(str(path)).tolist() == [[100, 20], [100, 90], [10, 90], [10, 20]]


@pytest.mark.parametrize("text", ["", "1,2,3", "1,2,3,4,5,6,7,nan", "1,2,3,4,5,6,7,8,9", "a,b,c,d", "missing.json",
                                  "1e9,1,2,3,4,5,6,7", "x" * 9000, "\0"])  # fmt: skip
def test_corners_that_make_no_sense(text: str) -> None:
    with pytest.raises(PhotoError, match="--corners") as refused:
        parse_corners(text)
    assert len(str(refused.value)) < 200


def test_edits() -> None:
    changes = parse_edits("C8=w, e5=. ;A1=B\nj9=empty")
    board = edited(BOARDS["go"], changes)
    assert board.stones[1, 2] == Point.WHITE and board.stones[4, 4] == Point.EMPTY and board.stones[8, 0] == Point.BLACK
    assert board.edits == {(1, 2), (4, 4), (8, 0), (0, 8)} and board.uncertain == ()
    assert BOARDS["go"].stones[1, 2] == Point.BLACK, "the reading that was given stays as it is"


def test_an_edit_answers_the_doubts_about_its_points() -> None:
    board = reading(GO, "go", [(1, 2), (8, 0)])
    board.probabilities[4, 4] = [0.05, 0.02, 0.03, 0.9]
    board = replace(board, warnings=(*confidence.doubts(board), "a warning of another kind"))
    assert [warning.split()[0] for warning in board.warnings] == ["1", "some", "a"]
    assert edited(board, parse_edits("C8=B")).warnings[0] == "1 point is hidden or outside of the picture"
    assert edited(board, parse_edits("C8=B,A1=.,E5=W")).warnings == ("a warning of another kind",)


@pytest.mark.parametrize(("text", "says"), [
    ("", "names no point"), ("Q4", "not 'Q4'"), ("Q4=Z", "not 'Q4=Z'"), ("4Q=B", "not '4Q=B'"),
    ("Q4=B,q4=W", "gives q4 twice"), ("Q444=B", "not 'Q444=B'"), ("pass=B", "not 'pass=B'"),
])  # fmt: skip
def test_edits_that_make_no_sense(text: str, says: str) -> None:
    with pytest.raises(PhotoError, match=re.escape(says)):
        parse_edits(text)


def test_an_edit_that_names_a_point_in_two_ways() -> None:
    assert edited(BOARDS["go"], parse_edits("A1=B,a01=B")).stones[8, 0] == Point.BLACK
    with pytest.raises(PhotoError, match="--edit gives a01 twice"):
        edited(BOARDS["go"], parse_edits("A1=B,a01=W"))


def test_an_edit_outside_of_the_board() -> None:
    with pytest.raises(PhotoError, match="--edit: 'k10' is not a point of the 9x9 go board"):
        edited(BOARDS["go"], parse_edits("K10=B"))


def test_a_kept_label_is_read_as_the_evaluation_reads_it(tmp_path: Path) -> None:
    import cv2

    board = BOARDS["go"]
    assert keep_label(board, picture(), tmp_path / "labels", "board") == tmp_path / "labels" / "board.txt"
    lines = (tmp_path / "labels" / "board.txt").read_text().split("\n")
    assert lines[0] == "9" and [line.split() for line in lines[1:10]] == [
        [".XO"[stone] for stone in row] for row in board.stones
    ]
    corners = json.loads((tmp_path / "labels" / "board.corners.json").read_text())
    assert np.allclose(corners, board.lattice.corners(), atol=0.06)
    assert cv2.imread(str(tmp_path / "labels" / "board.jpg")).shape == (240, 300, 3)
    with pytest.raises(PhotoError, match="labels are not overwritten"):
        keep_label(board, picture(), tmp_path / "labels", "board")


def test_a_label_says_what_is_hidden_unless_it_was_given(tmp_path: Path) -> None:
    board = reading(GO, "go")
    board.probabilities[0, :3] = [0.05, 0.02, 0.03, 0.9]
    keep_label(edited(board, parse_edits("B9=W")), picture(), tmp_path, "board")
    assert (tmp_path / "board.txt").read_text().splitlines()[1] == "? O ? . . . . . ."


# the picture to check by


@cache
def plain_page() -> np.ndarray:
    """The one of a board without doubts and warnings."""
    return overlay.check_picture(grey(), reading(GO, "go"), "board.jpg")


@pytest.mark.parametrize("game", BOARDS)
def test_overlay_shows_what_was_read(game: str) -> None:
    board = BOARDS[game]
    page = overlay.check_picture(grey(), replace(board, warnings=("a warning",)), "board.jpg")
    plain = plain_page()
    assert page.dtype == np.uint8 and page.shape[1] == plain.shape[1] >= 1200 and page.shape[0] > plain.shape[0]
    assert near(page, (48, 48, 232)) > 4 * near(plain, (48, 48, 232)), "red for what is uncertain"
    assert near(page, (255, 205, 0)) > 200 and near(page, (220, 0, 255)) > 200, "a ring on each stone"


def near(image: np.ndarray, colour: tuple[int, int, int]) -> int:
    return int((np.abs(image.astype(int) - colour).max(-1) < 12).sum())


@pytest.mark.parametrize("corners", [
    [[-200, -100], [600, -90], [610, 500], [-190, 480]],
    [[10, 10], [290, 12], [160, 40], [140, 40]],
    [[100, 100], [104, 100], [104, 104], [100, 104]],
    [[280, 20], [290, 200], [20, 210], [30, 30]],
])  # fmt: skip
def test_overlay_of_any_lattice(corners: list[list[int]]) -> None:
    """Outside of the picture, very flat, tiny, turned: something is drawn and nothing raised."""
    for game, diagram in (("go", GO), ("reversi", REVERSI)):
        board = reading(diagram, game, [(0, 0)], corners=corners)
        assert overlay.check_picture(grey(), board, "x" * 300).shape[1] >= 1200


def test_encoding_of_the_page(tmp_path: Path) -> None:
    from PIL import Image

    plan = one_picture.Plan(lambda image, settings: [BOARDS["go"]], one_picture.Settings(), Facts(), "sgf", ("x.jpg",),
                     overlay=tmp_path / "deep" / "check.jpg")  # fmt: skip
    source = tmp_path / "x.jpg"
    Image.fromarray(grey()).save(source)
    outcome = one_picture.process(plan, str(source), "x")
    assert outcome.boards[0].overlay == tmp_path / "deep" / "check.jpg"
    assert Image.open(io.BytesIO((tmp_path / "deep" / "check.jpg").read_bytes())).format == "JPEG"
