"""GoBatch against single states in step, its errors, and its speed against the promise of 100 times GymGo's."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest
from go_games import choose

from tengen.engine._core import GoBatch, GoState, feature_sets

(GO_V1,) = [features for features in feature_sets() if features.name == "go-v1"]


@pytest.mark.parametrize(("width", "height"), [(5, 5), (9, 9), (4, 7), (13, 13), (19, 19), (25, 25)])
def test_in_step_with_single_states(width: int, height: int) -> None:
    rng, count, cells = random.Random(width), 7, width * height
    batch = GoBatch(count, width, height, komi=3.5, scoring="territory")
    states = [GoState(width, height, komi=3.5, scoring="territory") for _ in range(count)]
    recent: list[list[int]] = [[] for _ in range(count)]
    for number in range(cells):
        moves = [choose(s, rng, passes=0.1) if not s.is_terminal() else 0 for s in states]
        moves[number % count] = -1
        batch.play(np.array(moves))
        for state, move, past in zip(states, moves, recent, strict=True):
            if move >= 0 and not state.is_terminal():
                state.play(move)
                past.append(move)
        if number % 9:
            continue
        assert (batch.stones().reshape(count, -1) == [list(s.stones()) for s in states]).all()
        assert (batch.areas() == np.stack([s.area() for s in states])).all()
        assert (batch.liberties() == np.stack([s.liberties() for s in states])).all()
        assert (batch.planes() == np.stack([s.planes("go-v1", r) for s, r in zip(states, recent, strict=True)])).all()
        assert batch.to_move().tolist() == [s.to_move for s in states]
        assert batch.passes().tolist() == [s.passes for s in states]
        assert batch.is_over().tolist() == [s.is_terminal() for s in states]
        assert batch.keys().tolist() == [s.position_key for s in states]
        assert batch.results().tolist() == pytest.approx([s.result() for s in states])
        for i, (state, legal) in enumerate(zip(states, batch.legal_moves(), strict=True)):
            assert np.flatnonzero(legal).tolist() == ([] if state.is_terminal() else state.legal_moves())
            assert batch.get(i).state_key == state.state_key
    canonical, stones = batch.canonical(), batch.stones()
    mine = batch.to_move()[:, None, None] + 1
    assert (canonical == np.where(stones == 0, 0, np.where(stones == mine, 1, -1))).all()


def test_refusals_change_nothing() -> None:
    batch = GoBatch(3, 5, 5)
    batch.play(np.array([0, 1, 2]))
    before = batch.keys().tolist()
    for moves, reason in [([3, 1, 3], "board 1: occupied"), ([3, 4, 26], "board 2: off the board"), ([-2, 3, 3], "board 0: off the board")]:  # fmt: skip
        with pytest.raises(ValueError, match=reason):
            batch.play(np.array(moves))
        assert batch.keys().tolist() == before
    with pytest.raises(ValueError, match="one entry a board"):
        batch.play(np.array([3, 4]))
    with pytest.raises(ValueError, match="at least one"):
        GoBatch(0, 5, 5)
    with pytest.raises(IndexError):
        batch.get(3)
    with pytest.raises(ValueError, match="other rules"):
        batch.set(0, GoState(5, 5, suicide=True))


def test_reset_set_and_select() -> None:
    batch = GoBatch(3, 5, 5, ko="positional")
    batch.play(np.array([0, 1, 2]))
    batch.reset(np.array([False, True, False]))
    assert batch.to_move().tolist() == [1, 0, 1]
    state = batch.get(0)
    state.play(7)
    batch.set(1, state)
    assert batch.keys()[1] == state.position_key
    picked = batch.select(np.array([2, 2, 1]))
    picked.play(np.array([8, 9, 10]))
    assert len(picked) == 3 and batch.keys()[2] not in picked.keys().tolist()


def test_a_finished_board_stays() -> None:
    batch = GoBatch(2, 5, 5)
    for _ in range(2):
        batch.play(np.array([25, 25]))
    keys = batch.keys().tolist()
    assert batch.is_over().all() and not batch.legal_moves().any()
    batch.play(np.array([3, -1]))
    assert batch.keys().tolist() == keys


def test_planes() -> None:
    names = GO_V1.planes
    state = GoState(5, 5, komi=7.5, ko="situational", tax="seki", suicide=True)
    for move in (12, 13, 7):
        state.play(move)
    planes = dict(zip(names, state.planes(recent=[12, 13, 7], banned=[24]), strict=True))
    assert planes["on_board"].all()
    assert np.flatnonzero(planes["own"]).tolist() == [13] and np.flatnonzero(planes["enemy"]).tolist() == [7, 12]
    assert np.flatnonzero(planes["liberties_3"]).tolist() == [13]
    assert np.flatnonzero(planes["liberties_4+"]).tolist() == [7, 12]
    assert [np.flatnonzero(planes[f"recent_{i}"]).tolist() for i in range(1, 6)] == [[7], [13], [12], [], []]
    assert np.flatnonzero(planes["banned"]).tolist() == [24]
    assert (planes["komi"] == 0.5).all(), "White is to move and gets the points"
    constants = [
        n
        for n in ("area_scoring", "tax_seki", "tax_all", "positional_ko", "situational_ko", "suicide")
        if planes[n].all()
    ]
    assert constants == ["area_scoring", "tax_seki", "situational_ko", "suicide"]
    state.play(state.pass_move)
    planes = dict(zip(names, state.planes(), strict=True))
    assert planes["passed"].all() and (planes["komi"] == -0.5).all()
    assert not any(planes[f"recent_{i}"].any() for i in range(1, 6))
    with pytest.raises(ValueError, match="unknown feature set"):
        state.planes("go-v0")
    with pytest.raises(ValueError, match="off the board"):
        state.planes(recent=[26])


def test_ladder_and_life_planes() -> None:
    names = GO_V1.planes
    state = GoState(7, 7)
    rows = ".X.X...\nXXXX...\n.......\n.......\n.....O.\n....OX.\n.....O."
    state.setup(bytes(".XO".index(c) for c in rows if c != "\n"), 1)
    planes = dict(zip(names, state.planes(), strict=True))
    assert np.flatnonzero(planes["enemy_pass_alive"]).tolist() == [0, 1, 2, 3, 7, 8, 9, 10]
    assert not planes["own_pass_alive"].any()
    assert np.flatnonzero(planes["enemy_ladder"]).tolist() == [40]
    state.play(15)
    assert dict(zip(names, state.planes(), strict=True))["own_pass_alive"].sum() == 8


@pytest.mark.slow
def test_speed() -> None:
    """Board steps with legal-move masks per CPU second on 9x9; GymGo makes 1,996, and 100 times that is promised."""
    batch, rng = GoBatch(256, 9, 9, komi=7.5), np.random.default_rng(1)
    steps, core = 0, 0.0
    legal = batch.legal_moves()
    while core < 1.0:
        moves = (rng.random(legal.shape, dtype=np.float32) * legal).argmax(1)
        start = time.process_time()
        batch.play(moves)
        batch.reset(batch.is_over())
        legal = batch.legal_moves()
        core += time.process_time() - start
        steps += len(batch)
    assert steps / core >= 200_000
