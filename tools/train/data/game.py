"""A game to learn from: of self-play, of a teacher's lessons, or of people in records.

Games are kept, not planes: rows are encoded anew whenever they are learned from, through a symmetry of their own, for
whatever feature set the network takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy import bool_, float32, int8, int16, int32
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Taught:
    """Labels of k positions of a game beside policy and value, as a teacher gives them (`tools/train/teaching`).

    `plies`: k, ascending: the position before each of these moves. `labels`: the known ones of the arrays of
    `nets.targets.stored`, by name, as files keep them: k x numbers (of a board: its cells). They are for the side to
    move, except in arrays that are Black's. `blind`: n, whether the position before each move was seen without earlier
    moves.
    """

    plies: NDArray[int32]
    labels: Mapping[str, NDArray[Any]]
    blind: NDArray[bool_]


@dataclass(frozen=True, eq=False)
class PlayedGame:
    """One game of n moves, from an empty board (or the game's own beginning) on.

    `moves`: n dense moves; colours alternate, Black first, but where the game forces passes, which are moves too.
    `first`: moves before it are an opening, set up or drawn at random; their `weights` are 0.
    `weights`: n, how much the position before each move counts in training; 0: not at all.
    `values`: n x 3, what the search found before each move, for the side to move: win, draw, score (the game's unit);
    NaN without a search.
    `targets`: what the policy should be before move i is `target_moves[a:b]` with `target_shares[a:b]` (sum 1), where
    a, b = `target_offsets[i : i + 2]`; nothing: the move that was played.
    `margin`: of Black in the game's unit, at the end; of a game that was resigned plus or minus infinity.
    `outcome`: of Black, 1 win, 0.5 draw, 0 loss.
    `owners`: height x width, 1 Black, -1 White, 0 nobody, at the end; None where it is not known, as in resigned games.
    `rating`: of the weaker player, where a record says so.
    `ratings`: of who moves first and of the other; None: unknown.
    `taught`: the labels of a teacher; None without one.
    """

    game: str
    width: int
    height: int
    rules: str
    komi: float
    moves: NDArray[int16]
    first: int
    weights: NDArray[float32]
    values: NDArray[float32]
    target_offsets: NDArray[int32]
    target_moves: NDArray[int16]
    target_shares: NDArray[float32]
    margin: float
    outcome: float
    owners: NDArray[int8] | None = None
    rating: float | None = None
    ratings: tuple[float | None, float | None] = (None, None)
    taught: Taught | None = None
