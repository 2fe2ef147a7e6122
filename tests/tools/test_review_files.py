"""`tengen review` of Reversi as a command: files that are read and written, which games of them, bad input."""

from __future__ import annotations

import re
import struct
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest
from sgfmill import sgf

from tengen.engine.records import RecordError, read, read_all
from tengen.tools.review.games import Numbers, subjects

Tengen = Callable[..., subprocess.CompletedProcess[str]]
WIPED_OUT = "D3 C3 F5 F4 F3 D2 D1 E3 B3"
"""Black wins 64-0; White's last move allows it."""
PASSED = "D3 C3 E6 D2 D1 E1 B2 C1 PA D6"
"""Black has no move before the last one, White's."""
QUICK = ("--depth", "2", "--exact", "8", "--threads", "1")
GGF = (
    "(;GM[Othello]PB[Anna]PW[Ben]RE[?]TI[5:00]BO[8 ---------------------------O*------*O--------------------------- *]"
    "B[F5/1.00/2.5]W[d6//3]B[C3];)\n"
    "(;GM[Othello]PB[Cleo]PW[Dan]RE[+64.000]CO[early]BO[8 ---------------------------O*------*O--------------------------- *]"
    + "".join(f"{'BW'[number % 2]}[{move}]" for number, move in enumerate(WIPED_OUT.split())) + ";)\n"
)  # fmt: skip


def test_ggf_gets_evaluations_and_keeps_its_own(tengen: Tengen, tmp_path: Path) -> None:
    game, out, picture = tmp_path / "games.ggf", tmp_path / "out.ggf", tmp_path / "p.svg"
    game.write_text(GGF)
    done = tengen("review", str(game), "--number", "all", "-o", str(out), "--picture", str(picture), *QUICK)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Game 1\n") and "\n\nGame 2\n" in done.stdout and "Black (Cleo)" in done.stdout
    first, second = read_all(out)
    assert first.properties["TI"] == "5:00" and [note.seconds for note in first.notes] == [2.5, 3, None]
    assert first.notes[0].evaluation != 1.0 and all(note.evaluation is not None for note in first.notes)
    assert second.properties["CO"].startswith("early Review by Tengen") and "2 plies" in second.properties["CO"]
    assert [note.evaluation for note in second.notes[-2:]] == [-64, 64] and second.players == ("Cleo", "Dan")
    assert len(second.moves) == 9 and second.result == "B+64"
    assert (tmp_path / "p-1.svg").exists() and ElementTree.parse(tmp_path / "p-2.svg") and not picture.exists()


def test_ggf_becomes_sgf_where_lines_are_wanted(called: Tengen, tmp_path: Path) -> None:
    out = tmp_path / "out.sgf"
    done = called("review", "-", "--number", "2", "-o", str(out), *QUICK, send=GGF)
    assert done.returncode == 0, done.stderr
    assert re.search(r"\n +8  White E3 +\S\S +\d+\.\d +-?\S+ -> +\+64\.0 +blunder\n", done.stdout)
    nodes = list(sgf.Sgf_game.from_bytes(out.read_bytes()).get_main_sequence())
    assert len(nodes) == 10 and nodes[8].get_raw("BM") == b"2" and nodes[8].get_raw("MA") == b"ec"
    assert "Black leads by 64 discs (exact)." in nodes[9].get("C") and len(nodes[7]) == 2
    assert "discs" in nodes[7][1].get("C") and not nodes[8].has_property("SBKV")
    assert [float(node.get_raw("V")) for node in nodes[8:]] == [64, 64]


def test_sgf_keeps_its_own_and_passes_that_it_leaves_out(called: Tengen, tmp_path: Path) -> None:
    points = [
        f"{'abcdefgh'['ABCDEFGH'.index(word[0])]}{'abcdefgh'[int(word[1]) - 1]}"
        for word in PASSED.split()
        if word != "PA"
    ]
    colours = "BWBWBWBWW"
    moves = "".join(f";{colour}[{point}]" for colour, point in zip(colours, points, strict=True))
    game, out = tmp_path / "game.sgf", tmp_path / "out.sgf"
    game.write_text(f"(;GM[2]FF[4]PB[Anna]C[Hello]XX[mine]{moves})")
    done = called("review", str(game), "-o", str(out), *QUICK)
    assert done.returncode == 0, done.stderr
    nodes = list(sgf.Sgf_game.from_bytes(out.read_bytes()).get_main_sequence())
    assert len(nodes) == 10 and nodes[0].get("C").startswith(
        "Hello\n\nReview by Tengen's alpha-beta (tengen-reversi.safetensors), 2 plies"
    )
    assert nodes[0].has_property("XX") and all("2 plies ahead" in node.get("C") for node in nodes[1:])
    again = read(out)
    assert again.game == "reversi" and len(again.moves) == 9


def wthor(*games: str) -> bytes:
    """A base of 1999 without names."""
    entries = [
        struct.pack("<HHHBB", 0, number, number + 1, 64, 32)
        + bytes(10 * int(word[1]) + "ABCDEFGH".index(word[0]) + 1 for word in game.split() if word != "PA").ljust(
            60, b"\0"
        )
        for number, game in enumerate(games)
    ]
    return struct.pack("<BBBBIHHBBBB", 20, 0, 1, 1, len(games), 0, 1999, 0, 0, 0, 0) + b"".join(entries)


def test_a_game_of_a_wthor_base_becomes_sgf(called: Tengen, tmp_path: Path) -> None:
    base, out = tmp_path / "WTH_1999.wtb", tmp_path / "out"
    base.write_bytes(wthor("F5 D6 C3", WIPED_OUT, PASSED))
    done = called("review", str(base), "--number", "2-", "-o", str(out), *QUICK)
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^Game \d+", done.stdout, re.MULTILINE) == ["Game 2", "Game 3"]
    second, third = read_all(out, "sgf")
    assert [len(record.moves) for record in (second, third)] == [9, 10] and "(exact)" in out.read_text()
    assert second.players == ("1", "2") and second.properties["DT"] == "1999"


def test_a_list_of_moves_is_a_game(called: Tengen) -> None:
    done = called("review", "-", *QUICK, send="f5d6c3d3c4\n")
    assert done.returncode == 0 and "Black" in done.stdout, done.stderr


def test_which_games_are_chosen(tmp_path: Path) -> None:
    file = tmp_path / "games.ggf"
    file.write_text(GGF)
    collection = tmp_path / "games.sgf"
    collection.write_text("(;GM[2];B[fe])(;GM[2];B[ec];W[cc])(;GM[1]SZ[9];B[ee])")
    for wanted, numbers in (
        (Numbers(), [1]),
        (Numbers(2, 2), [2]),
        (Numbers(1, 2), [1, 2]),
        (Numbers(1, None), [1, 2]),
    ):
        assert [subject.number for subject in subjects(str(file), wanted)] == numbers
    found = subjects(str(collection), Numbers(2, None))
    assert [(one.number, one.record.game, len(one.record.moves)) for one in found] == [(2, "reversi", 2), (3, "go", 1)]
    for wanted in (Numbers(3, 3), Numbers(1, 3), Numbers(3, None)):
        with pytest.raises(RecordError, match="there is no game 3: the file holds 2"):
            subjects(str(file), wanted)


BAD_INPUT = {
    "an illegal move": (("-",), "(;GM[2];B[fe];W[aa])", "move 2, W a1, is illegal: flips nothing"),
    "another board": (("-",), f"(;GM[Othello]BO[10 {'-' * 100} *]B[A1];)", "the board is 10x10; review is for 8x8"),
    "no moves": (("-",), "(;GM[Othello]PB[x];)", "the game has no moves"),
    "a broken file": (("-",), "(;GM[Othello]PB[x", "does not end"),
    "the second game": (
        ("-", "--number", "1-2"),
        "(;GM[2];B[fe])(;GM[2];B[fe];W[aa])",
        "game 2: move 2, W a1, is illegal",
    ),
    "a second game of another kind": (
        ("-", "--number", "all", "--exact", "9"),
        "(;GM[2];B[fe])(;GM[4];B[hh])",
        "--exact is for games of Reversi",
    ),
    "rules of Gomoku": (("-", "--rules", "chinese"), "(;GM[4]SZ[15];B[hh])", "chinese"),
    "an occupied point of Gomoku": (("-",), "(;GM[4]SZ[15]AB[hh];W[hh])", "is illegal: occupied"),
    "an option of Go": (("-", "--visits", "9"), "f5d6c3", "--visits is for games of Go"),
    "a network": (("-", "--net", "auto"), "f5d6c3", "--net is for games of Go"),
    "no such games": (("-", "--number", "2-7"), "f5d6c3", "there is no game 2: the file holds 1"),
    "numbers": (("-", "--number", "5-3"), "", "'5-3' is neither a number of a game"),
    "number nought": (("-", "--number", "0"), "", "'0' is neither a number of a game"),
    "depth": (("-", "--depth", "0"), "", "between 1 and 40"),
    "exact": (("-", "--exact", "31"), "", "between 0 and 30"),
    "an unknown setting": (("-", "--set", "alphabeta.deep=3"), "f5d6c3", "alphabeta.deep"),
    "a file of weights": (("-", "--set", "alphabeta.weights=nowhere.safetensors"), "f5d6c3", "nowhere.safetensors"),
}


@pytest.mark.parametrize("name", BAD_INPUT)
def test_bad_input_is_one_sentence(name: str, called: Tengen) -> None:
    words, send, sentence = BAD_INPUT[name]
    done = called("review", *words, send=send)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1, done
    assert sentence in done.stderr and re.match(r"tengen(?: review)?: ", done.stderr), done.stderr
