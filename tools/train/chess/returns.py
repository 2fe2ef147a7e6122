"""What the searches of a game of chess say together of each position: `nets.fitting.returns` of expected results.

Positions beside the game have none of this but their own search.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tengen.nets import fitting
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
        starts = np.concatenate([[0], np.flatnonzero(np.diff(found.games[main])) + 1, [len(main)]])
        mixed = fitting.returns(of_white, (results[starts[:-1]] + 1) / 2, starts, share)
        said[main] = np.where(is_black, 1 - mixed, mixed)
    return np.asarray(np.rint(said * WON), np.uint16)
