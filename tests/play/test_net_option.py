"""--net: who plays where a network is named, and that it is that network which guides the search."""

from __future__ import annotations

from pathlib import Path

import networks
import pytest
from checkout import needs_openvino

from tengen.engine.config import Config, ConfigError
from tengen.engine.games import get_game
from tengen.engine.play.networks import load_ahead, network_of, player_for
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest

FILE = "some.bin.gz"


@pytest.mark.parametrize(
    ("config", "who"),
    [
        (Config(), None),
        (Config(net=FILE), "puct"),
        (Config(net=FILE, player="uct"), "uct"),
        (Config(net="none", player="puct"), "puct"),
        (Config(game="reversi", net=FILE), None),
    ],
)
def test_who_plays(config: Config, who: str | None) -> None:
    assert player_for(get_game(config.game), config) == who


def test_auto_without_a_network_plays_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.engine.evaluators.katago.finding.find_networks", lambda: [])
    assert player_for(get_game("go"), Config(net="auto")) is None


def test_a_player_without_a_network_is_refused() -> None:
    with pytest.raises(ConfigError, match="none was named: --net FILE"):
        Player(Config(player="puct"))


def test_the_network_that_is_named_guides_the_search() -> None:
    needs_openvino()
    live = Player(Config(net=str(networks.tiny()), precision="f32", playouts=40, threads=1, seed=3))
    live.new_game(9)
    decision = live.genmove(MoveRequest(0))
    live.close()
    assert live.config.player == "puct" and decision.info.playouts == 40
    assert decision.info.best is not None and decision.info.best.prior > 0


def test_the_network_loads_ahead_of_the_first_move() -> None:
    needs_openvino()
    config = Config(net=str(networks.tiny()), precision="f32", threads=1)
    load_ahead(config)
    loading = network_of(config)
    assert loading is not None and loading is network_of(config)
    assert loading.get().evaluator.header.version >= 8
