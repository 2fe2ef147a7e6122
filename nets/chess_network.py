"""Chess by a small network that is updated move by move: 768 inputs a side, a layer that both share, one number.

The shape is that of the core's evaluator `network` of chess, which computes in whole numbers what is learned here in
floats. The core computes those too (`engine/core/chess/learning.hpp`), since torch takes several times as long. A side
sees each piece as its own or the enemy's, the board from its own edge and mirrored so that its king is on the files a
to d. Weights may differ by where that king stands (`KING_BUCKETS`): those of a bucket are learned as the sum of what
all share and of its own, and the file has the sums. What both sides see goes through the same weights, is clipped and
squared; a head of its own for every four pieces on the board reads it, the side to move first.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tengen.engine._core import ChessLearner
from tengen.nets import safetensors
from tengen.nets.core_answers import Kept, answers

GAME, EVALUATOR, KIND = "chess", "network", "chess-network"
INPUTS, SQUARES, BUCKETS = 768, 64, 8
KINDS = 6
"""The kinds of pieces; the enemy's come behind the own."""
WIDTHS = range(64, 513, 32)
WIDTH = 256
FEATURE_UNIT, HEAD_UNIT, CENTIPAWNS = 255, 64, 400
"""The units in the file: weights of the first layer, of the heads; centipawns of one of the answer."""
MOST, MOST_OF_HEAD = 1.98, 127 / HEAD_UNIT
"""Weights, either way: 32 rows and a bias stay in 16 bits, and a square by a weight in 32."""
MOST_PIECES = 32
KING_BUCKETS = {
    1: np.zeros((8, 4), np.int8),
    4: np.array([[0, 0, 1, 1], [2, 2, 2, 2], *([[3, 3, 3, 3]] * 6)], np.int8),
    8: np.array([[0, 1, 2, 3], [4, 4, 5, 5], *([[6, 6, 6, 6]] * 2), *([[7, 7, 7, 7]] * 4)], np.int8),
}
"""By their number: the bucket of a king by its rank and by its file, a to d, as its side sees it."""
_BEGIN, _BIAS_BEGIN, _HEAD_BEGIN = 0.05, 0.2, 4.0
"""Heads of some size lose less by rounding than the small ones that are usual."""


class Seen(NamedTuple):
    """The input of the network for n positions. rows: of the features, those of the side to move of all positions, then
    those of the other side; starts: 2n, where each one's begin; buckets: n, the heads, 0 to 7."""

    rows: NDArray[np.int64]
    starts: NDArray[np.int64]
    buckets: NDArray[np.int64]


_OF_WHITE = (np.arange(13) - 1) * SQUARES
_OF_BLACK = (np.arange(13) - 1 + KINDS) % (2 * KINDS) * SQUARES
_PIECES = ((_OF_WHITE, KINDS, 0), (_OF_BLACK, 2 * KINDS, 56))
"""By colour: where a piece's inputs begin, by its number; its king; what turns a square to it."""


def seen(squares: NDArray[np.uint8], sides: NDArray[np.uint8], of_kings: NDArray[np.int8] = KING_BUCKETS[1]) -> Seen:
    """squares: n x 64, pieces as `ChessState.pieces` numbers them, a1 first; sides: n, who moves (0 White); of_kings:
    8 x 4, as `KING_BUCKETS`."""
    of, at = np.nonzero(squares)
    pieces, is_black = squares[of, at], sides == 1
    views = [_view(squares, king, turned, of_kings) for _, king, turned in _PIECES]
    white, black = (
        begins[pieces] + (at ^ turned ^ mirror[of]) + INPUTS * bucket[of]
        for (begins, _, turned), (mirror, bucket) in zip(_PIECES, views, strict=True)
    )
    counts = np.bincount(of, minlength=len(squares))
    starts = np.cumsum(counts) - counts
    moves = is_black[of]
    rows = np.concatenate([np.where(moves, black, white), np.where(moves, white, black)])
    return Seen(rows, np.concatenate([starts, starts + len(of)]), (counts - 1) // 4)


def _view(
    squares: NDArray[np.uint8], king: int, turned: int, of_kings: NDArray[np.int8]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """n each: 7 where that king is on the files e to h, else 0; its bucket."""
    at = np.argmax(squares == king, axis=1)
    mirror = np.where(at & 4, 7, 0)
    from_own_side = at ^ turned ^ mirror
    return mirror, of_kings[from_own_side >> 3, from_own_side & 7].astype(np.int64)


class ChessNetwork(nn.Module):
    """width: units of a side; kings: buckets of its king. Raises ValueError for what the core does not compute or
    `KING_BUCKETS` does not have."""

    def __init__(self, width: int = WIDTH, kings: int = 1) -> None:
        super().__init__()
        if width not in WIDTHS:
            raise ValueError(f"a {KIND} has {WIDTHS[0]} to {WIDTHS[-1]} units of a side, a multiple of 32, not {width}")
        if kings not in KING_BUCKETS:
            known = ", ".join(str(one) for one in KING_BUCKETS)
            raise ValueError(f"the king buckets of a {KIND} are one of {known}, not {kings}")
        self.width, self.kings = width, kings
        self.features = nn.Parameter(torch.empty(INPUTS, width).uniform_(-_BEGIN, _BEGIN))
        self.bias = nn.Parameter(torch.full((width,), _BIAS_BEGIN))
        head = torch.empty(1, 2 * width).uniform_(-1, 1).repeat(BUCKETS, 1)
        self.head = nn.Parameter(head * _HEAD_BEGIN / width**0.5)
        self.head_bias = nn.Parameter(torch.zeros(BUCKETS))
        self.of_king = nn.Parameter(torch.zeros(kings, INPUTS, width)) if kings > 1 else None
        """What the weights of a bucket are beyond those that all share."""
        self._learner = Kept()

    def forward(self, boards: NDArray[np.uint8], sides: NDArray[np.uint8]) -> Tensor:
        """n: the logit of the expected result for the side to move, a draw counting half. boards: n x 32, two squares
        each, a1 in the lower four bits of the first, pieces as `ChessState.pieces` numbers them; sides: n, who moves
        (0 White). Gradients can be asked for the last call alone. Raises ValueError for boards that are none."""
        weights = self.table(), self.bias, self.head, self.head_bias
        return answers(self._learner(self._learner_of), (boards, sides), weights)

    def _learner_of(self, threads: int) -> ChessLearner:
        return ChessLearner(self.width, self.kings, KING_BUCKETS[self.kings], threads)

    def table(self) -> Tensor:
        """768 weights times width of every king bucket, in turn."""
        return self.features if self.of_king is None else (self.features + self.of_king).view(-1, self.width)

    def clip(self) -> None:
        """Keep every weight within what the file can hold; after each step."""
        with torch.no_grad():
            self.features.clamp_(-MOST, MOST)
            if self.of_king is not None:
                self.of_king.copy_((self.features + self.of_king).clamp_(-MOST, MOST) - self.features)
            self.bias.clamp_(-MOST, MOST)
            self.head.clamp_(-MOST_OF_HEAD, MOST_OF_HEAD)

    def begin_with(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `arrays` told, of a network that is as wide or less so, and with as many king buckets or one:
        it says the same at first. Raises ValueError with the reason in one clause."""
        width, kings = sizes_of(arrays)
        if width > self.width or kings not in (1, self.kings):
            raise ValueError(
                f"{width} units and {kings} king buckets do not fit in {self.width} units and {self.kings} king buckets"
            )
        for name, array in ChessNetwork(width, kings).arrays().items():
            found, kind = arrays.get(name), array.dtype
            if found is None or found.shape != array.shape or found.dtype != kind:
                raise ValueError(f"'{name}' is not the {kind.name} {list(array.shape)} of a width of {width}")
        if kings > 1 and not np.array_equal(arrays["king.buckets"], KING_BUCKETS[kings]):
            raise ValueError(f"'king.buckets' are not those of {kings} king buckets")
        with torch.no_grad():
            table = _whole(arrays["features.weight"], FEATURE_UNIT).reshape(kings, INPUTS, width)
            self.features[:, :width] = table.mean(0)
            if self.of_king is not None:
                self.of_king.zero_()
                self.of_king[:, :, :width] = table - table.mean(0)
            self.bias[:width] = _whole(arrays["features.bias"], FEATURE_UNIT)
            head = self.head.view(BUCKETS, 2, self.width)
            head.zero_()
            head[:, :, :width] = _whole(arrays["head.weight"], HEAD_UNIT)
            self.head_bias.copy_(_whole(arrays["head.bias"], FEATURE_UNIT * HEAD_UNIT))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """As the core reads them: `features.weight` 768 B x W for B king buckets and `features.bias` W, int16;
        `head.weight` 8 x 2 x W, int16, the side to move first, and `head.bias` 8, int32; for more than one king bucket
        `king.buckets`, 8 x 4, int8."""
        self.clip()
        found = {
            "features.weight": _rounded(self.table(), FEATURE_UNIT, np.int16),
            "features.bias": _rounded(self.bias, FEATURE_UNIT, np.int16),
            "head.weight": _rounded(self.head.reshape(BUCKETS, 2, -1), HEAD_UNIT, np.int16),
            "head.bias": _rounded(self.head_bias, FEATURE_UNIT * HEAD_UNIT, np.int32),
        }
        return found | ({"king.buckets": KING_BUCKETS[self.kings]} if self.kings > 1 else {})


def sizes_of(arrays: Mapping[str, NDArray[Any]]) -> tuple[int, int]:
    """The width of a network, and its king buckets, by its arrays. Raises ValueError with the reason in one clause."""
    features = arrays.get("features.weight")
    if features is None or features.ndim != 2 or not len(features) or len(features) % INPUTS:
        raise ValueError(f"'features.weight' is not the int16 of {INPUTS} inputs for each king bucket")
    return features.shape[1], len(features) // INPUTS


def _whole(values: NDArray[Any], unit: int) -> Tensor:
    return torch.from_numpy(values.astype(np.float64) / unit)


def _rounded(values: Tensor, unit: int, kind: type[Any]) -> NDArray[Any]:
    return np.asarray(np.rint(values.detach().cpu().double().numpy() * unit), kind)


def export_network(model: ChessNetwork, path: Path, card: Mapping[str, object]) -> None:
    """Write the arrays for the core (.safetensors) and their card, to which is added what plays by them."""
    safetensors.save(path, model.arrays(), {**card, "plays": {"game": GAME, "evaluator": EVALUATOR}})


def evaluated(
    arrays: Mapping[str, NDArray[Any]], squares: NDArray[np.uint8], sides: NDArray[np.uint8]
) -> NDArray[np.int64]:
    """n: centipawns for the side to move, in whole numbers to the last bit as the core computes them. For tests, and
    to see what rounding costs."""
    found = seen(squares, sides, arrays.get("king.buckets", KING_BUCKETS[1]))
    count = len(sides)
    weights = arrays["features.weight"].astype(np.int64)[found.rows]
    sums = np.add.reduceat(weights, found.starts) + arrays["features.bias"]
    active = np.clip(sums, 0, FEATURE_UNIT) ** 2
    head = arrays["head.weight"].astype(np.int64)[found.buckets]
    total = (active[:count] * head[:, 0] + active[count:] * head[:, 1]).sum(1)
    answer = arrays["head.bias"].astype(np.int64)[found.buckets] + _divided(total, FEATURE_UNIT)
    return _divided(answer * CENTIPAWNS, FEATURE_UNIT * HEAD_UNIT)


def _divided(number: NDArray[np.int64], by: int) -> NDArray[np.int64]:
    """Towards zero."""
    return np.asarray(np.sign(number) * (np.abs(number) // by), np.int64)
