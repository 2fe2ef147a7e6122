"""What games of self-play begin with, and what is kept of them to learn from."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from selfplay_games import MadeUp, play

from tengen.engine.games import get_game
from tengen.engine.search.selfplay import actor_settings
from tengen.tools.train.data.selfplayed import played_game
from tengen.tools.train.play.starts import Starts

GO = get_game("go")


def test_komi_and_rules_are_drawn() -> None:
    """Rules each as often as the others, komi in halves around its middle; a seed repeats them."""
    made = Starts(GO, 9, ("tromp-taylor", "chinese"), komi=7.0, spread=1.0)
    starts = [made.draw(random.Random(seed)) for seed in range(600)]
    komis = [start.state.komi for start in starts]
    assert all((2 * komi).is_integer() for komi in komis) and len(set(komis)) > 6
    assert np.mean(komis) == pytest.approx(7, abs=0.2) and np.std(komis) == pytest.approx(1, abs=0.15)
    assert 230 < Counter(start.rules for start in starts)["chinese"] < 370
    assert len({start.seed for start in starts}) == 600
    again = made.draw(random.Random(5))
    assert (again.seed, again.rules, again.state.komi) == (starts[5].seed, starts[5].rules, starts[5].state.komi)


def test_what_is_not_drawn() -> None:
    start = Starts(GO, 13, komi=6.5).draw(random.Random(1))
    assert (start.state.width, start.state.komi, start.rules) == (13, 6.5, GO.default_rules.name)
    assert Starts(get_game("reversi"), 8).draw(random.Random(1)).rules == "standard"


def test_a_komi_stays_on_the_board() -> None:
    made = Starts(GO, 3, komi=0, spread=50)
    komis = [made.draw(random.Random(seed)).state.komi for seed in range(50)]
    assert min(komis) == -9 and max(komis) == 9


def test_rules_that_are_none() -> None:
    with pytest.raises(ValueError, match="Unknown rules 'chines'"):
        Starts(GO, 9, ("chines",)).draw(random.Random(1))
    with pytest.raises(ValueError, match="unacceptable size"):
        Starts(GO, 26).draw(random.Random(1))


def test_a_game_is_what_is_learned_from() -> None:
    """All that was recorded, with the size, rules and komi of its start."""
    made = Starts(GO, 5, ("tromp-taylor",), komi=3.5)
    for game in play([made.draw(random.Random(seed)) for seed in range(3)]):
        kept = played_game("go", game)
        assert (kept.game, kept.width, kept.height, kept.rules, kept.komi) == ("go", 5, 5, "tromp-taylor", 3.5)
        for name in (
            "moves",
            "first",
            "weights",
            "values",
            "target_moves",
            "target_shares",
            "margin",
            "outcome",
            "owners",
        ):
            assert getattr(kept, name) is getattr(game, name)
        assert (kept.moves.dtype, kept.weights.dtype, kept.target_offsets.dtype) == (np.int16, np.float32, np.int32)
        assert kept.owners is not None and kept.owners.dtype == np.int8


def test_what_an_actor_is_told_of_a_network() -> None:
    network = MadeUp()
    assert actor_settings(network) == {"features": "katago-v7", "suicide_in_life": False}
    network.suicide_in_life = True  # type: ignore[attr-defined]
    assert actor_settings(network) == {"features": "katago-v7", "suicide_in_life": True}
