"""Rows of games as networks learn from them: the same as Python's encoding of the game so far."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import _tengen_toy as toy
import numpy as np
import pytest
from go_games import choose

from tengen.engine import _core
from tengen.engine._core import GoState, KataFacts, feature_sets
from tengen.engine.games.go.game import GO
from tengen.engine.games.go.rules import RULE_SETS, GoRules
from tengen.engine.history import History
from tengen.engine.play.go import katago_inputs
from tengen.engine.records import read

V7 = next(features for features in feature_sets() if features.name == "katago-v7")
SUPERKO = GoRules("superko", ko="situational", suicide=True)


def played(size: tuple[int, int], rules: GoRules, plies: int, seed: int) -> History:
    rng = random.Random(seed)
    history = History(GO.new_state(*size, rules, 6.5))
    while len(history.moves) < plies:
        move = choose(cast(GoState, history.state), rng, passes=0.03, eyes=0.4)
        if not history.is_repetition(history.state.to_move, move, rules.repetition):
            history.play(history.state.to_move, move, rules.repetition)
    return history


def encoded(
    games: list[tuple[History, int]], *, symmetry: int = 0, has_history: bool = True, **more: Any
) -> tuple[Any, Any]:
    """Rows of games at a ply."""
    n, start = len(games), games[0][0].start
    planes = np.full((n, len(V7.planes), start.height, start.width), -1, np.float32)
    numbers = np.full((n, len(V7.globals)), -1, np.float32)
    moves = [np.array([move for _, move in history.moves], np.int16) for history, _ in games]
    _core.encode_rows_go_katago_v7(
        [history.start for history, _ in games], np.concatenate(moves), np.cumsum([0, *map(len, moves)], dtype=np.int64),
        np.array([ply for _, ply in games], np.int32), np.full(n, symmetry, np.int32), np.full(n, has_history),
        planes, numbers, **more,
    )  # fmt: skip
    return planes, numbers


def until(history: History, rules: GoRules, ply: int) -> History:
    again = History(history.start)
    for colour, move in history.moves[:ply]:
        again.play(colour, move, rules.repetition)
    return again


@pytest.mark.parametrize("name", ["chinese", "tromp-taylor", "japanese", "new-zealand", "aga"])
@pytest.mark.parametrize("size", [(3, 3), (9, 9), (4, 7)])
def test_rows_are_what_python_encodes(name: str, size: tuple[int, int]) -> None:
    """On boards so small, random games repeat positions and pass: superko bans points, ends are hidden among friends."""
    rules = RULE_SETS[name]
    history = played(size, rules, max(100, 3 * size[0] * size[1]), seed=len(name))
    plies = [*range(12), *range(12, len(history.moves) + 1, 5)]
    banned = 0
    for symmetry in range(V7.symmetries(*size)):
        facts = [KataFacts(friendly_pass=rules.friendly_pass, suicide_in_life=True)] * len(plies)
        planes, numbers = encoded([(history, ply) for ply in plies], symmetry=symmetry, facts=facts)
        for row, ply in enumerate(plies):
            so_far = until(history, rules, ply)
            told = katago_inputs.Facts(suicide_in_life=True)
            wanted = katago_inputs.encode(so_far, rules, symmetry=symmetry, facts=told)
            np.testing.assert_array_equal(planes[row], wanted[0])
            np.testing.assert_array_equal(numbers[row], wanted[1])
            banned += len(katago_inputs.banned(so_far, rules))
    assert (banned > 0) == (rules.repetition != "none") or size != (3, 3)


def test_without_a_history_only_the_position_is_seen() -> None:
    history = played((9, 9), SUPERKO, 60, seed=3)
    state = cast(GoState, history.state)
    planes, numbers = encoded([(history, 60)], has_history=False)
    wanted = state.katago([], katago_inputs.banned(history, SUPERKO))
    np.testing.assert_array_equal(planes[0], wanted[0])
    np.testing.assert_array_equal(numbers[0], wanted[1])
    assert planes[0, V7.planes.index("recent_1")].sum() == 0 < encoded([(history, 60)])[0][0, 9:14].sum()


def test_the_button_is_taken_by_the_first_pass() -> None:
    rules = RULE_SETS["aga-button"]
    start = GO.new_state(5, 5, rules, 7.0)
    history = History(start)
    for move in (3, 25, 7):
        history.play(history.state.to_move, move, rules.repetition)
    facts = [KataFacts(has_button=True)] * 3
    _, numbers = encoded([(history, ply) for ply in (0, 1, 2)], facts=facts)
    assert numbers[:, V7.globals.index("button")].tolist() == [1, 1, 0]
    assert numbers[2, V7.globals.index("komi")] == pytest.approx(-7.5 / 20)


def test_an_illegal_game_is_named_and_the_others_are_encoded() -> None:
    good, bad = History(GO.new_state(9, 9, SUPERKO, 6.5)), History(GO.new_state(9, 9, SUPERKO, 6.5))
    for move in (40, 41, 42):
        good.play(good.state.to_move, move)
        bad.play(bad.state.to_move, move)
    bad._moves[2] = (0, 40)
    planes = np.full((3, 22, 9, 9), -1, np.float32)
    numbers = np.full((3, 19), -1, np.float32)
    moves = np.array([40, 41, 42, 40, 41, 40, 40, 41, 42], np.int16)
    arguments: list[Any] = [
        [good.start] * 3, moves, np.array([0, 3, 6, 9]), np.array([3, 3, 2], np.int32), np.zeros(3, np.int32), np.ones(3, bool),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="^game 1: the move at ply 2 is illegal$"):
        _core.encode_rows_go_katago_v7(*arguments, planes, numbers)
    wanted, _ = encoded([(good, 3), (good, 2)])
    np.testing.assert_array_equal(planes[[0, 2]], wanted)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (1, np.array([40, 700, 42], np.int16), "ply 1 is illegal"),
        (1, np.array([40, -1, 42], np.int16), "ply 1 is illegal"),
        (2, np.array([0, 4]), "moves are not there"),
        (2, np.array([2, 1]), "moves are not there"),
        (2, np.array([-1, 3]), "moves are not there"),
        (2, np.array([0, 1, 3]), "one of everything"),
        (3, np.array([4], np.int32), "no ply 4"),
        (3, np.array([-1], np.int32), "no ply -1"),
        (4, np.array([8], np.int32), "no symmetry"),
        (6, np.zeros((1, 22, 9, 10), np.float32), "another size"),
        (6, np.zeros((1, 21, 9, 9), np.float32), "do not fit"),
        (7, None, "do not fit"),
    ],
)
def test_what_does_not_fit_is_refused(place: int, value: Any, message: str) -> None:
    arguments: list[Any] = [
        [GO.new_state(9, 9, SUPERKO, 6.5)], np.array([40, 41, 42], np.int16), np.array([0, 3]), np.array([3], np.int32),
        np.zeros(1, np.int32), np.ones(1, bool), np.zeros((1, 22, 9, 9), np.float32), np.zeros((1, 19), np.float32),
    ]  # fmt: skip
    arguments[place] = value
    with pytest.raises(ValueError, match=message):
        _core.encode_rows_go_katago_v7(*arguments)


def test_rows_of_games_that_people_played(shared: Callable[[str], Path]) -> None:
    """19x19, by the rules that the games name: kos, captures, passes at the end."""
    checked = 0
    for path in sorted(shared("data/go/gnugo_regression/games/nngs").glob("*.sgf"))[::2]:
        record = read(path)
        rules = RULE_SETS["aga" if checked % 2 else "japanese"]
        if record.setup is not None or any(colour != ply % 2 for ply, (colour, _) in enumerate(record.moves)):
            continue
        history = History(GO.new_state(record.width, record.height, rules, 6.5))
        try:
            for colour, move in record.moves:
                history.play(colour, move, rules.repetition)
        except ValueError:
            continue
        plies = list(range(7, len(record.moves) + 1, 70)) + [len(record.moves)]
        planes, numbers = encoded(
            [(history, ply) for ply in plies],
            symmetry=checked % 8,
            facts=[KataFacts(friendly_pass=rules.friendly_pass)] * len(plies),
        )
        for row, ply in enumerate(plies):
            wanted = katago_inputs.encode(until(history, rules, ply), rules, symmetry=checked % 8)
            np.testing.assert_array_equal(planes[row], wanted[0])
            np.testing.assert_array_equal(numbers[row], wanted[1])
        checked += 1
    assert checked > 10


def test_rows_of_a_game_that_joins_by_the_contracts_alone() -> None:
    """One line binds them; its state has one capacity, moves beyond its cells and no facts."""
    start = toy.ToyState()
    moves: list[int] = []
    state = start.copy()
    rng = random.Random(2)
    while len(moves) < 12:
        moves.append(rng.choice([move for move in range(state.move_bound) if state.is_legal(move)]))
        state.play(moves[-1])
        if state.is_terminal():
            state, moves = start.copy(), []
    for ply in (0, 1, 7, 12):
        planes, numbers = np.zeros((1, 4, 3, 3), np.float32), np.zeros((1, 2), np.float32)
        toy.encode_rows_morris_morris_v1(
            [start], np.array(moves, np.int16), np.array([0, 12]), np.array([ply], np.int32), np.zeros(1, np.int32),
            np.ones(1, bool), planes, numbers,
        )  # fmt: skip
        so_far = start.copy()
        for move in moves[:ply]:
            so_far.play(move)
        wanted = np.zeros((4, 3, 3), np.float32), np.zeros(2, np.float32)
        toy.encode(so_far, moves[:ply], *wanted)
        np.testing.assert_array_equal(planes[0], wanted[0])
        np.testing.assert_array_equal(numbers[0], wanted[1])
