"""The networks of AlphaZero_Gomoku and CleverGo: their parts, what they answer, learning, and playing by their files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")


from tengen.engine.config import Config  # noqa: E402
from tengen.engine.evaluators.backends.features import feature_set  # noqa: E402
from tengen.engine.evaluators.network import load_evaluator  # noqa: E402
from tengen.engine.play.player import Player  # noqa: E402
from tengen.engine.play.request import MoveRequest  # noqa: E402
from tengen.nets.learning import Learner  # noqa: E402
from tengen.nets.models import build  # noqa: E402
from tengen.nets.publish import export  # noqa: E402
from tengen.nets.recipe import LearningRecipe, Schedule  # noqa: E402
from tengen.nets.spec import ModelSpec  # noqa: E402
from tengen.nets.training import seed  # noqa: E402
from tengen.tools.train.data.rows import Batch  # noqa: E402

CARD = {
    "name": "tiny",
    "purpose": "a test",
    "licence": "MIT",
    "training": {"data": "none", "credits": [], "command": "none"},
}

# Kind, game, feature set, side -> the layers with weights as the originals list them.
KINDS = [
    ("alphazero-gomoku", "gomoku", "alphazero-gomoku-v1", 8,
     [(32, 4, 3, 3), (64, 32, 3, 3), (128, 64, 3, 3), (4, 128, 1, 1), (64, 256), (2, 128, 1, 1), (64, 128), (1, 64)]),
    ("clevergo", "go", "clevergo-v1", 9,
     [(32, 10, 3, 3), (64, 32, 3, 3), (128, 64, 3, 3), (8, 128, 1, 1), (256, 648), (82, 256), (4, 128, 1, 1), (128, 324),
      (64, 128), (1, 64)]),
    ("clevergo", "go", "clevergo-v1-merged", 13,
     [(32, 6, 3, 3), (64, 32, 3, 3), (128, 64, 3, 3), (8, 128, 1, 1), (256, 1352), (170, 256), (4, 128, 1, 1), (128, 676),
      (64, 128), (1, 64)]),
]  # fmt: skip
NAMES = ("kind", "game", "features", "side")


def network(kind: str, game: str, features: str, side: int) -> Any:
    seed(2)
    return build(ModelSpec(kind), feature_set(game, features), (side, side))


@pytest.mark.parametrize((*NAMES, "shapes"), KINDS)
def test_the_layers_are_those_of_the_program(
    kind: str, game: str, features: str, side: int, shapes: list[tuple[int, ...]]
) -> None:
    model = network(kind, game, features, side)
    assert [tuple(weight.shape) for name, weight in model.named_parameters() if name.endswith("weight")] == shapes
    assert all(name.endswith(("weight", "bias")) for name, _ in model.named_parameters())


@pytest.mark.parametrize(NAMES, [row[:4] for row in KINDS])
def test_the_value_is_a_tanh(kind: str, game: str, features: str, side: int) -> None:
    """Won less lost is tanh of what the value head says, and nothing is drawn."""
    model = network(kind, game, features, side)
    planes = torch.rand(5, len(feature_set(game, features).planes), side, side) * 3
    answers = model(planes)
    assert set(answers) == {"policy", "value"} and answers["policy"].shape == (5, side * side + (game == "go"))
    odds = torch.softmax(answers["value"], 1)
    wanted = torch.tanh(model.value(model.trunk(planes)))[:, 0]
    torch.testing.assert_close(odds[:, 0] - odds[:, 2], wanted, atol=1e-6, rtol=1e-5)
    assert float(odds[:, 1].max().detach()) < 1e-12


WRONG = [
    (
        "alphazero-gomoku",
        "gomoku",
        "gomoku-v1",
        (8, 8),
        "the kind alphazero-gomoku takes alphazero-gomoku-v1, not 'gomoku-v1'",
    ),
    ("clevergo", "go", "go-v1", (9, 9), "the kind clevergo takes clevergo-v1, not 'go-v1'"),
    ("clevergo", "go", "clevergo-v1", None, "the kind clevergo needs the size of its board"),
]


@pytest.mark.parametrize(("kind", "game", "features", "board", "sentence"), WRONG)
def test_what_they_cannot_be(kind: str, game: str, features: str, board: tuple[int, int] | None, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        build(ModelSpec(kind), feature_set(game, features), board)


def rows_of(count: int, planes: int, moves: int, side: int, at: int) -> Batch:
    """The move to play, one of the first column, is marked in plane 1; who is the first player, by plane 3, wins, and every tenth game is drawn."""
    random = np.random.default_rng(at)
    seen = np.zeros((count, planes, side, side), np.float32)
    seen[:, 0] = random.random((count, side, side)) < 0.3
    marked = random.integers(8, size=count) * side
    seen.reshape(count, planes, -1)[np.arange(count), 1, marked] = 1
    policy = np.eye(moves, dtype=np.float32)[marked]
    is_first, is_drawn = random.random(count) < 0.5, np.arange(count) % 10 == 0
    seen[is_first, 3] = 1
    value = np.stack([is_first & ~is_drawn, is_drawn, ~is_first & ~is_drawn], 1).astype(np.float32)
    unknown = np.full(count, np.nan, np.float32)
    owners = np.full((count, side, side), np.nan, np.float32)
    return Batch(
        seen,
        None,
        policy,
        np.zeros_like(policy),
        value,
        value * np.nan,
        unknown,
        owners,
        unknown,
        np.ones(count, np.float32),
    )


def test_it_learns_by_the_squared_error_of_its_value() -> None:
    """A game with draws too: 0 is what they make one expect."""
    torch.set_num_threads(1)
    model = network("alphazero-gomoku", "gomoku", "alphazero-gomoku-v1", 8)
    recipe = LearningRecipe(value_loss="square", precision="f32", schedule=Schedule(0.002, rise=1, shape="constant"))
    learner = Learner(model, recipe)
    told = [learner.step(rows_of(64, 4, 64, 8, at)) for at in range(150)]
    for name, share in (("policy_loss", 0.4), ("value_loss", 0.5)):
        first, last = (np.mean([figures[name] for figures in part]) for part in (told[:5], told[-5:]))
        assert last < share * first, name


@pytest.mark.parametrize(NAMES, [row[:4] for row in KINDS])
def test_the_file_plays_by_the_name_of_the_player(
    kind: str, game: str, features: str, side: int, tmp_path: Path
) -> None:
    """The card says the game, the set and the size of the board; the answers are the module's."""
    pytest.importorskip("onnx")
    pytest.importorskip("openvino")
    model = network(kind, game, features, side).eval()
    path = tmp_path / "tiny.onnx"
    export(model, path, CARD)
    planes = (
        np.random.default_rng(1).random((3, len(feature_set(game, features).planes), side, side)).astype(np.float32)
    )
    evaluator = load_evaluator(path, game, threads=1)
    found = evaluator.submit(planes).wait()
    evaluator.close()
    with torch.no_grad():
        said = model(torch.from_numpy(planes))
    np.testing.assert_allclose(found.policies, said["policy"].numpy(), atol=1e-4)
    np.testing.assert_allclose(found.values, torch.softmax(said["value"], 1).numpy(), atol=1e-5)
    live = Player(Config(game=game, player=kind, net=str(path), playouts=20, threads=1, seed=3))
    live.new_game(side)
    decision = live.genmove(MoveRequest(0))
    assert decision.notice == "" and live.plays == kind and decision.info.playouts == 20
    assert any(0 < line.prior < 1 for line in decision.info.lines)
    live.new_game(side + 2)
    assert "is for boards of" in live.genmove(MoveRequest(0)).notice
    live.close()
