"""The real `tengen uci`: what is answered while it searches, pondering, clocks, how it starts and leaves."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import chess.engine
import pytest
from uci_client import MATED, Process, best, field, told, variations

COMMAND = [sys.executable, "-m", "tengen.tools", "uci"]
HEAVY = ("numpy", "sgfmill", "rich", "torch", "cv2", "openvino", "chess", "gymnasium", "matplotlib", "multiprocessing")
GAME = "position startpos moves e2e4 e7e5 g1f3"


def test_everything_is_answered_while_it_searches() -> None:
    with Process() as talk:
        talk.send("isready")
        talk.until("readyok")
        talk.send(GAME + "\ngo infinite")
        late = []
        for line, answer in (
            ("isready", "readyok"),
            ("uci", "uciok"),
            ("position startpos", ""),
            ("d", "info string Legal"),
            ("setoption name MultiPV value 2", ""),
            ("xyzzy", "info string unknown"),
            ("isready", "readyok"),
        ):
            start = time.monotonic()
            talk.send(line)
            if answer:
                got = talk.until(answer)
                late.append(time.monotonic() - start)
                assert not best(got)
        assert sorted(late)[len(late) // 2] < 0.1
        talk.send("stop")
        got = talk.until("bestmove")
        assert chess.Move.from_uci(best(got)[0]) in after(GAME).legal_moves
        talk.send("go depth 3")  # of what was set meanwhile
        got = talk.until("bestmove")
        assert chess.Move.from_uci(best(got)[0]) in chess.Board().legal_moves
        assert any(" multipv 2 " in line for line in got)


def after(position: str) -> chess.Board:
    """The board of a `position startpos moves` line."""
    board = chess.Board()
    for word in position.split()[3:]:
        board.push_uci(word)
    return board


@pytest.mark.parametrize("go", ["go infinite", "go", "go ponder wtime 1000 btime 1000", f"position fen {MATED}\ngo infinite",
                                f"position fen {MATED}\ngo ponder wtime 100 btime 100", "go infinite depth 2"])  # fmt: skip
def test_a_move_is_held_until_it_is_wanted(go: str) -> None:
    with Process() as talk:
        talk.send(go)
        time.sleep(0.15)
        talk.send("isready")
        assert not best(talk.until("readyok"))
        talk.send("stop")
        assert best(talk.until("bestmove"))
        talk.send("stop\nponderhit\nisready")
        assert talk.until("readyok") == ["readyok"]


@pytest.mark.timing
def test_pondering() -> None:
    with Process() as talk:
        talk.send("setoption name Ponder value true\nisready")
        talk.until("readyok")
        talk.send(GAME + "\ngo ponder wtime 8000 btime 8000")  # a hit in time: the clock counts from here on
        time.sleep(0.05)
        start = time.monotonic()
        talk.send("ponderhit")
        assert best(talk.until("bestmove")) and 0.02 < time.monotonic() - start < 2.0
        talk.send(GAME + "\ngo ponder depth 2")  # over before the hit
        time.sleep(0.2)
        start = time.monotonic()
        talk.send("ponderhit")
        assert best(talk.until("bestmove")) and time.monotonic() - start < 0.1
        talk.send(GAME + "\ngo ponder movetime 100")  # a hit after the time
        time.sleep(0.3)
        start = time.monotonic()
        talk.send("ponderhit")
        assert best(talk.until("bestmove")) and time.monotonic() - start < 0.1
        talk.send(GAME + "\ngo ponder wtime 1000 btime 1000\nstop\n" + GAME + " b8c6\ngo depth 2")  # a miss
        assert [line for line in talk.until("bestmove") if best([line])] and best(talk.until("bestmove"))


def test_go_while_it_searches() -> None:
    """The move of the old search first, then the new one's."""
    with Process() as talk:
        talk.send(GAME + "\ngo infinite\nposition startpos\ngo infinite\ngo depth 2")
        moves = [best(talk.until("bestmove"))[0] for _ in range(3)]
        assert chess.Move.from_uci(moves[0]) in after(GAME).legal_moves
        assert all(chess.Move.from_uci(move) in chess.Board().legal_moves for move in moves[1:])
        talk.send("isready")
        assert talk.until("readyok") == ["readyok"]


def test_stop_comes_before_what_follows_it() -> None:
    """Nothing of a search that was stopped comes after the answer to the next line."""
    with Process() as talk:
        for number in range(30):
            talk.send(f"position startpos moves {'e2e4' if number % 2 else 'd2d4'}\ngo infinite\nstop\nisready")
            got = talk.until("readyok")
            assert len(best(got)) == 1 and variations(got)


@pytest.mark.timing
def test_stop_is_prompt() -> None:
    late = []
    with Process() as talk:
        for _ in range(7):
            talk.send(GAME + "\ngo infinite")
            time.sleep(0.1)
            start = time.monotonic()
            talk.send("stop")
            talk.until("bestmove")
            late.append(time.monotonic() - start)
    assert sorted(late)[3] < 0.05


@pytest.mark.timing
@pytest.mark.parametrize("busy, leave", [
    *((busy, "quit") for busy in ("isready", "go infinite", "go ponder wtime 1 btime 1", "go depth 60", "go perft 9", "bench 40")),
    *((busy, "") for busy in ("isready", "go infinite", "go ponder wtime 1 btime 1")),
])  # fmt: skip
def test_leaving(busy: str, leave: str) -> None:
    """What is finished at the end of input: test_end_of_input.py."""
    with Process() as talk:
        talk.send("isready\n" + GAME + "\n" + busy)
        talk.until("readyok")
        time.sleep(0.2)
        start = time.monotonic()
        if leave:
            talk.send(leave)
        else:
            talk.stdin.close()
        assert talk.process.wait(5) == 0
        assert time.monotonic() - start < 1.0
        assert talk.process.stderr.read() == b""


def test_a_move_is_told_before_it_leaves() -> None:
    for end in ("quit\n", ""):
        done = subprocess.run(
            COMMAND, input=f"{GAME}\ngo depth 2\n{end}", capture_output=True, text=True, timeout=20, check=True
        )
        assert len(best(done.stdout.splitlines())) == 1 and done.stderr == ""


def test_nobody_reads_any_more() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b"isready\n")
        assert process.stdout.read(8) == b"readyok\n"
        process.stdout.close()
        process.stdin.write(b"go infinite\nd\nisready\n")
        assert process.wait(5) == 0


def test_carriage_returns_and_broken_lines() -> None:
    with Process() as talk:
        talk.stdin.write(b"isready\r\nposition startpos\r\ngo dep")
        talk.stdin.flush()
        time.sleep(0.05)
        talk.stdin.write(b"th 1\r\nisready")
        talk.stdin.flush()
        assert talk.line() == "readyok" and best(talk.until("bestmove"))
        talk.stdin.close()
        assert talk.line() == "readyok"


@pytest.mark.timing
def test_a_clock_is_kept() -> None:
    """Two sides at 1 s and 10 ms a move, by the wall clock of this process."""
    with Process() as talk:
        talk.send("isready")
        talk.until("readyok")
        board, left = chess.Board(), [1.0, 1.0]
        while not board.is_game_over(claim_draw=True) and board.ply() < 160:
            line = "position startpos" + (
                " moves " + " ".join(move.uci() for move in board.move_stack) if board.ply() else ""
            )
            clocks = [int(1000 * seconds) for seconds in left]
            talk.send(f"{line}\ngo wtime {clocks[0]} btime {clocks[1]} winc 10 binc 10")
            start = time.monotonic()
            got = talk.until("bestmove")
            side = board.ply() % 2
            left[side] -= time.monotonic() - start
            assert left[side] > 0.0, board.ply()
            left[side] += 0.01
            board.push(chess.Move.from_uci(best(got)[0]))
            assert field(variations(got)[-1], "pv") == best(got)[0]
    assert board.ply() > 20 and min(left) < 0.8


def test_python_chess_drives_it() -> None:
    """It complains of every line that it does not understand, and of illegal moves and variations."""
    engine = chess.engine.SimpleEngine.popen_uci(COMMAND)
    try:
        engine.configure({"Move Overhead": 100, "Threads": 1, "Hash": 32, "SyzygyPath": "", "UCI_ShowWDL": True})
        dice, board, is_foreseen = random.Random(3), chess.Board(), False
        for _ in range(12):
            played = engine.play(
                board,
                chess.engine.Limit(white_clock=9, black_clock=9, nodes=2000),
                ponder=True,
                info=chess.engine.INFO_ALL,
            )
            assert played.move in board.legal_moves
            assert is_foreseen or ("score" in played.info and "wdl" in played.info)  # else told before the hit
            board.push(played.move)
            if board.is_checkmate():
                break
            reply = dice.choice(list(board.legal_moves))
            is_foreseen = reply == played.ponder
            board.push(reply)
        lines = engine.analyse(chess.Board(), chess.engine.Limit(depth=5), multipv=4)
        assert len({line["pv"][0] for line in lines}) == 4
        board = chess.Board.from_chess960_pos(77)
        assert engine.play(board, chess.engine.Limit(depth=3)).move in board.legal_moves
        assert engine.play(chess.Board(MATED), chess.engine.Limit(depth=3)).move is None
        with engine.analysis(chess.Board(), root_moves=[chess.Move.from_uci("a2a3")]) as analysis:
            assert analysis.next() is not None
            analysis.stop()
            assert analysis.wait().move == chess.Move.from_uci("a2a3")
        engine.ping()
    finally:
        engine.quit()


def test_a_log_of_the_conversation(tmp_path: Path) -> None:
    with Process("--file-root", str(tmp_path)) as talk:
        talk.send("setoption name Debug Log File value talk.log\nisready")
        talk.until("readyok")
        talk.send("isready")
        talk.until("readyok")
        talk.send("setoption name Debug Log File value\nisready\nuci")
        talk.until("uciok")
    lines = (tmp_path / "talk.log").read_text().splitlines()  # both ways are noted by threads of their own
    assert "> isready" in lines and lines.count("< readyok") == 2 and "< uciok" not in lines


def test_garbage_is_survived() -> None:
    dice = random.Random(4)
    with Process() as talk:
        for _ in range(300):
            talk.stdin.write(bytes(dice.randrange(256) for _ in range(dice.randrange(90))) + b"\n")
        talk.send("position startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 50_000)
        talk.send("\nisready\nposition startpos\ngo depth 1")
        assert re.fullmatch(r"[a-h]2[a-h][34]|b1[ac]3|g1[fh]3", best(talk.until("bestmove"))[0])


@pytest.mark.memory
def test_it_stays_small() -> None:
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("no /proc")
    with Process() as talk:
        for send, answer, most in (("isready", "readyok", 60_000), ("go movetime 1000", "bestmove", 90_000)):
            talk.send(send)
            talk.until(answer)
            rows = Path(f"/proc/{talk.process.pid}/status").read_text().splitlines()
            assert next(int(row.split()[1]) for row in rows if row.startswith("VmHWM:")) < most


def test_a_hash_that_no_machine_has() -> None:
    with Process() as talk:
        talk.send("setoption name Hash value 1048576\nsetoption name Threads value 2\nisready\ngo depth 4")
        got = talk.until("bestmove", timeout=60)
        assert best(got) and (os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") > 1 << 40 or told(got))


def test_heavy_packages_stay_unloaded() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *COMMAND[1:]], capture_output=True, text=True, check=True, timeout=30,
        input=f"uci\nisready\n{GAME}\ngo depth 2\n",
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip().split(".")[0] for line in done.stderr.splitlines() if "|" in line}
    assert "tengen" in loaded and not loaded & set(HEAVY)


@pytest.mark.parametrize("words, sentence", [
    (["--game", "go"], "UCI plays chess"),
    (["--player", "nobody"], "unknown player"),
    (["--log", "/nonexistent/folder/log"], "cannot write the log"),
])  # fmt: skip
def test_a_mistake_in_the_options_is_one_sentence(words: list[str], sentence: str, called: Callable[..., Any]) -> None:
    done = called("uci", *words)
    assert done.returncode == 2 and done.stdout == ""
    assert sentence in done.stderr and len(done.stderr.splitlines()) == 1
