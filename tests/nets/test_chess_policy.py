"""Networks that say how people move in chess: where their answers lie, that both colours get the same, the file."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from checkout import needs_openvino

torch = pytest.importorskip("torch")

from tengen.engine._core import ChessState, FeatureSet, feature_sets  # noqa: E402
from tengen.engine.evaluators.network import load_evaluator  # noqa: E402
from tengen.nets.chess_policy import RARE, FromToNet  # noqa: E402
from tengen.nets.models import build  # noqa: E402
from tengen.nets.publish import export  # noqa: E402
from tengen.nets.spec import ModelSpec  # noqa: E402

SETS = {features.name: features for features in feature_sets() if features.game == "chess"}
KINDS = {"chess": "chess-v2", "chess-fromto": "chess-fromto-v1"}


def made(kind: str) -> Any:
    torch.manual_seed(3)
    spec = ModelSpec(kind, blocks=2, channels=16, pooling=2, head=8, hidden=8)
    return build(spec, SETS[KINDS[kind]], (8, 8)).eval()


def seen(states: list[ChessState], features: FeatureSet) -> tuple[Any, Any]:
    planes = np.stack([np.asarray(state.planes(features.name)) for state in states])
    numbers = np.zeros((len(states), len(features.globals)), np.float32)
    numbers[:, 0] = [state.to_move for state in states]
    return torch.from_numpy(planes), torch.from_numpy(numbers)


def some(count: int) -> list[ChessState]:
    """Positions of random games, also with pawns that promote."""
    dice, out = random.Random(8), list[ChessState]()
    while len(out) < count:
        state = ChessState()
        for _ in range(dice.randrange(1, 120)):
            moves = state.legal_moves()
            if not moves:
                break
            pawns = [move for move in moves if state.pieces()[move & 63] in (1, 7)]
            state.play(dice.choice(pawns if pawns and dice.random() < 0.7 else moves))
        if not state.is_terminal():
            out.append(state.copy())
    return out


def turned(state: ChessState) -> ChessState:
    """The position with colours exchanged and turned upside down."""
    other, pieces = ChessState(), state.pieces()
    swapped = bytes((pieces[square ^ 56] + 5) % 12 + 1 if pieces[square ^ 56] else 0 for square in range(64))
    white, black = state.castling[:2], state.castling[2:]
    rights = [square ^ 56 if square >= 0 else -1 for square in (*black, *white)]
    en_passant = state.en_passant ^ 56 if state.en_passant >= 0 else -1
    other.setup(swapped, 1 - state.to_move, rights, en_passant, state.halfmove, state.fullmove, False)
    return other


def turned_move(move: int) -> int:
    return move ^ 56 ^ 56 << 6


@pytest.mark.parametrize("kind", KINDS)
def test_both_colours_are_told_the_same(kind: str) -> None:
    features, model, states = SETS[KINDS[kind]], made(kind), some(80)
    with torch.no_grad():
        own = model(*seen(states, features))
        other = model(*seen([turned(state) for state in states], features))
    assert own["policy"].shape == (80, features.policy_size(8, 8))
    torch.testing.assert_close(own["value"], other["value"], rtol=1e-4, atol=1e-5)
    promotions = 0
    for row, state in enumerate(states):
        moves = state.legal_moves()
        places = [features.policy_index(move, 8, 8) for move in moves]
        theirs = [features.policy_index(turned_move(move), 8, 8) for move in moves]
        torch.testing.assert_close(own["policy"][row, places], other["policy"][row, theirs], rtol=1e-4, atol=1e-4)
        promotions += sum(move >> 12 in (1, 2, 3) for move in moves)
    assert {state.to_move for state in states} == {0, 1} and promotions


def test_from_and_to_are_multiplied() -> None:
    """The logarithm of both probabilities, of the squares as the board has them."""
    features, model, states = SETS["chess-fromto-v1"], made("chess-fromto"), some(12)
    assert isinstance(model, FromToNet)
    planes, numbers = seen(states, features)
    with torch.no_grad():
        policy = model(planes, numbers)["policy"]
        origins, targets = (net(planes).log_softmax(1) for net in (model.origin, model.target))
    for row, state in enumerate(states):
        turn = 0 if state.to_move else 56
        for move in state.legal_moves():
            wanted = float(origins[row, move & 63 ^ turn] + targets[row, move >> 6 & 63 ^ turn])
            wanted += RARE if move >> 12 in (1, 2, 3) else 0
            assert float(policy[row, features.policy_index(move, 8, 8)]) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_the_file_says_what_the_model_says(kind: str, tmp_path: Path) -> None:
    needs_openvino()
    pytest.importorskip("onnx")
    features, model = SETS[KINDS[kind]], made(kind)
    export(
        model,
        tmp_path / "x.onnx",
        {
            "name": "x",
            "purpose": "a test",
            "licence": "MIT",
            "training": {"data": "none", "credits": [], "command": "none"},
        },
        (8, 8),
    )
    planes, numbers = seen(some(5), features)
    evaluator = load_evaluator(tmp_path / "x.onnx", "chess", threads=1)
    found = evaluator.submit(planes.numpy(), numbers.numpy()).wait()
    evaluator.close()
    with torch.no_grad():
        wanted = model(planes, numbers)
    np.testing.assert_allclose(found.policies, wanted["policy"].numpy(), rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(found.values, wanted["value"].softmax(1).numpy(), atol=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_sets_that_are_refused(kind: str) -> None:
    other = next(features for features in feature_sets() if features.name == "reversi-v1")
    with pytest.raises(ValueError, match=f"a network of the kind {kind} is of chess"):
        build(ModelSpec(kind, blocks=1, channels=8, pooling=0), other, (8, 8))
