"""The last search and its position, so that it is never shown for another position."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tengen.engine.games.base import State
    from tengen.engine.info import Info, Line


class Shown(NamedTuple):
    """line: of the move that was chosen. rest: its moves from the board as it is now on, the first by `colour`."""

    line: Line
    rest: tuple[int, ...]
    colour: int


class LastSearch(NamedTuple):
    """info: its report. root: the position that was searched, with the side to move of the board. move: the one chosen,
    None for an analysis.
    """

    info: Info
    root: State
    move: int | None = None

    def on(self, state: State) -> Shown | None:
        """Return its result for the board `state`: the position searched, or the one after the chosen move; else
        None."""
        line = next((line for line in self.info.lines if line.move == self.move), self.info.best)
        if line is None:
            return None
        side, variation = self.info.to_move, line.pv or (line.move,)
        if _is_same(self.root, state):
            return Shown(line, variation, side)
        if self._is_followed_by(state):
            return Shown(line, variation[1:], 1 - side)
        return None

    def _is_followed_by(self, state: State) -> bool:
        """Whether `state` is the position after the chosen move."""
        if self.move is None:
            return False
        after = self.root.copy()
        try:
            after.play_as(self.info.to_move, self.move)
        except ValueError:  # it was not played: the other side's move, asked for by reg_genmove
            return False
        return _is_same(after, state)


def _is_same(one: State, other: State) -> bool:
    return (one.width, one.height, one.state_key) == (other.width, other.height, other.state_key)
