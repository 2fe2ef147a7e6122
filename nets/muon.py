"""Muon: the hidden layers of a network learn by orthogonal steps (Jordan et al. 2024, "Muon: An optimizer for hidden
layers in neural networks"), scaled as in "Muon is Scalable for LLM Training" (Liu et al. 2025); the others by AdamW."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn

MOMENTUM = 0.95
BETAS, EPSILON = (0.9, 0.999), 1e-8
"""Of AdamW."""
LIKE_ADAM = 0.2
"""The size of a step of AdamW, by its root mean square, as a share of the learning rate: one rate fits both."""
COEFFICIENTS, ITERATIONS = (3.4445, -4.7750, 2.0315), 5
"""Of the iteration that makes a matrix about orthogonal."""


class Muon(torch.optim.Optimizer):
    """Groups of parameters with "is_hidden" learn by Muon, each a matrix of its outputs by everything else; others by
    AdamW. Both lose `weight_decay` of the learning rate at each step."""

    def __init__(self, groups: Iterable[dict[str, Any]], lr: float) -> None:
        super().__init__(groups, {"lr": lr, "weight_decay": 0.0, "is_hidden": False})

    def step(self, closure: Callable[[], float] | None = None) -> None:
        """Make one step against the gradients. closure: is not called."""
        with torch.no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is None:
                        continue
                    change = self._hidden(parameter) if group["is_hidden"] else self._other(parameter)
                    parameter.mul_(1 - group["lr"] * group["weight_decay"])
                    parameter.add_(change, alpha=-group["lr"])

    def _hidden(self, parameter: nn.Parameter) -> Tensor:
        state, gradient = self.state[parameter], parameter.grad
        assert gradient is not None
        if not state:
            state["momentum"] = torch.zeros_like(parameter)
        state["momentum"].mul_(MOMENTUM).add_(gradient)
        ahead = gradient.add(state["momentum"], alpha=MOMENTUM)  # Nesterov's
        matrix = orthogonal(ahead.flatten(1))
        return matrix.reshape(parameter.shape) * (LIKE_ADAM * math.sqrt(max(matrix.shape)))

    def _other(self, parameter: nn.Parameter) -> Tensor:
        state, gradient = self.state[parameter], parameter.grad
        assert gradient is not None
        if not state:
            state["step"] = torch.zeros(())
            state["mean"], state["square"] = torch.zeros_like(parameter), torch.zeros_like(parameter)
        state["step"] += 1
        state["mean"].lerp_(gradient, 1 - BETAS[0])
        state["square"].mul_(BETAS[1]).addcmul_(gradient, gradient, value=1 - BETAS[1])
        mean, square = (1 - beta ** float(state["step"]) for beta in BETAS)
        return (state["mean"] / mean) / ((state["square"] / square).sqrt() + EPSILON)


def orthogonal(matrices: Tensor) -> Tensor:
    """Return about the nearest matrices with singular values of 1: they are between 0.7 and 1.2 after ITERATIONS.
    matrices: ... x rows x columns."""
    is_tall = matrices.shape[-2] > matrices.shape[-1]
    found = matrices.mT if is_tall else matrices
    found = found / (torch.linalg.matrix_norm(found.float(), keepdim=True) + 1e-7).to(found.dtype)
    a, b, c = COEFFICIENTS
    for _ in range(ITERATIONS):
        squared = found @ found.mT
        found = a * found + (b * squared + c * squared @ squared) @ found
    return found.mT if is_tall else found
