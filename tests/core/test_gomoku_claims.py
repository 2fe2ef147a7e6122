"""No win is claimed that is none: positions of play, and positions where a wrong one was, replayed against all defences.

`python tests/core/gomoku_claims.py --positions 100000` tries as many as one likes.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import _tengen_units as units
import pytest
from gomoku_boards import RULES, SIZES, Naive, board, cell, random_stones, show, vertex
from gomoku_claims import Court, Searcher, Tally, claims, run
from whole_sets import portion

from tengen.engine._core import GomokuState

GOMOCUP_RULES = {"0": "freestyle", "1": "standard", "4": "renju", "8": "caro", "9": "exact-caro"}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("player", "positions"),
    [
        ("uct", portion(40)),
        ("alphabeta", portion(40)),
        *(pytest.param(one, 800, marks=pytest.mark.slow) for one in ("uct", "alphabeta")),
    ],
)
def test_claims_in_play_stand(rule: str, player: str, positions: int) -> None:
    """Every win that a search claims, for either side, is one."""
    tally = Tally()
    for tally in run(positions, 2, (rule,), player):
        assert not tally.wrong, tally.wrong[0]
    assert tally.positions == positions and tally.claims > positions // 20 and tally.fours > tally.claims


# One more stone on the cell makes a four that one reply stops, though two windows of five lack that cell.
ONE_REPLY = [
    ("OXXX..X", "e3", "freestyle", "f3"),
    ("OXXX..XX", "e3", "freestyle", "f3"),
    ("OXX.X.XXO", "d3", "freestyle", "f3"),
    ("OXXX..XXXO", "e3", "caro", "f3"),
    ("OX.XX.XO", "c3", "caro", "f3"),
    ("OX.XX.X", "c3", "exact-caro", ""),
    ("OXXX..X", "e3", "standard", ""),
]


@pytest.mark.parametrize(("row", "move", "rule", "stop"), ONE_REPLY)
@pytest.mark.parametrize("colour", [0, 1])
def test_two_windows_that_lack_one_cell_are_one_four(row: str, move: str, rule: str, stop: str, colour: int) -> None:
    """They were called a double four, and the position won."""
    text = row.ljust(11, ".") if colour == 0 else row.translate(str.maketrans("XO", "OX")).ljust(11, ".")
    state = board(["." * 11, "." * 11, text, "." * 11, "." * 11], rule, colour)
    at = cell(state, move)
    after = state.copy()
    after.play(at)
    assert [vertex(after, at) for at in after.winning_moves(colour)] == stop.split()
    assert state.threats(colour)[at] == (3 if stop else 0)
    assert not any(proof for _, proof in claims(Searcher("uct", 1), state, 200)), show(state)


def test_renju_white_has_one_four_too() -> None:
    """Six wins for White: the same shape as in freestyle."""
    state = board(["." * 11, "." * 11, "XOOO..O....", "." * 11, "." * 11], "renju", 1)
    assert state.threats(1)[cell(state, "e3")] == state.threats(1)[cell(state, "f3")] == 3


def test_a_double_four_of_caro_is_claimed_where_nothing_stops_it() -> None:
    """Two winning cells on one line, of which no reply stops both."""
    state = board(["." * 13, "." * 13, "...X.X.X.X...", "." * 13, "." * 13], "caro", 0)
    at = cell(state, "g3")
    tally = Tally()
    court = Court(state, 200, tally)
    assert state.threats(0)[at] == 6 and claims(Searcher("uct", 1), state, 200)[0] == (at, 1)
    court.judge(state, at, 1)
    assert not tally.wrong


def test_the_plain_board_judges_as_the_literal_one() -> None:
    """Fives and fouls of the replay's board against those of gomoku_boards."""
    choose = random.Random(3)
    for number in range(60):
        width, height = SIZES[number % len(SIZES)]
        rule = RULES[number % len(RULES)] if number % 2 else "renju"
        stones = random_stones(choose, width, height, 0.8)
        naive, replay = Naive(width, height, stones, rule), units.Replay(width, height, RULES.index(rule), 10)
        empty = [at for at, stone in enumerate(stones) if not stone]
        for colour in (0, 1):
            wins = [at for at in empty if naive.wins_if(divmod(at, width), colour)]
            assert replay.wins(stones, colour) == wins
        for at in choose.sample(empty, min(10, len(empty))) if rule == "renju" else []:
            assert replay.foul(stones, at) == naive.foul(divmod(at, width))


def test_a_wrong_claim_would_be_seen() -> None:
    """A closed four and a position without any are judged as wins: both are refuted."""
    state = board(["." * 11, "." * 11, "OXXX..X....", "." * 11, "." * 11], "freestyle", 0)
    tally = Tally()
    court = Court(state, 20, tally)
    court.judge(state, cell(state, "e3"), 1)
    court.judge(state, 0, -1)
    assert len(tally.wrong) == 2 and "no win is claimed any more" in tally.wrong[0]


def read_gomocup(path: Path) -> GomokuState:
    """The position of a BOARD block; field 3 is 1 for the stones of the side to move."""
    text = path.read_text("utf-8")
    size, rule = (re.search(pattern, text) for pattern in (r"START (\d+)", r"INFO rule (\d+)"))
    assert size and rule
    stones = [tuple(map(int, found)) for found in re.findall(r"^(\d+),(\d+),(\d)\s*$", text, re.M)]
    n, mine = int(size[1]), sum(who == 1 for _, _, who in stones)
    black = 1 if mine * 2 == len(stones) else 2
    cells = bytearray(n * n)
    for x, y, who in stones:
        cells[y * n + x] = 1 if who == black else 2
    state = GomokuState(n, n, GOMOCUP_RULES[rule[1]])
    state.setup(bytes(cells), 0 if black == 1 else 1)
    return state


def test_positions_with_a_mate_that_was_none(shared: Callable[[str], Path]) -> None:
    """What is claimed in them now stands."""
    paths = sorted(shared("cases/gomoku").glob("*.gomocup"))
    assert len(paths) >= 9
    for path in paths:
        state = read_gomocup(path)
        for playouts in (100, 3000):
            tally = Tally()
            court = Court(state, playouts, tally)
            found = claims(Searcher("uct", 1), state, playouts)
            assert not any(proof == 1 for _, proof in found), path.name
            for move, proof in found:
                court.judge(state, move, proof)
            assert not tally.wrong, (path.name, tally.wrong[0])
