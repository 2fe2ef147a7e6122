"""A batch of rows to learn from, and its targets as tensors in the order that a model has results in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import torch
from torch import Tensor

from tengen.nets.targets import SAYS

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Floats = NDArray[float32]

MEAN, STDEV, VALUE_ERROR, LEAD_ERROR = range(4)
"""Columns of `nets.targets.SAYS`."""


class Batch(Protocol):
    """n rows to learn from, for the side to move, all of one board size. NaN (and a policy of zeros): not known.

    planes n x planes x h x w; numbers n x globals or None; policy and next_policy (the opponent's reply) n x moves;
    value and found (what a search said) n x 3 win, draw, loss; score n, the margin at the end; owners n x h x w from -1
    to 1; found_score n, the margin that the search expected; weight n; labels: what else is known, n x numbers each, by
    the names of `nets.targets` (of a stored array, or of the target that is computed), None where there is nothing.
    """

    @property
    def planes(self) -> Floats: ...
    @property
    def numbers(self) -> Floats | None: ...
    @property
    def policy(self) -> Floats: ...
    @property
    def next_policy(self) -> Floats: ...
    @property
    def value(self) -> Floats: ...
    @property
    def found(self) -> Floats: ...
    @property
    def score(self) -> Floats: ...
    @property
    def owners(self) -> Floats: ...
    @property
    def found_score(self) -> Floats: ...
    @property
    def weight(self) -> Floats: ...
    @property
    def labels(self) -> Mapping[str, Floats] | None: ...


class Targets(NamedTuple):
    """A batch's targets as tensors. result: n x 3 in the model's `order`, outcome and found mixed; outcome and found:
    what they make one expect, from -1, lost, to 1."""

    order: tuple[str, ...]
    policy: Tensor
    next_policy: Tensor
    result: Tensor
    outcome: Tensor
    found: Tensor
    score: Tensor
    found_score: Tensor
    owners: Tensor
    weight: Tensor
    labels: Mapping[str, Tensor]
    share: float = 0.0

    def label(self, name: str, width: int = 1) -> Tensor:
        """n x numbers: a label of the batch; NaN, so many a row, where the batch has none of this name."""
        found = self.labels.get(name)
        return self.weight.new_full((len(self.weight), width), torch.nan) if found is None else found

    @property
    def lead(self) -> Tensor:
        """The target of the lead: the teacher's, or the margin at the end of positions without a teacher."""
        return torch.where(self._says(MEAN).isfinite(), self.found_score, self.score)

    def told(self, column: int, otherwise: Tensor, power: int = 1) -> Tensor:
        """Return the teacher's label of a column, raised to a power, where it exists."""
        found = self._says(column) ** power
        return torch.where(found.isfinite(), found, otherwise)

    def _says(self, column: int) -> Tensor:
        return self.label(SAYS.name, len(SAYS.says))[:, column]

    @property
    def margin(self) -> Tensor:
        """The target of the margin: the one at the end, mixed with the one that the search found; an unknown one of the
        two counts for nothing."""
        end = torch.where(self.score.isfinite(), self.score, torch.nan)
        mixed = end + self.share * (self.found_score - end)
        return torch.where(end.isnan(), self.found_score, torch.where(self.found_score.isnan(), end, mixed))


def targets_of(batch: Batch, order: tuple[str, ...], share: float, device: str) -> Targets:
    """Return the targets of a batch for a model with results in this order; share: of the search's values in them."""
    results = batch.value, batch.found, batch.score, batch.owners, batch.found_score
    arrays = batch.policy, batch.next_policy, *results, batch.weight
    policy, next_policy, value, found, score, owners, found_score, weight = (_tensor(array, device) for array in arrays)
    mixed = torch.where(found.isnan(), value, torch.where(value.isnan(), found, value + share * (found - value)))
    result, expected = _ordered(mixed, order), (value[:, 0] - value[:, 2], found[:, 0] - found[:, 2])
    owned = owners.flatten(1)
    labels = {name: _tensor(array, device) for name, array in (batch.labels or {}).items()}
    return Targets(order, policy, next_policy, result, *expected, score, found_score, owned, weight, labels, share)


def _tensor(array: Any, device: str) -> Tensor:
    return torch.as_tensor(array, dtype=torch.float32).to(device, non_blocking=True)


def _ordered(values: Tensor, order: tuple[str, ...]) -> Tensor:
    """Win, draw, loss as the model has them; without a draw it is half a win and half a loss."""
    win, draw, loss = values.unbind(1)
    if "draw" in order:
        columns = {"win": win, "draw": draw, "loss": loss}
    else:
        columns = {"win": win + draw / 2, "loss": loss + draw / 2, "none": draw * 0}
    return torch.stack([columns[name] for name in order], 1)
