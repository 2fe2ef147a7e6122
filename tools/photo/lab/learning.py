"""What the small classifiers of `lab` share: their options, their training by cross-entropy, the file with its card."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from math import cos, pi
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from tengen.nets.export import export, load_weights, save_weights
from tengen.tools.photo.lab.training import follow
from tengen.tools.photo.reading import PhotoError


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
    torch.manual_seed(values.seed)
    torch.set_num_threads(1)
    model = make()
    if values.start:
        load_weights(model, values.start)
    loader = DataLoader(examples, batch_size=None, num_workers=values.workers)
    average = _train(model, iter(loader), values, smoothing)
    if values.keep:
        mixed(average, values.start, values.keep)
    save_weights(average, values.out.with_suffix(".npz"))
    return average


def mixed(model: nn.Module, start: Path, share: float) -> None:
    """Give `model` this share of the weights of `start`, in place: what was learned later forgets less."""
    other = deepcopy(model)
    load_weights(other, start)
    old = other.state_dict()
    for name, weights in model.state_dict().items():
        if weights.is_floating_point():
            weights.lerp_(old[name], share)


def write(
    model: nn.Module, values: Namespace, card: Mapping[str, object], example: Tensor, output: str, free: Sequence[int],
) -> None:  # fmt: skip
    """Write the network with its card, to which the training is added."""
    training = {
        "data": "boards drawn by `python -m tengen.tools.photo.lab render`",
        "credits": [],
        "command": values.trained,
    }
    whole = {**card, "licence": "MIT", "training": training, "figures": {"measured": values.figures}, "settings": {}}
    export(model, values.out, example, (output,), whole, free=free)


def _train(
    model: nn.Module, batches: Iterator[tuple[Tensor, Tensor]], values: Namespace, smoothing: float
) -> nn.Module:
    """One step a batch, the rate falling with the time; the loss is printed every 100 steps."""
    model = model.to(memory_format=torch.channels_last)
    average = deepcopy(model).eval()
    optimizer = torch.optim.AdamW(model.parameters(), lr=values.rate, weight_decay=1e-4)
    begin, step, recent = time.monotonic(), 0, list[tuple[float, float]]()
    while (part := (time.monotonic() - begin) / 60 / values.minutes) < 1:
        for group in optimizer.param_groups:
            group["lr"] = values.rate * min(1.0, (step + 1) / 100) * (0.01 + 0.99 * 0.5 * (1 + cos(pi * part)))
        inputs, classes = next(batches)
        model.train()
        with torch.autocast("cpu", torch.bfloat16):
            answers = model(inputs.contiguous(memory_format=torch.channels_last)).float()
        loss = functional.cross_entropy(answers, classes, label_smoothing=smoothing)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        step += 1
        follow(average, model, min(0.998, step / (step + 20)))
        recent.append((float(loss.detach()), float((answers.argmax(1) == classes).float().mean())))
        if step % 100 == 0:
            means, passed = np.mean(recent, axis=0), time.monotonic() - begin
            print(f"{step:6d}  loss {means[0]:.4f}  right {means[1]:.4f}  {passed:.0f} s", file=sys.stderr, flush=True)
            recent = []
            save_weights(average, values.out.with_suffix(".npz"))
    return average
