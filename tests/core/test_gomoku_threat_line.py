"""The line that shows why a position is won: legal, of threats that are what they are called, to the five."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from gomoku_boards import LETTERS, RULES, board, cell, promising
from whole_sets import portion

from tengen.engine._core import GomokuState
from tengen.engine.games.gomoku.wins import proved_win, win_of, words_of

POSITIONS = 30_000
FOURS = ("four", "four and three", "open four")


def name(state: GomokuState) -> Callable[[int], str]:
    return lambda move: f"{LETTERS[move % state.width]}{state.height - move // state.width}"


def followed(start: GomokuState, line: list[tuple[int, str]]) -> GomokuState:
    """The position at the end of a line whose every step is checked."""
    state, attacker = start.copy(), start.to_move
    for number, (move, threat) in enumerate(line):
        mine = state.to_move == attacker
        assert mine == (number % 2 == 0) and state.is_legal(move)
        stops = not mine and move in state.winning_moves(attacker)
        fives = [] if mine else state.winning_moves(attacker)
        state.play(move)
        if mine:
            assert (threat == "five") == (state.winner == attacker)
            assert threat not in FOURS or state.winning_moves(attacker), (number, threat)
        else:
            assert threat == "" and (not fives or stops or "caro" in state.rule)
    return state


@pytest.mark.parametrize("rule", RULES)
def test_every_line_is_legal_and_wins(rule: str) -> None:
    choose, found, by_threes = random.Random(11), 0, 0
    for _ in range(portion(150)):
        state = GomokuState(15, 15, rule)
        state.setup(promising(choose, 15, rule), choose.randrange(2))
        attacker = state.to_move
        line = state.win_by_threats(POSITIONS) if state.winner < 0 else []
        if not line:
            continue
        found += 1
        by_threes += any("three" in threat and "four" not in threat for _, threat in line)
        end = followed(state, line)
        assert end.winner == attacker or not set(end.winning_moves(attacker)) & set(end.legal_moves())
    assert found > portion(40) and by_threes > portion(3)


def test_nothing_is_told_where_nothing_is_won() -> None:
    state = GomokuState(15, 15, "freestyle")
    assert state.win_by_threats(POSITIONS) == [] and win_of(state) is None and proved_win(state, 0, []) is None
    assert state.win_by_threats(0) == []


def test_a_win_in_words() -> None:
    state = GomokuState(15, 15, "freestyle")
    for point in "h8 a1 h9 a3 h10 a5".split():
        state.play(cell(state, point))
    win = win_of(state)
    assert win is not None and (win.kind, win.length, win.winner) == ("fours", 2, 0)
    assert words_of(win, name(state)) == "Black wins by fours in 2 moves: H11 (open four) H12, H7 (five)"


def test_a_search_leads_to_the_threats() -> None:
    """White has to move and plays elsewhere; or Black plays the quiet move of the search's line first."""
    state = GomokuState(15, 15, "freestyle")
    for point in "h8 a1 h9 a3 h10".split():
        state.play(cell(state, point))
    win = proved_win(state, 0, [cell(state, "o1"), cell(state, "h11")])
    assert win is not None and win.mover == 1 and win.length == 2
    assert words_of(win, name(state)).startswith("Black wins by fours in 2 moves: O1, H11 (open four)")
    assert proved_win(state, 1, [cell(state, "o1")]) is None


def test_renju_forbids_every_reply() -> None:
    """White's four can be stopped at one point alone, where Black would make six."""
    state = board(
        """
        ...............
        ...............
        ...............
        .......X.......
        .......X.......
        .......X.......
        ...XOOO........
        .......X.......
        .......X.......
        ...............
        ...............
        ...............
        ...............
        ...............
        ...............""",
        "renju",
    )
    state.set_to_move(1)
    line = state.win_by_threats(POSITIONS)
    end = followed(state, line)
    assert line[0][1] == "four" and len(line) in (1, 3) and (end.winner == 1 or end.winning_moves(1))


def test_the_suite_of_wins_by_fours(shared: Callable[[str], Path]) -> None:
    """Every position of it, told as a win by fours."""
    rows = json.loads(shared("data/gomoku/vcf/mintaka_vcf.json").read_text())
    for row in rows:
        state = board("\n".join(row["board"]), row.get("rule", "renju"))
        state.set_to_move(0 if row["to_move"] == "black" else 1)
        win = win_of(state)
        assert win is not None and win.kind == "fours", row["name"]
        followed(state, list(zip(win.moves, win.threats, strict=True)))
