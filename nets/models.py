"""The networks that play, by kind. A new kind is a module with a function like `katago` and a line in KINDS.

Every model is called with planes (n x planes x h x w) and numbers (n x globals, or None) and answers a dict:

    policy         n x moves logits by policy index, not masked
    value          n x 3 logits of what the model's `results` names, for the side to move
    next_policy    n x moves, the opponent's reply (learned, never exported)
    soft_policy    n x moves, the policy softened (the same)
    score          n, the margin expected for the side to move, in the game's unit: where half of the games are won
    score_mean, score_stdev    n, mean and deviation of the margin at the end
    value_error, score_error   n, the squared error to come of value and score
    ownership      n x points before tanh
    evaluation     n, the margin at the end, of what says nothing else (patterns)
    NAME           of targets that bring a head (`nets.targets`), those that `spec.heads` names (learned, not exported)

of which all but the first two may be missing. It has `results`: "win", "draw", "loss" in the model's order, or "none"
(no result) in place of "draw"; then a draw is half a win and half a loss. Weights begin by torch's global seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from tengen.engine.evaluators.katago.model import GLOBALS, PLANES, Scales
from tengen.engine.sentence import excerpt
from tengen.nets.chess_policy import chess, fromto
from tengen.nets.classic import alphazero_gomoku, clevergo
from tengen.nets.heads import FlatPolicyHead, OwnHead, PolicyHead, ValueHead
from tengen.nets.pattern_network import pattern_network
from tengen.nets.patterns import patterns
from tengen.nets.residual import Pooled, PreResidual, Trunk
from tengen.nets.spec import ModelSpec
from tengen.nets.targets import TARGETS

if TYPE_CHECKING:
    from tengen.engine._core import FeatureSet

KATAGO_FEATURES = "katago-v7"
KATAGO_SCORES = 6
MARGIN_SCALE = 20.0
"""A margin of 1 from the network of other games is so many of the game's units."""
Answers = dict[str, Tensor]


class BoardNet(nn.Module):
    """A trunk of plain 3x3 residual blocks, some of which pool from the whole board, and two heads."""

    results = ("win", "draw", "loss")

    def __init__(
        self, spec: ModelSpec, planes: int, numbers: int, policy: nn.Module, scores: int, *, has_owners: bool
    ) -> None:
        super().__init__()
        blocks = [
            Pooled(spec.channels, spec.pooled_channels) if spec.pools(block) else PreResidual(spec.channels)
            for block in range(spec.blocks)
        ]
        self.spec = spec
        self.trunk = Trunk(planes, numbers, spec.channels, blocks)
        self.policy = policy
        self.values = ValueHead(spec.channels, spec.head, spec.hidden, scores, has_owners=has_owners)
        own = {name: OwnHead(spec.channels, spec.head, TARGETS[name].head) for name in spec.heads}
        self.own = nn.ModuleDict(own)
        _begin(self, spec.blocks)

    def raw(self, trunk: Tensor) -> tuple[Tensor, Tensor, Tensor | None, Tensor | None]:
        """Policies (n x `_policies` x moves), value, scores and owners as they leave the network."""
        return self.policy(trunk), *self.values(trunk)

    def named(self, trunk: Tensor, policies: Tensor) -> Answers:
        """The policies, and the answers of the heads that targets bring, by their names."""
        named = zip(("policy", "next_policy", "soft_policy"), policies.unbind(1), strict=False)
        return dict(named) | {name: head(trunk) for name, head in self.own.items()}

    def forward(self, planes: Tensor, numbers: Tensor | None = None) -> Answers:
        trunk = self.trunk(planes, numbers)
        policies, value, score, _ = self.raw(trunk)
        found = {**self.named(trunk, policies), "value": value}
        return found if score is None else {**found, "score": score[:, 0] * MARGIN_SCALE}


class KataGoNet(BoardNet):
    """Go on any board: what a file of KataGo's format, VERSION of `nets.katago_export`, holds; any board size."""

    results = ("win", "loss", "none")

    def __init__(self, spec: ModelSpec) -> None:
        policy = PolicyHead(spec.channels, spec.head, _policies(spec), has_pass=True)
        super().__init__(spec, PLANES, GLOBALS, policy, KATAGO_SCORES, has_owners=True)
        score = self.values.score
        assert score is not None
        with torch.no_grad():  # a point of error, until something is learned of it; of the time left nothing is
            score.weight[[3, 5]] = 0
            score.bias[5] = math.log(math.expm1(1 / Scales().shortterm_score_error))

    def forward(self, planes: Tensor, numbers: Tensor | None = None) -> Answers:
        """See the module; the scales of the outputs are those of `katago.answers.evaluation`."""
        return self.answers(self.trunk(planes, numbers))

    def answers(self, trunk: Tensor) -> Answers:
        """The same from what leaves the trunk (n x channels x h x w)."""
        policies, value, score, owners = self.raw(trunk)
        assert score is not None and owners is not None
        scales = Scales()
        return {
            **self.named(trunk, policies),
            "value": value,
            "score_mean": score[:, 0] * scales.score_mean,
            "score_stdev": functional.softplus(score[:, 1]) * scales.score_stdev,
            "score": score[:, 2] * scales.lead,
            "value_error": functional.softplus(score[:, 4]) * scales.shortterm_value_error,
            "score_error": functional.softplus(score[:, 5]) * scales.shortterm_score_error,
            "ownership": owners,
        }


def _policies(spec: ModelSpec) -> int:
    """How many policies the head says: the player's, the opponent's reply, perhaps a soft one."""
    return 2 + spec.soft_policy


LAST = (".conv2", ".pass_matrix", "policy.matrix", ".value", ".score", ".ownership", ".answer")
"""The layers of heads that answer."""


def _begin(model: nn.Module, blocks: int) -> None:
    """Weights to begin with: variances are kept (He et al. 2015), what blocks add is small, the answers nearly even."""
    for name, module in model.named_modules():
        if not isinstance(module, nn.Conv2d | nn.Linear):
            continue
        nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
        if module.bias is not None:
            nn.init.zeros_(module.bias)
        is_added = ".blocks." in name and name.endswith((".conv2", ".pool_matrix"))
        scale = blocks**-0.5 if is_added else 0.1 if ".blocks." not in name and name.endswith(LAST) else 1.0
        with torch.no_grad():
            module.weight.mul_(0.0 if name == "trunk.matrix" else scale)  # a number that never varies says nothing


Board = tuple[int, int]
"""Width and height."""


class Plays(NamedTuple):
    """The game, feature set and board of a model; its attribute `plays`. board: None for a model of any size."""

    game: str
    features: str
    planes: tuple[str, ...]
    numbers: int
    board: Board | None


def katago(spec: ModelSpec, features: FeatureSet, board: Board | None) -> nn.Module:
    """Our default of Go. Raises ValueError for other feature sets."""
    if features.name != KATAGO_FEATURES:
        raise ValueError(f"a network of the kind katago takes {KATAGO_FEATURES}, not {excerpt(features.name, 40)}")
    return KataGoNet(spec)


def residual(spec: ModelSpec, features: FeatureSet, board: Board | None) -> nn.Module:
    """Any game on a board. Moves that are points, and perhaps a pass, leave the size free; others need `board`."""
    if board is None:
        raise ValueError("a network of the kind residual needs the size of its board")
    points, moves = board[0] * board[1], features.policy_size(*board)
    policy: nn.Module
    if moves in (points, points + 1):
        policy = PolicyHead(spec.channels, spec.head, _policies(spec), has_pass=moves > points)
    else:
        policy = FlatPolicyHead(spec.channels, spec.head, _policies(spec), points, moves)
    return BoardNet(
        spec,
        len(features.planes),
        len(features.globals),
        policy,
        int(spec.has_score),
        has_owners=False,
    )


KINDS: dict[str, Callable[[ModelSpec, FeatureSet, Board | None], nn.Module]] = {
    "katago": katago,
    "residual": residual,
    "alphazero-gomoku": alphazero_gomoku,
    "clevergo": clevergo,
    "patterns": patterns,
    "pattern-network": pattern_network,
    "chess": chess,
    "chess-fromto": fromto,
}


def build(spec: ModelSpec, features: FeatureSet, board: Board | None = None) -> nn.Module:
    """A network with new weights; it gets the attribute `plays`. Raises ValueError with one sentence."""
    if spec.kind not in KINDS:
        raise ValueError(f"there is no network of the kind {excerpt(spec.kind, 40)}; there are {', '.join(KINDS)}")
    model = KINDS[spec.kind](spec, features, board)
    if spec.heads and not isinstance(model, BoardNet):
        raise ValueError(f"a network of the kind {spec.kind} takes no heads of targets, as {spec.heads[0]}")
    model.plays = Plays(features.game, features.name, tuple(features.planes), len(features.globals), board)
    return model
