"""Clocks without an increment, on the way to which every move loses time: nobody loses on time.

TENGEN_TIMED_GAMES sets how many games of chess are played by the real engine (the release figure is taken with 100).
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from itertools import pairwise

import chess
import pytest
from checkout import FAKES
from nboard_client import ggf

from tengen.engine.config import Config
from tengen.engine.games import get_game
from tengen.engine.games.chess.text import START, state_from_fen
from tengen.engine.games.hooks import hooks_of
from tengen.engine.play.clock import LEAST, Clock, Overhead
from tengen.engine.play.player import Player
from tengen.engine.play.time_control import TimeControl
from tengen.protocols.chess import timing
from tengen.protocols.nboard import notation
from tengen.protocols.nboard.position import Position

LAG = 0.05
RELAYED = [sys.executable, str(FAKES / "relay.py"), str(LAG), sys.executable, "-m", "tengen.tools", "uci"]


# -- chess, as `go` tells clocks ------------------------------------------------------------------------------


def chess_game(main: float, lag: float, declared: float, length: int, stretch: float) -> tuple[float, list[float]]:
    """What is left after so many moves of one side, and what was thought. stretch: of the plan that a move takes."""
    late, left, thought = Overhead(), main, []
    lags, game, hooks = timing.Lags(late), object(), hooks_of(get_game("chess"))
    state = state_from_fen(START)
    for number in range(length):
        clock = timing.Remaining(round(left, 3), 0.0)
        lags.told(game, 2 * number, clock)
        moves = max(12.0, hooks.moves_left(state, 2 * number) - 0.3 * number)
        share = timing.share(clock, moves, declared, late, hooks.most_moves(state, 2 * number))
        taken = min(share.most, share.plan * stretch)
        lags.spent(clock, taken)
        late.observe(share.most, taken)
        thought.append(taken)
        left -= taken + lag
        if left < 0:
            break
    return left, thought


@pytest.mark.parametrize("stretch", [0.5, 1.0, 1.6])
@pytest.mark.parametrize(("main", "lag", "declared", "length"), [
    (3, 0.05, 0.05, 54), (3, 0.05, 0.01, 54), (10, 0.05, 0.05, 125), (10, 0.05, 0.01, 125), (20, 0.05, 0.05, 140), (20, 0.1, 0.1, 125),
    (20, 0.2, 0.2, 80), (60, 0.3, 0.3, 130), (180, 0.05, 0.05, 150), (600, 0.1, 0.1, 150), (10, 0.001, 0.01, 150), (10, 0.0, 0.0, 150),
])  # fmt: skip
def test_a_long_game_of_chess(main: float, lag: float, declared: float, length: int, stretch: float) -> None:
    left, thought = chess_game(main, lag, declared, length, stretch)
    assert len(thought) == length and left >= 0
    if main > 120 * lag:
        assert sum(thought[:40]) > 0.4 * (main - 100 * lag)


def test_the_overhead_of_all_moves_is_kept_back_until_the_clock_is_set_anew() -> None:
    late = Overhead(0.0)
    free = timing.share(timing.Remaining(10.0, 0.0), 30, 0.0, late).plan
    assert timing.share(timing.Remaining(10.0, 0.0), 30, 0.1, late, 60).plan < free - 29 * 0.1 / 30
    late.lose(0.1)
    assert timing.share(timing.Remaining(10.0, 0.0), 30, 0.1, late, 60).plan < free - 59 * 0.1 / 30
    late = Overhead(0.0)
    assert timing.share(timing.Remaining(10.0, 0.1), 30, 0.1, late, 60).plan > 0.9 * free  # the increment pays for it
    ten = timing.share(timing.Remaining(10.0, 0.0, 10), 30, 0.1, late, 60).plan
    assert 10 * (ten + 0.1) < 10.0 and ten > 0.8  # of ten moves alone
    assert timing.share(timing.Remaining(2.0, 0.0), 30, 0.1, late, 60) == (LEAST, LEAST)


# -- all other games, whose clocks `Clock` divides ------------------------------------------------------------

CONTROLS = {
    "go": [TimeControl.absolute(main) for main in (3, 10, 60)],
    "reversi": [TimeControl.fischer(main, 0.0) for main in (3, 10, 60)],  # as NBoard tells it
    "gomoku": [TimeControl.gomocup(turn, match) for turn, match in ((1, 3), (5, 10), (30, 60), (60, 60))],
}
GAMES = [
    ("go", 9, 42, CONTROLS["go"]), ("go", 9, 55, CONTROLS["go"][1:]), ("go", 19, 150, [TimeControl.absolute(60)]),
    ("reversi", 8, 30, CONTROLS["reversi"]), ("gomoku", 15, 30, CONTROLS["gomoku"]), ("gomoku", 15, 50, CONTROLS["gomoku"][1:]),
    ("gomoku", 15, 60, [TimeControl.gomocup(5, 10, 0.02)]),
]  # fmt: skip


@pytest.mark.parametrize("told", [True, False], ids=["clock is told", "clock is not told"])
@pytest.mark.parametrize(("name", "size", "length", "control"), [
    (name, size, length, control) for name, size, length, controls in GAMES for control in controls
])  # fmt: skip
def test_a_long_game(name: str, size: int, length: int, control: TimeControl, told: bool) -> None:
    """One side of it; each move loses LAG on the way, which the engine hears of where the clock is told."""
    game = get_game(name)
    state, hooks = game.new_state(size, size, game.default_rules, 0.0), hooks_of(game)
    clock, now, left, thought = Clock(control, Overhead()), 0.0, control.main, 0.0
    lag, dice = LAG if told else 0.004, random.Random(1)
    for number in range(length):
        if told:
            clock.time_left(left, 0)
        ply = 2 * number
        budget = clock.budget(hooks.moves_left(state, ply), most_moves=hooks.most_moves(state, ply))
        assert budget is not None
        clock.start(now)
        clock.stop(now + budget)
        left -= budget + lag
        thought += budget
        assert left >= 0 and budget + lag <= control.move_limit, number
        left += control.increment
        now += 1.0
        for _ in range(2):
            legal = [move for move in state.legal_moves() if move != state.pass_move]
            if not state.is_terminal() and legal:
                state.play(dice.choice(legal))
    assert thought > 0.4 * (control.main - hooks.most_moves(state, 0) * lag) or control.main == 3


def test_the_clock_of_the_other_side_teaches_nothing() -> None:
    """Controllers tell both; what the other one thought was taken for time lost on the way."""
    clock, late = Clock(TimeControl.absolute(60), late := Overhead()), late
    before = late.reserve()
    for first, second in pairwise(60 - 0.7 * number for number in range(12)):
        clock.time_left(first, 0)
        clock.time_left(second, 0)
    assert late.reserve() == pytest.approx(before) and late.lag == 0.0


@pytest.mark.parametrize("tell", ["move", "game"])
def test_nboard_tells_what_a_move_lost_on_the_way(tell: str) -> None:
    """By the time that our answer took on the clock of the GUI, in the move or in the game."""
    position = Position(Player(Config(game="reversi", player="random")))
    position.set_game(ggf(time="0:10"))
    first = notation.read("F5")
    assert first is not None
    position.answered(first.move, 0.2)
    if tell == "move":
        played = notation.read("F5//0.26")
        assert played is not None
        position.play(played)
    else:
        position.set_game(ggf("F5//0.26", time="0:10"))
    late = position.player.clock.overhead
    assert late.lag == pytest.approx(0.06)
    position.answered(first.move, 0.2)  # which was not played
    position.play(notation.Played(next(iter(position.state.legal_moves())), 5.0))
    assert late.lag == pytest.approx(0.06)


# -- the engine itself ----------------------------------------------------------------------------------------


class Engine:
    """`tengen uci` behind a relay, with its clock."""

    def __init__(self, seed: int) -> None:
        self.process = subprocess.Popen(
            [*RELAYED, "--threads", "1", "--seed", str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.ask(f"setoption name Move Overhead value {round(1000 * LAG)}\nisready", "readyok")

    def ask(self, line: str, answer: str) -> str:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(line + "\n")
        while not (got := self.process.stdout.readline()).startswith(answer):
            assert got
        return got.split()[-1 if answer != "bestmove" else 1]

    def end(self) -> None:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write("quit\n")
        assert self.process.wait(10) == 0
        self.process.stdin.close()
        self.process.stdout.close()


def play(players: tuple[Engine, Engine], main: float, dice: random.Random) -> tuple[int, float, float]:
    """A game from four random moves on: its plies, what was left at the least, and seconds thought before that."""
    board, left = chess.Board(), [main, main]
    for player in players:
        player.ask("ucinewgame\nisready", "readyok")
    for _ in range(4):
        board.push(dice.choice(list(board.legal_moves)))
    most = 2 * int(0.8 * main / LAG)  # soon after that the lag alone has taken all the time
    while not board.is_game_over(claim_draw=True) and board.ply() < min(most, 300) and min(left) >= 0:
        side = board.ply() % 2
        clocks = [int(1000 * seconds) for seconds in left]
        line = f"position startpos moves {' '.join(move.uci() for move in board.move_stack)}\ngo wtime {clocks[0]} btime {clocks[1]}"
        begun = time.perf_counter()
        move = players[side].ask(line, "bestmove")
        left[side] -= time.perf_counter() - begun
        board.push_uci(move)
    return board.ply(), min(left), 2 * main - sum(left)


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize("main", [3.0, 10.0])
def test_no_game_is_lost_on_time(main: float) -> None:
    count, dice = int(os.environ.get("TENGEN_TIMED_GAMES", "2")), random.Random(int(main))
    players = Engine(1), Engine(2)
    lost = 0
    for number in range(count):
        plies, least, spent = play(players, main, dice)
        print(
            f"{main:g}+0, game {number + 1}: {plies} plies, {least:.2f} s left at the least, {spent:.1f} s spent",
            flush=True,
        )
        lost += least < 0
    for player in players:
        player.end()
    assert lost == 0
