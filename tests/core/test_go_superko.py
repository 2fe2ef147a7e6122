"""Superko against brute force: what recurs is decided by comparing whole boards with every earlier one."""

from __future__ import annotations

import random

import numpy as np
import pytest
from go_boards import board, cell
from go_games import SlowBoard
from whole_sets import portion

from tengen.engine._core import GoBatch, GoState
from tengen.engine.games.base import IllegalMove
from tengen.engine.history import History

RULES = ["positional", "situational"]


def copied(slow: SlowBoard) -> SlowBoard:
    other = SlowBoard(slow.size)
    other.board, other.ko = slow.board.copy(), slow.ko
    return other


def brute_force(slow: SlowBoard, colour: int, seen: set[tuple[bytes, int]], ko: str, suicide: bool) -> set[int]:
    """Legal points: `seen` holds (stones, side to move), the side 0 throughout where it does not count."""
    legal = set()
    for move in range(slow.size**2):
        if not slow.is_legal(colour, move, suicide):
            continue
        after = copied(slow)
        after.play(colour, move)
        if (after.stones(), (1 - colour) if ko == "situational" else 0) not in seen:
            legal.add(move)
    return legal


@pytest.mark.parametrize("ko", RULES)
@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize("suicide", [False, True])
def test_random_games(size: int, ko: str, suicide: bool) -> None:
    forbidden = 0
    for seed in range(portion({2: 40, 3: 20, 4: 6, 5: 3}[size])):
        rng = random.Random(seed)
        slow = SlowBoard(size)
        batch = GoBatch(1, size, size, ko=ko, suicide=suicide)
        history = History(GoState(size, size, ko=ko, suicide=suicide))
        seen = {(slow.stones(), 0)}
        for _ in range({2: 60, 3: 80, 4: 120, 5: 150}[size]):
            state = history.state
            colour = state.to_move
            legal = brute_force(slow, colour, seen, ko, suicide)
            plain = {m for m in range(size**2) if slow.is_legal(colour, m, suicide)}
            assert set(state.legal_moves()[:-1]) == plain
            assert {m for m in plain if not history.is_repetition(colour, m, ko)} == legal
            assert set(np.flatnonzero(batch.legal_moves()[0][:-1])) == legal
            for move in plain - legal:
                forbidden += 1
                with pytest.raises(IllegalMove, match="^superko$"):
                    history.play(colour, move, ko)
                with pytest.raises(ValueError, match="^board 0: superko$"):
                    batch.play(np.array([move]))
            moves = sorted(legal)
            move = rng.choice(moves) if moves and (rng.random() < 0.9 or state.passes) else size**2
            history.play(colour, move, ko)
            batch.play(np.array([move]))
            slow.play(colour, move)
            seen.add((slow.stones(), history.state.to_move if ko == "situational" else 0))
            if history.state.is_terminal():
                assert not batch.legal_moves().any()
                break
    assert forbidden > 0 or size > 3, "the games never met the rule"


# A send-two-return-one: positional superko forbids what situational superko allows, and the other way round never.
def test_send_two_return_one() -> None:
    counts = {}
    for ko in RULES:
        rng, total = random.Random(7), 0
        for _ in range(30):
            history = History(GoState(2, 2, ko=ko))
            for _ in range(30):
                state = history.state
                moves = [m for m in state.legal_moves() if not history.is_repetition(state.to_move, m, ko)]
                total += len(state.legal_moves()) - len(moves)
                history.play(state.to_move, rng.choice(moves), ko)
        counts[ko] = total
    assert counts["positional"] > 0


def test_triple_ko_key() -> None:
    state = board(".XO.\nX.XO\n.XO.\n....", to_move=1)
    first = state.position_key
    state.play(cell(state, "b3"))
    state.play(state.pass_move)
    state.play_as(0, cell(state, "c3"))
    assert state.position_key == first
