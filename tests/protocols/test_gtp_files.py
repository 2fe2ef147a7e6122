"""loadsgf and printsgf: what they read and write, and that no name leads out of the folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from fakes.player import FakePlayer
from gtp_client import say

from tengen.engine.config import Config

GAME = "(;FF[4]GM[1]SZ[9]KM[5.5]RU[Japanese];B[cg];W[cd];B[ca];W[])"
HANDICAP = "(;GM[1]SZ[9]HA[2]KM[0.5]AB[gc][cg];W[ee])"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """outer/secret.sgf lies outside, outer/root/game.sgf and others inside."""
    root = tmp_path / "root"
    (root / "sub folder").mkdir(parents=True)
    (tmp_path / "secret.sgf").write_text(GAME)
    for name in ("game.sgf", "sub folder/my game.sgf", "with 5"):
        (root / name).write_text(GAME)
    (root / "handicap.sgf").write_text(HANDICAP)
    (root / "bad.sgf").write_text("(;GM[1]SZ[9];B[zz])")
    (root / "occupied.sgf").write_text("(;GM[1]SZ[9];B[cc];W[cc])")
    (root / "text.txt").write_text("keep me")
    return root


def ask(root: Path, *lines: str) -> list[str]:
    return say(*lines, config=Config(file_root=str(root)))


@pytest.mark.parametrize("name, moves", [
    ("game.sgf", 4), ("game.sgf 3", 2), ("game.sgf 1", 0), ("game.sgf 0", 0), ("game.sgf 99", 4), ('"game.sgf" 3', 2),
    ("sub folder/my game.sgf", 4), ("sub folder/my game.sgf 2", 1), ('"sub folder/my game.sgf" 2', 1), ("with 5", 4),
    ("sub folder/../game.sgf", 4),
])  # fmt: skip
def test_load(root: Path, name: str, moves: int) -> None:
    answers = ask(
        root,
        f"loadsgf {name}",
        "get_komi",
        "query_boardsize",
        "showboard",
        "kata-get-rules",
        "gg-undo 4",
    )
    assert answers[:3] == ["=", "= 5.5", "= 9"]
    assert f"Next player: {'White' if moves % 2 else 'Black'}" in answers[3]
    assert '"TERRITORY"' in answers[4] and (answers[5] == "=") is (moves == 4)


def test_an_absolute_name_inside_is_fine(root: Path) -> None:
    assert ask(root, f"loadsgf {root / 'game.sgf'}") == ["="]


def test_handicap_stones_and_the_position_before_move_one(root: Path) -> None:
    answers = ask(root, "loadsgf handicap.sgf 1", "get_handicap", "showboard", "play w G7")
    assert answers[:2] + answers[3:] == ["=", "= 2", "? illegal move: occupied"] and "Next player: White" in answers[2]


@pytest.mark.parametrize("name, reason", [
    ("", "not a file name"),
    ("nofile.sgf", "No such file or directory"),
    ("nofile.sgf 5", "No such file or directory"),
    (".", "the file is outside the folder given by --file-root"),
    ("sub folder", "Is a directory"),
    ("../secret.sgf", "the file is outside the folder given by --file-root"),
    ("sub folder/../../secret.sgf", "the file is outside the folder given by --file-root"),
    ("/etc/passwd", "the file is outside the folder given by --file-root"),
    ("link.sgf", "the file is outside the folder given by --file-root"),
    ("linked/secret.sgf", "the file is outside the folder given by --file-root"),
    ("pipe", "not a regular file"),
    ("loop.sgf", "Too many levels of symbolic links"),
    ("punycode.sgf", "'zz' is not a point of the board"),
    ("x" * 5000, "File name too long"),
    ("text.txt", "not an SGF file"),
    ("bad.sgf", "'zz' is not a point of the board"),
    ('"game.sgf" x', "the move number is not an integer"),
])  # fmt: skip
def test_load_refused(root: Path, name: str, reason: str) -> None:
    os.symlink(root.parent / "secret.sgf", root / "link.sgf")
    os.symlink(root.parent, root / "linked")
    os.symlink("loop.sgf", root / "loop.sgf")
    os.mkfifo(root / "pipe")
    (root / "punycode.sgf").write_bytes(b"(;GM[1]CA[punycode]SZ[9]C[" + b"\xe9" * 400_000 + b"-];B[zz])")
    answers = ask(root, "boardsize 7", "play b D4", f"loadsgf {name}", "query_boardsize", "undo")
    assert answers[2].startswith("? cannot load file: ") and reason in answers[2]
    assert answers[3:] == ["= 7", "="]


def test_a_game_is_loaded_up_to_an_illegal_move(root: Path) -> None:
    assert ask(root, "loadsgf occupied.sgf", "undo", "undo") == ["=", "=", "? cannot undo"]
    assert say.stderr == "Tengen: occupied.sgf: line 1: move 2, W C7, is illegal: occupied: the game is read up to it\n"


def test_a_sibling_whose_name_begins_alike_is_outside(root: Path) -> None:
    (root.parent / "root2").mkdir()
    (root.parent / "root2" / "game.sgf").write_text(GAME)
    assert "outside" in ask(root, "loadsgf ../root2/game.sgf")[0]


def test_print_and_load_again(root: Path) -> None:
    lines = (
        "boardsize 9",
        "komi 5.5",
        "kata-set-rules japanese",
        "play b C3",
        "play w C6",
        "printsgf new game.sgf",
        "printsgf",
    )
    *_, saved, printed = ask(root, *lines)
    assert saved == "=" and printed == "= " + (root / "new game.sgf").read_text().rstrip()
    assert all(part in printed for part in ("SZ[9]", "KM[5.5]", "RU[japanese]", ";B[cg]", ";W[cd]"))
    assert ask(root, "loadsgf new game.sgf", "get_komi", "play w C3")[:3] == ["=", "= 5.5", "? illegal move: occupied"]


def test_print_handicap_and_result(root: Path) -> None:
    printed = ask(
        root, "boardsize 9", "komi 0", "fixed_handicap 2", "play w E5", "play b pass", "play w pass", "printsgf -"
    )[-1]
    assert all(part in printed for part in ("HA[2]", "AB[", "PL[W]", ";W[ee]", "RE["))


@pytest.mark.parametrize("name, reason", [
    ("../new.sgf", "outside"), ("/tmp/new.sgf", "outside"), ("nofolder/x.sgf", "No such file"), ("link.sgf", "outside"),
    ("text.txt", "it exists and is no .sgf file"), ("sub folder", "it exists and is no .sgf file"), ("y" * 300 + ".sgf", "File name too long"),
    ("new", "does not end in .sgf"), ("new.txt", "does not end in .sgf"), ("new.sgf.py", "does not end in .sgf"), (".sgf", "does not end"),
    ("pipe.sgf", "it exists and is no .sgf file"), ("loop.sgf", "Too many levels of symbolic links"),
])  # fmt: skip
def test_print_refused(root: Path, name: str, reason: str) -> None:
    os.symlink(root.parent / "not there yet.sgf", root / "link.sgf")
    os.symlink("loop.sgf", root / "loop.sgf")
    os.mkfifo(root / "pipe.sgf")
    before = sorted(root.parent.iterdir())
    answer = ask(root, f"printsgf {name}")[0]
    assert answer.startswith("? cannot save file: ") and reason in answer
    assert sorted(root.parent.iterdir()) == before and (root / "text.txt").read_text() == "keep me"


def test_the_current_folder_is_the_default(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    assert say("loadsgf game.sgf", "loadsgf ../secret.sgf", player=FakePlayer())[0] == "="
