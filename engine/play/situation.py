"""A game at one moment: all that deciding, judging and analysing know of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tengen.engine.config import Config
from tengen.engine.games.base import State
from tengen.engine.games.hooks import Hooks, Table
from tengen.engine.games.players import Level
from tengen.engine.history import History
from tengen.engine.play.clock import Clocks
from tengen.engine.search.base import EARLIER, RECENT, HeldBack, Root


class Situation(NamedTuple):
    """The situation at one question, made by the Player; its parts stay as they were, except the clocks, which go on.

    state: the position, read only. table: rules, komi, handicap and moves. seen, recent: as in `Root`, whoever moved.
    earlier: so many positions before the last moves, newest last, read only. repeats: whether
    the rules forbid a colour's move because it repeats a position. config: the settings in force, of which level and
    playouts are in `level`.
    """

    state: State
    table: Table
    seen: Sequence[int]
    recent: Sequence[int]
    earlier: Callable[[int], Sequence[State]]
    repeats: Callable[[int, int], bool]
    hooks: Hooks
    clocks: Clocks
    config: Config
    level: Level

    def root(
        self,
        colour: int,
        allow: Sequence[int] = (),
        avoid: Sequence[int] = (),
        held_back: HeldBack = ((), ()),
        *,
        is_analysis: bool = False,
    ) -> Root:
        """Return the root of a search by `colour`. An analysis judges without dynamic komi."""
        state = self.hooks.search_state(self.state, self.table, colour)
        shift = 0.0 if is_analysis else self.hooks.komi_shift(self.state, self.table)
        recent = self.recent[len(self.recent) - self._in_turn(colour) :]
        earlier = self.earlier(min(EARLIER, len(recent)))
        has_passed = any((side, state.pass_move) in self.table.moves for side in (0, 1))
        told = self.table.rules, has_passed, held_back
        return Root(state, self.seen, recent, allow, avoid, shift, earlier, *told)

    def _in_turn(self, colour: int) -> int:
        """How many of the recent moves go back without a side moving twice in a row, `colour` being next."""
        mover, count = colour, 0
        for player, _ in reversed(self.table.moves[-len(self.recent) :] if self.recent else ()):
            if player == mover:
                break
            mover, count = player, count + 1
        return count

    def is_allowed(self, root: Root, move: int) -> bool:
        """Whether a move of that root is legal, as asked for, and repeats nothing."""
        state = root.state
        if not state.is_legal(move) or move in root.avoid or (root.allow and move not in root.allow):
            return False
        return move == state.pass_move or not self.repeats(state.to_move, move)

    @property
    def is_ending(self) -> bool:
        """Whether the game may be near its end."""
        return self.hooks.is_ending(self.state, self.table)

    @property
    def passes(self) -> int:
        """Count the passes among the last moves."""
        return self.table.passes(self.state.pass_move)


def situation_of(
    history: History, table: Table, hooks: Hooks, clocks: Clocks, config: Config, level: Level
) -> Situation:
    """The situation of a history. Where its rules let positions recur, deciding repeats none of its own accord."""
    repetition = table.rules.repetition
    forbidden = "positional" if repetition == "none" else repetition
    return Situation(
        history.state,
        Table(table.rules, table.komi, table.handicap, tuple(table.moves)),
        history.seen(repetition),
        history.recent(RECENT),
        history.earlier,
        lambda colour, move: history.is_repetition(colour, move, forbidden),
        hooks,
        clocks,
        config,
        level,
    )
