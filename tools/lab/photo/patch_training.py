"""Training the patch classifier: rotations and flips, dropout, early stopping on the validation part."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from tengen.nets.photo_patch import PatchNet
from tengen.nets.training import seed
from tengen.tools.lab.photo.patch_data import Cut, Patches, decoded


@dataclass(frozen=True)
class Recipe:
    """The recipe of training. It ends after `epochs`, or when the validation loss has not fallen for `patience` of
    them."""

    epochs: int = 12
    patience: int = 3
    batch: int = 128
    rate: float = 1e-3
    seed: int = 1
    threads: int = 1


@dataclass(frozen=True)
class Epoch:
    """The figures of one pass over the training part; losses are mean cross-entropies, accuracy is 0 to 1."""

    number: int
    training_loss: float
    validation_loss: float
    validation_accuracy: float


def train(
    data: Cut, training: NDArray[np.int64], validation: NDArray[np.int64], recipe: Recipe,
    watch: Callable[[Epoch], None] = lambda epoch: None,
) -> tuple[PatchNet, list[Epoch]]:  # fmt: skip
    """The network of the epoch with the least validation loss, and all epochs. Repeatable: same seed, same weights."""
    seed(recipe.seed, recipe.threads)
    rng = np.random.default_rng(recipe.seed)
    model = PatchNet()
    optimizer = torch.optim.Adam(model.parameters(), recipe.rate)
    best, waited, epochs = copy.deepcopy(model.state_dict()), 0, list[Epoch]()
    for number in range(1, recipe.epochs + 1):
        loss = _pass(model, optimizer, data, rng.permutation(training), rng, recipe.batch)
        logits = predict(model, data.patches[validation])
        labels = data.labels[validation]
        validation_loss = float(functional.cross_entropy(torch.from_numpy(logits), torch.from_numpy(labels)))
        epochs.append(Epoch(number, loss, validation_loss, float((logits.argmax(1) == labels).mean())))
        watch(epochs[-1])
        if validation_loss <= min(epoch.validation_loss for epoch in epochs):
            best, waited = copy.deepcopy(model.state_dict()), 0
        elif (waited := waited + 1) == recipe.patience:
            break
    model.load_state_dict(best)
    return model.eval(), epochs


def predict(model: nn.Module, patches: Patches, batch: int = 512) -> NDArray[np.float32]:
    """Logits (n, 4) of patches, in evaluation mode."""
    model.eval()
    with torch.inference_mode():
        parts = [model(torch.from_numpy(decoded(patches[at : at + batch]))) for at in range(0, len(patches), batch)]
        return np.asarray(torch.cat(parts).numpy(), np.float32)


def symmetric(patches: Tensor, symmetry: int) -> Tensor:
    """Patches (n, c, s, s) under one of the square's eight symmetries: `symmetry` % 4 quarter turns, then a flip."""
    turned = torch.rot90(patches, symmetry % 4, (2, 3))
    return turned.flip(3) if symmetry >= 4 else turned


def _pass(
    model: PatchNet, optimizer: torch.optim.Optimizer, data: Cut, order: NDArray[np.int64], rng: np.random.Generator,
    batch: int,
) -> float:  # fmt: skip
    """Train once on every patch, each batch in eight parts of which each is turned its own way. The mean loss."""
    model.train()
    total = 0.0
    for at in range(0, len(order), batch):
        chosen = order[at : at + batch]
        inputs = torch.from_numpy(decoded(data.patches[chosen]))
        ways = rng.permutation(8).tolist()
        turned = torch.cat([symmetric(part, way) for part, way in zip(inputs.chunk(8), ways, strict=False)])
        loss = functional.cross_entropy(model(turned), torch.from_numpy(data.labels[chosen]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += float(loss.detach()) * len(chosen)
    return total / len(order)
