"""A game as far as it has come: a position of the core and the moves that led to it, shared between many lines.

The core says what is legal. Beyond it: no whole-board repetition in Go (a repeated position in a series is a wrong
reading rather than a triple ko), and the passes that the rules of Reversi force are put in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tengen.engine.games import get_game
from tengen.engine.games.base import BLACK, State
from tengen.engine.records.othello import usual_start

Stones = NDArray[np.intp]
"""(points,) of Point.EMPTY, BLACK, WHITE."""


class Step(NamedTuple):
    """One move and the frame in which it is there first."""

    colour: int
    move: int
    frame: int


@dataclass(frozen=True, eq=False)
class Line:
    """A position, the line and the step that led to it, and who is expected to move (None: either).

    breaks: how often somebody else than expected has moved.
    """

    game: str
    setup: bytes | None
    state: State
    stones: Stones
    expected: int | None = None
    breaks: int = 0
    before: Line | None = None
    step: Step | None = None

    @property
    def key(self) -> int:
        """Equal for lines that go on equally."""
        return self.state.state_key

    def way(self) -> list[Line]:
        """The lines to this one, the beginning first, itself last."""
        lines: list[Line] = []
        line: Line | None = self
        while line is not None:
            lines.append(line)
            line = line.before
        return lines[::-1]

    def steps(self) -> list[Step]:
        """All moves in order."""
        return [line.step for line in self.way() if line.step is not None]

    def played(self, colour: int, move: int, frame: int) -> Line | None:
        """The line with one move more (in Reversi also the pass that follows), None where the rules forbid it."""
        if self.stones[move]:
            return None
        state = self.state.copy()
        try:
            state.play_as(colour, move)
        except ValueError:
            return None
        stones = stones_of(state)
        if self.game == "go" and np.count_nonzero(stones) <= np.count_nonzero(self.stones) and self._was(state):
            return None
        breaks = self.breaks + (self.expected is not None and self.expected != colour)
        after = Line(self.game, self.setup, state, stones, 1 - colour, breaks, self, Step(colour, move, frame))
        if self.game == "reversi" and list(state.legal_moves()) == [state.pass_move]:
            passed = state.copy()
            passed.play(state.pass_move)
            step = Step(1 - colour, state.pass_move, frame)
            return Line(self.game, self.setup, passed, stones, colour, breaks, after, step)
        return after

    def replayed(self, steps: Iterable[Step]) -> Line | None:
        """The line with these moves more, None where the rules forbid one; passes that are forced may be among them."""
        line: Line | None = self
        for step in steps:
            if step.move < len(self.stones):
                line = line.played(*step) if line is not None else None
        return line

    def _was(self, state: State) -> bool:
        """Whether these stones were on the board before."""
        key = state.position_key
        line: Line | None = self
        while line is not None:
            if line.state.position_key == key:
                return True
            line = line.before
        return False


def stones_of(state: State) -> Stones:
    return np.frombuffer(state.stones(), np.uint8).astype(np.intp)


def begin(game: str, size: int, setup: bytes | None) -> Line:
    """The line without moves. Raises ValueError for a set-up or a size that the game refuses."""
    rules = get_game(game)
    rules.check_size(size, size)
    state = rules.new_state(size, size, rules.default_rules, 0.0)
    if setup is None or setup == usual(game, size):
        return Line(game, None, state, stones_of(state), expected=BLACK)
    state.setup(setup, BLACK)  # type: ignore[attr-defined]
    return Line(game, setup, state, stones_of(state))


def usual(game: str, size: int) -> bytes:
    """The cells before the first move of a game from its start."""
    return usual_start(size) if game == "reversi" else bytes(size * size)
