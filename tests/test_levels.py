"""Each level beats the one below, measured in seeded and therefore repeatable games."""

from __future__ import annotations

import pytest

from tengen.engine.config import Config
from tengen.engine.games.players import LEVELS
from tengen.tools.selfplay import Match, play, tally


def test_levels_search_more_and_stray_less() -> None:
    rows = [LEVELS[number] for number in range(1, 11)]
    for below, above in zip(rows, rows[1:], strict=False):
        assert above.limits.playouts is None or (below.limits.playouts or 0) < above.limits.playouts
        assert above.margin <= below.margin


@pytest.mark.slow
@pytest.mark.parametrize("level", range(2, 7))
def test_a_level_beats_the_one_below(level: int) -> None:
    assert tally(play(Match(Config(level=level), Config(level=level - 1), games=30))).score > 0.5
