"""What training shares: the schedule and the averaged weights by numbers, a small fit, and who uses them."""

from __future__ import annotations

import ast
import math
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from tengen.nets import training  # noqa: E402
from tengen.nets.recipe import Schedule  # noqa: E402
from tengen.nets.training import Average, Recipe, Step, fit, follow, part_done, seed, worker_random  # noqa: E402

LAB = Path(__file__).parents[2] / "tools" / "lab" / "photo"

RATES = [
    # step from 0, the part that is done, the rate: up by hundredths, then down half a cosine to the floor
    (0, 0.0, 0.002 / 100),
    (49, 0.0, 0.002 / 2),
    (99, 0.0, 0.002),
    (500, 0.0, 0.002),
    (500, 0.5, 0.002 * (0.1 + 0.9 / 2)),
    (500, 0.25, 0.002 * (0.1 + 0.9 * (1 + math.sqrt(0.5)) / 2)),
    (500, 1.0, 0.0002),
    (49, 1.0, 0.0001),
]


@pytest.mark.parametrize(("step", "part", "rate"), RATES)
def test_the_rate_rises_and_falls(step: int, part: float, rate: float) -> None:
    assert Schedule(0.002, floor=0.1, rise=100).rate(step, part) == pytest.approx(rate, rel=1e-9)


PARTS = [
    # steps and minutes that a training may take, those that passed, the part that is done
    (Recipe(Schedule(1), steps=200), 50, 999.0, 0.25),
    (Recipe(Schedule(1), minutes=2), 50, 30.0, 0.25),
    (Recipe(Schedule(1), steps=200, minutes=2), 50, 60.0, 0.5),
    (Recipe(Schedule(1), steps=200, minutes=2), 150, 60.0, 0.75),
    (Recipe(Schedule(1), steps=200), 200, 0.0, 1.0),
    (Recipe(Schedule(1), minutes=2), 0, 150.0, 1.25),
    (Recipe(Schedule(1), steps=0), 0, 0.0, 1.0),
]


@pytest.mark.parametrize(("recipe", "steps", "seconds", "part"), PARTS)
def test_the_part_that_is_done(recipe: Recipe, steps: int, seconds: float, part: float) -> None:
    assert part_done(recipe, steps, seconds) == pytest.approx(part)


def test_a_training_without_an_end_is_refused() -> None:
    with pytest.raises(ValueError, match="steps or minutes"):
        Recipe(Schedule(1))
    for steps, minutes in ((-1, None), (None, 0.0), (None, -1.0)):
        with pytest.raises(ValueError, match="steps or minutes"):
            Recipe(Schedule(1), steps=steps, minutes=minutes)


def weighing(value: float) -> torch.nn.Module:
    """A network of one weight and no bias, with a normalisation that counts its batches."""
    model = torch.nn.Sequential(torch.nn.Linear(1, 1, bias=False), torch.nn.BatchNorm1d(1))
    torch.nn.init.constant_(model[0].weight, value)
    return model


def test_an_average_follows_by_the_share_that_it_does_not_keep() -> None:
    average, model = weighing(1.0), weighing(3.0)
    model[1].num_batches_tracked.fill_(7)
    follow(average, model, 0.75)
    assert average[0].weight.item() == pytest.approx(1.5) and model[0].weight.item() == 3.0
    assert int(average[1].num_batches_tracked) == 7, "what is counted is taken over"


def test_an_average_follows_fast_at_first() -> None:
    model = weighing(0.0)
    average = Average(model, slowest=0.1)
    torch.nn.init.constant_(model[0].weight, 1.0)
    distance = 1.0
    for step in range(1, 6):  # of n steps it keeps n / (n + 19), at most `slowest`
        average.follow(model)
        distance *= min(step / (step + 19), 0.1)
        assert 1 - average.network[0].weight.item() == pytest.approx(distance, abs=1e-6)
    assert not average.network.training and average.network[0].weight is not model[0].weight


def test_a_line_is_fitted_and_told_every_hundred_steps() -> None:
    seed(1)
    inputs = torch.linspace(-1, 1, 32)[:, None]
    told: list[Step] = []

    def judge(answers: torch.Tensor, targets: torch.Tensor) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        error = (answers.float() - targets).square().mean()
        return error, {"error": error}

    batches = iter(lambda: (inputs, 2 * inputs), None)
    recipe = Recipe(Schedule(0.1), steps=250)
    learned = fit(torch.nn.Linear(1, 1), batches, judge, recipe, lambda step, network: told.append(step))
    assert [step.number for step in told] == [100, 200]
    assert told[1].figures["error"] < told[0].figures["error"] / 10, "means of the last hundred"
    assert learned.weight.item() == pytest.approx(2, abs=0.05) and learned.bias.item() == pytest.approx(0, abs=0.05)
    assert not learned.training


def test_the_same_seed_draws_the_same() -> None:
    drawn = []
    for number in (4, 4, 5):
        seed(number)
        drawn.append((torch.rand(3).tolist(), worker_random(number).random(3).tolist()))
    assert drawn[0] == drawn[1] != drawn[2] and drawn[0][1] != drawn[2][1]


@pytest.mark.parametrize("name, used", [("training", "fit"), ("learning", "fit"), ("patch_training", "seed")])
def test_the_trainers_of_photos_use_it(name: str, used: str) -> None:
    tree = ast.parse((LAB / f"{name}.py").read_text("utf-8"))
    taken = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == training.__name__]
    assert used in {alias.name for node in taken for alias in node.names}


@pytest.mark.parametrize("path", sorted(LAB.glob("*.py")), ids=lambda path: path.stem)
def test_no_trainer_of_photos_keeps_its_own(path: Path) -> None:
    text = path.read_text("utf-8")
    for own in ("math.cos", "manual_seed", "AdamW", "get_worker_info", "clip_grad_norm_", "alpha=1 - keep"):
        assert own not in text, f"{path}: {own} is in nets/training.py"
