"""Openings from every kind of file, and who plays whom."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tengen.tools.match.openings.choice import OpeningsSpec, choose
from tengen.tools.match.openings.drawn import is_playable
from tengen.tools.match.openings.start import start_state
from tengen.tools.match.settings.schedule import pairings, pairs
from tengen.tools.match.spec import GameSpec, Opening

GOMOKU, REVERSI, GO, CHESS = (
    GameSpec("gomoku", 15),
    GameSpec("reversi", 8),
    GameSpec("go", 9, komi=7),
    GameSpec("chess"),
)

# File name, content, game, moves of the first opening.
FILES = [
    ("a.txt", "0,0, 1,0, 1,3\n0,0, 1,1, 0,3\n", GOMOKU, "h8 i8 i5"),
    ("b.txt", "# my book\nh8i9g7\n", GOMOKU, "h8 i9 g7"),
    ("c.sgf", "(;GM[1]SZ[9];B[ee];W[gg];B[])", GO, "E5 G3 pass"),
    ("d.ggf", "(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6];)", REVERSI, "f5 d6"),
    ("e.txt", "f5d6c3\n", REVERSI, "f5 d6 c3"),
    ("f.psq", "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n0\n", GOMOKU, "h8 i7"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "game", "moves"), FILES, ids=[row[0] for row in FILES])
def test_files(tmp_path: Path, name: str, content: str, game: GameSpec, moves: str) -> None:
    (tmp_path / name).write_text(content)
    spec = OpeningsSpec(str(tmp_path / name), order="sequential")
    found = choose(spec, game, 1, 1)
    assert found[0].moves == tuple(moves.split())
    assert choose(OpeningsSpec(str(tmp_path), plies=1, order="sequential"), game, 1, 1)[0].moves == (moves.split()[0],)


BAD = [
    ("a.txt", "0,0, 0,0\n", GOMOKU, "line 1: opening 1: move 2, h8, is illegal"),
    ("a.txt", "0,0, 99,0\n", GOMOKU, "line 1: opening 1: 99,0 from the centre"),
    ("a.txt", "hello\n", GOMOKU, "line 1: "),
    ("a.sgf", "(;GM[1]SZ[19];B[ee])", GO, "opening 1: the board is 19x19, not 9x9"),
    ("a.sgf", "(;GM[1]SZ[9];B[ee];B[ef])", GO, "opening 1: the moves do not alternate"),
    ("a.sgf", "(;GM[1]SZ[9]AB[ee];W[ef])", GO, "opening 1: positions can be set up in Reversi and chess only"),
    ("a.psq", "Piskvorky 15x15, 11:11, 0\n8,8,0\n0\n", GO, "opening 1: a game of gomoku, not of go"),
    ("a.txt", "\n", GOMOKU, "there are no openings in"),
    ("a.epd", "8/8/8/8 w - -\n", CHESS, "opening a 1: the board of the FEN has 4 ranks instead of 8"),
    ("a.epd", "8/8/8/8/8/8/8/8 w - -\n", CHESS, "opening a 1: White does not have exactly one king"),
    ("a.epd", "7k/5Q2/6K1/8/8/8/8/8 b - -\n", CHESS, "opening a 1: it is no position to play from"),
    ("a.epd", "1r2k3/8/8/8/8/8/8/1K4R1 w G -\n", CHESS, "the position is one of Chess960: its rules are chess960"),
    ("a.pgn", '[Event "x"]\n\n1. e5 *\n', CHESS, "opening a 1: move 1, 'e5', is illegal"),
    ("a.pgn", '[Event "x"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n', CHESS, "its moves end the game"),
]


@pytest.mark.parametrize(("name", "content", "game", "sentence"), BAD)
def test_what_is_no_opening_is_named(tmp_path: Path, name: str, content: str, game: GameSpec, sentence: str) -> None:
    if game is CHESS:
        pytest.importorskip("chess")
    (tmp_path / name).write_text(content)
    with pytest.raises(ValueError) as error:
        choose(OpeningsSpec(str(tmp_path / name)), game, 1, 1)
    assert sentence in str(error.value)


def test_archives_that_hold_nothing_are_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w"):
        pass
    with zipfile.ZipFile(tmp_path / "b.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("b.txt", "h8i9g7\n" * 999)
    data = bytearray((tmp_path / "b.zip").read_bytes())
    data[40:44] = b"\xff\xff\xff\xff"
    (tmp_path / "b.zip").write_bytes(data)
    for name in ("a.zip", "b.zip"):
        with pytest.raises(ValueError, match=f"openings '.*{name}'"):
            choose(OpeningsSpec(str(tmp_path / name)), GOMOKU, 1, 1)


def test_chess_files(tmp_path: Path) -> None:
    pytest.importorskip("chess")
    (tmp_path / "a.pgn").write_text(
        '[Opening "Ruy"]\n\n1. e4 e5 2. Nf3 *\n\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 *\n'
    )
    first, second = choose(OpeningsSpec(str(tmp_path / "a.pgn"), order="sequential"), CHESS, 2, 1)
    assert first == Opening("Ruy", ("e2e4", "e7e5", "g1f3"))
    assert second.position == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" and second.moves == ("e2e4",)
    (tmp_path / "b.epd").write_text('4k3/8/8/8/8/8/4P3/4K3 w - - id "x";\n4k3/8/8/8/8/8/4P3/4K3 b - - 3 9\n')
    found = choose(OpeningsSpec(str(tmp_path / "b.epd"), order="sequential"), CHESS, 2, 1)
    assert [row.name for row in found] == ["x", "b 2"]
    assert found[1].position == "4k3/8/8/8/8/8/4P3/4K3 b - - 3 9"
    walks = choose(OpeningsSpec(), CHESS, 20, 1)
    assert len({row.moves for row in walks}) == 20 and all(len(row.moves) == 8 for row in walks)


@pytest.mark.parametrize("path", ["data/chess/openings/2moves_v1.epd.zip", "data/chess/openings/8moves_v3.pgn.zip"])
def test_chess_books(shared: Callable[[str], Path], path: str) -> None:
    pytest.importorskip("chess")
    found = choose(OpeningsSpec(str(shared(path))), CHESS, 50, 1)
    assert len(found) == 50 and len({(row.moves, row.position) for row in found}) == 50


BOOKS = [
    ("data/gomoku/openings/offset_freestyle_20x20.txt", GameSpec("gomoku", 20)),
    ("data/gomoku/openings/rapfi_opengen_freestyle15.txt", GOMOKU),
    ("data/gomoku/openings/pos_freestyle_20x20.txt", GameSpec("gomoku", 20)),
    ("data/othello/xot_small.txt", REVERSI),
    ("data/othello/edax_hard-20.obf", REVERSI),
]


@pytest.mark.parametrize(("path", "game"), BOOKS)
def test_books(shared: Callable[[str], Path], path: str, game: GameSpec) -> None:
    found = choose(OpeningsSpec(str(shared(path))), game, 1, 1)
    assert len(found) >= 4
    assert all(row.moves or row.position for row in found)


@pytest.mark.parametrize("game", [GOMOKU, REVERSI, GO], ids=["gomoku", "reversi", "go"])
def test_drawn_openings_differ_and_can_be_played(game: GameSpec) -> None:
    found = choose(OpeningsSpec(), game, 30, 5)
    assert len({row.moves for row in found}) == 30
    assert found == choose(OpeningsSpec(), game, 30, 5) != choose(OpeningsSpec(), game, 30, 6)
    assert found[:10] == choose(OpeningsSpec(), game, 10, 5)  # more games continue the same list


def test_images(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("0,0, 1,0, 1,3\n")
    spec = OpeningsSpec(str(tmp_path / "a.txt"), transform=True, order="sequential")
    found = choose(spec, GOMOKU, 1, 1)
    assert [row.moves[1] for row in found] == ["i8", "i8", "g8", "g8", "h7", "h7", "h9", "h9"]
    assert len({row.moves for row in found}) == 8
    (tmp_path / "a.txt").write_text("f5d6c3d3c4\n")
    found = choose(spec, REVERSI, 1, 1)
    state = start_state(REVERSI)
    columns = "abcdefgh"
    cells = [[(int(text[1]) - 1) * 8 + columns.index(text[0]) for text in row.moves] for row in found]
    assert len(found) == 4 and all(is_playable(state, row) for row in cells)


def test_numbers_stay_when_the_run_grows() -> None:
    openings = [Opening("x"), Opening("y")]
    small = {pair.number: pair for pair in pairs("round-robin", "ab", 3, openings, 7)}
    large = {pair.number: pair for pair in pairs("round-robin", "abcd", 5, openings, 7)}
    assert len(small) == 3 and len(large) == 5 * 6
    assert all(large[number] == pair for number, pair in small.items())
    assert len({task.seed for pair in large.values() for task in pair.tasks}) == 60


def test_both_colours_and_every_pairing() -> None:
    for pair in pairs("pair", ["a", "b"], 2, [Opening("x")], 1):
        one, other = pair.tasks
        assert (one.first, one.second) == (other.second, other.first) == ("a", "b")
        assert one.opening == other.opening and one.id[:-1] == other.id[:-1] == f"{pair.number:06d}"
    assert pairings("round-robin", 3) == [(0, 1), (0, 2), (1, 2)]
    assert pairings("gauntlet", 4, 2) == [(0, 2), (1, 2), (0, 3), (1, 3)]


@pytest.mark.parametrize(("kind", "players", "seeds"), [("pair", 3, 1), ("round-robin", 1, 1), ("gauntlet", 3, 3)])
def test_impossible_schedules(kind: str, players: int, seeds: int) -> None:
    with pytest.raises(ValueError):
        pairings(kind, players, seeds)
