"""What a game says of who serves it (`Parts`) is there, for every registered game and the toy of the tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from toy.game import TOY, registered

from tengen.engine import _core
from tengen.engine.games import GAMES, get_game
from tengen.engine.games.base import Game
from tengen.engine.games.parts import load
from tengen.tools.match.game.judge import BoardJudge


@pytest.fixture(params=[*GAMES, TOY.name])
def game(request: pytest.FixtureRequest) -> Iterator[Game]:
    with registered():
        yield get_game(request.param)


@pytest.mark.parametrize("part", ["mcts", "alphabeta", "tree", "selfplay"])
def test_classes_of_the_core_are_there(game: Game, part: str) -> None:
    name = getattr(game.parts, part)
    assert not name or isinstance(game.parts.native(name), type)


def test_every_class_of_the_core_that_serves_a_game_is_named() -> None:
    kinds = {"mcts": "Mcts", "alphabeta": "AlphaBeta", "tree": "Tree", "selfplay": "SelfPlay"}
    named = {name for game in GAMES for kind in kinds if (name := getattr(get_game(game).parts, kind))}
    assert named == {name for name in dir(_core) if name.endswith(tuple(kinds.values()))}


def test_parts_of_the_tools_are_there(game: Game) -> None:
    assert issubclass(load(game.parts.judge), BoardJudge)
    for target in filter(None, (game.parts.review, game.parts.speed)):
        load(target)


def test_players_search_by_parts_that_the_game_has(game: Game) -> None:
    for entry in game.players.values():
        needed = {"mcts": "mcts", "alphabeta": "alphabeta", "puct": "tree", "policy": "tree", "value": "tree"}.get(
            entry.search
        )
        assert needed is None or getattr(game.parts, needed), entry.search
