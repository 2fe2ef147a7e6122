"""GoEnv: Go as a Gymnasium environment, for people who train against that interface (extra `gym`).

A thin layer over `tengen.engine._core.GoBatch`, whose vectorised calls are what to use when speed matters.
Actions are dense moves (row * width + column from the top left, then the pass) or a (row, column) pair.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tengen.engine import extras
from tengen.engine._core import GoBatch
from tengen.engine.games.vertex import COLUMNS

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise ImportError(extras.sentence("GoEnv", error) or str(error)) from None

Observation = npt.NDArray[np.int8]
PLANES = ("black", "white", "white to move", "illegal", "last move was a pass", "over")
RewardMethod = str


def observe(batch: GoBatch) -> Observation:
    """int8[n, 6, height, width] of 0/1: the PLANES of every board of a batch."""
    stones, legal = batch.stones(), batch.legal_moves()
    planes = np.zeros((len(batch), len(PLANES), batch.height, batch.width), np.int8)
    planes[:, 0] = stones == 1
    planes[:, 1] = stones == 2
    planes[:, 2] = batch.to_move()[:, None, None]
    planes[:, 3] = ~legal[:, :-1].reshape(stones.shape)
    planes[:, 4] = (batch.passes() > 0)[:, None, None]
    planes[:, 5] = batch.is_over()[:, None, None]
    return planes


def canonical(planes: Observation) -> Observation:
    """The same observations with colours swapped where White is to move, so that the mover is always black."""
    swapped = planes[..., [1, 0, 2, 3, 4, 5], :, :]
    swapped[..., 2, :, :] = 0
    return np.where(planes[..., 2:3, :, :] == 1, swapped, planes)


class GoEnv(gymnasium.Env[Observation, np.int64]):
    """One game. reward_method "real": at the end 1 when Black has won, -1 when White has, 0 for a draw and before.

    "heuristic": black's area minus White's while the game lasts; at the end plus or minus the number of cells.
    Rewards are Black's. `rules` go to GoBatch: ko ("positional" unless given), suicide, scoring, tax.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self,
        size: int = 9,
        komi: float = 7.5,
        reward_method: RewardMethod = "real",
        render_mode: str | None = None,
        **rules: Any,
    ) -> None:
        if reward_method not in ("real", "heuristic"):
            raise ValueError("reward_method is 'real' or 'heuristic'")
        self.size, self.komi, self.reward_method, self.render_mode = size, komi, reward_method, render_mode
        self._batch = GoBatch(1, size, size, **{"ko": "positional", "komi": komi, **rules})
        self.observation_space = spaces.Box(0, 1, (len(PLANES), size, size), np.int8)
        self.action_space = spaces.Discrete(size * size + 1)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """An empty board; the seed is the action space's business alone."""
        super().reset(seed=seed)
        self._batch.reset(np.array([True]))
        return self.state(), self._info()

    def step(
        self, action: np.int64 | int | tuple[int, int] | None
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play for the side to move; None passes. ValueError with the reason for an illegal move or a finished game."""
        if self._batch.is_over()[0]:
            raise ValueError("the game is over")
        self._batch.play(np.array([self._move(action)], np.int64))
        return self.state(), self.reward(), bool(self._batch.is_over()[0]), False, self._info()

    def state(self) -> Observation:
        """The current observation (PLANES)."""
        planes: Observation = observe(self._batch)[0]
        return planes

    def canonical_form(self) -> Observation:
        """The current observation as if the mover were black."""
        return canonical(self.state())

    def reward(self) -> float:
        """The current reward, by reward_method."""
        is_over = bool(self._batch.is_over()[0])
        margin = float(self._batch.results()[0])
        sign = float((margin > 0) - (margin < 0)) if is_over else 0.0
        if self.reward_method == "real":
            return sign
        return sign * self.size**2 if is_over else margin + self.komi

    def legal_moves(self) -> npt.NDArray[np.bool_]:
        """bool[actions]; nothing is legal once the game is over."""
        legal: npt.NDArray[np.bool_] = self._batch.legal_moves()[0]
        return legal

    def children(self, is_canonical: bool = False, is_padded: bool = True) -> Observation:
        """The observation after each action; padded: one row an action, zeros where illegal; else legal ones only."""
        legal = self.legal_moves()
        moves = np.flatnonzero(legal)
        children = np.zeros((len(moves), len(PLANES), self.size, self.size), np.int8)
        if len(moves):
            batch = self._batch.select(np.zeros(len(moves), np.int64))
            batch.play(moves.astype(np.int64))
            children = observe(batch)
        if is_canonical:
            children = canonical(children)
        if not is_padded:
            return children
        padded = np.zeros((len(legal), *children.shape[1:]), np.int8)
        padded[moves] = children
        return padded

    def render(self) -> str | None:
        """The board as text in render mode "ansi"."""
        if self.render_mode is None:
            return None
        letters = COLUMNS[: self.size]
        rows = [
            f"{self.size - i:2} " + " ".join(".XO"[stone] for stone in row)
            for i, row in enumerate(self._batch.stones()[0])
        ]
        mover = "over" if self._batch.is_over()[0] else ("Black", "White")[self._batch.to_move()[0]] + " to move"
        return "\n".join([*rows, "   " + " ".join(letters), mover])

    def _move(self, action: np.int64 | int | tuple[int, int] | None) -> int:
        if action is None:
            return self.size**2
        if isinstance(action, tuple):
            row, column = action
            if not (0 <= row < self.size and 0 <= column < self.size):
                raise ValueError("off the board")
            return row * self.size + column
        if not 0 <= int(action) <= self.size**2:
            raise ValueError("off the board")
        return int(action)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.legal_moves().astype(np.int8), "to_move": int(self._batch.to_move()[0])}
