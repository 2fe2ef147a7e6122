"""Patterns in torch and in the core say the same of a position, and learn what is made up of them."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tengen.engine._core import (  # noqa: E402
    ReversiLearner,
    ReversiState,
    StopToken,
    reversi_pattern_rows,
    reversi_sides_of_games,
)
from tengen.engine.evaluators.backends.base import NetworkError  # noqa: E402
from tengen.engine.evaluators.backends.features import feature_set  # noqa: E402
from tengen.engine.games import get_game  # noqa: E402
from tengen.engine.limits import Limits  # noqa: E402
from tengen.engine.search import make_search  # noqa: E402
from tengen.engine.search.base import Root  # noqa: E402
from tengen.nets.learning import Learner  # noqa: E402
from tengen.nets.models import build  # noqa: E402
from tengen.nets.publish import export, suffix  # noqa: E402
from tengen.nets.recipe import LearningRecipe, Schedule  # noqa: E402
from tengen.nets.spec import ModelSpec  # noqa: E402

CARD = {"name": "made-up", "purpose": "a test", "licence": "MIT", "training": {"data": "none", "command": "none"}}


def model(kind: str = "patterns") -> Any:
    return build(ModelSpec(kind=kind), feature_set("reversi", "reversi-v1"), (8, 8))


def made_up(deviation: float = 0.3) -> Any:
    torch.manual_seed(1)
    net = model()
    for table in (net.table, net.stretch, net.common):
        torch.nn.init.normal_(table.weight, std=deviation / 3**0.5)
    torch.nn.init.normal_(net.bias.weight, std=1)
    return net


def made_up_network() -> Any:
    """Half of its activations are within their bounds, and every phase has numbers of its own."""
    torch.manual_seed(2)
    net = model("pattern-network")
    torch.nn.init.normal_(net.vectors.weight, std=0.06)
    for own in (net.offsets, net.hidden, net.hidden_bias, net.direct, net.output):
        torch.nn.init.normal_(own, std=0.3)
    torch.nn.init.normal_(net.bias.weight, std=1)
    return net


def positions(count: int, seed: int = 1) -> list[ReversiState]:
    choose, found = random.Random(seed), list[ReversiState]()
    while len(found) < count:
        state = ReversiState()
        for _ in range(choose.randint(1, 50)):
            if not state.is_terminal():
                state.play(choose.choice(state.legal_moves()))
        if not state.is_terminal() and state.legal_moves() != [state.pass_move]:
            found.append(state)
    return found


def sides(states: list[ReversiState]) -> Any:
    """n x 2, uint64: the discs of the side to move, the other's."""
    stones = np.array([np.frombuffer(state.stones(), np.uint8) for state in states])
    own = np.array([1 + state.to_move for state in states])[:, None]
    parts = [np.packbits(stones == who, axis=1, bitorder="little").view(np.uint64) for who in (own, 3 - own)]
    return np.concatenate(parts, 1)


def planes(states: list[ReversiState]) -> Any:
    out = np.zeros((len(states), 10, 8, 8), np.float32)
    for row, state in zip(out, states, strict=True):
        board = np.frombuffer(state.stones(), np.uint8).reshape(8, 8)
        row[1], row[2], row[9] = board == 1 + state.to_move, board == 2 - state.to_move, (board == 0).mean()
    return torch.from_numpy(out)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("make", [made_up, made_up_network])
def test_what_the_core_says_and_its_gradients_are_those_of_torch(make: Callable[[], Any], threads: int) -> None:
    states, net, before = positions(400), make(), torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        said = net.said(sides(states))
        (said * 0.1).square().mean().backward()
    finally:
        torch.set_num_threads(before)
    mine = {name: parameter.grad.clone() for name, parameter in net.named_parameters()}
    net.zero_grad()
    expected = net(planes(states))["evaluation"]
    assert torch.allclose(said, expected, atol=1e-3) and said.std() > 1
    (expected * 0.1).square().mean().backward()
    for name, parameter in net.named_parameters():
        most = float(parameter.grad.abs().max())
        assert most > 0 and torch.allclose(mine[name], parameter.grad, rtol=1e-3, atol=1e-4 * most), name


def test_what_a_file_has_is_what_learning_goes_on_with() -> None:
    net, other = made_up_network(), model("pattern-network")
    other.begin_with(net.arrays())
    for name, array in net.arrays().items():
        assert np.array_equal(array, other.arrays()[name]), name
    with pytest.raises(ValueError, match=r"'bias' is not the int32 \[61\] of a network over patterns"):
        other.begin_with(net.arrays() | {"bias": np.zeros(60, np.int32)})


def test_a_copy_learns_for_itself() -> None:
    states, net = positions(20), made_up_network()
    said, other = net.said(sides(states)), copy.deepcopy(net)
    other.said(sides(states[:5]))
    said.sum().backward()
    assert net.vectors.weight.grad.any() and other.vectors.weight.grad is None


def test_arrays_of_other_sizes_are_refused() -> None:
    some, net = sides(positions(3)), made_up_network()
    learner, weights = ReversiLearner(15, 1), [parameter.detach() for parameter in net.parameters()]
    with pytest.raises(ValueError, match="one value for each position"):
        learner.forward(some, weights, np.zeros(2, np.float32))
    with pytest.raises(ValueError, match="of a network of this size"):
        learner.forward(some, weights[:6], np.zeros(3, np.float32))
    with pytest.raises(ValueError, match="no phases"):
        ReversiLearner(0, 1)
    with pytest.raises(ValueError, match="one thread"):
        ReversiLearner(15, 0)
    with pytest.raises(ValueError, match="one row and one number"):
        reversi_pattern_rows(some, np.zeros((2, 46), np.int32), np.zeros(3, np.uint8))


@pytest.mark.parametrize(
    ("moves", "starts", "rows", "said"),
    [
        ([19, 18, 19], [0, 2, 3], 3, ""),
        ([19, 19], [0, 2], 2, "game 0, ply 1: an illegal move"),
        ([19, 0], [0, 1, 2], 2, "game 1, ply 0: an illegal move"),
        ([19, -1], [0, 2], 2, "an illegal move"),
        ([19, 99], [0, 2], 2, "an illegal move"),
        ([19, 18], [0, 3], 2, "places of the games' moves"),
        ([19, 18], [-1, 2], 2, "places of the games' moves"),
        ([19, 18], [0, 2], 1, "one row of sides for each move"),
    ],
)
def test_positions_before_the_moves_of_games(moves: list[int], starts: list[int], rows: int, said: str) -> None:
    found = np.zeros((rows, 2), np.uint64)
    ask = lambda: reversi_sides_of_games(np.array(moves, np.int16), np.array(starts, np.int64), found)  # noqa: E731
    if said:
        with pytest.raises(ValueError, match=said):
            ask()
        return
    ask()
    state = ReversiState()
    wanted = [state.copy()]
    state.play(19)
    assert (found == sides([*wanted, state, ReversiState()])).all()


# How far the core's whole numbers may be off: tables are rounded to 1/128 disc at 46 places, vectors to 1/256 in units
# of 16 discs and more.
@pytest.mark.parametrize(("make", "most", "mean"), [(made_up, 0.25, 0.05), (made_up_network, 0.8, 0.2)])
def test_the_core_says_the_same(make: Callable[[], Any], most: float, mean: float, tmp_path: Path) -> None:
    """One ply ahead: the best of what the network says of the positions behind the moves."""
    net = make()
    path = tmp_path / f"made-up{suffix(net)}"
    export(net, path, CARD)
    search = make_search(get_game("reversi"), "alphabeta", {"alphabeta.weights": str(path)})
    errors = []
    for state in positions(150):
        after = [(following := state.copy(), following.play(move))[0] for move in state.legal_moves()]
        if any(one.is_terminal() or one.legal_moves() == [one.pass_move] for one in after):
            continue
        with torch.no_grad():
            said = -net(planes(after))["evaluation"]
        line = search.run(Root(state), Limits(depth=1), StopToken()).lines[0]
        assert line.score == pytest.approx(float(said.max()), abs=most)
        errors.append(abs(line.score - float(said.max())))
    assert len(errors) > 100 and sum(errors) / len(errors) < mean


def batch(states: list[ReversiState], score: Any, found: Any) -> Any:
    n = len(states)
    nothing, unknown = np.zeros((n, 65), np.float32), np.full((n, 3), np.nan, np.float32)
    owners = np.full((n, 8, 8), np.nan, np.float32)
    return SimpleNamespace(
        planes=planes(states).numpy(), numbers=None, policy=nothing, next_policy=nothing, value=unknown, found=unknown,
        score=score, owners=owners, found_score=found, weight=np.ones(n, np.float32), labels=None,
    )  # fmt: skip


def test_it_learns_what_is_made_of_patterns() -> None:
    """By the mean of the margin and of what was found."""
    states = positions(600)
    with torch.no_grad():
        wanted = made_up(0.5)(planes(states))["evaluation"].numpy()
    learner = Learner(model(), LearningRecipe(Schedule(0.05, 0.1, 10), 60, precision="f32", found=0.5), 1)
    unknown = np.full(len(states), np.nan, np.float32)
    first = learner.evaluate(batch(states, wanted, unknown))["margin_error"]
    for _ in range(60):
        told = learner.step(batch(states, wanted - 1, wanted + 1))
    assert set(told) >= {"loss", "evaluation_loss", "margin_error"} and told["margin_error"] < first / 3
    assert learner.evaluate(batch(states, wanted, unknown))["margin_error"] < first / 3
    assert learner.evaluate(batch(states, unknown, wanted))["margin_error"] < first / 3


def test_weights_that_are_not_for_it(tmp_path: Path) -> None:
    net = made_up()
    path = tmp_path / "made-up.safetensors"
    export(net, path, CARD)
    card = path.with_suffix(".toml")
    text = card.read_text()
    game = get_game("reversi")
    card.write_text(text.replace('evaluator = "patterns"', 'evaluator = "weighted"'))
    with pytest.raises(NetworkError, match="are for the evaluator 'weighted' of 'reversi', not for 'patterns'"):
        make_search(game, "alphabeta", {"alphabeta.weights": str(path)})
    card.write_text(text)
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(NetworkError, match=r"made-up\.safetensors"):
        make_search(game, "alphabeta", {"alphabeta.weights": str(path)})
    with pytest.raises(ValueError, match="takes reversi-v1"):
        build(ModelSpec(kind="patterns"), feature_set("gomoku", "gomoku-v1"), (8, 8))


TOO_LARGE = {
    "vectors": "too long for their sums",
    "hidden": "hidden layer's weights are too large",
    "direct": "head's weights are too large",
    "offsets": "too long for their sums",
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_no_sum_can_leave_its_type(name: str, tmp_path: Path) -> None:
    """Numbers that could are refused when the file is read, whatever the positions that come."""
    net = made_up_network()
    with torch.no_grad():
        net.vectors.weight.mul_(40 if name == "vectors" else 8 if name == "direct" else 1)
        if name != "vectors":
            getattr(net, name).mul_(1e6)
        if name == "hidden":
            net.hidden_bias.fill_(32767)
    path = tmp_path / "made-up.safetensors"
    export(net, path, CARD)
    with pytest.raises((NetworkError, ValueError), match=TOO_LARGE[name]):
        make_search(get_game("reversi"), "alphabeta", {"alphabeta.weights": str(path)})
