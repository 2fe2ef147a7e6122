"""--net: who plays where a network is named, and that it is that network which guides the search."""

from __future__ import annotations

from dataclasses import replace

import networks
import pytest
from checkout import needs_openvino

from tengen.engine.config import Config, ConfigError
from tengen.engine.games import get_game
from tengen.engine.play.networks import begun_network, looked_for, network_of, player_for
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
        (Config(game="reversi", net=FILE), "puct"),
        (Config(game="gomoku", net="auto"), None),
    ],
)
def test_who_plays(config: Config, who: str | None) -> None:
    assert player_for(get_game(config.game), config) == who


# Who said nothing of a network -> what is taken for it.
UNSAID = [
    (Config(), "auto"),
    (Config(player="puct"), "auto"),
    (Config(level=3, playouts=50), "auto"),
    (Config(set={"puct.batch": "4"}), "auto"),
    (Config(player="uct"), "none"),
    (Config(player="random"), "none"),
    (Config(set={"mcts.c": "0.5"}), "none"),
    (Config(player="puct", set={"puct.network": FILE}), "none"),
    (Config(game="gomoku"), "none"),
    (Config(game="reversi", player="mix"), "none"),
]


@pytest.mark.parametrize(("config", "net"), UNSAID)
def test_where_a_network_is_looked_for(config: Config, net: str) -> None:
    assert looked_for(config) == replace(config, net=net)


def test_auto_without_a_network_plays_as_before() -> None:
    """By the levels, the moves and the judgement of who plays without one."""
    facts = []
    for net in ("auto", "none"):
        live = Player(Config(net=net, playouts=60, threads=1, seed=3))
        live.new_game(9)
        info = live.genmove(MoveRequest(0)).info
        facts.append((live.plays, live.moves, [(line.move, line.visits, line.win) for line in info.lines]))
        live.close()
    assert facts[0] == facts[1] and facts[0][0] == "uct"


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
    loading = network_of(config)
    assert loading is not None and loading is network_of(config) is begun_network(config)
    assert loading.get().evaluator.header.version >= 8
