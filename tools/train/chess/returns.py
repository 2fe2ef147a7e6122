"""What the searches of a game say together of each of its positions: lambda-returns (Sutton 1988, TD(lambda)).

A search of a few hundred nodes sees little ahead, and the game shows what it did not see. So the expected result of a
position can be that of its own search mixed with that of the next position, which is mixed in the same way, and so on
to the result. Positions beside the game have none of this but their own search.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tengen.nets.chess_fitting import WON
from tengen.nets.chess_network import CENTIPAWNS
from tengen.tools.train.data.positions import UNKNOWN, LabelledPositions


def returns(found: LabelledPositions, share: float) -> NDArray[np.uint16]:
    """n, the expected result for the side to move, 0 to WON. share: of the next position of the game in the file, 0..1;
    0 leaves what the position's own search said. Positions of a game lie together, in their order."""
    said = 1 / (1 + np.exp(-found.scores.astype(np.float64) / CENTIPAWNS))
    main = np.flatnonzero(found.results != UNKNOWN)
    if len(main) and share:
        is_black = found.sides[main] == 1
        of_white = np.where(is_black, 1 - said[main], said[main])
        results = np.where(is_black, -1.0, 1.0) * found.results[main]
        mixed = _mixed(of_white, (results + 1) / 2, found.games[main], share)
        said[main] = np.where(is_black, 1 - mixed, mixed)
    return np.asarray(np.rint(said * WON), np.uint16)


def _mixed(
    said: NDArray[np.float64], results: NDArray[np.float64], games: NDArray[np.int32], share: float
) -> NDArray[np.float64]:
    """The same for White, of all games at once, from the last positions to the first."""
    borders = np.flatnonzero(np.diff(games)) + 1
    begins, ends = np.concatenate([[0], borders]), np.concatenate([borders, [len(games)]])
    out, after = np.empty_like(said), results[begins]
    for back in range(int((ends - begins).max())):
        at = ends - 1 - back
        is_there = at >= begins
        after = np.where(is_there, (1 - share) * said[at] + share * after, after)
        out[at[is_there]] = after[is_there]
    return out
