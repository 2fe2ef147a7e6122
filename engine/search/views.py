"""A position shown to a network through the symmetries of its board, and the answers turned back and averaged."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tengen.engine.search.batching import Place

if TYPE_CHECKING:
    from numpy import floating
    from numpy.typing import NDArray

    from tengen.engine.evaluators.network import Evaluation
    from tengen.engine.search.guide import Guide

    Kind = TypeVar("Kind", bound=floating)
LEAST = 1e-30
"""The least probability whose logarithm is taken."""


class Answers(NamedTuple):
    """The answers for n positions: n x moves logits, n x 3 win, draw, loss, n points ahead, n x cells owners, for
    their mover."""

    policies: NDArray[floating]
    values: NDArray[floating]
    scores: NDArray[floating] | None
    owners: NDArray[floating] | None


def count_of(width: int, height: int) -> int:
    """Count the symmetries of a board."""
    return 8 if width == height else 4


def turned(rows: NDArray[Kind], symmetry: int) -> NDArray[Kind]:
    """Boards (... x height x width) through a symmetry: bit 0 mirrors the rows, bit 1 the columns, bit 2 swaps both."""
    mirrored = rows[..., :: -1 if symmetry & 1 else 1, :: -1 if symmetry & 2 else 1]
    return mirrored.swapaxes(-1, -2) if symmetry & 4 else mirrored


def turned_back(rows: NDArray[Kind], symmetry: int) -> NDArray[Kind]:
    """The boards that `turned` made these of."""
    straight = rows.swapaxes(-1, -2) if symmetry & 4 else rows
    return straight[..., :: -1 if symmetry & 1 else 1, :: -1 if symmetry & 2 else 1]


def ask(guide: Guide, place: Place, *, is_mean: bool) -> Answers:
    """Evaluate all positions of a place as roots: as they are encoded, or in the mean of all symmetries, of which the
    policy's is that of its probabilities. Raises what the network raises."""
    import numpy as np

    height, width = place.planes.shape[2:]
    symmetries = range(count_of(width, height)) if is_mean else range(1)
    shown = np.concatenate([turned(place.planes, symmetry) for symmetry in symmetries])
    rows, count = len(shown), len(symmetries)
    seen = Place(shown, np.tile(place.numbers, (count, 1)), np.ones(rows, np.bool_), np.tile(place.sides, count))
    found = seen.asked(guide).wait()
    if not is_mean:
        owners = found.extras.get("ownership")
        flat = None if owners is None else owners.reshape(len(shown), -1)
        return Answers(found.policies, found.values, found.scores, flat)
    return _mean(found, len(symmetries), height, width)


def _mean(found: Evaluation, count: int, height: int, width: int) -> Answers:
    """Average the answers to `count` symmetries of the same positions, one symmetry after the other."""
    import numpy as np

    from tengen.engine.evaluators.network import probabilities

    cells = height * width

    def straight(boards: NDArray[Kind]) -> NDArray[Kind]:
        """count x n x cells, all turned back."""
        parts = [part.reshape(-1, height, width) for part in np.split(boards, count)]
        return np.stack([turned_back(part, symmetry).reshape(-1, cells) for symmetry, part in enumerate(parts)])

    def averaged(rows: NDArray[Kind]) -> NDArray[Kind]:
        return np.asarray(rows.reshape(count, -1, *rows.shape[1:]).mean(0), rows.dtype)

    shares = probabilities(found.policies)
    board, passes = straight(shares[:, :cells]).mean(0), averaged(shares[:, cells:])
    policies = np.log(np.maximum(np.concatenate([board, passes], 1), LEAST), dtype=np.float32)
    owners = found.extras.get("ownership")
    return Answers(
        policies,
        averaged(found.values),
        None if found.scores is None else averaged(found.scores),
        None if owners is None else straight(owners.reshape(len(owners), -1)).mean(0),
    )
