"""Games of networks side by side: each is the game that it would be alone, searched as a player searches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from checkout import needs_openvino
from networks import onnx, tiny
from onnx_files import write_player

from tengen.engine._core import StopToken
from tengen.engine.config import Config, ConfigError
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.games import get_game
from tengen.engine.games.go.strength import SMALL
from tengen.engine.limits import Limits
from tengen.engine.search.base import Root
from tengen.engine.search.puct import PuctSearch
from tengen.tools.match.own.match import openings, play
from tengen.tools.match.own.sides import Match
from tengen.tools.match.own.together import Game, play_round, play_together, side_of

SETTINGS = {"fast": {"puct.batch": 8, "puct.visits_a_leaf": 4}, "one by one": {"puct.batch": 1, "puct.in_flight": 1}}


def match(games: int) -> Match:
    needs_openvino()
    config = Config(game="go", player="puct", net=str(tiny()), precision="f32", playouts=24)
    a, b = (Config(**{**vars(config), "set": settings}) for settings in SETTINGS.values())
    return Match(a, b, games, size=5)


def test_a_game_does_not_depend_on_its_neighbours() -> None:
    many = match(4)
    together = play(many, together=4)
    assert [game.number for game in together] == list(range(4))
    assert len({game.moves for game in together}) == 4 and {game.score for game in together} <= {0, 0.5, 1}
    rows = openings(many)
    for game in together[::3]:  # either colour, either opening
        (alone,) = play_together(many, [(game.number, rows[game.number // 2])])
        assert alone._replace(cpu=game.cpu) == game


@pytest.mark.parametrize("kind", SETTINGS)
def test_a_move_is_what_the_search_finds(kind: str) -> None:
    """The same visits for every move as a run of `PuctSearch` alone."""
    one = match(2)
    sides = [side_of(one.a, 9), side_of(one.b, 9)]
    number = list(SETTINGS).index(kind)  # `a` has Black in the first game, `b` in the second
    game = Game(one, sides, number, ())
    before = game.mover
    while not game.history.moves:
        play_round([game], before.side)
    alone = PuctSearch(get_game("go"), get_game("go").players["puct"])
    alone.configure({"puct.seed": one.seed * 1000 + number + 1, **SETTINGS[kind]})
    alone.use(lambda _size: before.side.evaluator)
    go = get_game("go")
    state = go.new_state(5, 5, go.rule_sets[str(one.setting.rules)], float(one.setting.komi or 0))
    info = alone.run(Root(state, [state.position_key]), Limits(playouts=24), StopToken())
    found = before.last
    assert [(line.move, line.visits) for line in found.lines] == [(line.move, line.visits) for line in info.lines]
    assert game.history.moves[0][1] == info.lines[0].move


@pytest.mark.parametrize(
    ("name", "player", "features", "size"),
    [("gomoku", "alphazero-gomoku", "alphazero-gomoku-v1", 8), ("gomoku", "puct", "gomoku-v1", 8),
     ("reversi", "puct", "reversi-v1", 8), ("go", "clevergo", "clevergo-v1", 5)],
)  # fmt: skip
def test_networks_of_every_game_play_together(name: str, player: str, features: str, size: int) -> None:
    """By the feature set of each side's own network; to the end, and each game as if alone."""
    needs_openvino()
    side = Config(game=name, player=player, net=str(onnx(name, features)), playouts=12)
    many = Match(side, Config(**{**vars(side), "playouts": 4}), 4, size=size)
    played, rows = play(many, together=4), openings(many)
    assert len(played) == 4 and {one.score for one in played} <= {0, 0.5, 1} and len({one.moves for one in played}) > 1
    for game in played[::3]:
        (alone,) = play_together(many, [(game.number, rows[game.number // 2])])
        assert alone._replace(cpu=game.cpu) == game


def test_a_board_that_a_network_is_not_for(tmp_path: Path) -> None:
    needs_openvino()
    net = write_player(tmp_path, "gomoku", "alphazero-gomoku-v1", "az", 8, 8)
    side = Config(game="gomoku", player="puct", net=str(net), playouts=4)
    with pytest.raises(NetworkError, match=r"'az\.onnx' is for boards of 8x8, not 15x15"):
        play_together(Match(side, side, 2), [(0, ())])


def test_levels_choose_as_players_of_a_live_game_do() -> None:
    """By temperature among what their limits found: the policy alone for weak ones. No other game matters."""
    needs_openvino()
    config = Config(game="go", player="puct", net=str(tiny()), precision="f32")
    many = Match(replace(config, level=7), replace(config, level=2), 4, size=5)
    played, rows = play(many, together=4), openings(many)
    for game in played[::3]:
        (alone,) = play_together(many, [(game.number, rows[game.number // 2])])
        assert alone._replace(cpu=game.cpu) == game
    game = Game(many, [side_of(many.a, 5), side_of(many.b, 5)], 1, ())
    seat, root, chosen = game.mover, game.state, set()
    assert seat.side.level == SMALL[2]
    for seed in range(24):
        game = Game(Match(many.a, many.b, 6, seed, 5), [seat.side, seat.side], 1, ())
        while not game.history.moves:
            play_round([game], seat.side)
        info = game.order[0].last
        assert info.visits <= 1 and sum(line.visits for line in info.lines) == 0
        chosen.add(game.history.moves[0][1])
    most = max(line.prior for line in info.lines)
    fair = {line.move for line in info.lines if line.prior >= SMALL[2].least * most}
    assert 3 < len(chosen) and chosen <= fair and root.is_legal(info.lines[0].move)


def test_games_with_a_handicap_and_of_a_policy_are_played_to_the_end() -> None:
    """`a` has Black and the stones in each of them; who does not search never resigns, as in a live game."""
    needs_openvino()
    config = Config(game="go", player="puct", net=str(tiny()), precision="f32", level=1, resign=1.0)
    for game in play(Match(config, config, 4, size=9, handicap=4), together=4):
        assert (game.score == 1) == (game.margin > 0) and game.margin % 1 == 0.5
        assert game.moves[-2:] == (81, 81) or len(game.moves) >= 3 * 81
    game = Game(Match(config, config, 2, size=9, handicap=4), [side_of(config, 9)] * 2, 1, ())
    assert game.state.to_move == 1 and game.state.stones().count(1) == 4 and game.order[0] is game.seats[0]


@pytest.mark.parametrize("wrong", [{"playouts": None}, {"time": 1.0}, {"net": "none"}, {"player": "uct"}])
def test_who_cannot_play_like_this(wrong: dict[str, object]) -> None:
    good = match(2).a
    with pytest.raises(ConfigError, match=r"network"):
        side_of(Config(**{**vars(good), **wrong}), 9)
