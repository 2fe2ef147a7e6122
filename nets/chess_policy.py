"""Networks that say how people move in chess, and the two of the program that this project grew from.

What they see is turned to the side to move, what they say is of the board as it is (engine/core/chess/features.hpp):
the number "black" of a row tells how its policy lies, and the network lays it out; more it does not make of it. Of a
pair of squares a policy has from + 64 to.

`ChessNet` ("chess"): squares are known by a residual trunk of convolutions and by a layer over the whole board, legal
moves by their two squares and by what the core says that they do (engine/core/chess/move_facts.hpp: FACTS are its
digits, TABLES those that are looked up together); and the result of the game.
`FromToNet` ("chess-fromto"): two networks of convolutions that know nothing of each other, one for the square that a
move begins on, one for the square it ends on. Their policy is the product of both probabilities, so that learning it
is learning each alone. They say nothing of the result: it is even.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from tengen.engine.sentence import excerpt
from tengen.nets.residual import Pooled, PreResidual, Trunk
from tengen.nets.spec import ModelSpec

if TYPE_CHECKING:
    from tengen.engine._core import FeatureSet

SQUARES, PAIRS, LESSER = 64, 4096, 72
"""Squares, pairs of them, and places of promotions to less than a queen: of each such piece, file and direction."""
BOARD = 24
"""Planes of the board, before those of moves."""
WIDE = 16
"""The outputs of the layer over the whole board for each square."""
NEVER = -60.0
"""The logit of what is no legal move: its share is next to nothing, and no number that is slow to reckon with."""
FACTS = {
    "piece": 6, "taken": 7, "exchange": 8, "threatened": 4, "check": 2, "attacks": 4, "received": 4, "supported": 3,
    "left": 7, "threat": 4, "new": 2,
}  # fmt: skip
TABLES = (
    ("piece", "taken", "exchange", "check"),
    ("piece", "threatened", "received", "supported"),
    ("piece", "attacks", "threat", "check"),
    ("left", "exchange", "threat", "check"),
    ("new", "threatened", "exchange", "received"),
)
CHANNELS, NARROW, HIDDEN = (32, 64, 128), 32, 256
"""The widths of each of the two networks: its convolutions, what a last one leaves of them, and the layer behind it."""
FAINT = 0.02
"""The deviation of the weights of moves' facts and squares, to begin with."""
RARE = -8.0
"""The logit of a promotion to less than a queen beside that of its squares, before anything was learned of it."""


class ChessNet(nn.Module):
    """See the module, and `nets.models` for its outputs."""

    results = ("win", "draw", "loss")

    def __init__(self, spec: ModelSpec, numbers: int) -> None:
        super().__init__()
        blocks = [
            Pooled(spec.channels, spec.pooled_channels) if spec.pools(block) else PreResidual(spec.channels)
            for block in range(spec.blocks)
        ]
        self.spec = spec
        self.trunk = Trunk(BOARD, numbers - 1, spec.channels, blocks)
        self.whole = nn.Linear(BOARD * SQUARES, spec.hidden)
        self.told = nn.Linear(numbers - 1, spec.hidden, bias=False)
        self.spread = nn.Linear(spec.hidden, SQUARES * WIDE)
        self.value = nn.Linear(spec.hidden, len(self.results))
        self.moves = MoveHead(spec.channels + WIDE, spec.head)
        self.lesser = nn.Parameter(torch.full((LESSER,), RARE))

    def forward(self, planes: Tensor, numbers: Tensor) -> dict[str, Tensor]:
        board, facts = planes[:, :BOARD], planes[:, BOARD:].permute(0, 2, 3, 1).flatten(1)
        near = self.trunk(board, numbers[:, 1:]).permute(0, 2, 3, 1).flatten(1, 2)
        whole = torch.relu(self.whole(board.flatten(1)) + self.told(numbers[:, 1:]))
        far = torch.relu(self.spread(whole)).reshape(-1, SQUARES, WIDE)
        at, pair, logits = self.moves(torch.cat([near, far], 2), facts)
        policy = self._policy(torch.full_like(facts, NEVER), at, pair, logits, numbers[:, 0] > 0.5)
        return {"policy": policy, "value": self.value(whole)}

    def _policy(self, never: Tensor, at: Tensor, pair: Tensor, logits: Tensor, is_black: Tensor) -> Tensor:
        """By index. What `laid_out` does, of those few that are legal; never: n x 4096."""
        turned, places = _turned().to(pair.device), _lesser().to(pair.device)
        found = never.index_put((at, torch.where(is_black[at], pair, turned[pair])), logits)
        lesser = found.gather(1, torch.where(is_black[:, None], places, turned[places])) + self.lesser
        return torch.cat([found, lesser], 1)


_ROWS = sum(math.prod(FACTS[name] for name in names) for names in TABLES)


class MoveHead(nn.Module):
    """The head for moves: for each legal move its row, its pair of cells as the side to move sees them (64 to + from),
    and its logit.

    That is the product of a query where it begins and a key where it ends, a layer of `inner` units over both squares
    and its facts, and what its facts and its squares are worth anywhere. Takes n x 64 x channels, and n x 4096 numbers
    of moves."""

    def __init__(self, channels: int, inner: int) -> None:
        super().__init__()
        self.origin, self.target = nn.Linear(channels, inner), nn.Linear(channels, inner)
        self.begin, self.end = nn.Linear(channels, inner), nn.Linear(channels, inner)
        self.facts = nn.Embedding(_ROWS, inner + 1)
        self.usual = nn.Embedding(PAIRS, 1)
        self.last = nn.Linear(inner, 1)
        self.scale = 1 / math.sqrt(inner)

    def forward(self, squares: Tensor, facts: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        at, pair = torch.nonzero(facts, as_tuple=True)
        end, begin = at * SQUARES + pair // SQUARES, at * SQUARES + pair % SQUARES
        product = torch.matmul(self.target(squares), self.origin(squares).transpose(1, 2)).flatten()
        told = self.facts(_rows(facts[at, pair].long() - 1)).sum(1)
        joined = self.begin(squares).flatten(0, 1)[begin] + self.end(squares).flatten(0, 1)[end] + told[:, :-1]
        logits = product[at * PAIRS + pair].float() * self.scale + self.last(torch.relu(joined))[:, 0].float()
        return at, pair, logits + told[:, -1] + self.usual(pair)[:, 0]


def _rows(numbers: Tensor) -> Tensor:
    """n x tables: where in `MoveHead.facts` the rows of moves are, by their numbers less one."""
    digits: dict[str, Tensor] = {}
    for name, values in reversed(FACTS.items()):
        digits[name] = numbers % values
        numbers = torch.div(numbers, values, rounding_mode="floor")
    found, begin = [], 0
    for names in TABLES:
        row = torch.zeros_like(numbers)
        for name in names:
            row = row * FACTS[name] + digits[name]
        found.append(row + begin)
        begin += math.prod(FACTS[name] for name in names)
    return torch.stack(found, 1)


class FromToNet(nn.Module):
    """See the module, and `nets.models` for its outputs."""

    results = ("win", "draw", "loss")

    def __init__(self, planes: int) -> None:
        super().__init__()
        self.origin, self.target = _squares(planes), _squares(planes)

    def forward(self, planes: Tensor, numbers: Tensor) -> dict[str, Tensor]:
        origin, target = (torch.log_softmax(net(planes).float(), 1) for net in (self.origin, self.target))
        pairs = target[:, :, None] + origin[:, None, :]
        policy = laid_out(pairs, pairs.new_full((LESSER,), RARE), numbers)
        return {"policy": policy, "value": torch.zeros_like(policy[:, :3])}


def laid_out(pairs: Tensor, lesser: Tensor, numbers: Tensor) -> Tensor:
    """Lay out a policy by cells as they are seen: White sees the eighth rank on top. lesser: what promotions to less
    than a queen are worth beside that of their squares."""
    promotions = pairs.flatten(1)[:, _lesser().to(pairs.device)] + lesser
    turned = pairs.reshape(-1, 8, 8, 8, 8).flip(1, 3).reshape(-1, SQUARES, SQUARES)
    is_black = (numbers[:, :1] > 0.5)[:, :, None]
    return torch.cat([torch.where(is_black, pairs, turned).flatten(1), promotions], 1)


def chess(spec: ModelSpec, features: FeatureSet, board: tuple[int, int] | None) -> nn.Module:
    """Build the network that moves as people do. Raises ValueError for a feature set that does not say what moves
    do."""
    _check(spec, features)
    if len(features.planes) != BOARD + SQUARES:
        raise ValueError(f"a network of the kind {spec.kind} takes chess-v2, not {excerpt(features.name, 40)}")
    return _begun(ChessNet(spec, len(features.globals)))


def fromto(spec: ModelSpec, features: FeatureSet, board: tuple[int, int] | None) -> nn.Module:
    """The two networks. Raises ValueError for a feature set that does not say who is to move."""
    _check(spec, features)
    return FromToNet(len(features.planes))


def _begun(model: ChessNet) -> nn.Module:
    """Variances are kept (He et al. 2015); what blocks add, and what moves are worth, is small."""
    for name, module in model.named_modules():
        if isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=FAINT)
        elif isinstance(module, nn.Conv2d | nn.Linear):
            nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
            if module.bias is not None:
                nn.init.zeros_(module.bias)
            is_added = ".blocks." in name and name.endswith((".conv2", ".pool_matrix"))
            is_last = name.endswith((".origin", ".target", ".last", "value"))
            with torch.no_grad():
                module.weight.mul_(model.spec.blocks**-0.5 if is_added else 0.3 if is_last else 1.0)
    return model


def _check(spec: ModelSpec, features: FeatureSet) -> None:
    if features.game != "chess" or list(features.globals[:1]) != ["black"]:
        name = excerpt(features.name, 40)
        raise ValueError(f"a network of the kind {spec.kind} is of chess, and does not take {name}")


def _squares(planes: int) -> nn.Sequential:
    """n x 64 logits of cells."""
    layers: list[nn.Module] = []
    for inputs, outputs in zip((planes, *CHANNELS), CHANNELS, strict=False):
        layers += [nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU()]
    layers += [nn.Conv2d(CHANNELS[-1], NARROW, 1), nn.ReLU(), nn.Flatten()]
    return nn.Sequential(*layers, nn.Linear(NARROW * SQUARES, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, SQUARES))


@cache
def _turned() -> Tensor:
    """Pairs of cells, both of them turned upside down."""
    return torch.tensor([pair ^ (56 | 56 << 6) for pair in range(PAIRS)])


@cache
def _lesser() -> Tensor:
    """Where among 64 x 64 pairs as they are seen the squares of each place of a promotion are: from the second row to
    the first. What is off the board is anywhere, since no move is there."""
    sides = [(file, min(max(file + aside, 0), 7)) for file in range(8) for aside in (-1, 0, 1)]
    return torch.tensor([SQUARES * end + 8 + start for start, end in sides] * 3)
