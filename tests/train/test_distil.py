"""The laboratory that distils a small network of Go from a strong one: labels, symmetries, losses, steps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tengen.engine.evaluators.backends.features import feature_set  # noqa: E402
from tengen.engine.evaluators.backends.torch_ops import TorchOps  # noqa: E402
from tengen.engine.evaluators.katago.answers import evaluation  # noqa: E402
from tengen.engine.evaluators.katago.blocks import Attention, Bottleneck, FeedForward  # noqa: E402
from tengen.engine.evaluators.katago.heads import PassLayer, PolicyHead, ValueHead  # noqa: E402
from tengen.engine.evaluators.katago.layers import BatchNorm, Bias, Conv, Matrix, RmsNorm  # noqa: E402
from tengen.engine.evaluators.katago.model import Header, Model, Scales, Trunk  # noqa: E402
from tengen.engine.evaluators.katago.source import KataGoSource  # noqa: E402
from tengen.nets.batches import Targets  # noqa: E402
from tengen.nets.losses import judge  # noqa: E402
from tengen.nets.models import KataGoNet  # noqa: E402
from tengen.nets.muon import Muon, orthogonal  # noqa: E402
from tengen.nets.recipe import LearningRecipe, Schedule  # noqa: E402
from tengen.nets.spec import ModelSpec  # noqa: E402
from tengen.tools.lab.distil import steps  # noqa: E402
from tengen.tools.lab.distil.feeding import Sizes  # noqa: E402
from tengen.tools.lab.distil.optimizer import GraphMuon  # noqa: E402
from tengen.tools.lab.distil.positions import Positions  # noqa: E402
from tengen.tools.lab.distil.steps import Student, losses, whole  # noqa: E402
from tengen.tools.lab.distil.store import Labeller, Store, Turns, unpacked  # noqa: E402
from tengen.tools.lab.distil.teacher import Labels, Teacher  # noqa: E402
from tengen.tools.train.data import shards  # noqa: E402
from tengen.tools.train.data.game import PlayedGame  # noqa: E402
from tengen.tools.train.data.rows import View, inputs  # noqa: E402
from tengen.tools.train.data.window import Picks  # noqa: E402
from tengen.tools.train.teaching.komi import move_value  # noqa: E402

CHANNELS, INNER, HEADS = 24, 16, 2
RULES = ("chinese", "japanese", "aga-button")


def numbers(random: np.random.Generator, *shape: int) -> Any:
    return (random.normal(0, 1, shape) / math.sqrt(shape[-2] if len(shape) > 1 else 4)).astype(np.float32)


def strong(seed: int = 3) -> Model:
    """A network of the kind that teaches, with random weights."""
    random = np.random.default_rng(seed)

    def conv(side: int, entering: int, leaving: int) -> Conv:
        return Conv("conv", numbers(random, side, side, entering, leaving), (1, 1))

    def matrix(entering: int, leaving: int) -> Matrix:
        return Matrix("matrix", numbers(random, entering, leaving))

    def bias(channels: int) -> Bias:
        return Bias("bias", numbers(random, channels))

    def norm(channels: int) -> BatchNorm:
        spread = random.uniform(0.5, 2, channels).astype(np.float32)
        return BatchNorm(
            "norm", 1e-4, numbers(random, channels), spread, spread[::-1].copy(), numbers(random, channels)
        )

    def rms(channels: int) -> RmsNorm:
        return RmsNorm("rms", 1e-6, random.uniform(0.5, 2, channels).astype(np.float32))

    def block() -> Bottleneck:
        rope = random.uniform(0, 1, (HEADS, INNER // HEADS // 2, 2)).astype(np.float32)
        inner = (
            Attention("a", HEADS, HEADS, rms(INNER), *(matrix(INNER, INNER) for _ in range(4)), rope),
            FeedForward("f", rms(INNER), matrix(INNER, 20), matrix(INNER, 20), matrix(20, INNER)),
        )
        enter, leave = conv(1, CHANNELS, INNER), conv(1, INNER, CHANNELS)
        return Bottleneck("b", norm(CHANNELS), "silu", enter, inner, norm(INNER), "silu", leave)

    tip = RmsNorm("tip", 1e-6, numbers(random, CHANNELS), numbers(random, CHANNELS), is_spatial=True)
    trunk = Trunk("t", conv(3, 22, CHANNELS), matrix(19, CHANNELS), None, (block(), block()), tip, "silu")
    policy = PolicyHead(
        "p", conv(1, CHANNELS, 8), conv(1, CHANNELS, 8), norm(8), "silu", matrix(24, 8), norm(8), "silu", conv(1, 8, 2),
        matrix(24, 8), PassLayer(bias(8), "silu", matrix(8, 2)),
    )  # fmt: skip
    value = ValueHead(
        "v", conv(1, CHANNELS, 8), norm(8), "silu", matrix(24, 12), bias(12), "silu", matrix(12, 3), bias(3),
        matrix(12, 6), bias(6), conv(1, 8, 1),
    )  # fmt: skip
    return Model(Header("strong", 15, Scales(shortterm_score_error=150.0)), trunk, policy, value)


def games(folder: Path, size: int, count: int = 8) -> Path:
    """A file of games whose moves are on points in a shuffled order."""
    random = np.random.default_rng(size)
    found = [one_game(size, random.permutation(size * size)[: size * 4].tolist(), RULES[n % 3]) for n in range(count)]
    shards.write(folder / f"{size}.npz", found)
    return folder / f"{size}.npz"


def one_game(size: int, moves: Sequence[int], rules: str) -> PlayedGame:
    n = len(moves)
    return PlayedGame(
        "go", size, size, rules, 6.5, np.array(moves, np.int16), 0, np.ones(n, np.float32),
        np.full((n, 3), np.nan, np.float32), np.zeros(n + 1, np.int32), np.zeros(0, np.int16), np.zeros(0, np.float32),
        math.inf, 1.0,
    )  # fmt: skip


def labelled(tmp_path: Path, size: int, count: int = 48) -> Store:
    rows = Positions([games(tmp_path, size)], RULES, size, 1).draw(count)
    return Store([Labeller(Teacher(strong(), "cpu", torch.float32), count).label(rows, size)], size, 8)


def student(blocks: int = 3, channels: int = 16) -> KataGoNet:
    torch.manual_seed(2)
    return KataGoNet(ModelSpec(blocks=blocks, channels=channels, head=8, hidden=8))


@pytest.mark.parametrize("size", [7, 9])
def test_a_teacher_answers_as_the_back_end_does(size: int) -> None:
    model, random = strong(), np.random.default_rng(1)
    planes = (random.random((5, 22, size, size)) < 0.3).astype(np.float32)
    planes[:, 0], asked = 1, numbers(random, 5, 19)
    asked[:, [6, 9]] = [[0, 0], [1, 0], [1, 1], [0, 1], [1, 0]]
    ops = TorchOps("cpu")
    ops.begin()
    found = KataGoSource(model, is_masked=False).compute(ops, [torch.from_numpy(planes), torch.from_numpy(asked)])
    wanted = evaluation(model.header, {name: value.detach().numpy() for name, value in found.items()}, asked)
    teacher = Teacher(model, "cpu", torch.float32)
    labels = teacher.labels(torch.from_numpy(planes), torch.from_numpy(asked), torch.zeros(5))
    policies = torch.softmax(torch.from_numpy(wanted.policies), 1)
    assert torch.allclose(labels.policy, policies, atol=1e-5)
    assert np.allclose(labels.value.numpy(), wanted.values[:, [0, 2, 1]], atol=1e-5)
    assert wanted.scores is not None
    assert np.allclose(labels.lead.numpy(), wanted.scores, atol=1e-4)
    assert np.allclose(labels.owners.numpy(), wanted.extras["ownership"], atol=1e-5)
    names = ("score_mean", "score_stdev", "shortterm_value_error", "shortterm_score_error")
    for column, name in enumerate(names):
        assert np.allclose(labels.said[:, column].numpy(), wanted.extras[name], atol=1e-4), name


def test_an_answer_is_moved_as_lessons_move_it() -> None:
    random = np.random.default_rng(4)
    planes, asked = torch.rand(6, 22, 7, 7), torch.from_numpy(numbers(random, 6, 19))
    points = torch.tensor([0.0, 3.5, -4.0, 60.0, -60.0, 0.5])
    teacher = Teacher(strong(), "cpu", torch.float32)
    fair, moved = teacher.labels(planes, asked, torch.zeros(6)), teacher.labels(planes, asked, points)
    assert torch.allclose(moved.lead, fair.lead + points)
    assert torch.equal(moved.policy, fair.policy)
    for row in range(6):
        value = fair.value[row].double().numpy()[[0, 2, 1]]
        move_value(value, float(points[row]), float(fair.said[row, 1]))
        assert np.allclose(moved.value[row].numpy(), value[[0, 2, 1]], atol=1e-5)


def test_rows_are_what_learning_from_games_sees(tmp_path: Path) -> None:
    path, features = games(tmp_path, 9), feature_set("go", "katago-v7")
    rows = Positions([path], RULES, 9, 1).draw(300)
    stored = shards.read(path)
    seen = {}
    for number in range(len(stored)):
        for ply in range(len(stored[number].moves) + 1):
            picks = Picks(stored, np.array([number]), np.array([ply]))
            for history in (True, False):
                planes, _ = inputs(View(features), picks, np.zeros(1, np.int32), np.array([history]))
                packed = np.packbits(planes.reshape(1, -1) > 0.5, axis=1, bitorder="little").tobytes()
                seen[packed] = ply
    known = sum(row.tobytes() in seen for row in rows.packed)
    assert 0.6 * len(rows.packed) < known  # the others have a move too many, or other rules change a plane
    assert len(rows.packed) > 290 and len(set(row.tobytes() for row in rows.packed)) > 100
    black = rows.asked[:, 5] != rows.told[:, 5]
    assert 0.1 < black.mean() < 0.5
    assert np.array_equal(black, rows.points != 0)
    assert np.allclose((rows.told - rows.asked)[:, 5] * 20, rows.points, atol=1e-3)


def test_an_illegal_move_costs_its_row_alone(tmp_path: Path) -> None:
    good, bad = one_game(7, range(20), "chinese"), one_game(7, [3, 3, 3, 3], "chinese")
    shards.write(tmp_path / "x.npz", [good, bad])
    rows = Positions([tmp_path / "x.npz"], ("chinese",), 7, 1).draw(200)
    assert 100 < len(rows.packed) < 200


def test_there_and_back() -> None:
    turns = Turns.of(5, "cpu")
    board = torch.rand(8, 25)
    turned = board.gather(1, turns.there)
    assert len({tuple(row.tolist()) for row in turns.there}) == 8
    assert torch.equal(turned.gather(1, turns.back), board)


def test_labels_lie_on_their_points_whatever_the_symmetry(tmp_path: Path) -> None:
    """A teacher that says where the mover's stones are: the labels say so, too, turned with the planes."""

    class Echo(Teacher):
        def __init__(self) -> None:
            self.device = "cpu"

        def labels(self, planes: Any, asked: Any, points: Any) -> Labels:
            own = planes[:, 1].flatten(1).float()
            policy = torch.cat([own, torch.ones(len(own), 1)], 1)
            said = torch.zeros(len(own), 4)
            return Labels(policy / policy.sum(1, keepdim=True), said[:, :3], points, said, own)

    rows = Positions([games(tmp_path, 7)], RULES, 7, 1).draw(40)
    store = Store([Labeller(Echo(), 64).label(rows, 7)], 7, 0)
    for turn in range(8):
        batch = store.batch(torch.arange(len(store)), torch.full((len(store),), turn))
        own = batch.planes[:, 1].flatten(1).float()
        assert torch.allclose(batch.labels.owners, own, atol=0.01)
        assert torch.equal(batch.labels.policy[:, :-1] > 0, own > 0)


def test_bits_are_those_that_were_packed(tmp_path: Path) -> None:
    rows = Positions([games(tmp_path, 7)], RULES, 7, 1).draw(10)
    wanted = np.unpackbits(rows.packed, axis=1, bitorder="little")[:, : 22 * 49].reshape(-1, 22, 7, 7)
    still = torch.arange(49).expand(len(wanted), -1)
    assert np.array_equal(unpacked(torch.from_numpy(rows.packed), 7, still).numpy(), wanted)


def test_losses_are_those_of_training(tmp_path: Path) -> None:
    store = labelled(tmp_path, 7)
    batch = store.batch(torch.arange(len(store)), torch.zeros(len(store), dtype=torch.long))
    model, labels = student().eval(), batch.labels
    unknown = torch.full((len(store),), torch.nan)
    with torch.no_grad():
        answers = model(batch.planes.float(), batch.numbers)
        targets = Targets(
            model.results, labels.policy, torch.zeros_like(labels.policy), labels.value, unknown,
            labels.value[:, 0] - labels.value[:, 1], unknown, labels.lead, labels.owners, torch.ones(len(store)),
            {"taught_says": labels.said},
        )  # fmt: skip
        recipe = LearningRecipe(schedule=Schedule(1e-3, 0.02, 500, "cosine"), steps=1, weights=steps.WEIGHTS)
        wanted = judge(answers, targets, recipe)
        found = losses(answers, labels)
    assert float(whole(found)) == pytest.approx(float(wanted.loss), rel=1e-4)
    for name, part in found.items():
        assert float(part) == pytest.approx(float(wanted.figures[f"{name}_loss"]), rel=1e-3, abs=1e-6), name


def test_the_optimizer_steps_as_that_of_training() -> None:
    mine, theirs = student(), student()
    rate = torch.tensor(0.01)
    stacked = GraphMuon(mine, rate, 1e-4)
    named = list(theirs.named_parameters())
    hidden = {id(one) for name, one in named if ".blocks." in name and one.dim() > 1}
    groups: list[dict[str, Any]] = [
        {"params": [one for _, one in named if id(one) in hidden], "weight_decay": 1e-4, "is_hidden": True},
        {"params": [one for _, one in named if id(one) not in hidden and one.dim() > 1], "weight_decay": 1e-4},
        {"params": [one for _, one in named if one.dim() <= 1]},
    ]
    plain = Muon(groups, lr=0.01)
    random = torch.Generator().manual_seed(3)
    for _ in range(3):
        for own, other in zip(mine.parameters(), theirs.parameters(), strict=True):
            own.grad = torch.randn(own.shape, generator=random)
            other.grad = own.grad.clone()
        stacked.step()
        plain.step()
    start = student()
    for own, other, begun in zip(mine.parameters(), theirs.parameters(), start.parameters(), strict=True):
        moved = (other - begun).norm()
        assert (own - other).norm() < 0.05 * moved + 1e-6  # the stacks are made orthogonal in bfloat16


def test_matrices_are_made_orthogonal_one_by_one() -> None:
    stack = torch.randn(3, 6, 10)
    assert torch.allclose(orthogonal(stack)[1], orthogonal(stack[1]), atol=1e-5)


def test_a_student_learns_from_two_sizes(tmp_path: Path) -> None:
    torch.manual_seed(1)
    stores = {size: labelled(tmp_path, size) for size in (9, 7)}
    learner = Student(student(), stores, 32, use_graphs=False)
    before = learner.held_out()
    for number in range(40):
        learner.settle(number > 30)
        learner.step(7, 0.01)
    after = learner.held_out()
    assert learner.steps == 40 and learner.rows == 40 * 128
    for size in stores:
        assert after[size]["policy"] < 0.9 * before[size]["policy"]
        assert after[size]["lead"] < before[size]["lead"]


def test_each_size_gets_its_share_of_the_points() -> None:
    sizes = Sizes({19: 0.6, 9: 0.4}, {19: 16, 9: 64})
    counts = {19: 0, 9: 0}
    for _ in range(500):
        size = sizes.next()
        counts[size] += {19: 16, 9: 64}[size] * size * size
    assert counts[19] / sum(counts.values()) == pytest.approx(0.6, abs=0.01)
