"""GoEnv, the Gymnasium environment: Gymnasium's own checker, rewards, canonical form and children."""

from __future__ import annotations

import random

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from tengen.tools.go_env import GoEnv, canonical  # noqa: E402


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("reward", ["real", "heuristic"])
def test_gymnasium_accepts_it(reward: str) -> None:
    env = GoEnv(5, komi=0.5, reward_method=reward)

    class Legal(gymnasium.spaces.Discrete):  # the checker plays samples: let them be legal
        def sample(self, mask: object = None, probability: object = None) -> np.int64:
            return np.int64(random.Random(0).choice(np.flatnonzero(env.legal_moves())))

    env.action_space = Legal(26)
    check_env(env, skip_render_check=True)


def test_rewards() -> None:
    for reward, during, won, lost in (("real", 0, 1, -1), ("heuristic", 25, 25, -25)):
        env = GoEnv(5, komi=24.5, reward_method=reward)
        env.reset()
        assert env.step((2, 2))[1] == during
        env.step(None)
        assert env.step(25)[1:3] == (won, True)
        with pytest.raises(ValueError, match="over"):
            env.step(0)
        env = GoEnv(5, komi=25.5, reward_method=reward)
        env.reset()
        env.step(12)
        env.step(25)
        assert env.step(25)[1] == lost
    tied = GoEnv(5, komi=25, reward_method="heuristic")
    tied.reset()
    for move in (12, 25, 25):
        result = tied.step(move)
    assert result[1] == 0


def test_illegal_moves() -> None:
    env = GoEnv(3)
    env.reset()
    env.step(4)
    for action in (4, (1, 1), 10, -1, (3, 0)):
        with pytest.raises(ValueError, match="occupied|off the board"):
            env.step(action)
    with pytest.raises(ValueError, match="reward_method"):
        GoEnv(3, reward_method="fair")


def test_observation_canonical_form_and_children() -> None:
    env, rng = GoEnv(5, ko="positional"), random.Random(3)
    observation, info = env.reset(seed=1)
    assert observation.shape == (6, 5, 5) and not observation[:3].any() and info["action_mask"].all()
    for _ in range(60):
        legal = env.legal_moves()
        moves = np.flatnonzero(legal)
        children, compact = env.children(), env.children(is_padded=False)
        assert children.shape == (26, 6, 5, 5) and (children[legal] == compact).all() and not children[~legal].any()
        assert (env.children(is_canonical=True)[legal] == canonical(compact)).all()
        own = env.canonical_form()
        assert not own[2].any()
        mover = int(env.state()[2, 0, 0])
        assert (own[0] == env.state()[mover]).all() and (own[1] == env.state()[1 - mover]).all()
        move = int(rng.choice(moves[:-1] if len(moves) > 1 else moves))
        observation, _, is_over, is_truncated, info = env.step(move)
        assert (observation == children[move]).all() and not is_truncated
        assert info["to_move"] == 1 - mover
        if is_over:
            break
    env.reset()
    assert env.legal_moves().all()


def test_render() -> None:
    assert GoEnv(3).render() is None
    env = GoEnv(3, render_mode="ansi")
    env.reset()
    env.step(0)
    assert env.render() == " 3 X . .\n 2 . . .\n 1 . . .\n   A B C\nWhite to move"
