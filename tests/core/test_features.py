"""Feature sets: what the core says of them holds for what it encodes."""

from __future__ import annotations

import random

import _tengen_toy  # noqa: F401  its set joins the list
import numpy as np
import pytest
from go_games import choose

from tengen.engine._core import FeatureSet, GoState, feature_sets

SETS = {features.name: features for features in feature_sets()}
SIZES = {
    "go": [(5, 5), (4, 7), (19, 19)],
    "gomoku": [(8, 8), (5, 9), (19, 19)],
    "reversi": [(8, 8)],
    "morris": [(3, 3)],
}
BOARDS = [(name, size) for name, features in SETS.items() for size in SIZES.get(features.game, ())]
"""Chess has more moves than places: test_chess_features.py."""


@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_the_places_of_moves(name: str, size: tuple[int, int]) -> None:
    """Under every symmetry the moves have places of their own; without one, that of a dense move is its number."""
    features = SETS[name]
    moves = range(features.policy_size(*size))
    for symmetry in range(features.symmetries(*size)):
        places = [features.policy_index(move, *size, symmetry) for move in moves]
        assert sorted(places) == list(moves)
        assert (places == list(moves)) == (symmetry == 0)


@pytest.mark.parametrize(("move", "symmetry"), [(-1, 0), (26, 0), (0, 8), (0, -1)])
def test_no_place(move: int, symmetry: int) -> None:
    with pytest.raises(ValueError, match="of this board"):
        SETS["go-v1"].policy_index(move, 5, 5, symmetry)


def test_what_go_v1_encodes() -> None:
    features: FeatureSet = SETS["go-v1"]
    assert (features.game, len(features.planes), features.globals) == ("go", 25, [])
    assert features.recent == len([name for name in features.planes if name.startswith("recent_")]) == 5
    assert features.has_komi and features.has_rules
    assert [features.symmetries(9, 9), features.symmetries(9, 7)] == [8, 4]
    assert features.policy_size(9, 7) == 64


@pytest.mark.parametrize("size", SIZES["go"])
def test_planes_through_a_symmetry(size: tuple[int, int]) -> None:
    """They are those of the position turned round, and the policy's places turn with them."""
    features, rng = SETS["go-v1"], random.Random(3)
    state, recent = GoState(*size, komi=7.5), list[int]()
    for _ in range(size[0] * size[1]):
        recent.append(choose(state, rng, passes=0.05))
        state.play(recent[-1])
        if state.is_terminal():
            break
    banned = [cell for cell in range(size[0] * size[1]) if state.stones()[cell] == 0][:2]
    for symmetry in range(features.symmetries(*size)):

        def turned(moves: list[int], symmetry: int = symmetry) -> list[int]:
            return [features.policy_index(move, *size, symmetry) for move in moves]

        seen = state.planes(recent=recent, banned=banned, symmetry=symmetry)
        wanted = state.transform(symmetry).planes(recent=turned(recent), banned=turned(banned))
        np.testing.assert_array_equal(seen, wanted)
        assert symmetry == 0 or (seen != state.planes(recent=recent, banned=banned)).any()
