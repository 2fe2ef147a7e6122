"""Positions of other games, boards, rules and komi, where a network shall stay as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from tengen.tools.lab.distil.positions import Positions
from tengen.tools.lab.distil.run import RULES
from tengen.tools.lab.distil.store import Turns, unpacked
from tengen.tools.train.data.shards import ShardError

POINTS = 32 * 361
"""Of all boards of a step."""
SHARES = {7: 0.06, 9: 0.16, 11: 0.08, 13: 0.2, 15: 0.1, 17: 0.16, 19: 0.24}
"""How often a step takes boards of a size."""


class Elsewhere(Iterator[tuple[Tensor, Tensor]]):
    """Planes and numbers of boards of one size a step, without end; use it in a `with`."""

    def __init__(self, folders: Sequence[Path], seed: int) -> None:
        """folders: of shards. Raises ShardError, OSError, and ValueError if they have no game."""
        files = [path for folder in folders for path in sorted(folder.glob("*.npz"))]
        if not files:
            raise ValueError("there is no file of games in the folders that --elsewhere names")
        self._drawn: dict[int, Positions] = {}
        for size in SHARES:
            try:
                self._drawn[size] = Positions(files, RULES, size, seed)
            except ShardError:
                raise
            except ValueError:
                continue  # these games have none of the size
        if not self._drawn:
            raise ValueError("the games in the folders that --elsewhere names are on no board from 7x7 to 19x19")
        self._random = np.random.default_rng([seed, 1])
        self._pool = ThreadPoolExecutor(1)
        self._ahead: Future[tuple[Tensor, Tensor]] = self._pool.submit(self._draw)

    def __enter__(self) -> Elsewhere:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def __next__(self) -> tuple[Tensor, Tensor]:
        found = self._ahead.result()
        self._ahead = self._pool.submit(self._draw)
        return found

    def _draw(self) -> tuple[Tensor, Tensor]:
        sizes = list(self._drawn)
        shares = np.array([SHARES[size] for size in sizes])
        size = int(self._random.choice(sizes, p=shares / shares.sum()))
        rows = self._drawn[size].draw(POINTS // (size * size))
        turns = Turns.of(size, "cpu").there[torch.from_numpy(self._random.integers(0, 8, len(rows.packed)))]
        return unpacked(torch.from_numpy(rows.packed), size, turns).float(), torch.from_numpy(rows.told)
