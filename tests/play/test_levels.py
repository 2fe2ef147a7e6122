"""Levels: what they bound, whose they are, and that each beats the one below (seeded, therefore repeatable games)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from go_players import player
from scripted import Scripted, scripted_player

from tengen.engine.config import Config, ConfigError
from tengen.engine.games import GAMES, get_game
from tengen.engine.games.go import GO
from tengen.engine.games.players import LEVELS, Level
from tengen.engine.games.players import Entry as PlayerEntry
from tengen.engine.limits import Limits
from tengen.engine.play.options import options_of
from tengen.engine.play.request import MoveRequest
from tengen.tools.match.own.game import tally
from tengen.tools.match.own.match import play
from tengen.tools.match.own.sides import Match


def test_levels_search_more_and_stray_less() -> None:
    rows = [LEVELS[number] for number in range(1, 11)]
    for below, above in zip(rows, rows[1:], strict=False):
        assert above.limits.playouts is None or (below.limits.playouts or 0) < above.limits.playouts
        assert above.margin <= below.margin


@pytest.mark.slow
@pytest.mark.parametrize("level", range(2, 7))
def test_a_level_beats_the_one_below(level: int) -> None:
    assert tally(play(Match(Config(level=level), Config(level=level - 1), games=30))).score > 0.5


@pytest.mark.parametrize("level", LEVELS)
def test_levels_play(level: int) -> None:
    live = player(7, level=level, playouts=None, time=0.05)
    assert live.genmove(MoveRequest(0)).move is not None


def test_a_player_has_levels_of_its_own(scripted: type[Scripted]) -> None:
    levels = {3: Level(Limits(visits=7), 0.5, 0.2), 20: Level(Limits(depth=4), 0.0, 0.0)}
    GAMES["scripted"] = replace(GO, name="scripted", players={"deep": PlayerEntry("scripted", levels=levels)})
    live = scripted_player("deep", level=3)
    assert live.level == levels[3]
    live.genmove(MoveRequest(0, play=False))
    assert scripted.limits == Limits(visits=7), "nothing else bounds it"
    live.configure(replace(live.config, level=20, playouts=5))
    assert live.level.limits == Limits(depth=4, playouts=5)
    says = "the player 'deep' of scripted has no level 4; it has 3, 20"
    for refused in (lambda: live.configure(replace(live.config, level=4)), lambda: scripted_player("deep", level=4)):
        with pytest.raises(ConfigError, match=says):
            refused()
    assert live.config.level == 20


def test_a_player_without_levels(scripted: type[Scripted]) -> None:
    GAMES["scripted"] = replace(GO, name="scripted", players={"deep": PlayerEntry("scripted", levels={})})
    with pytest.raises(ConfigError, match="the player 'deep' of scripted has no level 1; it has none"):
        scripted_player("deep", level=1)
    assert "level" not in {option.name for option in options_of(get_game("scripted"))}
