"""Ladders of "katago-v7" against a slow reader that follows their definition and spares itself nothing."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from go_boards import board, cell, show
from go_games import choose

from tengen.engine._core import GoState, feature_sets

NAMES = next(features.planes for features in feature_sets() if features.name == "katago-v7")


def neighbours(state: GoState, point: int) -> list[int]:
    row, column = divmod(point, state.width)
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [y * state.width + x for y, x in around if 0 <= y < state.height and 0 <= x < state.width]


class SlowReader:
    """engine/core/go/katago_ladders.hpp, word by word. `used` counts the rules that decided something."""

    def __init__(self) -> None:
        self.used = Counter[str]()

    def laddered(self, state: GoState, point: int) -> tuple[bool, list[int]]:
        """Whether the chain is, and by which first moves where it has two liberties."""
        liberties = state.liberties_of(point)
        if len(liberties) == 1:
            return self.lost_moving(without_ko(state), point), []
        if len(liberties) > 2:
            return False, []
        starts = []
        for move in liberties:
            after = played(state, 1 - colour(state, point), move, state.ko_point)
            if after is not None and self.lost_moving(without_ko(after), point):
                starts.append(move)
        return bool(starts), starts

    def lost_moving(self, state: GoState, point: int) -> bool:
        if state.ko_point >= 0:
            self.used["ko"] += 1
            return False
        afters = [played(state, colour(state, point), move) for move in self.defences(state, point)]
        return all(self.lost_waiting(after, point) for after in afters if after is not None)

    def lost_waiting(self, state: GoState, point: int) -> bool:
        liberties = state.liberties_of(point)
        if len(liberties) != 2:
            return len(liberties) < 2
        if self.is_double_ko(state, point, liberties):
            self.used["double ko"] += 1
            return True
        afters = [played(state, 1 - colour(state, point), move, state.ko_point) for move in liberties]
        return any(self.lost_moving(after, point) for after in afters if after is not None)

    def defences(self, state: GoState, point: int) -> list[int]:
        return sorted({*self.captures(state, point), *state.liberties_of(point)})

    def captures(self, state: GoState, point: int) -> list[int]:
        stones = state.stones()
        beside = {q for s in state.chain(point) for q in neighbours(state, s) if stones[q] == 3 - stones[point]}
        return [state.liberties_of(q)[0] for q in beside if len(state.liberties_of(q)) == 1]

    def is_double_ko(self, state: GoState, point: int, liberties: list[int]) -> bool:
        own = colour(state, point)
        for liberty in liberties:
            around = neighbours(state, liberty)
            taken = [q for q in around if len(state.liberties_of(q)) == 1]
            if any(state.stones()[q] != own + 1 for q in around) or len(taken) != 1 or len(state.chain(taken[0])) != 1:
                return False
            after = played(state, own, liberty)
            if after is not None and len(after.liberties_of(liberty)) > 2:
                return False
        return not self.captures(state, point)


def colour(state: GoState, point: int) -> int:
    return state.stones()[point] - 1


def without_ko(state: GoState) -> GoState:
    fresh = state.copy()
    fresh.setup(state.stones(), state.to_move)
    return fresh


def played(state: GoState, who: int, move: int, banned: int = -1) -> GoState | None:
    after = state.copy()
    try:
        after.play_as(who, move)
    except ValueError:
        return None
    return None if move == banned else after


def check(state: GoState, reader: SlowReader) -> None:
    planes, _ = state.katago()
    captured, moves = set[int](), set[int]()
    for point, stone in enumerate(state.stones()):
        if stone and point == state.chain(point)[0]:
            is_lost, starts = reader.laddered(state, point)
            captured.update(state.chain(point) if is_lost else [])
            moves.update(starts if stone != state.to_move + 1 else [])
    for name, wanted in (("ladder", captured), ("ladder_moves", moves)):
        assert set(np.flatnonzero(planes[NAMES.index(name)]).tolist()) == wanted, (name, show(state), state.ko_point)


def test_random_positions() -> None:
    rng, reader = random.Random(11), SlowReader()
    for _ in range(600):
        size = rng.choice([(3, 4), (4, 4), (5, 4), (5, 5), (6, 6)])
        state = GoState(*size)
        for _ in range(rng.randrange(4, 2 * size[0] * size[1])):
            state.play(choose(state, rng))
        check(state, reader)
    assert reader.used["ko"] > 50, reader.used


@pytest.mark.parametrize(
    ("diagram", "vertex"),
    [
        (".O..X\nXOOX.\nOX.OX\n.X..O\n.O.X.", "e5"),
        ("..OXO\nOOX..\nXOOOO\n.XXO.", "d4"),
        ("OXX..\n.OXO.\nO..X.\nOOXX.\nOOX.O", "a3"),
    ],
)
def test_double_ko(diagram: str, vertex: str) -> None:
    """A chain between two kos that the attacker can take is lost; without that rule it would not be."""
    state, reader, without = board(diagram), SlowReader(), SlowReader()
    check(state, reader)
    without.is_double_ko = lambda *_: False  # type: ignore[method-assign]
    point = cell(state, vertex)
    assert (reader.laddered(state, point)[0], without.laddered(state, point)[0]) == (True, False)
    assert reader.used["double ko"]


def test_what_was_read_before_is_of_the_same_ko() -> None:
    """Boards are remembered: one with the same stones and another ko is another one."""
    rng, reader, differed = random.Random(3), SlowReader(), 0
    while differed < 5:
        state = GoState(7, 7)
        for _ in range(rng.randrange(20, 90)):
            state.play(choose(state, rng))
        if state.ko_point < 0:
            continue
        without = state.copy()
        for _ in range(2):
            without.play(without.pass_move)
        for one in (state, without, state):
            check(one, reader)
        differed += bool((state.katago([], [], [], 0)[0][14:18] != without.katago([], [], [], 0)[0][14:18]).any())
