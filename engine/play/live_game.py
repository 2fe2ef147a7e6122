"""LiveGame: a game in progress, its position, rules, komi and handicap. `Player` is one with somebody who plays it.

What is special in a game it asks of `tengen.engine.games.hooks`. Colours are 0 (black, first) and 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tengen.engine.games.base import WHITE, Game, IllegalMove, Rules, State
from tengen.engine.games.hooks import Table, hooks_of
from tengen.engine.history import History
from tengen.engine.play import setup


class LiveGame:
    """The position and how it came about. `new_game` begins; before it there is none.

    Who searches it overrides `forget`, `_rest` and `_changed`.
    """

    history: History
    """Its moves and positions."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self.game = game
        self.hooks = hooks_of(game)
        self.rules = rules
        self.komi = self.hooks.usual_komi(game, rules)
        self._placed = self._counted = 0
        """Handicap stones that were placed as such; those that count at present."""

    @property
    def state(self) -> State:
        """The current position; read only."""
        return self.history.state

    @property
    def moves(self) -> tuple[tuple[int, int], ...]:
        """(colour, move) since the last set-up."""
        return tuple(self.history.moves)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its position or as a draw by repetition or for want of progress."""
        drawn = self.history.is_drawn(self.rules.repetition) or self.hooks.is_drawn(self.state)
        return drawn or self.state.is_terminal()

    @property
    def passes_at_end(self) -> int:
        """Count the passes among the last moves."""
        return self.table().passes(self.state.pass_move)

    @property
    def handicap(self) -> int:
        """Black's handicap stones: those placed as such, else those that the game seems to have begun with."""
        first = self.history.parts[0]
        return self._placed or self.hooks.handicap_given(first.start, first.moves)

    def table(self) -> Table:
        """Return the facts of the game besides the position."""
        return Table(self.rules, self.komi, self.handicap, self.history.moves)

    # The position

    def new_game(self, width: int, height: int | None = None) -> None:
        """An empty board; komi and rules stay. Raises ValueError("unacceptable size")."""
        height = width if height is None else height
        self.game.check_size(width, height)
        self.forget()
        self._placed = 0
        self.history = History(self.game.new_state(width, height, self.rules, self.komi))
        self._changed()

    def clear(self) -> None:
        """An empty board of the same size."""
        self.new_game(self.state.width, self.state.height)

    def set_komi(self, komi: float) -> None:
        """Any finite komi, at any time. Raises ValueError("komi not a float")."""
        if not math.isfinite(komi):
            raise ValueError("komi not a float")
        self.forget()
        self.komi = komi
        self._changed()

    def set_rules(self, rules: Rules) -> None:
        """Change the rules, keeping the game. Raises ValueError when its moves break them; nothing changes then."""
        state = self.state
        history = History(self.game.new_state(state.width, state.height, rules, self.komi))
        for number, part in enumerate(self.history.parts):
            if part.is_setup:
                (history.change if number else history.setup)(self._under(rules, part.start))
            setup.replay(history, part.moves, rules)
        self.forget()
        self.rules, self.history = rules, history
        self._changed()

    def play(self, colour: int, move: int) -> None:
        """Play for either colour, also twice in a row. Raises IllegalMove with the reason."""
        self._rest()
        self.history.play(colour, move, self.rules.repetition)
        self._changed(is_next=True)

    def play_sequence(self, moves: Sequence[tuple[int, int]]) -> None:
        """Play all of the moves, or none when one is illegal (IllegalMove)."""
        self._rest()
        for played, (colour, move) in enumerate(moves):
            try:
                self.history.play(colour, move, self.rules.repetition)
            except IllegalMove:
                self.history.undo(played)
                raise
        self._changed()

    def undo(self, count: int = 1) -> None:
        """Take back moves, back to the empty board; a set-up or handicap counts as one. ValueError("cannot undo")."""
        self._rest()
        self.history.undo(count)
        if not self.history.is_setup:
            self._placed = 0
        self._changed()

    def setup(self, stones: bytes, to_move: int, handicap: int = 0) -> None:
        """Replace the board and forget the moves. Raises ValueError and changes nothing for an impossible board."""
        state = self._state_with(stones, to_move, self.rules)
        self.forget()
        self._placed = handicap
        self.history.setup(state)
        self._changed()

    def change(self, stones: bytes, to_move: int) -> None:
        """Replace the board in mid-game: the moves are kept, and undo leads back to them. Raises as `setup`."""
        state = self._state_with(stones, to_move, self.rules)
        self.forget()
        self.history.change(state)
        self._changed()

    def begin(self, start: State) -> None:
        """Begin a game at any position of this game, which is not changed from here on; the moves are cleared, the
        search results are kept."""
        self._rest()
        self._placed = 0
        self.history.setup(start)
        self._changed()

    def handicap_fixed(self, count: int) -> list[int]:
        """Place the fixed handicap and return its cells; White moves next.

        Raises ValueError("board not empty") or ("invalid number of stones").
        """
        setup.require_empty(self.state)
        return self._place(self.hooks.handicap_fixed(self.state.width, self.state.height, count))

    def handicap_free(self, count: int) -> list[int]:
        """Place handicap stones of our choice, at most `count`. Raises as `handicap_fixed`."""
        setup.require_empty(self.state)
        return self._place(self.hooks.handicap_free(self.state.width, self.state.height, count))

    def handicap_set(self, cells: Sequence[int]) -> None:
        """Place the handicap stones that the other side chose. ValueError("board not empty") or ("bad vertex list")."""
        setup.require_empty(self.state)
        setup.require_handicap(self.state, cells)
        try:
            self._place(list(cells))
        except ValueError:
            raise ValueError("bad vertex list") from None

    # For who searches it

    def forget(self) -> None:
        """Clear the search results, because they no longer apply."""

    def _rest(self) -> None:
        """Before a move is played or taken back: end what runs."""

    def _changed(self, is_next: bool = False) -> None:
        """After every change of the position; `is_next`: one move further."""
        self._refresh_komi()

    # Inside

    def _refresh_komi(self) -> None:
        table = self.table()
        if table.handicap != self._counted:  # what was searched counted other points
            self.forget()
            self._counted = table.handicap
        self.hooks.tell_komi(self.history.state, table)

    def _state_with(self, stones: bytes, to_move: int, rules: Rules) -> State:
        """A position with these stones. Raises ValueError when the game cannot have it."""
        empty = self.game.new_state(self.state.width, self.state.height, rules, self.komi)
        return setup.state_with(self.game, empty, stones, to_move)

    def _under(self, rules: Rules, start: State) -> State:
        """A position that was set up, under other rules. Raises ValueError when they cannot have it."""
        if not self.game.conventions.has_points:
            return start.copy()
        return self._state_with(start.stones(), start.to_move, rules)

    def _place(self, cells: list[int]) -> list[int]:
        self.setup(setup.black_stones(self.state, cells), WHITE, handicap=len(cells))
        return cells
