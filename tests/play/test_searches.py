"""Who searches a game, and with what: the search side knows the native search, which lists its evaluators."""

from __future__ import annotations

from dataclasses import replace

import pytest
from toy.game import TOY

from tengen.engine.games import GAMES, get_game
from tengen.engine.games.players import Entry
from tengen.engine.search.mcts import MctsSearch
from tengen.engine.search.native import native

# The game, the evaluator asked for, what the refusal says.
REFUSED = [
    ("go", "weighted", "go has no evaluator 'weighted'"),
    ("go", "tactcal", "go has no evaluator 'tactcal' (did you mean 'tactical'?)"),
    ("reversi", "tactical", "reversi has no evaluator 'tactical'"),
    ("gomoku", "a\nb", "gomoku has no evaluator 'a?b'"),
]


@pytest.mark.parametrize(("game", "evaluator", "says"), REFUSED)
def test_an_evaluator_that_a_game_lacks(game: str, evaluator: str, says: str) -> None:
    with pytest.raises(ValueError) as caught:
        MctsSearch(get_game(game), Entry("mcts", evaluator))
    assert str(caught.value) == says


def test_a_game_without_a_native_search() -> None:
    game = replace(TOY, parts=TOY.parts._replace(mcts=""))
    with pytest.raises(ValueError, match="no tree search serves morris"):
        MctsSearch(game, Entry("mcts", "uniform"))


@pytest.mark.parametrize("name", list(GAMES))
def test_every_player_has_an_evaluator_of_its_game(name: str) -> None:
    """And every evaluator says in a sentence what it does."""
    game = get_game(name)
    for search in ("mcts", "alphabeta"):
        named = {player.evaluator for player in game.players.values() if player.search == search and player.evaluator}
        if not named:
            continue
        listed = type(native(search, "search", game, min(named))).evaluators()
        assert all(len(doc) > 10 for _, doc in listed)
        assert named <= {evaluator for evaluator, _ in listed}
