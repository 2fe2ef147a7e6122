"""The replay window: the newest shards of a run, as many rows as a formula says, and rows drawn from all of it.

Games are kept, not rows: of self-play on 9x9 a window of 1,000,000 rows takes about 90 MB, of records 3 MB
(`Window.memory`), and twice as much while shards come and go. A row is drawn by its weight, with replacement, whatever
shard it is in.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tengen.engine import files
from tengen.tools.train.data import shards
from tengen.tools.train.data.games import Games, join
from tengen.tools.train.data.shards import ShardEntry


@dataclass(frozen=True)
class WindowPlan:
    """How many of the newest rows are learned from after so many have been made in all.

    rows = minimum * (1 + beta * ((total / minimum)^alpha - 1) / alpha), KataGo's (Wu 2019, "Accelerating Self-Play
    Learning in Go", appendix C); alpha 0 stands for its limit, the logarithm. beta 0: always `minimum`, as AlphaZero's.
    maximum 0: no bound. Raises ValueError for what makes no window.
    """

    minimum: int = 250_000
    alpha: float = 0.75
    beta: float = 0.4
    maximum: int = 0

    def __post_init__(self) -> None:
        if self.minimum < 1 or not 0 <= self.alpha <= 1 or not 0 <= self.beta <= 1 or self.maximum < 0:
            raise ValueError("a window has minimum 1 or more, alpha and beta from 0 to 1, maximum 0 or more")

    def rows(self, total: int) -> int:
        if total <= self.minimum:
            return total
        times = total / self.minimum
        grown = (times**self.alpha - 1) / self.alpha if self.alpha else math.log(times)
        wanted = min(total, round(self.minimum * (1 + self.beta * grown)))
        return min(wanted, self.maximum) if self.maximum else wanted


EVERYTHING = WindowPlan(alpha=1, beta=1)
"""All rows, for records."""


class Picks(NamedTuple):
    """Positions to learn from, on one size of board: of the games of these numbers, each before move `plies[i]`."""

    games: Games
    numbers: NDArray[np.int64]
    plies: NDArray[np.int64]

    def at(self, rows: slice | Sequence[int]) -> Picks:
        """Some of them."""
        return Picks(self.games, self.numbers[rows], self.plies[rows])


class OneSize:
    """The games of a window on one size of board, by their numbers."""

    def __init__(self, games: Games, numbers: NDArray[np.int64]) -> None:
        self._games, self._numbers = games, numbers
        self._ends = np.cumsum(games.totals[numbers])
        self.weight = float(self._ends[-1])

    def draw(self, count: int, random: np.random.Generator) -> Picks:
        """Rows by their weights."""
        at = random.random(count) * self.weight
        places = np.minimum(np.searchsorted(self._ends, at, side="right"), len(self._ends) - 1)
        into = at - np.concatenate([[0.0], self._ends])[places]
        numbers = self._numbers[places]
        return Picks(self._games, numbers, self._plies(numbers, into))

    def _plies(self, numbers: NDArray[np.int64], into: NDArray[np.float64]) -> NDArray[np.int64]:
        """The position of each game where the weights so far come to a sum."""
        games = self._games
        starts, lengths = games.starts[numbers], games.columns["length"][numbers]
        if not len(games.columns["weights"]):
            return np.asarray(np.minimum(games.columns["first"][numbers] + into.astype(np.int64), lengths - 1))
        plies = np.searchsorted(games.sums, games.sums[starts] + into, side="right") - 1 - starts
        for i in np.flatnonzero((plies < 0) | (plies >= lengths)):  # rounded into another game
            plies[i] = np.flatnonzero(games.weights(int(numbers[i])))[-1]
        return plies


@dataclass(frozen=True, eq=False)
class Contents:
    """What a window holds at one time; never changed, so that threads may draw from it."""

    names: tuple[str, ...] = ()
    rows: int = 0
    memory: int = 0
    sizes: Mapping[tuple[int, int], OneSize] | None = None

    def draw(self, count: int, random: np.random.Generator) -> Picks:
        """Rows of one size of board, drawn by its share of the weight. Raises ValueError when there are none."""
        if not self.sizes:
            raise ValueError("the window is empty")
        sizes = list(self.sizes.values())
        ends = np.cumsum([one.weight for one in sizes])
        chosen = int(np.searchsorted(ends, random.random() * ends[-1], side="right"))
        return sizes[min(chosen, len(sizes) - 1)].draw(count, random)

    def shares(self) -> dict[tuple[int, int], float]:
        """(width, height) -> its share of the batches."""
        sizes = self.sizes or {}
        total = sum(one.weight for one in sizes.values())
        return {size: one.weight / total for size, one in sizes.items()}


class Window:
    """The newest of a run's shards. One that cannot be read is left out, with a warning, and not asked for again."""

    def __init__(self, plan: WindowPlan = WindowPlan(), warn: Callable[[str], None] = warnings.warn) -> None:
        self.plan = plan
        self.contents = Contents()
        self.skipped: dict[str, str] = {}
        self._warn = warn
        self._games: dict[str, Games] = {}

    @property
    def rows(self) -> int:
        """Rows in it."""
        return self.contents.rows

    @property
    def memory(self) -> int:
        """Bytes of the games, and of what finds rows in them."""
        return self.contents.memory

    def update(self, folder: Path, entries: Sequence[ShardEntry]) -> None:
        """Take the newest of all the run's shards, the oldest of which comes first in `entries`."""
        good = [entry for entry in entries if entry.name not in self.skipped]
        wanted = self.plan.rows(sum(entry.rows for entry in good))
        kept: list[ShardEntry] = []
        rows = 0
        for entry in reversed(good):
            if rows >= wanted and kept:
                break
            if entry.rows and self._read(folder, entry):
                kept.append(entry)
                rows += entry.rows
        self._hold([entry.name for entry in reversed(kept)])

    def restore(self, folder: Path, entries: Iterable[ShardEntry], names: Sequence[str]) -> None:
        """Hold exactly the shards of these names (`Contents.names`). Raises ValueError when one is not there."""
        known = {entry.name: entry for entry in entries}
        for name in names:
            if name not in known or not self._read(folder, known[name]):
                raise ValueError(f"the shard '{name}' of the window is gone or damaged")
        self._hold(names)

    def _read(self, folder: Path, entry: ShardEntry) -> bool:
        """Whether a shard is there; it then is in memory."""
        if entry.name in self._games:
            return True
        try:
            self._games[entry.name] = shards.read(folder / entry.name, entry.sha256)
        except (shards.ShardError, OSError) as error:
            self.skipped[entry.name] = files.reason(error)
            self._warn(f"the shard '{folder / entry.name}' is left out: {self.skipped[entry.name]}")
            return False
        return True

    def _hold(self, names: Sequence[str]) -> None:
        if tuple(names) == self.contents.names:
            return
        self._games = {name: self._games[name] for name in names}
        if not names:
            self.contents = Contents()
            return
        games = join(list(self._games.values()))
        ends = np.cumsum([0, *map(len, self._games.values())]).tolist()
        self._games = {name: games.part(*ends[i : i + 2]) for i, name in enumerate(names)}  # each is in memory once
        sizes = {size: OneSize(games, numbers) for size, numbers in _by_size(games)}
        arrays = [*games.columns.values(), games.starts, games.target_starts, games.sums, games.totals]
        self.contents = Contents(tuple(names), games.rows, sum(array.nbytes for array in arrays), sizes)


def _by_size(games: Games) -> Iterable[tuple[tuple[int, int], NDArray[np.int64]]]:
    """(width, height) and the numbers of its games that have a row."""
    sizes = games.columns["width"].astype(np.int64) << 8 | games.columns["height"]
    for size in np.unique(sizes):
        numbers = np.flatnonzero((sizes == size) & (games.totals > 0))
        if len(numbers):
            yield (int(size) >> 8, int(size) & 255), numbers
