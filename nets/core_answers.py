"""Networks that the core computes in floats, to learn: what they say of positions, as autograd sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import torch
from numpy.typing import NDArray
from torch import Tensor


class Learner(Protocol):
    """What the core has for a network (`ChessLearner`, `ReversiLearner`)."""

    def forward(self, *arguments: Any) -> None: ...
    def backward(self, slopes: Any, weights: Any, found: Any) -> None: ...


class Kept:
    """A model's learner, which keeps its memory from call to call. A copy of the model makes one of its own."""

    def __init__(self) -> None:
        self._threads = 0
        self._learner: Learner | None = None

    def __deepcopy__(self, memo: object) -> Kept:
        return Kept()

    def __call__(self, make: Callable[[int], Learner]) -> Learner:
        """The learner; `make` makes it for torch's number of threads."""
        if self._learner is None or self._threads != torch.get_num_threads():
            self._threads = torch.get_num_threads()
            self._learner = make(self._threads)
        return self._learner


def answers(learner: Learner, positions: Sequence[NDArray[Any]], weights: Sequence[Tensor]) -> Tensor:
    """n float32, what a network with these weights says of n positions. Gradients can be asked for the learner's last
    call alone. Raises ValueError for what the learner refuses."""
    found: Tensor = _Answers.apply(learner, positions, *weights)
    return found


class _Answers(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, learner: Learner, positions: Sequence[NDArray[Any]], *weights: Tensor) -> Tensor:
        ctx.learner, ctx.weights = learner, [array.detach().contiguous() for array in weights]
        said = torch.empty(len(positions[0]))
        learner.forward(*positions, ctx.weights, said)
        return said

    @staticmethod
    def backward(ctx: Any, *slopes: Tensor) -> tuple[Tensor | None, ...]:
        found = [torch.empty_like(array) for array in ctx.weights]
        ctx.learner.backward(slopes[0].contiguous(), ctx.weights, found)
        return None, None, *found
