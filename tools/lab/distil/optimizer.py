"""Muon and AdamW as in `nets/muon.py`, in stacks of one shape and without a wait for the device, so that a CUDA graph
can hold a step."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from tengen.nets.muon import BETAS, EPSILON, LIKE_ADAM, MOMENTUM, orthogonal


class GraphMuon:
    """See `nets.muon.Muon`: the hidden matrices of residual blocks learn by Muon, everything else by AdamW."""

    def __init__(self, model: nn.Module, rate: Tensor, decay: float) -> None:
        """rate: the learning rate, a number on the device, which is read at every step."""
        self._rate, self._decay = rate, decay
        named = list(model.named_parameters())
        hidden = [one for name, one in named if ".blocks." in name and one.dim() > 1]
        stacks: dict[tuple[int, int], list[nn.Parameter]] = {}
        for one in hidden:
            stacks.setdefault((one.shape[0], one[0].numel()), []).append(one)
        self._stacks = [(stack, [torch.zeros_like(one) for one in stack]) for stack in stacks.values()]
        known = {id(one) for one in hidden}
        self._others = [one for _, one in named if id(one) not in known]
        self._means, self._squares = ([torch.zeros_like(one) for one in self._others] for _ in range(2))
        self._count = torch.zeros((), device=rate.device)

    def step(self) -> None:
        """Make one step against the gradients, which all parameters have."""
        with torch.no_grad():
            for stack, momenta in self._stacks:
                self._hidden(stack, momenta)
            self._rest()

    def _hidden(self, stack: list[nn.Parameter], momenta: list[Tensor]) -> None:
        gradients = [gradient_of(one) for one in stack]
        torch._foreach_mul_(momenta, MOMENTUM)
        torch._foreach_add_(momenta, gradients)
        ahead = torch._foreach_add(gradients, momenta, alpha=MOMENTUM)
        steps = orthogonal(torch.stack([one.flatten(1) for one in ahead]).bfloat16()).float()
        steps = steps * (-self._rate * (LIKE_ADAM * math.sqrt(max(steps.shape[1:]))))
        torch._foreach_mul_(stack, 1 - self._rate * self._decay)
        torch._foreach_add_(stack, [step.reshape(one.shape) for step, one in zip(steps.unbind(0), stack, strict=True)])

    def _rest(self) -> None:
        gradients = [gradient_of(one) for one in self._others]
        self._count += 1
        torch._foreach_lerp_(self._means, gradients, 1 - BETAS[0])
        torch._foreach_mul_(self._squares, BETAS[1])
        torch._foreach_addcmul_(self._squares, gradients, gradients, 1 - BETAS[1])
        below = torch._foreach_sqrt(self._squares)
        torch._foreach_mul_(below, (1 - BETAS[1] ** self._count).rsqrt())
        torch._foreach_add_(below, EPSILON)
        change = torch._foreach_div(self._means, below)
        torch._foreach_mul_(change, -self._rate / (1 - BETAS[0] ** self._count))
        torch._foreach_mul_([one for one in self._others if one.dim() > 1], 1 - self._rate * self._decay)
        torch._foreach_add_(self._others, change)


def gradient_of(parameter: nn.Parameter) -> Tensor:
    """The gradient that a parameter must have."""
    assert parameter.grad is not None
    return parameter.grad
