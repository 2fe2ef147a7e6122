"""Games to learn from, as self-play or records would have them: random moves, made-up findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tengen.engine._core import feature_sets
from tengen.engine.games import get_game
from tengen.engine.games.hooks import hooks_of
from tengen.tools.train.data.game import PlayedGame

V7 = next(features for features in feature_sets() if features.name == "katago-v7")


def moves_of(game: str, width: int, height: int, rules: str, plies: int, seed: int) -> list[int]:
    """Random legal moves; no passes where they are free."""
    rng = np.random.default_rng(seed)
    kind = get_game(game)
    state = kind.new_state(width, height, hooks_of(kind).parse_rules(kind, rules), 0.0)
    moves: list[int] = []
    while len(moves) < plies and not state.is_terminal():
        legal = [move for move in state.legal_moves() if move != state.pass_move] or [state.pass_move]
        moves.append(int(rng.choice(legal)))
        state.play(moves[-1])
    return moves


def record(
    moves: Sequence[int], *, game: str = "go", size: tuple[int, int] = (9, 9), rules: str = "chinese", **facts: Any
) -> PlayedGame:
    """A game of people: nobody searched."""
    n = len(moves)
    made = PlayedGame(
        game, *size, rules, 7.5 if game == "go" else 0.0, np.array(moves, np.int16), 0, np.ones(n, np.float32),
        np.full((n, 3), np.nan, np.float32), np.zeros(n + 1, np.int32), np.zeros(0, np.int16), np.zeros(0, np.float32),
        margin=3.5, outcome=1.0,
    )  # fmt: skip
    return replace(made, **facts)


def searched(seed: int, *, size: tuple[int, int] = (9, 9), plies: int = 30, rules: str = "tromp-taylor") -> PlayedGame:
    """A game of self-play: an opening, weights, values, targets at every other move, owners."""
    rng = np.random.default_rng(seed)
    moves = moves_of("go", *size, rules, plies, seed)
    n, first = len(moves), int(rng.integers(0, 5))
    weights = rng.choice([0.0, 0.5, 1.0, 1.75], n).astype(np.float32)
    weights[:first] = 0
    counts = np.where(np.arange(n) % 2, 0, 3)
    targets = np.concatenate(
        [[], *(rng.choice(size[0] * size[1] + 1, 3, replace=False) for _ in range(int((counts > 0).sum())))]
    )
    shares = rng.random((len(targets) // 3, 3)) + 0.1
    chances = rng.random((n, 2)) / 2
    outcome = float(rng.choice([0.0, 0.5, 1.0]))
    return PlayedGame(
        "go", *size, rules, 7.0, np.array(moves, np.int16), first, weights,
        np.column_stack([chances, rng.normal(size=n) * 9]).astype(np.float32),
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int32), targets.astype(np.int16),
        (shares / shares.sum(1, keepdims=True)).astype(np.float32).ravel(),
        margin=float(np.inf if seed % 3 == 0 else -2.0), outcome=outcome,
        owners=None if seed % 3 == 0 else rng.integers(-1, 2, size[::-1]).astype(np.int8),
    )  # fmt: skip


def assert_equal(one: PlayedGame, other: PlayedGame) -> None:
    for name in one.__dataclass_fields__:
        mine, theirs = getattr(one, name), getattr(other, name)
        if isinstance(mine, np.ndarray):
            assert mine.dtype == theirs.dtype, name
            np.testing.assert_array_equal(mine, theirs, err_msg=name)
        else:
            assert mine == theirs, name
