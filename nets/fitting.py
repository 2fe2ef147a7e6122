"""A model learned from a set of positions as a whole: passes over all of them, each in an order of its own.

A run (`nets.learning`) learns from a window that moves on while games are played; a set that is complete is learned
from better and faster this way. `Passes` is what all such models share; `Fitting` is that of patterns, whose positions
take 20 bytes each.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tengen.nets import checkpoint
from tengen.nets.patterns import Patterns
from tengen.nets.recipe import Schedule
from tengen.nets.training import set_rate

LOOKED_AT = 1 << 16
"""Positions that are judged at once."""
UNKNOWN = 2
"""The mark of a missing result."""


class Positions(NamedTuple):
    """n positions of Reversi. sides: n x 2, uint64, the discs of the side to move and the other's, a1 the lowest bit;
    labels: n, float32, discs for the side to move."""

    sides: NDArray[np.uint64]
    labels: NDArray[np.float32]

    def empties(self) -> NDArray[np.int64]:
        """n, empty cells."""
        discs = np.ascontiguousarray(self.sides[:, 0] | self.sides[:, 1]).view(np.uint8)
        return np.asarray(64 - np.unpackbits(discs.reshape(-1, 8), axis=1).sum(1, dtype=np.int64))


@dataclass(frozen=True)
class FitRecipe:
    """The recipe of learning: AdamW on the squared error in discs, the rate rising for `rise` steps and falling by half
    a cosine to `floor` of itself with the last one."""

    passes: int = 5
    rate: float = 0.01
    rise: int = 100
    floor: float = 0.01
    decay: float = 0.1
    batch: int = 8192
    seed: int = 1


@dataclass(frozen=True)
class ResultRecipe(FitRecipe):
    """The recipe of learning: the squared error of the expected result (0..1), that of the score mixed with `results`
    of how the game ended, where that is known."""

    results: float = 0.25


def expected(scores: NDArray[np.floating[Any]], results: NDArray[np.int8], share: float) -> Tensor:
    """The results to learn, 0..1. scores: as log odds; results: 1, 0, -1 or UNKNOWN; share: theirs, where known."""
    return mixed(1 / (1 + np.exp(-scores)), results, share)


def mixed(said: NDArray[np.floating[Any]], results: NDArray[np.int8], share: float) -> Tensor:
    """The same, of what searches said as expected results, 0..1."""
    shares = np.where(results == UNKNOWN, 0, share).astype(np.float32)
    return torch.from_numpy((1 - shares) * said + shares * (results.astype(np.float32) + 1) / 2)


def returns(
    said: NDArray[np.float64], ends: NDArray[np.float64], starts: NDArray[np.int64], share: float
) -> NDArray[np.float64]:
    """What the searches of a game say together of each of its positions: lambda-returns (Sutton 1988, TD(lambda)).

    A short search sees little ahead, and the game shows what it did not see. So what a position is worth can be what
    its own search said mixed with what the next position is worth, which is mixed in the same way, and so on to the
    end.

    said: n, of all positions of the games in turn, all for the same side; NaN where nothing was searched, and there it
    stays. ends: what each game was worth at its end, for that side; not finite where that is unknown, and the last
    search stands for it. starts: where each game begins, and the end. share: of the next position, 0..1; 0 leaves what
    the searches said."""
    out, after = said.copy(), ends.astype(np.float64)
    begins, behind = starts[:-1], starts[1:]
    for back in range(1, int((behind - begins).max(initial=0)) + 1):
        games = np.flatnonzero(behind - back >= begins)
        games = games[np.isfinite(said[behind[games] - back])]
        at = behind[games] - back
        behind_it = np.where(np.isfinite(after[games]), after[games], said[at])
        out[at] = after[games] = (1 - share) * said[at] + share * behind_it
    return out


class Passes(ABC):
    """A model that learns from `count` positions. passes: those that were made. Raises ValueError for fewer positions
    than a batch has."""

    def __init__(self, model: nn.Module, count: int, recipe: FitRecipe) -> None:
        self.recipe, self.passes, self._count = recipe, 0, count
        self._parameters = dict(model.named_parameters())
        self.steps = count // recipe.batch
        """The steps of a pass."""
        if not self.steps:
            raise ValueError(f"there are {count} positions, and a batch has {recipe.batch}")
        rates = {"lr": recipe.rate, "weight_decay": recipe.decay, "betas": (0.9, 0.99)}
        self._optimizer = torch.optim.AdamW(model.parameters(), fused=True, **rates)
        self._schedule = Schedule(recipe.rate, recipe.floor, recipe.rise)

    def learn(self, tell: Callable[[int, int], None] = lambda done, steps: None) -> float:
        """A pass over all positions; the mean distance from their labels while they were learned. tell: gets the steps
        of this pass that are made, and how many it has."""
        recipe, total = self.recipe, 0.0
        order = np.random.default_rng([recipe.seed, self.passes]).permutation(self._count)
        for step in range(self.steps):
            chosen = order[step * recipe.batch : (step + 1) * recipe.batch]
            made = self.passes * self.steps + step
            set_rate(self._optimizer, self._schedule.rate(made, made / (recipe.passes * self.steps)))
            loss, distance = self._judged(chosen)
            self._optimizer.zero_grad()
            loss.backward()
            self._optimizer.step()
            self._settle()
            total += float(distance)
            tell(step + 1, self.steps)
        self.passes += 1
        return total / self.steps

    def save(self, folder: Path, more: Sequence[Mapping[str, float]] = ()) -> None:
        """Write a checkpoint. more: figures to keep with it."""
        facts = {**self._facts(), "passes": self.passes, "more": list(more)}
        checkpoint.save(folder, {name: _array(tensor) for name, tensor in self._tensors().items()}, facts)

    def load(self, folder: Path) -> list[dict[str, float]]:
        """Be as the fitting was that was saved; what `save` was given beside. Raises CheckpointError for one of other
        positions, model or recipe."""
        arrays, facts = checkpoint.load(folder)
        if any(facts.get(name) != value for name, value in self._facts().items()):
            raise checkpoint.CheckpointError(f"'{folder}' is of another set of positions or recipe: remove it")
        self._begin_states()
        tensors = self._tensors()
        if {n: _array(tensor).shape for n, tensor in tensors.items()} != {n: a.shape for n, a in arrays.items()}:
            raise checkpoint.CheckpointError(f"'{folder}' is of another kind or size of model: remove it")
        with torch.no_grad():
            for name, tensor in tensors.items():
                tensor.copy_(torch.from_numpy(arrays[name].copy()).reshape(tensor.shape))
        self.passes = int(facts["passes"])
        return list(facts["more"])

    # -- inside -------------------------------------------------------------------------------------------

    @abstractmethod
    def _judged(self, chosen: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """The loss of positions, by their numbers, and their mean distance from their labels."""

    @abstractmethod
    def _seen(self) -> Mapping[str, Any]:
        """What tells this set of positions from others, as plain values."""

    def _settle(self) -> None:  # noqa: B027  most have nothing to do
        """After each step."""

    def _facts(self) -> Mapping[str, Any]:
        return {"positions": self._seen(), "recipe": asdict(self.recipe)}

    def _begin_states(self) -> None:
        """Let the optimizer have its states, which it makes with its first step."""
        set_rate(self._optimizer, 0.0)
        for parameter in self._parameters.values():
            parameter.grad = torch.zeros_like(parameter)
        self._optimizer.step()

    def _tensors(self) -> dict[str, Tensor]:
        found: dict[str, Tensor] = {}
        for name, parameter in self._parameters.items():
            found[name] = parameter
            for key, state in self._optimizer.state.get(parameter, {}).items():
                found[f"{name}:{key}"] = state
        return found


class Fitting(Passes):
    """Patterns that learn from positions. Raises ValueError for fewer positions than a batch has."""

    def __init__(self, model: Patterns, positions: Positions, recipe: FitRecipe) -> None:
        super().__init__(model, len(positions.labels), recipe)
        self.model, self._positions = model, positions

    def error(self, positions: Positions, least: int = 0, most: int = 60) -> float:
        """Mean distance from the labels, in discs, at so many empty cells; NaN without such positions."""
        empties = np.minimum(positions.empties(), 60)
        within = np.flatnonzero((empties >= least) & (empties <= most))
        parts = np.split(within, range(LOOKED_AT, len(within), LOOKED_AT))
        with torch.no_grad():
            found = [float(self._off(positions, part).abs().double().sum()) for part in parts]
        return sum(found) / len(within) if len(within) else float("nan")

    # -- inside -------------------------------------------------------------------------------------------

    def _judged(self, chosen: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        off = self._off(self._positions, chosen)
        return off.square().mean(), off.detach().abs().mean()

    def _off(self, positions: Positions, chosen: NDArray[np.int64]) -> Tensor:
        return self.model.said(positions.sides[chosen]) - torch.from_numpy(positions.labels[chosen])

    def _seen(self) -> Mapping[str, Any]:
        labels = self._positions.labels
        return {"count": len(labels), "sum": float(labels.sum(dtype=np.float64))}


def _array(tensor: Tensor) -> NDArray[Any]:
    return np.array(tensor.detach().numpy(), ndmin=1)
