"""Players of chess by networks: `human`, told a rating, and `fromto`."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import networks
import numpy as np
import pytest
from checkout import needs_openvino

from tengen.engine._core import ChessState, StopToken, feature_sets
from tengen.engine.config import Config
from tengen.engine.evaluators import ratings
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.network import Evaluation
from tengen.engine.evaluators.outline import Outline
from tengen.engine.games import get_game
from tengen.engine.games.chess.game import centipawns_of
from tengen.engine.games.chess.text import state_from_fen
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.engine.search import make_search
from tengen.engine.search.base import Root
from tengen.engine.search.human import HumanSearch

V1 = next(features for features in feature_sets() if features.name == "chess-v1")


class Ticket:
    def __init__(self, found: Evaluation) -> None:
        self._found = found

    def wait(self) -> Evaluation:
        return self._found


class Guide:
    """Likes e2e4 and keeps what it was told."""

    told: Any = {}

    def __init__(self) -> None:
        self.numbers: list[Any] = []
        self.chances = [1 / 3] * 3

    def submit(self, planes: Any, numbers: Any, *, is_root: Any) -> Ticket:
        self.numbers.append(numbers.copy())
        policies = np.zeros((len(planes), V1.policy_size(8, 8)), np.float32)
        policies[:, 12 | 28 << 6] = 3
        return Ticket(Evaluation(policies, np.tile(np.array(self.chances, np.float32), (len(planes), 1)), None, {}))


def asked(**options: Any) -> tuple[HumanSearch, Guide]:
    search = make_search(get_game("chess"), "human", {f"human.{name}": value for name, value in options.items()})
    assert isinstance(search, HumanSearch)
    guide: Any = Guide()
    search.use(lambda size: guide, Outline("x", "chess", "chess-v1", 8, 8))
    return search, guide


def test_the_rating_is_told() -> None:
    search, guide = asked(elo=2600)
    for elo in (2600, 1400, 0, 4000):
        search.configure({"human.elo": elo})
        info = search.run(Root(ChessState()), Limits(), StopToken())
        assert info.lines[0].move == 12 | 28 << 6 and len(info.lines) == 20
        assert sum(line.prior for line in info.lines) == pytest.approx(1, abs=1e-4)
    told = [numbers[0].tolist() for numbers in guide.numbers]
    assert told == [[0, 1.5, 1.5, 1], [0, -1.5, -1.5, 1], [0, 0, 0, 0], [0, 3, 3, 1]]
    assert isinstance(search.prepare(ChessState()), Future)


@pytest.mark.parametrize(
    ("chances", "least", "most"), [([1 / 3] * 3, -1, 1), ([0.7, 0.2, 0.1], 120, 200), ([0.1, 0.2, 0.7], -200, -120)]
)
def test_what_its_value_is_in_centipawns(chances: list[float], least: float, most: float) -> None:
    search, guide = asked()
    guide.chances = chances
    info = search.run(Root(ChessState()), Limits(), StopToken())
    assert least <= info.score <= most and info.lines[0].score == info.score


def test_centipawns_are_those_of_alpha_beta() -> None:
    """Which says how likely its scores win and lose: the same scores come back."""
    for fen in (
        "4k3/ppp5/8/8/8/8/PPPP4/4K3 w - - 0 1",
        "4k3/ppp5/8/8/8/8/PPPP4/4K3 b - - 0 1",
        "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ):
        search = make_search(get_game("chess"), "alphabeta", {"alphabeta.weights": "none"})
        line = search.run(Root(state_from_fen(fen)), Limits(depth=4), StopToken()).lines[0]
        assert abs(line.score) > 20 and centipawns_of(line.expected) == pytest.approx(line.score, abs=0.5)
    assert [centipawns_of(expected) for expected in (0, 0.5, 1)] == [-10_000, 0, 10_000]


def test_its_options() -> None:
    names = [option.name for option in asked()[0].options()]
    assert names == ["human.network", "human.precision", "human.threads", "human.elo", "human.seed"]
    with pytest.raises(ValueError, match=r"human\.elo"):
        asked(elo=-1)


def test_ratings_in_a_batch() -> None:
    numbers = np.zeros((3, 4), np.float32)
    ratings.tell(V1, numbers, np.array([2000, 2400, np.nan]), np.array([2800, np.nan, 2000]))
    assert numbers[:, 1:].tolist() == [[0, 2, 1], [0, 0, 0], [0, 0, 0]]
    assert ratings.are_seen_by(V1) and not any(
        ratings.are_seen_by(one) for one in feature_sets() if one.game != "chess"
    )


@pytest.mark.parametrize(
    ("player", "features", "other"),
    [("human", "chess-v1", "chess-fromto-v1"), ("fromto", "chess-fromto-v1", "chess-v1")],
)
def test_they_play_by_their_own_networks(player: str, features: str, other: str) -> None:
    """The likeliest legal move, from a file; a network that sees something else is refused."""
    needs_openvino()
    live = Player(Config(game="chess", player=player, net=str(networks.onnx("chess", features)), threads=1))
    for _ in range(6):
        decision = live.genmove(MoveRequest(live.state.to_move))
        assert decision.info.lines[0].move == decision.move
        assert decision.info.lines[0].prior == max(line.prior for line in decision.info.lines)
    live.close()
    with pytest.raises(NetworkError, match=f"sees {other}"):
        make_search(
            get_game("chess"),
            player,
            {f"{get_game('chess').players[player].search}.network": str(networks.onnx("chess", other))},
        )


@pytest.mark.parametrize("player", ["human", "fromto"])
def test_what_is_shipped_knows_the_openings_that_people_play(player: str) -> None:
    """Without a word of a network; 1 e4 e5 2 Nf3 Nc6 is played far more often than all else."""
    needs_openvino()
    chess = get_game("chess")
    live = Player(Config(game="chess", player=player, threads=1))
    first = live.genmove(MoveRequest(0)).move
    assert first is not None and chess.move_to_text(live.state, first) in {"e2e4", "d2d4", "g1f3", "c2c4"}
    live.begin(ChessState())
    live.play_sequence(
        [(ply % 2, chess.move_from_text(ChessState(), text)) for ply, text in enumerate(["e2e4", "e7e5", "g1f3"])]
    )
    best = live.genmove(MoveRequest(1)).info.lines[0]
    assert chess.move_to_text(live.state, best.move) == "b8c6" and best.prior > 0.5
    live.close()
