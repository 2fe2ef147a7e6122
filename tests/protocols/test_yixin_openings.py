"""The opening rules that Yixin-Board asks for step by step: swap2, and Soosorv's of renju."""

from __future__ import annotations

import re

import pytest
from gomocup_client import QUICK, say

from tengen.engine.config import Config
from tengen.engine.info import Info, Line
from tengen.engine.play.decisions import Decision
from tengen.engine.play.player import Player

THREE = ["7,7,2", "7,6,1", "8,8,2"]
FIVE = ["7,7,1", "7,6,2", "8,8,1", "2,2,2", "4,4,1"]
MOVES = ["7,7", "7,6", "8,8", "6,6"]


def judging(value: float):
    """A player that expects `value` of the first legal point, and a tenth less of each one after it."""

    class Judge(Player):
        def genmove(self, request):
            points = list(request.allow) or self.state.legal_moves()[:20]
            shares = [max(0.0, value - 0.1 * number) for number in range(len(points))]
            lines = [Line(cell, (cell,), 10, win=win, loss=1 - win) for cell, win in zip(points, shares, strict=True)]
            return Decision(points[0], Info(tuple(lines), request.colour, visits=10))

    return Judge


def answers(lines: list[str], value: float) -> list[str]:
    return say("START 15", "INFO rule 2", "YXSHOWINFO", *lines, make=judging(value))[3:]


def step(name: str, moves: list[str]) -> list[str]:
    return [name, *moves, "DONE"]


def test_swap2_begins_before_any_board_is_told() -> None:
    lines = say("YXSWAP2STEP1")
    points = [re.fullmatch(rf"MESSAGE SWAP2 MOVE{n} (\d+) (\d+)", line) for n, line in enumerate(lines, 1)]
    assert len(lines) == 3 and all(points)


@pytest.mark.parametrize(
    ("value", "answer"), [(0.3, "SWAP1 YES"), (0.7, "SWAP1 NO"), (0.5, "MOVE4 ")], ids=["bad", "good", "even"]
)
def test_three_stones(value: float, answer: str) -> None:
    lines = answers(["YXBOARD", *THREE, "DONE", "YXSWAP2STEP2"], value)
    assert lines[0].startswith(f"MESSAGE SWAP2 {answer}") and len(lines) == 1 + answer.startswith("MOVE4")


def test_five_stones() -> None:
    words = ["YXBOARD", *FIVE, "DONE", "YXSWAP2STEP3"]
    assert answers(words, 0.3) == ["MESSAGE SWAP2 SWAP2 YES"] and answers(words, 0.6) == ["MESSAGE SWAP2 SWAP2 NO"]
    assert answers(["YXSWAP2STEP3"], 0.5) == ["ERROR this step has 5 stones on the board, not 0"]


def test_soosorv_begins_with_one_of_the_openings_of_renju() -> None:
    for seed in range(20):
        lines = say("YXSOOSORVSTEP1", config=Config(game="gomoku", player="random", seed=seed, threads=1, memory=80))
        points = [tuple(map(int, line.rsplit(" ", 2)[1:])) for line in lines]
        assert points[0] == (7, 7) and len(set(points)) == 3
        assert max(abs(axis - 7) for axis in points[1]) == 1 and max(abs(axis - 7) for axis in points[2]) <= 2


def test_soosorv_colours_are_chosen() -> None:
    """White swaps to Black where it is worse; Black to White where the worst move that it has to offer is bad."""
    assert answers(step("YXSOOSORVSTEP2", MOVES[:3]), 0.4) == ["MESSAGE SOOSORV SWAP1 YES"]
    assert answers(step("YXSOOSORVSTEP2", MOVES[:3]), 0.6) == ["MESSAGE SOOSORV SWAP1 NO"]
    assert answers(step("YXSOOSORVSTEP4 1", MOVES), 0.6) == ["MESSAGE SOOSORV SWAP2 NO"]
    assert answers(step("YXSOOSORVSTEP4 3", MOVES), 0.6) == ["MESSAGE SOOSORV SWAP2 YES"]


def test_soosorv_moves() -> None:
    (fourth,) = answers(step("YXSOOSORVSTEP3", MOVES[:3]), 0.7)
    assert re.fullmatch(r"MESSAGE SOOSORV MOVE4 \d+ \d+ 3", fourth), "the third of Black's moves leaves it even"
    offered = answers(step("YXSOOSORVSTEP5 4", MOVES), 0.7)
    assert offered[0].endswith("MOVE5 REFRESH") and offered[-1].endswith("MOVE5 DONE") and len(offered) == 6
    (chosen,) = answers(step("YXSOOSORVSTEP6", [*MOVES, "9,9", "1,1", "6,8"]), 0.7)
    assert chosen == "MESSAGE SOOSORV MOVE5C 6 8", "the worst for Black"


def test_fifth_moves_that_are_alike_are_offered_once() -> None:
    """Four stones on an axis: points on both sides of it are the same."""
    axis = ["7,7", "7,6", "7,8", "7,5"]
    lines = answers(step("YXSOOSORVSTEP5 20", axis), 0.9)[1:-1]
    points = {tuple(map(int, line.rsplit(" ", 2)[1:])) for line in lines}
    assert points and not any((14 - x, y) in points for x, y in points if x != 7)


BAD = {
    "YXSWAP2STEP2": "this step has 3 stones on the board, not 0",
    "YXSOOSORVSTEP5 x": "the number of fifth moves is between 1 and 256",
    "YXSOOSORVSTEP4 0": "the number of fifth moves is between 1 and 256",
    "YXSOOSORVSTEP2": "this step has 3 stones, each on a point of its own",
    "YXSOOSORVSTEP6": "there is no fifth move to choose from",
}


@pytest.mark.parametrize("command", BAD)
def test_what_cannot_be_is_told(command: str) -> None:
    lines = say("START 15", command, *([] if command == "YXSWAP2STEP2" else ["DONE"]), "BEGIN", config=QUICK)
    assert lines[1] == f"ERROR {BAD[command]}" and len(lines) == 3
