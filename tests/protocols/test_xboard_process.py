"""The real `tengen xboard`: games of python-chess against it, what is answered while it thinks, how it leaves."""

from __future__ import annotations

import subprocess
import sys
import time

import chess
import chess.engine
import pytest
from chess.engine import INFO_ALL, Limit, SimpleEngine
from xboard_client import Process

COMMAND = [sys.executable, "-m", "tengen.tools", "xboard"]


def engine(*options: str) -> SimpleEngine:
    """`tengen xboard` as python-chess drives it."""
    return SimpleEngine.popen_xboard([*COMMAND, "--threads", "1", "--seed", "1", *options], timeout=60)


def thought(talk: Process) -> str:
    """The next thinking line."""
    while "\t" not in (line := talk.line(20)):
        assert line != "EOF"
    return line


def test_python_chess_plays_a_game_with_pondering() -> None:
    board, ponders = chess.Board(), 0
    with engine("--level", "5") as program:
        assert program.id["name"].startswith("Tengen ")
        while not board.is_game_over(claim_draw=True) and board.ply() < 60:
            limit = Limit(white_clock=20, black_clock=20, white_inc=0.02, black_inc=0.02)
            played = program.play(board, limit, info=INFO_ALL, ponder=board.turn, game="one")
            if played.resigned:
                break
            assert played.move in board.legal_moves
            ponders += played.ponder is not None
            board.push(played.move)
        program.ping()
        program.send_game_result(board)
        program.ping()
    assert board.ply() >= 20 and ponders > 3


def test_python_chess_analyses_and_chooses_moves() -> None:
    with engine() as program:
        found = program.analyse(chess.Board(), Limit(depth=8))
        assert found["depth"] >= 8 and found["pv"][0] in chess.Board().legal_moves and found["nodes"] > 100
        only = chess.Move.from_uci("a2a4")
        assert program.analyse(chess.Board(), Limit(depth=4), root_moves=[only])["pv"][0] == only
        mate = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
        assert program.analyse(mate, Limit(depth=1))["score"].relative == chess.engine.Mate(1)
        assert program.play(mate, Limit(time=0.1)).move == chess.Move.from_uci("d1d8")
        assert program.play(chess.Board(), Limit(nodes=500), info=INFO_ALL).info["nodes"] < 1000


def test_python_chess_plays_fischers_chess() -> None:
    board = chess.Board.from_chess960_pos(0)
    with engine() as program:
        for _ in range(40):
            board.push(program.play(board, Limit(depth=3)).move)
        castling = chess.Board("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", chess960=True)
        for _ in range(2):
            castling.push(program.play(castling, Limit(depth=2)).move)


def test_lines_are_obeyed_while_it_thinks() -> None:
    with Process() as talk:
        talk.send("st 60\ngo\nping 1\npost\nnopost\ntime 3000\nhint\nusermove e7e5\n?")
        got = talk.until("pong 1")
        assert got[-2].startswith("move ") and got[:-2] == ["Illegal move: e7e5"]
        talk.send("new\nst 60\ngo\nping 2\nforce\nping 3\nusermove d2d4\nusermove d7d5\nundo\nping 4")
        assert [talk.line() for _ in range(3)] == ["pong 2", "pong 3", "pong 4"]
        talk.send("go\nping 5\nquit")
        assert talk.process.wait(5) == 0


def test_pondering_hits_and_misses() -> None:
    with Process("--ponder") as talk:
        talk.send("post\nsd 8\ngo")
        talk.until("move ")
        hint = talk.until("Hint: ")[-1].split()[1]
        talk.send(f"ping 1\nhint\nusermove {hint}")
        got = talk.until("move ")
        assert "pong 1" in got and f"Hint: {hint}" in got
        talk.until("Hint: ")
        talk.send("easy\nhard\nremove\nping 2")
        talk.until("pong 2")
        talk.send("easy\nusermove a7a6")
        talk.until("move ")
        talk.send("ping 3")
        assert talk.line() == "pong 3"


def test_an_analysis_follows_the_moves() -> None:
    with Process() as talk:
        talk.send("post\nanalyze")
        thought(talk)
        talk.send(".\nping 1")
        assert any(line.startswith("stat01: ") for line in talk.until("pong 1"))
        talk.send("usermove e2e4\nusermove e7e5\nping 2")
        talk.until("pong 2")
        thought(talk)
        talk.send("hint\nundo\nnew\n?\nexit\nping 3")
        got = talk.until("pong 3")
        assert not any(line.startswith("move") for line in got) and any(line.startswith("Hint: ") for line in got)
        talk.send("st 0.1\ngo")
        talk.until("move ")


@pytest.mark.timing
def test_it_leaves_at_once_whatever_it_does() -> None:
    for lines in ("st 60\ngo\n", "analyze\n", "hard\nsd 6\ngo\n", ""):
        with Process() as talk:
            talk.send(lines)
            time.sleep(0.3)
            begun = time.monotonic()
            talk.send("quit")
            assert talk.process.wait(10) == 0 and time.monotonic() - begun < 1.0, lines


def test_only_the_protocol_is_said() -> None:
    done = subprocess.run(COMMAND, input="protover 2\nnew\nst 0.1\ngo\n", capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == ""
    assert all(line.split()[0] in ("feature", "move") for line in done.stdout.splitlines())
