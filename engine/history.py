"""The game so far: moves since the last set-up, keys for repetition, and undo back to the empty board.

The last states are kept, those before them every few plies only and replayed between, so that a game of any length
costs little memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tengen.engine.games.base import IllegalMove, State

SPACING = 32
"""Plies between two stored states."""
KEPT = 16
"""So many of the last states, and up to twice as many, are kept."""


class Part(NamedTuple):
    """A stretch of a game that no set-up interrupts. is_setup: whether it began with one."""

    start: State
    moves: Sequence[tuple[int, int]]
    is_setup: bool


class History:
    """A position and the way to it. `state` is never changed in place: a reference taken from here stays valid."""

    def __init__(self, empty: State) -> None:
        self._empty = empty
        self._before: list[Part] = []
        self._begin(empty.copy(), is_setup=False)

    def _begin(self, start: State, is_setup: bool) -> None:
        self.is_setup = is_setup
        self.state = start
        self._stored, self._last = [start], [start]
        self._moves: list[tuple[int, int]] = []
        self._positional = [start.position_key]
        self._situational = [_situational(start)]
        self._counts = {"positional": Counter(self._positional), "situational": Counter(self._situational)}

    @property
    def start(self) -> State:
        """The position before the first of `moves`."""
        return self._stored[0]

    @property
    def moves(self) -> Sequence[tuple[int, int]]:
        """(colour, move) since the last set-up. Read only; grows as the game goes on."""
        return self._moves

    @property
    def parts(self) -> list[Part]:
        """The whole game, cut where stones were set up in mid-game."""
        return [*self._before, Part(self.start, self._moves, self.is_setup)]

    def setup(self, state: State) -> None:
        """Start anew from `state`; one undo leads back to the empty board."""
        self._before.clear()
        self._begin(state, is_setup=True)

    def change(self, state: State) -> None:
        """Continue from `state`, set up in mid-game; one undo leads back to the position before."""
        self._before.append(Part(self.start, tuple(self._moves), self.is_setup))
        self._begin(state, is_setup=True)

    def play(self, colour: int, move: int, repetition: str = "none") -> None:
        """Play for either colour. Raises IllegalMove with the reason, "superko" for a forbidden repetition.

        repetition: one of REPETITIONS, as in all that follows.
        """
        if self.is_repetition(colour, move, repetition):
            raise IllegalMove("superko")
        state = self.state.copy()
        try:
            state.play_as(colour, move)
        except ValueError as error:
            raise IllegalMove(str(error)) from None
        self.state = state
        self._moves.append((colour, move))
        self._positional.append(state.position_key)
        self._situational.append(_situational(state))
        self._counts["positional"][self._positional[-1]] += 1
        self._counts["situational"][self._situational[-1]] += 1
        self._last.append(state)
        if len(self._last) > 2 * KEPT:
            del self._last[:KEPT]
        if len(self._moves) % SPACING == 0:
            self._stored.append(state)

    def undo(self, count: int = 1) -> None:
        """Take back moves and set-ups. Raises ValueError("cannot undo") and changes nothing beyond that."""
        if count < 0 or count > sum(len(part.moves) + part.is_setup for part in self.parts):
            raise ValueError("cannot undo")
        if count > len(self._moves) and self._before:
            count -= len(self._moves) + 1
            part = self._before.pop()
            self._begin(part.start, part.is_setup)
            for colour, move in part.moves:
                self.play(colour, move)
            self.undo(count)
            return
        if count > len(self._moves):
            self._begin(self._empty.copy(), is_setup=False)
            return
        for _ in range(count):
            self._moves.pop()
            self._counts["positional"][self._positional.pop()] -= 1
            self._counts["situational"][self._situational.pop()] -= 1
        del self._stored[len(self._moves) // SPACING + 1 :]
        del self._last[max(len(self._last) - count, 0) :]
        self._last = self._last or [self._replayed(len(self._moves))]
        self.state = self._last[-1]

    def _replayed(self, plies: int) -> State:
        """A new copy of the position after so many of the moves."""
        stored = min(plies // SPACING, len(self._stored) - 1)
        state = self._stored[stored].copy()
        for colour, move in self._moves[stored * SPACING : plies]:
            state.play_as(colour, move)
        return state

    def seen(self, repetition: str) -> list[int]:
        """Keys of the positions so far: with the side to move where the rules ask for it, else the stones alone."""
        return list(self._positional if repetition in ("none", "positional") else self._situational)

    def is_drawn(self, repetition: str) -> bool:
        """Whether the position is a draw because it is there for the third time."""
        return repetition == "threefold" and self._counts["situational"][self._situational[-1]] >= 3

    def is_repetition(self, colour: int, move: int, repetition: str) -> bool:
        """Whether the rules forbid the move because it repeats a position; never a pass or an illegal move."""
        if repetition not in ("positional", "situational") or move == self.state.pass_move:
            return False
        state = self.state
        if state.to_move != colour:
            state = state.copy()
            state.set_to_move(colour)
        if not state.is_legal(move):
            return False
        after = getattr(state, "situational_key_after", None) if repetition == "situational" else None
        key = after(move) if after is not None else state.key_after(move)
        return self._counts["situational" if after is not None else "positional"][key] > 0

    def recent(self, count: int) -> list[int]:
        """The last moves, newest last."""
        return [move for _, move in self._moves[-count:]]

    def earlier(self, count: int) -> list[State]:
        """The positions before the last moves, newest last; fewer where the game is shorter. Read only."""
        plies = len(self._moves)
        count = min(count, plies)
        if len(self._last) <= count:
            self._last = [*(self._replayed(before) for before in range(plies - count, plies)), self.state]
        return self._last[-1 - count : -1]


def _situational(state: State) -> int:
    """The key of stones and side; games without one have the position's."""
    return int(getattr(state, "situational_key", state.position_key))
