"""XBoard's protocol: its clocks, how games end, how a search is decided or abandoned."""

from __future__ import annotations

import pytest

from tengen.engine.games.chess.text import START, state_from_fen
from tengen.engine.info import Info, Line
from tengen.protocols.chess.report import Score
from tengen.protocols.xboard import notation, rules
from tengen.protocols.xboard.clock import GameClock
from tengen.protocols.xboard.opponent import Opponent
from tengen.protocols.xboard.report import centipawns


def clock(*lines: str) -> GameClock:
    found = GameClock()
    for line in lines:
        found.level(line.split())
    return found


# `level` -> moves until the clock is set anew, base, increment
LEVELS = [
    ("40 5 0", (40, 300.0, 0.0)), ("40 0:30 0", (40, 30.0, 0.0)), ("0 2 12", (0, 120.0, 12.0)), ("0 1:05 0.5", (0, 65.0, 0.5)),
    ("40 25+5 0", (40, 1500.0, 0.0)), ("0 0 0", (0, 0.0, 0.0)), ("-3 1 -2", (0, 60.0, 0.0)), ("0 999999999 1", (0, 1e8, 1.0)),
]  # fmt: skip


@pytest.mark.parametrize(("words", "found"), LEVELS)
def test_level(words: str, found: tuple[int, float, float]) -> None:
    told = clock(words)
    assert (told.moves, told.base, told.increment) == found and told.seconds == told.opponent == told.base


@pytest.mark.parametrize("words", ["", "40", "40 5 x", "x 5 0", "40 x 0", "nan 1 1"])
def test_a_level_that_is_none(words: str) -> None:
    with pytest.raises(ValueError, match="level needs"):
        clock(words)


def test_the_clock_goes_on_where_nobody_tells_it() -> None:
    told = clock("2 1 3")
    assert told.bounds(1, 5.0).times == (60_000, 60_000) and told.bounds(1, 5.0).movestogo == 2
    told.spent(10.0)
    assert told.bounds(0, 5.0).times == (53_000, 60_000) and told.bounds(0, 5.0).movestogo == 1
    told.spent(10.0)
    assert told.seconds == 106.0 and told.bounds(0, 5.0).movestogo == 2
    told.new_game()
    assert told.seconds == 60.0 and told.bounds(0, 5.0).increments == (3000, 3000)


def test_what_bounds_a_move() -> None:
    told = GameClock()
    assert told.bounds(0, 5.0).movetime == 5000 and told.bounds(0, None).movetime is None
    told.depth = 4
    assert told.bounds(0, 5.0).movetime is None and told.bounds(0, 5.0).depth == 4
    told.seconds = 2.0
    assert told.bounds(1, 5.0).times == (None, 2000) and told.bounds(1, 5.0).depth == 4
    told.fixed = 1.5
    assert told.bounds(1, 5.0).movetime == 1500 and told.bounds(1, 5.0).times == (None, None)
    told.level(["0", "1", "0"])
    assert told.bounds(1, 5.0).movetime is None
    told.rate = 100.0
    told.new_game()
    assert told.depth is None and told.rate is None


@pytest.mark.parametrize(("fen", "is_dead"), [
    ("k7/8/8/8/8/8/8/K7", True), ("k7/8/8/8/8/8/8/KN6", True), ("kb6/8/8/8/8/8/8/K7", True), ("kb6/8/8/8/8/8/8/KB6", False),
    ("k1b5/8/8/8/8/8/8/KB6", True), ("k7/8/8/8/8/8/8/KB1B4", False), ("kn6/8/8/8/8/8/8/KN6", False), ("k7/8/8/8/8/8/8/KNN5", False),
    ("k7/8/8/8/8/8/P7/K7", False), ("k7/8/8/8/8/8/8/KR6", False), ("kb6/8/8/8/8/8/8/KN6", False),
])  # fmt: skip
def test_what_nobody_can_win(fen: str, is_dead: bool) -> None:
    assert rules.is_dead(state_from_fen(f"{fen} w - - 0 1").pieces()) is is_dead


def test_a_game_that_goes_on_has_no_result() -> None:
    state = state_from_fen(START)
    key = state.situational_key
    assert rules.result(state, [key, key]) is None
    assert rules.result(state, [key, key, key]) == "1/2-1/2 {Draw by repetition}"


@pytest.mark.parametrize(("word", "is_one"), [
    ("e2e4", True), ("e7e8q", True), ("Nf3", True), ("exd5", True), ("e8=Q+", True), ("O-O-O", True), ("0-0", True), ("R1xa3#", True),
    ("hello", False), ("e9", False), ("", False), ("Pa4x", False),
])  # fmt: skip
def test_what_may_be_a_move(word: str, is_one: bool) -> None:
    assert notation.is_move(word) is is_one


@pytest.mark.parametrize(("score", "number"), [
    (Score("cp", -31), -31), (Score("mate", 3), 100_003), (Score("mate", -2), -100_002), (Score("cp", 0), 0),
])  # fmt: skip
def test_scores(score: Score, number: int) -> None:
    assert centipawns(score) == number


def test_who_gives_up() -> None:
    lost = Info((Line(0, (0,), 1, 0.01, loss=0.99, score=-900.0),))
    opponent = Opponent(0.05)
    assert not opponent.resigns(60, lost)
    opponent.moved(lost)
    opponent.moved(lost)
    assert opponent.resigns(60, lost) and not opponent.resigns(10, lost) and opponent.score == -900.0
    opponent.moved(Info((Line(0, (0,), 1, 0.5, loss=0.5),)))
    assert not opponent.resigns(60, lost)
    assert opponent.takes_draw(40, 0.0) and not opponent.takes_draw(39, 0.0) and not opponent.takes_draw(60, 100.0)
    assert not Opponent(0.0, hopeless=9).resigns(60, lost) and not opponent.takes_draw(60, None)
