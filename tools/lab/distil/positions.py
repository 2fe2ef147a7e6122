"""Positions to label: drawn from files of games, now and then with moves that nobody played, under any rules and komi.

A row is what a network sees of a position, packed to bits, with its globals twice: at the komi that the teacher is
asked about, which is near fair, and at that of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from tengen.engine import _core
from tengen.engine.games import get_game
from tengen.engine.games.naming import rules_named
from tengen.tools.train.data import shards
from tengen.tools.train.data.games import Games
from tengen.tools.train.data.rows import facts_of
from tengen.tools.train.teaching.komi import asked_komi
from tengen.tools.train.teaching.lessons import GAME

PLANES, NUMBERS = 22, 19
FAIR = 7.0
BLIND, OFF_COURSE, OTHER_RULES = 0.1, 0.2, 0.4
"""Shares of rows: not told of earlier moves; with a move or two from later in the game; under other rules."""
SOON = 40
"""Moves of a game from which those come that are played too early."""
KOMI = ((0.5, "game"), (0.12, "absurd"), (0.18, "wide"), (0.2, "fair"))


class Rows(NamedTuple):
    """n positions of one size. packed: n x bytes, a bit for each plane and point, the lowest of a byte first. asked and
    told: n x NUMBERS. points: n, how much more the told komi is worth to the side to move than the asked one."""

    packed: NDArray[np.uint8]
    asked: NDArray[np.float32]
    told: NDArray[np.float32]
    points: NDArray[np.float32]


class Positions:
    """Draws rows of one size of board from games, each position with the same chance."""

    def __init__(self, files: Sequence[Path], rules: Sequence[str], size: int, seed: int) -> None:
        """files: shards (`tools/train/data/shards.py`). Raises ShardError, OSError, and ValueError if no game has this
        size."""
        self.size, self._rules, self._random = size, tuple(rules), np.random.default_rng([seed, size])
        self._games: list[tuple[Games, int]] = []
        for path in files:
            games = shards.read(path)
            fits = (games.columns["width"] == size) & (games.columns["height"] == size)
            self._games += [(games, int(number)) for number in np.flatnonzero(fits)]
        if not self._games:
            raise ValueError(f"no game is on a board of {size}x{size}")
        counts = [int(games.columns["length"][n] - games.columns["first"][n]) + 1 for games, n in self._games]
        self._ends = np.cumsum(counts)

    def draw(self, count: int) -> Rows:
        """Draw rows, a few less where a move is illegal under the rules that were drawn."""
        drawn = [self._drawn() for _ in range(count)]
        rows = [self._encoded([one]) for one in drawn] if (whole := self._encoded(drawn)) is None else [whole]
        good = [one for one in rows if one is not None]
        return Rows(*(np.concatenate(column) for column in zip(*good, strict=True)))

    def _drawn(self) -> tuple[NDArray[np.int16], str, float, float, bool]:
        """Moves, rules, the komi asked about, that of the game, and whether earlier moves are told."""
        random = self._random
        at = int(random.integers(self._ends[-1]))
        games, number = self._games[int(np.searchsorted(self._ends, at, side="right"))]
        start, end = games.starts[number : number + 2]
        first, whole = int(games.columns["first"][number]), games.columns["moves"][start:end]
        ply = int(random.integers(first, len(whole) + 1))
        blind = games.columns["blind"]
        is_blind = len(blind) > 0 and ply < len(whole) and bool(blind[start + ply])
        moves = self._off_course(whole, ply) if ply - first > 4 and random.random() < OFF_COURSE else whole[:ply]
        name = games.rules[games.columns["rule"][number]]
        if name not in self._rules or random.random() < OTHER_RULES:
            name = self._rules[int(random.integers(len(self._rules)))]
        komi = self._komi(float(games.columns["komi"][number]))
        return moves, name, asked_komi(komi, FAIR), komi, not is_blind and bool(random.random() >= BLIND)

    def _off_course(self, whole: NDArray[np.int16], ply: int) -> NDArray[np.int16]:
        """The game up to a ply, and then one or two points that are played soon, and were never played before."""
        soon = whole[ply : ply + SOON]
        new = [move for move in soon.tolist() if move < self.size**2 and move not in whole[:ply]]
        count = min(len(new), 1 + int(self._random.random() < 0.4))
        extra = self._random.permutation(np.array(new, np.int16))[:count]
        return np.concatenate([whole[:ply], extra])

    def _komi(self, played: float) -> float:
        """In steps of a half."""
        random, most = self._random, 0.9 * self.size**2
        kind = str(random.choice([name for _, name in KOMI], p=[share for share, _ in KOMI]))
        reach = min(most, 65.0)
        komi = {
            "game": played,
            "absurd": random.uniform(-reach, reach),
            "wide": random.normal(FAIR, 12.0 * self.size / 19),
            "fair": random.normal(FAIR, 1.5),
        }[kind]
        return float(max(-most, min(most, np.floor(2 * komi + 0.5) / 2)))

    def _encoded(self, drawn: Sequence[tuple[NDArray[np.int16], str, float, float, bool]]) -> Rows | None:
        """Rows; None if a move is illegal."""
        moves, names, asked, told, history = zip(*drawn, strict=True)
        plies = np.array([len(one) for one in moves], np.int32)
        flat, offsets = np.concatenate(moves).astype(np.int16), np.concatenate([[0], np.cumsum(plies, dtype=np.int64)])
        count, size = len(drawn), self.size
        planes = np.empty((count, PLANES, size, size), np.float32)
        both = [np.empty((count, NUMBERS), np.float32) for _ in range(2)]
        game = get_game(GAME)
        try:
            for komis, numbers in zip((asked, told), both, strict=True):
                starts = [
                    cast("_core.GoState", game.new_state(size, size, rules_named(game, name), komi))
                    for name, komi in zip(names, komis, strict=True)
                ]
                _core.encode_rows_go_katago_v7(
                    starts, flat, offsets, plies, np.zeros(count, np.int32), np.array(history, np.bool_), planes,
                    numbers, [facts_of(name, False) for name in names],
                )  # fmt: skip
        except ValueError:
            return None
        packed = np.packbits(planes.reshape(count, -1) > 0.5, axis=1, bitorder="little")
        sign = np.where(plies % 2 == 1, 1, -1).astype(np.float32)  # White is to move after an odd number of moves
        points = (np.array(told, np.float32) - np.array(asked, np.float32)) * sign
        return Rows(packed, both[0], both[1], points)
