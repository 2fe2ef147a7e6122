"""Common parts of the small classifiers of `lab`: their options, their training by cross-entropy, the file with its
card."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from pathlib import Path

from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from tengen.nets.export import export, load_weights, save_weights
from tengen.nets.recipe import Schedule
from tengen.nets.training import Recipe, Step, fit, follow, seed
from tengen.tools.photo.results import PhotoError


def add_options(parser: ArgumentParser, folders: str, metavar: str, minutes: float) -> None:
    """The options of a command that trains a classifier from labelled folders and writes it."""
    parser.add_argument("folders", nargs="+", metavar=metavar, help=folders)
    parser.add_argument("--out", type=Path, required=True, help="where the network goes (.onnx); its weights beside it")
    parser.add_argument("--start", type=Path, help="weights to begin from (.npz)")
    parser.add_argument("--keep", type=float, default=0.0, metavar="SHARE", help="share of --start in what is written")
    parser.add_argument("--minutes", type=float, default=minutes)
    parser.add_argument("--rate", type=float, default=2e-3, help="largest learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes that prepare pictures")
    parser.add_argument("--trained", default="", help="how it was trained, for the card")
    parser.add_argument("--figures", default="", help="what it reached, for the card")


def learned(
    make: Callable[[], nn.Module], examples: IterableDataset[tuple[Tensor, Tensor]], values: Namespace, *,
    smoothing: float = 0.0,
) -> nn.Module:  # fmt: skip
    """The averaged network after `--minutes`; its weights are kept beside `--out` on the way and at the end.

    examples: batches of (inputs, classes). Raises PhotoError if there is no time to learn, or nothing to keep.
    """
    if not values.minutes > 0:
        raise PhotoError("--minutes must be positive")
    if not 0 <= values.keep < 1 or (values.keep and not values.start):
        raise PhotoError("--keep is a share of --start, from 0 to less than 1")
    values.out.parent.mkdir(parents=True, exist_ok=True)  # now, not when all is learned
    seed(values.seed)
    model = make()
    if values.start:
        load_weights(model, values.start)
    loader = DataLoader(examples, batch_size=None, num_workers=values.workers)
    weights = values.out.with_suffix(".npz")

    def judge(answers: Tensor, classes: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        loss = functional.cross_entropy(answers.float(), classes, label_smoothing=smoothing)
        return loss, {"loss": loss, "right": (answers.argmax(1) == classes).float().mean()}

    recipe = Recipe(Schedule(values.rate, floor=0.01), minutes=values.minutes)
    average = fit(model, iter(loader), judge, recipe, told(weights))
    if values.keep:
        mixed(average, values.start, values.keep)
    save_weights(average, weights)
    return average


def mixed(model: nn.Module, start: Path, share: float) -> None:
    """Give `model` this share of the weights of `start`, in place: what was learned later forgets less."""
    other = deepcopy(model)
    load_weights(other, start)
    follow(model, other, 1 - share)


def write(
    model: nn.Module, values: Namespace, card: Mapping[str, object], example: Tensor, output: str, free: Sequence[int],
) -> None:  # fmt: skip
    """Write the network with its card, to which the training is added."""
    training = {
        "data": "boards drawn by `python -m tengen.tools.lab.photo render`",
        "credits": [],
        "command": values.trained,
    }
    whole = {**card, "licence": "MIT", "training": training, "figures": {"measured": values.figures}, "settings": {}}
    export(model, values.out, example, (output,), whole, free=free)


def told(weights: Path) -> Callable[[Step, nn.Module], None]:
    """Prints how far a training is and keeps the averaged weights (.npz) on the way."""

    def watch(step: Step, average: nn.Module) -> None:
        means = "  ".join(f"{name} {mean:.4f}" for name, mean in step.figures.items())
        print(f"{step.number:6d}  {means}  {step.seconds:.0f} s", file=sys.stderr, flush=True)
        save_weights(average, weights)

    return watch
