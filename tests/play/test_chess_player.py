"""Chess as a game of the Player: draws that are claimed, positions, levels and ratings."""

from __future__ import annotations

import pytest

from tengen.engine.config import Config
from tengen.engine.games import get_game, of_points
from tengen.engine.games.chess.levels import HIGHEST_ELO, LOWEST_ELO, RATINGS, level_of_elo
from tengen.engine.games.chess.text import START, fen_of, state_from_fen
from tengen.engine.games.hooks import hooks_of
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest

CHESS = get_game("chess")
STANDARD, CHESS960 = CHESS.rule_sets["standard"], CHESS.rule_sets["chess960"]
MIXED = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"


def player(**settings: object) -> Player:
    return Player(Config(game="chess", threads=1, memory=64, seed=1, **settings))  # type: ignore[arg-type]


def move(live: Player, text: str) -> None:
    live.play(live.state.to_move, CHESS.move_from_text(live.state, text))


def test_fifty_moves_and_the_third_repetition_end_a_game() -> None:
    live = player()
    live.begin(state_from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 99 90"))  # type: ignore[arg-type]
    assert not live.is_over
    move(live, "a1a2")
    assert live.is_over and not live.state.is_terminal() and live.state.result() == 0
    live.undo()
    assert not live.is_over
    live.new_game(8)
    for text in "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8".split():
        assert not live.is_over
        move(live, text)
    assert live.is_over
    live.begin(state_from_fen("7k/R7/6K1/8/8/8/8/8 w - - 99 90"))  # type: ignore[arg-type]
    move(live, "a7a8")
    assert live.is_over and live.state.result() == 1, "a mate goes before the claim"


def test_positions_of_the_rules() -> None:
    hooks = hooks_of(CHESS)
    with pytest.raises(ValueError, match="one of Chess960"):
        hooks.position(CHESS, MIXED, STANDARD)
    state = hooks.position(CHESS, MIXED, CHESS960)
    assert state.is_chess960  # type: ignore[attr-defined]
    assert hooks.position(CHESS, START, CHESS960).is_chess960 and not hooks.position(CHESS, START, STANDARD).is_chess960  # type: ignore[attr-defined]
    assert "chess" not in of_points() and of_points() == ["go", "gomoku", "reversi"]
    with pytest.raises(ValueError, match="are stones, not a text"):
        hooks_of(get_game("go")).position(get_game("go"), START, get_game("go").default_rules)


def test_stones_are_no_position_of_chess() -> None:
    live = player()
    with pytest.raises(ValueError, match="positions of chess cannot be set up by stones"):
        live.setup(bytes(64), 0)
    live.begin(state_from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"))  # type: ignore[arg-type]
    move(live, "e2e4")
    live.set_rules(CHESS960)
    assert fen_of(live.state).startswith("4k3/8/8/8/4P3")  # type: ignore[arg-type]


def test_ratings_rise() -> None:
    assert list(RATINGS) == sorted(RATINGS) and (LOWEST_ELO, HIGHEST_ELO) == (RATINGS[0].elo, RATINGS[-1].elo)
    levels = [level_of_elo(elo) for elo in range(LOWEST_ELO, HIGHEST_ELO + 1, 50)]
    for weak, strong in zip(levels, levels[1:], strict=False):
        assert (weak.limits.playouts or 0) <= (strong.limits.playouts or 0)
        assert weak.temperature >= strong.temperature and weak.margin >= strong.margin
    for row in RATINGS:
        level = level_of_elo(row.elo)
        assert (level.limits.playouts, level.temperature, level.margin) == pytest.approx(
            (row.nodes, row.temperature, row.margin)
        )
    assert level_of_elo(0) == level_of_elo(LOWEST_ELO) and level_of_elo(9999) == level_of_elo(HIGHEST_ELO)


@pytest.mark.parametrize("level", sorted(CHESS.players["alphabeta"].levels)[:-1])
def test_every_level_plays(level: int) -> None:
    live = player(level=level)
    for _ in range(4):
        decision = live.genmove(MoveRequest(live.state.to_move, resign=False))
        assert decision.move is not None
    live.close()


def test_weights_that_are_not_shipped_are_done_without() -> None:
    live = player(playouts=200, set={"alphabeta.weights": "auto"})
    assert live.genmove(MoveRequest(0, resign=False)).notice == ""
