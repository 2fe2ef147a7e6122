"""Self-play in the core: what is searched how, what is recorded, how games end, and that a seed repeats."""

from __future__ import annotations

import numpy as np
import pytest
from selfplay_games import MadeUp, play, same, starts

SCORED = {"rules", "decided", "length"}

# The record

@pytest.mark.parametrize("gumbel", [0, 1])
def test_every_game_adds_up(gumbel: int) -> None:
    """Moves, weights, targets and values of every move; the end is what the board says."""
    games = play(starts(12), gumbel=gumbel, full_share=0.4)
    assert [game.seed for game in games] == list(range(12)) == [game.number for game in games]
    for game in games:
        n = len(game.moves)
        assert game.weights.shape == (n,) and game.values.shape == (n, 3) and len(game.target_offsets) == n + 1
        assert 0 <= game.first <= n and game.end in SCORED
        assert not game.is_full[: game.first].any() and np.isnan(game.values[: game.first]).all()
        searched = game.values[game.first :]
        assert (searched[:, :2] >= 0).all() and (searched[:, 0] + searched[:, 1] <= 1.0001).all()
        assert np.isfinite(searched[:, 2]).all()
        assert ((game.weights > 0) == game.is_full).all()
        if game.is_full.any():
            assert game.weights[game.is_full].mean() == pytest.approx(1, abs=1e-5)
        at = game.start.state.copy()
        for ply, move in enumerate(game.moves):
            a, b = game.target_offsets[ply : ply + 2]
            assert (b > a) == game.is_full[ply]
            if b > a:
                assert game.target_shares[a:b].sum() == pytest.approx(1, abs=1e-5)
                assert all(at.is_legal(int(one)) for one in game.target_moves[a:b])
            assert at.is_legal(int(move))
            at.play(int(move))
        assert game.owners is not None and game.margin == game.owners.sum() - at.komi
        assert game.outcome == (1 if game.margin > 0 else 0.5 if game.margin == 0 else 0)
        if game.end == "rules":
            assert at.is_terminal() and game.margin == (at.area() == 1).sum() - (at.area() == 2).sum() - at.komi


def test_the_share_of_full_searches() -> None:
    for share in (0.0, 0.3, 1.0):
        games = play(starts(30), full_share=share, opening_share=0, visits=6, cheap_visits=2)
        full = np.concatenate([game.is_full for game in games])
        assert len(full) > 500 and full.mean() == pytest.approx(share, abs=0.06)


def test_a_network_without_scores() -> None:
    (game,) = play(starts(1), MadeUp(has_scores=False))
    assert np.isnan(game.values[:, 2]).all() and np.isfinite(game.values[game.first :, :2]).all()


def test_surprise_moves_weight() -> None:
    """Half of it stays; the rest goes by the divergence of the policy from the target; what is not searched fully has none."""
    even, half, full = (play(starts(4), surprise=share)[0] for share in (0, 0.5, 1))
    is_full = even.is_full
    assert (even.weights[is_full] == 1).all()
    expected = half.surprises[is_full] / half.surprises[is_full].mean()
    assert (half.surprises[~is_full] == 0).all() and (expected > 0).any()
    np.testing.assert_allclose(half.weights[is_full], 0.5 + 0.5 * expected, rtol=1e-4)
    np.testing.assert_allclose(full.weights[is_full], expected, rtol=1e-4, atol=1e-6)


# Repeatable

def test_a_game_depends_on_its_seed_alone() -> None:
    """Not on the slots, on the batches or on the games beside it; with answers that are kept or not."""
    alone = [play([start], slots=1, room=1, in_flight=1, cache_mb=0)[0] for start in starts(8)]
    for slots, room, in_flight, kept in [(1, 4, 2, 0), (3, 2, 1, 1), (8, 8, 2, 0), (8, 5, 3, 1), (20, 64, 2, 1)]:
        together = play(starts(8), slots=slots, room=room, in_flight=in_flight, cache_mb=kept)
        assert all(same(a, b) for a, b in zip(alone, together, strict=True)), (slots, room)
    other = play(starts(8, first_seed=100))
    assert not any(same(a, b) for a, b in zip(alone, other, strict=True))


@pytest.mark.parametrize("leaves", [1, 4])
def test_the_same_call_repeats(leaves: int) -> None:
    first, second = (play(starts(10), slots=4, leaves=leaves, gumbel=0) for _ in range(2))
    assert all(same(a, b) for a, b in zip(first, second, strict=True))


def test_batches_are_shared() -> None:
    evaluator = MadeUp()
    play(starts(40), evaluator, slots=16, room=8, in_flight=2)
    assert max(evaluator.batches) == 8 and np.median(evaluator.batches) == 8
