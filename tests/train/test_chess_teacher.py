"""`tengen train label FOLDER --teacher ENGINE`: labelled positions of chess, labelled anew by a UCI engine."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from tengen.engine._core import ChessState  # noqa: E402
from tengen.engine.games.chess.text import state_from_fen  # noqa: E402
from tengen.tools import cli  # noqa: E402
from tengen.tools.executors.base import Unit  # noqa: E402
from tengen.tools.train.data import positions  # noqa: E402
from tengen.tools.train.data.positions import UNKNOWN, Collector, LabelledPositions  # noqa: E402
from tengen.tools.train.play import engine_labels  # noqa: E402

ENGINE = """
import sys
board = ""
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name counter\\nuciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        board, side = words[2], words[3]
    elif words[0] == "eval":
        worth = 100 * (board.count("Q") - board.count("q")) + 10 * (board.count("P") - board.count("p"))
        said = "%+.2f (white side) [with scaled NNUE, hybrid, ...]" % (worth / 100)
        {evaluates}
        print("\\n NNUE evaluation +0.19 (white side)\\nFinal evaluation       " + said + "\\n", flush=True)
    elif words[0] == "go":
        assert words[1:] == ["nodes", "{nodes}"]
        worth = 100 * (board.count("Q") - board.count("q")) + 10 * (board.count("P") - board.count("p"))
        {say}
        print("bestmove 0000", flush=True)
    elif words[0] == "quit":
        break
"""
SAYS = (
    'print("info depth 1 score cp 7 pv e2e4"); '
    'print("info depth 2 score cp", worth if side == "w" else -worth, "nodes 3 pv e2e4")'
)
FENS = (
    "4k3/8/8/8/8/8/PPP5/QQ2K3 w - - 0 1",
    "4k3/pp6/8/8/8/8/PPP5/4K3 b - - 0 1",
    "q3k3/8/8/8/8/8/PPP5/4K3 w - - 0 1",
)
SAID = (230, -10, -70)
CAPTURES = ("4k3/8/8/8/3p4/4P3/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")


def engine(folder: Path, say: str = SAYS, nodes: int = 1, evaluates: str = "pass") -> str:
    """The command of a teacher that counts queens and pawns."""
    path = folder / "teacher.py"
    path.write_text(ENGINE.format(say=say, nodes=nodes, evaluates=evaluates), "utf-8")
    return f"{sys.executable} {path}"


def folder_of(path: Path, scores: tuple[int, ...] = SAID, count: int = 1) -> Path:
    """Files of positions with own scores."""
    path.mkdir()
    for number in range(count):
        kept = Collector()
        for fen, score in zip(FENS, scores, strict=True):
            state = state_from_fen(fen)
            kept.add(state.pieces(), state.to_move, score, UNKNOWN if score > 200 else 1, 4, 9)
        positions.write(path / f"games-1-{number:05}.npz", kept.positions())
    return path


def label(*words: str | Path) -> int:
    return cli.main(["train", "label", *map(str, words), "--workers", "1"])


def read(folder: Path) -> list[LabelledPositions]:
    return [positions.read(path) for path in sorted(folder.glob("*.npz"))]


def test_a_teachers_scores_take_the_place_of_own_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, out = folder_of(tmp_path / "own", count=2), tmp_path / "taught"
    assert label(own, "--teacher", engine(tmp_path, nodes=5), "--nodes", 5, "--out", out) == 0
    assert "6 positions; 6 of them now, by the teacher, whose centipawns count 1.00 of ours" in capsys.readouterr().out
    assert [path.name for path in sorted(out.glob("*.npz"))] == ["own-games-1-00000.npz", "own-games-1-00001.npz"]
    for before, after in zip(read(own), read(out), strict=True):
        assert after.scores.tolist() == list(SAID)
        for name in ("boards", "sides", "results", "halfmoves", "games"):
            assert np.array_equal(getattr(after, name), getattr(before, name))


def test_its_centipawns_are_made_as_large_as_own_ones(tmp_path: Path) -> None:
    own, out = folder_of(tmp_path / "own", (9, -400, 140)), tmp_path / "taught"
    assert label(own, "--teacher", engine(tmp_path), "--out", out) == 0
    assert read(out)[0].scores.tolist() == [460, -20, -140]  # the medians are 140 and 70
    assert engine_labels.stretch(np.zeros(3), np.array([5, 5, 5], np.int16)) == 4
    assert engine_labels.stretch(np.zeros(0), np.zeros(0, np.int16)) == 1


def test_static_evaluations_are_for_white_in_pawns(tmp_path: Path) -> None:
    own, out = folder_of(tmp_path / "own"), tmp_path / "taught"
    assert label(own, "--teacher", engine(tmp_path), "--nodes", 0, "--out", out) == 0
    assert read(out)[0].scores.tolist() == list(SAID)


def test_positions_behind_random_moves_are_labelled_too(tmp_path: Path) -> None:
    own, out = folder_of(tmp_path / "own"), tmp_path / "taught"
    words = (own, "--teacher", engine(tmp_path), "--nodes", 0, "--beside", 3)
    assert label(*words, "--out", out) == 0
    (found,) = read(out)
    assert found.scores[:3].tolist() == list(SAID)
    behind = positions.some(found, np.arange(len(found)) >= 3)
    assert 3 < len(behind) <= 9 and set(behind.results.tolist()) == {UNKNOWN}
    for squares, side, score in zip(
        map(bytes, positions.squares_of(behind.boards)), behind.sides.tolist(), behind.scores.tolist(), strict=True
    ):
        fen = engine_labels.fen(squares, side)
        assert not state_from_fen(fen).is_check
        worth = sum({"Q": 100, "q": -100, "P": 10, "p": -10}.get(letter, 0) for letter in fen.split()[0])
        assert score == (-worth if side else worth)
    assert label(*words, "--seed", 1, "--out", tmp_path / "again") == 0
    assert read(tmp_path / "again")[0].boards.tobytes() == found.boards.tobytes()
    assert label(*words, "--seed", 2, "--out", tmp_path / "other") == 0
    assert read(tmp_path / "other")[0].boards.tobytes() != found.boards.tobytes()


def test_a_share_of_the_moves_to_positions_beside_are_captures(tmp_path: Path) -> None:
    kept = Collector()
    for fen in CAPTURES:
        state = state_from_fen(fen)
        kept.add(state.pieces(), state.to_move, 0, 1, 0, 0)
    found = kept.positions()
    (men,) = {bytes(board).count(0) for board in positions.squares_of(found.boards)[:1]}

    def left(share: float) -> list[int]:
        drawn = [engine_labels.behind(found, 1, random.Random(seed), share) for seed in range(100)]
        return [bytes(board).count(0) - men for one in drawn for board in positions.squares_of(one.boards)[:1]]

    assert set(left(1)) == {1}  # one man fewer
    assert 0.4 < np.mean(left(0.5)) < 0.7 and np.mean(left(0)) < 0.3
    quiet = positions.some(found, np.array([False, True]))
    assert len(engine_labels.behind(quiet, 1, random.Random(1), 1)) == 1  # nothing to take: any move


def test_positions_that_are_won_anyway_are_thinned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = Collector()
    for number in range(300):
        state = state_from_fen(FENS[number % 3])
        kept.add(state.pieces(), state.to_move, 10 * SAID[number % 3], 1, 0, number)  # by ten: the largest stretch is 4
    own, out = tmp_path / "own", tmp_path / "taught"
    own.mkdir()
    positions.write(own / "games-1-00000.npz", kept.positions())
    say = SAYS.replace("worth if", "5 * worth if").replace("-worth", "-5 * worth")
    words = (own, "--teacher", engine(tmp_path, say))
    assert label(*words, "--out", out, "--lopsided", 0.25) == 0
    (found,) = read(out)
    scores = found.scores.tolist()
    assert scores.count(-100) == scores.count(-700) == 100 and 10 <= scores.count(2300) <= 40
    assert len(scores) == 200 + scores.count(2300)
    assert f"{len(scores)} positions; " in capsys.readouterr().out
    assert label(*words, "--out", tmp_path / "again", "--lopsided", 0.25) == 0
    assert read(tmp_path / "again")[0].scores.tolist() == scores
    assert label(*words, "--out", out) == 2
    assert "lopsided was '0.25', not unset" in capsys.readouterr().err


def test_what_is_not_evaluated_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, out = folder_of(tmp_path / "own"), tmp_path / "taught"
    in_check = "said = 'none (in check)' if board.startswith('q') else said"
    assert label(own, "--teacher", engine(tmp_path, evaluates=in_check), "--nodes", 0, "--out", out) == 0
    assert [one.scores.tolist() for one in read(out)] == [list(SAID[:2])]
    teacher = engine(tmp_path, evaluates="said = 'unknown'")
    assert label(own, "--teacher", teacher, "--nodes", 0, "--out", tmp_path / "other") == 2
    assert "tells no evaluation of 4k3/" in capsys.readouterr().err
    assert label(tmp_path / "a.pgn", "--nodes", 0, "--out", tmp_path / "more") == 2
    assert "--nodes 0 is of --teacher" in capsys.readouterr().err


def test_the_same_command_goes_on_and_another_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, out, teacher = folder_of(tmp_path / "own", count=2), tmp_path / "taught", engine(tmp_path)
    assert label(own, "--teacher", teacher, "--out", out) == 0
    first, second = sorted(out.glob("*.npz"))
    kept = first.stat().st_mtime_ns
    second.unlink()
    assert label(own, "--teacher", teacher, "--out", out) == 0
    assert second.exists() and first.stat().st_mtime_ns == kept
    assert label(own, "--teacher", teacher, "--out", out) == 2
    assert "6 positions already: nothing is left to label" in capsys.readouterr().err
    assert label(own, "--teacher", teacher, "--out", out, "--nodes", 2) == 2
    assert "another question" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("say", "wrong"),
    [
        ("pass", "tells no score of 4k3/8/8/8/8/8/PPP5/QQ2K3 w - - 0 1"),
        ('print("info score cp many x")', "tells no score"),
        ("sys.exit()", "ended, asked 'position fen"),
    ],
)
def test_a_teacher_that_does_not_answer_is_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], say: str, wrong: str
) -> None:
    assert label(folder_of(tmp_path / "own"), "--teacher", engine(tmp_path, say), "--out", tmp_path / "out") == 2
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert wrong in said and said.startswith("tengen: ")
    assert not list((tmp_path / "out").glob("*.npz"))


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["--teacher", "no-such-engine"], "there is no program 'no-such-engine'"),
        (["--teacher", "python3", "--each", "3"], "--each is of own searches"),
        (["--teacher", "python3", "--least-elo", "3"], "--least-elo is of own searches"),
        (["--beside", "3"], "--beside is of --teacher"),
        (["--captures", "0.5"], "--captures is of --teacher"),
        (["--lopsided", "0.5"], "--lopsided is of --teacher"),
        (["--teacher", "python3", "--captures", "0.5"], "--captures is of --beside"),
    ],
)
def test_what_cannot_be_asked_of_a_teacher(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], wrong: str
) -> None:
    assert label(folder_of(tmp_path / "own"), *words, "--out", tmp_path / "out") == 2
    assert wrong in capsys.readouterr().err


def test_folders_without_positions_or_of_one_name_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    teacher = engine(tmp_path)
    assert label(tmp_path / "none", "--teacher", teacher, "--out", tmp_path / "out") == 2
    assert "no positions to label" in capsys.readouterr().err
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        folder_of(tmp_path / name / "own")
    assert label(tmp_path / "a/own", tmp_path / "b/own", "--teacher", teacher, "--out", tmp_path / "out") == 2
    assert "the same name" in capsys.readouterr().err
    assert label(tmp_path / "a/own", "--teacher", teacher, "--out", tmp_path / "a/../a/own") == 2
    assert "is what is labelled: choose another --out" in capsys.readouterr().err
    assert label(tmp_path / "a.pgn", tmp_path / "b.pgn", "--out", tmp_path / "out") == 2
    assert "takes a file of games (.pgn), or with --teacher folders" in capsys.readouterr().err


def test_no_score_is_larger_than_a_file_holds(tmp_path: Path) -> None:
    own, out = folder_of(tmp_path / "own"), tmp_path / "taught"
    say = 'print("info score cp " + "9" * 400 + " pv a")'
    assert label(own, "--teacher", engine(tmp_path, say), "--out", out) == 0
    assert read(out)[0].scores.tolist() == [7500] * 3  # 30,000 by a quarter


def test_mates_are_large_scores(tmp_path: Path) -> None:
    own = folder_of(tmp_path / "own", (230, -9, 70))
    say = 'print("info score mate", 3 if worth > 50 else -2, "pv a")'
    words = engine(tmp_path, say).split()
    unit = Unit("one", "engine-label", {
        "positions": str(next(own.glob("*.npz"))), "teacher": words, "nodes": 1, "beside": 0, "captures": 0, "lopsided": 1,
        "seed": 1,
    }, str(tmp_path / "out.npz"))  # fmt: skip
    engine_labels.label_unit(unit)
    assert positions.read(tmp_path / "out.npz").scores.tolist() == [2500, -2500, -2500]  # a quarter at least


def test_positions_are_told_as_fens() -> None:
    for fen in (*FENS, "r3k2r/pp1n1ppp/8/2bPp3/4P1q1/2N5/PPP2PPP/R1BQ1RK1 b - - 0 1"):
        state = state_from_fen(fen)
        assert engine_labels.fen(state.pieces(), state.to_move) == fen
    start = engine_labels.fen(ChessState().pieces(), 0)
    assert start == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
