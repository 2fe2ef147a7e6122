"""Trees of the toy game searched through the whole chain: collected in C++, answered in batches, delivered to who asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import _tengen_toy as toy
import numpy as np
import onnx_files
import pytest
from checkout import needs_openvino
from stand_ins import MOVES, Floats, Node, StandIn, Turning, forest, nodes, roots

from tengen.engine.evaluators.backends import NetworkError
from tengen.engine.evaluators.backends.features import feature_set
from tengen.engine.evaluators.network import Evaluation, NetworkEvaluator, load_evaluator
from tengen.engine.search.forest import drive


def encoded(start: Any, path: Sequence[int]) -> tuple[Any, Floats, Floats]:
    """The position that a path leads to, and what a network sees of it."""
    state = start.copy()
    for move in path:
        state.play(move)
    planes, numbers = np.zeros((4, 3, 3), np.float32), np.zeros(2, np.float32)
    toy.encode(state, list(path), planes, numbers)
    return state, planes, numbers


def estimates(trees: Any, starts: Sequence[Any]) -> Iterator[tuple[Node, Floats, Floats]]:
    """The nodes whose mean is one answer of the evaluator, with what it was asked: visited once, and no end of a game.

    A recurrence is a draw for certain.
    """
    for start, tree in zip(starts, nodes(trees), strict=True):
        for node in tree:
            state, planes, numbers = encoded(start, node.path)
            if node.visits == 1 and not state.is_terminal() and not node.is_proved and node.draw != 1:
                yield node, planes, numbers


# Trees, leaves, leaves a batch, batches on their way.
SHAPES = [(1, 200, 1, 1), (1, 300, 8, 2), (7, 900, 16, 1), (7, 901, 16, 2), (20, 500, 64, 3)]


@pytest.mark.parametrize("turns", [False, True])
@pytest.mark.parametrize(("trees", "leaves", "room", "in_flight"), SHAPES)
def test_answers_reach_the_leaf_that_asked(trees: int, leaves: int, room: int, in_flight: int, turns: bool) -> None:
    """Both halves of them, through whatever symmetry it asked; then everything adds up and nothing is in flight."""
    evaluator, made = Turning() if turns else StandIn(), forest(trees, turns=turns)
    assert drive(made, evaluator, leaves, room=room, in_flight=in_flight) == leaves == sum(evaluator.batches)
    assert evaluator.on_their_way == 0 and evaluator.most == min(in_flight, len(evaluator.batches))
    checked = 0
    for node, planes, numbers in estimates(made, roots(trees)):
        policy, (win, draw, _) = evaluator.one(planes, numbers)
        assert (node.mean, node.draw) == pytest.approx((1 - win - draw / 2, draw), abs=1e-5)
        if node.moves:
            powers = np.exp(policy[list(node.moves)])
            np.testing.assert_allclose(node.priors, powers / powers.sum(), atol=1e-5)
            checked += 1
    assert checked > leaves / 4
    for number, tree in enumerate(nodes(made)):
        answered, known, _ = made.counts(number)
        report = made.report(number)
        assert report.visits == tree[0].visits == answered + known == 1 + sum(line.visits for line in report.lines)
        assert not any(node.in_flight for node in tree)


@pytest.mark.parametrize(("trees", "leaves", "room", "in_flight"), SHAPES)
def test_batches_are_repeatable(trees: int, leaves: int, room: int, in_flight: int) -> None:
    first, second = forest(trees), forest(trees)
    for made in (first, second):
        drive(made, StandIn(), leaves, room=room, in_flight=in_flight)
    assert nodes(first) == nodes(second)


def test_trees_side_by_side_grow_as_they_would_alone() -> None:
    """Nine trees that give a leaf each to a batch of nine have the means and visits of batches of one.

    Only while none comes to the end of a game: then another gives two leaves to a batch.
    """
    together = forest(9)
    drive(together, StandIn(), 9 * 12, room=9, in_flight=1)
    for number, tree in enumerate(nodes(together)):
        assert together.counts(number) == (12, 0, 0)
        alone = toy.MorrisForest([roots(9)[number]], memory_mb=1)
        drive(alone, StandIn(), together.counts(number)[0], room=1, in_flight=1)
        assert nodes(alone) == [tree]


def test_limits_hold_however_much_is_on_its_way() -> None:
    """The leaves asked for are answered, not one more, in batches of any size."""
    for room, in_flight, leaves in product((1, 5, 64), (1, 2, 4), (1, 63, 200)):
        made = forest(3)
        assert drive(made, StandIn(), leaves, room=room, in_flight=in_flight) == leaves
        assert sum(made.counts(tree)[0] for tree in range(3)) == leaves


def test_a_symmetry_changes_nothing_to_who_knows_it() -> None:
    plain, turned = forest(9), forest(9, turns=True)
    for made in (plain, turned):
        drive(made, Turning(), 900, room=16)
    assert nodes(plain) == nodes(turned)
    other, third = forest(9), forest(9, turns=True)
    for made in (other, third):
        drive(made, StandIn(), 900, room=16)
    assert nodes(other) != nodes(third)  # and much to who does not: positions are seen through all of them


def test_a_game_that_is_decided_asks_no_more() -> None:
    state = toy.ToyState()
    for move in (0, 3, 1, 4, 2):
        state.play(move)
    made = toy.MorrisForest([state], memory_mb=1)
    assert drive(made, StandIn(), 100) == 0 and made.report(0).visits > 0


# A real network, run by a real back end

PLAYS = '[plays]\ngame = "morris"\nfeatures = "morris-v1"\n'


@pytest.fixture
def network(tmp_path: Path) -> Iterator[NetworkEvaluator]:
    needs_openvino()
    path = onnx_files.write(tmp_path, "morris", onnx_files.playing(4, 2, 3, MOVES), PLAYS)
    evaluator = load_evaluator(path, "morris", threads=1)
    yield evaluator
    evaluator.close()


@pytest.mark.parametrize(("in_flight", "turns"), [(1, False), (2, False), (2, True)])
def test_a_network_searches_trees(network: NetworkEvaluator, in_flight: int, turns: bool) -> None:
    """Two batches on their way; the trees hold what the network says of each position by itself, and repeat."""
    first, second = forest(7, turns=turns), forest(7, turns=turns)
    for made in (first, second):
        assert drive(made, network, 500, room=16, in_flight=in_flight) == 500
    assert nodes(first) == nodes(second)
    if turns:
        return
    checked = 0
    for node, planes, numbers in estimates(first, roots(7)):
        answer = network.submit(planes[None], numbers[None]).wait()
        win, draw, _ = answer.values[0]
        assert (node.mean, node.draw) == pytest.approx((1 - win - draw / 2, draw), abs=1e-4)
        if node.moves:
            powers = np.exp(answer.policies[0, list(node.moves)].astype(np.float64))
            np.testing.assert_allclose(node.priors, powers / powers.sum(), atol=1e-4)
            checked += 1
    assert checked > 100


def test_a_network_of_other_planes(tmp_path: Path) -> None:
    needs_openvino()
    path = onnx_files.write(tmp_path, "morris", onnx_files.playing(4, 3, 3, MOVES), PLAYS)
    with pytest.raises(NetworkError, match="takes 'globals' of nx3; morris-v1 of morris has 2"):
        load_evaluator(path, "morris", threads=1)


# What is refused


def test_an_evaluator_of_other_features() -> None:
    with pytest.raises(ValueError, match="the trees encode morris-v1 of morris, the evaluator takes go-v1 of go"):
        drive(forest(1), StandIn(feature_set("go", "go-v1")), 1)


@pytest.mark.parametrize("settings", [{"room": 0}, {"in_flight": 0}])
def test_no_room(settings: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="room for a leaf or more"):
        drive(forest(1), StandIn(), 1, **settings)


def test_no_trees_or_boards_that_differ() -> None:
    with pytest.raises(ValueError, match="one tree or more"):
        toy.MorrisForest([])


def zeros(*shape: int) -> Floats:
    return np.zeros(shape, np.float32)


def test_arrays_that_do_not_fit() -> None:
    made = forest(2)
    for planes, numbers in [
        (zeros(4, 3, 3, 3), zeros(4, 2)), (zeros(4, 4, 3, 4), zeros(4, 2)), (zeros(4, 4, 3, 3), zeros(3, 2)),
        (zeros(4, 4, 3, 3), zeros(4, 1)), (zeros(4, 4, 3, 3), None),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match="do not fit the forest's"):
            made.collect(planes, numbers)
    with pytest.raises(ValueError, match="the oldest batch has 0 leaves"):
        made.deliver(zeros(1, MOVES), zeros(1, 3))
    assert made.collect(zeros(4, 4, 3, 3), zeros(4, 2)) == 2
    for rows, moves, wide in [(1, MOVES, 3), (3, MOVES, 3), (2, MOVES - 1, 3), (2, MOVES, 2)]:
        with pytest.raises(ValueError, match="the oldest batch has 2 leaves|a policy has a number a move"):
            made.deliver(zeros(rows, moves), zeros(rows, wide))
    made.deliver(zeros(2, MOVES), zeros(2, 3))
    assert made.report(0).visits == 1
    with pytest.raises(IndexError, match="no such tree"):
        made.report(2)


def test_arrays_that_would_be_written_to_a_copy() -> None:
    """What is no float32 in one piece is refused: the rows would stay as they were."""
    made = forest(2)
    for planes, numbers in [
        (np.zeros((4, 4, 3, 3)), zeros(4, 2)), (zeros(8, 4, 3, 3)[::2], zeros(4, 2)), (zeros(4, 4, 3, 3), np.zeros((4, 2))),
    ]:  # fmt: skip
        with pytest.raises(TypeError):
            made.collect(planes, numbers)
    assert made.collect(zeros(4, 4, 3, 3), zeros(4, 2)) == 2, "nothing was collected for nobody"


@pytest.mark.parametrize(("policy", "value"), [(np.nan, 0.3), (np.inf, 0.3), (0.0, np.nan), (0.0, -0.5), (0.0, 1.5)])
def test_answers_that_are_none(policy: float, value: float) -> None:
    made = forest(2)
    assert made.collect(zeros(2, 4, 3, 3), zeros(2, 2)) == 2
    with pytest.raises(ValueError, match="logits are finite, win, draw and loss from 0 to 1"):
        made.deliver(zeros(2, MOVES) + np.float32(policy), zeros(2, 3) + np.float32(value))
    made.deliver(zeros(2, MOVES), zeros(2, 3))


@pytest.mark.parametrize(
    "settings", [{"c": -1}, {"c": np.nan}, {"fpu_reduction": 2}, {"memory_mb": 0}, {"memory_mb": np.nan}]
)
def test_settings_out_of_range(settings: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(settings))} must lie between"):
        toy.MorrisForest(roots(1), **settings)


def test_an_evaluator_that_fails() -> None:
    class Failing(StandIn):
        def answers(self, planes: Floats, numbers: Floats) -> Evaluation:
            raise RuntimeError("the network 'x' failed")

    with pytest.raises(RuntimeError, match="the network 'x' failed"):
        drive(forest(3), Failing(), 100)
