"""The swap2 opening and balanced moves: what is answered for which judgement of the position."""

from __future__ import annotations

import time

import pytest
from gomocup_client import QUICK, InProcess, is_move, say

from tengen.engine.config import Config
from tengen.engine.info import Info, Line
from tengen.engine.play.decisions import Decision
from tengen.engine.play.player import Player
from tengen.protocols.gomocup.swap2 import OPENINGS

THREE = ["SWAP2BOARD", "7,7", "8,8", "2,2", "DONE"]
FIVE = ["SWAP2BOARD", "7,7", "8,8", "2,2", "0,0", "14,14", "DONE"]


def judging(value: float):
    """A player that judges every position by `value` for the side to move, the first legal point best.

    Where it may choose among all points, the point number n is worth n / 1000 less.
    """

    class Judge(Player):
        def genmove(self, request):
            if request.play:
                return super().genmove(request)
            colour, allow, limits = request.colour, request.allow, request.limits
            self.budgets = [*getattr(self, "budgets", []), limits.seconds]
            points = list(allow) or self.state.legal_moves()[:50]
            lines = tuple(
                Line(point, (point,), 10, win=value - number / 1000, loss=1 - value + number / 1000)
                for number, point in enumerate(points)
            )
            return Decision(points[0], Info(lines, colour, visits=10))

    return Judge


def answers(lines: list[str], value: float) -> list[str]:
    return say("START 15", *lines, make=judging(value))[1:]


@pytest.mark.parametrize("size", [5, 15, 20])
def test_the_proposal(size: int) -> None:
    seen = set()
    for seed in range(30):
        config = Config(game="gomoku", player="random", seed=seed, threads=1, memory=80)
        (_, proposal) = say(f"START {size}", "SWAP2BOARD", "DONE", config=config)
        points = proposal.split(" ")
        assert len(set(points)) == 3 and all(is_move(point, size) for point in points)
        seen.add(proposal)
    assert len(seen) > 10


def test_the_table_of_openings() -> None:
    for opening in OPENINGS:
        assert len(set(opening)) == 3 and all(0 <= number < 8 for point in opening for number in point)


@pytest.mark.parametrize("stones", [THREE, FIVE])
@pytest.mark.parametrize(("value", "answer"), [(0.9, "move"), (0.56, "move"), (0.44, "SWAP"), (0.05, "SWAP")])
def test_the_better_colour(stones: list[str], value: float, answer: str) -> None:
    (got,) = answers(stones, value)
    assert is_move(got) if answer == "move" else got == answer


def test_equal_colours_leave_the_choice_to_the_opponent() -> None:
    (got,) = answers(THREE, 0.5)
    first, second = got.split(" ")
    assert is_move(first) and is_move(second) and first != second
    (got,) = answers(FIVE, 0.5)
    assert is_move(got)


# what was answered -> whose turn the next TURN was
def test_the_game_goes_on_after_swap2() -> None:
    after_swap = say("START 15", *THREE, "TURN 5,5", "TURN 5,6", make=judging(0.1))
    assert after_swap[1] == "SWAP" and all(map(is_move, after_swap[2:])) and len(after_swap) == 4
    after_move = say("START 15", *THREE, "TURN 5,5", make=judging(0.9))
    assert len(after_move) == 3 and all(map(is_move, after_move[1:]))
    proposal = say("START 15", "SWAP2BOARD", "DONE", *FIVE, "TURN 5,5", make=judging(0.1))
    assert proposal[2] == "SWAP" and is_move(proposal[3])


def test_the_colour_after_swap2_counts_under_renju() -> None:
    """After SWAP we are Black, and Black may not play the overline at 6,7."""
    talk = InProcess(make=judging(0.1))
    talk.send("\n".join(["INFO rule 4", "START 15", *THREE, "TURN 5,5"]))
    assert talk.line() == "OK" and talk.line() == "SWAP" and is_move(talk.line())
    assert talk.player.state.to_move == 1 and talk.player.moves[-1][0] == 0
    talk.end()


@pytest.mark.parametrize("turn", [50, 200, 1000])
def test_questions_share_the_time_of_one_move(turn: int) -> None:
    made = []

    def make(config: Config) -> Player:
        made.append(judging(0.5)(config))
        return made[-1]

    for lines in (THREE, FIVE, ["YXBALANCEONE 0"], ["YXBALANCETWO 100"]):
        made.clear()
        say(f"INFO timeout_turn {turn}", "START 15", *lines, make=make)
        assert sum(made[-1].budgets) < turn / 1000


@pytest.mark.parametrize(("bias", "point"), [(0, "0,0"), (-10, "10,0"), (-20, "9,1"), (99999, "0,0")])
def test_balance_one(bias: int, point: str) -> None:
    """Points are worth 0.5, 0.499, 0.498 ... and an eval of -10 is an expectation of about 0.4875."""
    lines = ["INFO timeout_turn 5000", f"YXBALANCEONE {bias}"]

    class Fine(judging(0.5)):
        def genmove(self, request):
            decision, allow = super().genmove(request), request.allow
            kept = tuple(line for line in decision.info.lines if not allow or line.move in allow)
            return Decision(kept[0].move, Info(kept, request.colour, visits=10))

    (_, got) = say("START 15", *lines, config=QUICK, make=Fine)
    x, y = map(int, got.split(","))
    wanted_x, wanted_y = map(int, point.split(","))
    assert abs((15 * y + x) - (15 * wanted_y + wanted_x)) <= 3


def test_stop_ends_a_question() -> None:
    talk = InProcess(make=Player, config=Config(game="gomoku", threads=1, memory=80))
    start = time.monotonic()
    talk.send("\n".join(["START 15", "INFO timeout_turn 60000", *THREE, "YXSTOP", "YXBALANCETWO 0", "YXSTOP"]))
    assert talk.line() == "OK"
    assert talk.line() and talk.line()
    assert time.monotonic() - start < 3
    talk.end()


def test_a_full_board_has_no_balanced_move() -> None:
    lines = [f"{x},{y},{1 + (x + 2 * y) % 4 // 2}" for x in range(5) for y in range(5) if (x, y) != (2, 2)]
    got = say("START 5", "YXBOARD", *lines, "DONE", "YXBALANCETWO 0", "YXBALANCEONE 0", "YXBALANCEONE 0")
    assert got == ["OK", "ERROR the board is full", "2,2", "ERROR the board is full"]
