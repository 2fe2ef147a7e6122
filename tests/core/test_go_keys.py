"""Keys: equal for equal positions by whatever way they came about, different for different ones."""

from __future__ import annotations

import random

import pytest
from go_boards import board, cell
from go_games import choose

from tengen.engine._core import GoState


def rebuilt(state: GoState, suicide: bool = False) -> GoState:
    """The stones of `state` set up on a new board."""
    other = GoState(state.width, state.height, suicide=suicide)
    other.setup(state.stones(), state.to_move)
    return other


@pytest.mark.parametrize("seed", range(20))
def test_keys_in_random_games(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.choice((3, 5, 9, 13))
    state = GoState(size, size, suicide=bool(seed % 2))
    for _ in range(size * size * 2):
        move = choose(state, rng)
        expected = state.key_after(move), state.situational_key_after(move)
        before = state.copy()
        state.play(move)
        assert (state.position_key, state.situational_key) == expected
        assert before.state_key != state.state_key
        assert rebuilt(state).position_key == state.position_key
        assert state.copy().state_key == state.state_key
        if state.ko_point == -1 and state.passes == 0:
            assert rebuilt(state, bool(seed % 2)).state_key == state.state_key
        if state.is_terminal():
            break


def test_move_order_does_not_matter() -> None:
    orders = [
        [(0, 10), (1, 20), (0, 30), (1, 40)],
        [(0, 30), (1, 40), (0, 10), (1, 20)],
        [(1, 40), (1, 20), (0, 30), (0, 10)],
    ]
    states = []
    for order in orders:
        state = GoState(7, 7)
        for colour, move in order:
            state.play_as(colour, move)
        state.set_to_move(0)
        states.append(state)
    assert len({s.position_key for s in states}) == len({s.state_key for s in states}) == 1


def test_capture_restores_the_key() -> None:
    state = board(".X.\nX..\n.X.")
    key = state.position_key
    state.play_as(1, cell(state, "b2"))
    assert state.position_key != key
    state.play_as(0, cell(state, "c2"))
    assert state.position_key == board(".X.\nX.X\n.X.").position_key


def test_the_same_stone_has_one_key_on_every_capacity() -> None:
    keys = []
    for size in (9, 13, 19, 25):
        state = GoState(size, size)
        state.play(0)
        keys.append(state.position_key)
    assert len(set(keys)) == 1


# What decides what follows changes the state key, and only it.
VARIANTS = [
    GoState(5, 5), GoState(5, 5, komi=0.5), GoState(5, 5, komi=-0.5), GoState(5, 5, ko="positional"),
    GoState(5, 5, ko="situational"), GoState(5, 5, suicide=True), GoState(5, 5, scoring="territory"),
    GoState(5, 5, tax="seki"), GoState(5, 5, tax="all"), GoState(5, 6), GoState(6, 5),
]  # fmt: skip


def test_state_key_covers_rules_and_size() -> None:
    assert len({state.state_key for state in VARIANTS}) == len(VARIANTS)
    assert len({state.position_key for state in VARIANTS}) == 1


def test_state_key_covers_side_ko_and_passes() -> None:
    diagram = ".XO.\nX.XO\n.XO.\n...."
    taken = board(diagram, to_move=1)
    taken.play(cell(taken, "b3"))
    free = GoState(4, 4)
    free.setup(taken.stones(), 0)
    assert taken.position_key == free.position_key and taken.state_key != free.state_key
    passed = free.copy()
    passed.play(passed.pass_move)
    assert passed.position_key == free.position_key
    assert passed.situational_key != free.situational_key
    twice = passed.copy()
    twice.play(twice.pass_move)
    assert twice.situational_key == free.situational_key and twice.state_key != free.state_key


def test_no_collisions_among_small_boards() -> None:
    keys, boards = set(), set()
    for number in range(3**8):
        stones = bytes(number // 3**i % 3 for i in range(8)) + b"\0"
        state = GoState(3, 3)
        try:
            state.setup(stones, 0)
        except ValueError:
            continue
        boards.add(stones)
        keys.add(state.position_key)
    assert len(keys) == len(boards) > 3000


@pytest.mark.parametrize(("width", "height"), [(5, 5), (9, 9), (4, 7), (19, 19)])
def test_symmetries(width: int, height: int) -> None:
    rng = random.Random(width * height)
    state = GoState(width, height, komi=3.5)
    for _ in range(width * height):
        state.play(choose(state, rng, passes=0))
    count = 8 if width == height else 4
    images = [state.transform(s) for s in range(count)]
    assert len({image.position_key for image in images}) == count
    for symmetry, image in enumerate(images):
        image.check()
        assert image.result() == state.result() and image.to_move == state.to_move
        assert [image.captured(c) for c in (0, 1)] == [state.captured(c) for c in (0, 1)]
        assert len(image.legal_moves()) == len(state.legal_moves())
        back = [s for s in range(count) if image.transform(s).state_key == state.state_key]
        assert len(back) == 1 and (symmetry in (5, 6) or back == [symmetry])
    for symmetry in (-1, count, 8):
        with pytest.raises(ValueError, match="symmetry"):
            state.transform(symmetry)


def test_symmetry_numbers() -> None:
    state = board("XO.\n...\n...")
    rows = ["XO.......", ".OX......", "......XO.", ".......OX", "X..O.....", "......O..", "..X..O...", ".....O..X"]
    shown = ["".join(".XO"[s] for s in state.transform(k).stones()) for k in range(8)]
    assert shown[:5] == rows[:5]
    assert len(set(shown)) == 8
