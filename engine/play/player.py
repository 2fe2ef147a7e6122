"""Player: a live game, its search and its clock. Every protocol drives this and nothing below it.

The player knows no game and no protocol: what is special in a game it asks of `tengen.engine.games.hooks`. Colours are
0 (black, first) and 1. One thread at a time may call it; `interrupt` alone may come from any thread.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from tengen.engine._core import StopToken
from tengen.engine.config import Config, ConfigError
from tengen.engine.games import get_game
from tengen.engine.games.base import WHITE, IllegalMove, Rules, State
from tengen.engine.games.hooks import FinalStatus, Table, hooks_of
from tengen.engine.games.players import Level, player_of
from tengen.engine.history import History
from tengen.engine.limits import Limits
from tengen.engine.play import setup
from tengen.engine.play.clock import Clocks
from tengen.engine.play.deciding import Decider, Decision
from tengen.engine.play.levels import level_in_force
from tengen.engine.play.networks import named_network, player_for
from tengen.engine.play.opening import Openings
from tengen.engine.play.request import MoveRequest
from tengen.engine.play.running import Analysis, OnInfo, Watch
from tengen.engine.play.searches import Searches
from tengen.engine.play.situation import Situation, situation_of
from tengen.engine.search import SEARCHES

__all__ = ["Analysis", "Decision", "FinalStatus", "Player"]


class Player:
    """One game in progress and the one who plays it."""

    def __init__(self, config: Config, *, is_lenient: bool = False) -> None:
        """Cheap: no search is built here, unless `config.set` names options to check or no network is named for a
        player that needs one. is_lenient: weights that cannot be read are done without, and decisions say so
        (`Decision.notice`). Raises ConfigError.
        """
        try:
            self.game = get_game(config.game)
            self.hooks = hooks_of(self.game)
            self.config = config = replace(config, player=player_for(self.game, config))
            name, entry = player_of(self.game, config.player)
            level_in_force(self.game, config)
            self.rules = self._configured_rules()
            self._searches = Searches(self.game, name, config, is_lenient=is_lenient)
            if config.set or (entry.needs_network and named_network(config) is None):
                self._searches.main()
        except ValueError as error:
            raise ConfigError(str(error)) from None
        self._level: tuple[Config, str, Level] | None = None
        """The level of a configuration and a player."""
        self._own_level: Level | None = None
        self.komi = self.hooks.usual_komi(self.game, self.rules)
        self._placed = self._counted = 0
        """Handicap stones that were placed as such; those that count at present."""
        self.clock = Clocks()
        self._stop: StopToken | None = None
        """Of the decision that is being made."""
        self._decider = Decider(self._searches, Openings(self.game, config.book), config.seed)
        self.new_game(self.game.default_size)

    def configure(self, config: Config) -> None:
        """Replace the configuration during a game; its game, player and rules stay. Raises ConfigError."""
        kept = replace(config, game=self.config.game, player=self.config.player, rules=self.config.rules)
        try:
            level_in_force(self.game, kept)
            self._searches.configure(kept)
        except ValueError as error:
            raise ConfigError(str(error)) from None
        self.config = kept

    @property
    def level(self) -> Level:
        """The level in force: what bounds a move, the clock aside, and how freely it is chosen."""
        if self._own_level is not None:
            return self._own_level
        known, plays = self._level, self.plays
        if known is None or known[0] is not self.config or known[1] != plays:
            level = level_in_force(self.game, replace(self.config, player=plays))
            self._level = known = self.config, plays, level
        return known[2]

    @property
    def plays(self) -> str:
        """The name of who plays: as configured, or who stands in for one whose network turned out to be of no use."""
        return self._searches.player

    @property
    def looks_ahead(self) -> bool:
        """Whether who plays looks ahead ply by ply (`Limits.depth`, `Limits.lines`); else it counts playouts."""
        return SEARCHES[player_of(self.game, self.plays)[1].search].looks_ahead

    @property
    def stand_in(self) -> str | None:
        """Who plays while the network loads, and instead of one that is of no use; None where nobody does."""
        return self._searches.stand_in

    def play_at(self, level: Level | None) -> None:
        """From now on play at a level that no configuration names, such as that of a rating; None: as configured."""
        self._own_level = level

    def prepare(self) -> None:
        """Build the search now, so that the first move need not. Raises ValueError for settings it does not have."""
        self._searches.main()

    def forget(self) -> None:
        """Forget what was searched."""
        self._searches.forget()

    @property
    def state(self) -> State:
        """The current position; read only."""
        return self.history.state

    @property
    def moves(self) -> tuple[tuple[int, int], ...]:
        """(colour, move) since the set-up."""
        return tuple(self.history.moves)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its position or as a draw by repetition or for want of progress."""
        drawn = self.history.is_drawn(self.rules.repetition) or self.hooks.is_drawn(self.state)
        return drawn or self.state.is_terminal()

    @property
    def passes_at_end(self) -> int:
        """How many of the last moves were passes."""
        return self.table().passes(self.state.pass_move)

    @property
    def handicap(self) -> int:
        """Black's handicap stones: those placed as such, else those that the game seems to have begun with."""
        return self._placed or self.hooks.handicap_given(self.history.start, self.history.moves)

    def table(self) -> Table:
        """What decides besides the position."""
        return Table(self.rules, self.komi, self.handicap, self.history.moves)

    # The position

    def new_game(self, width: int, height: int | None = None) -> None:
        """An empty board; komi, rules and time settings stay. Raises ValueError("unacceptable size")."""
        height = width if height is None else height
        self.game.check_size(width, height)
        self._searches.forget()
        self._placed = 0
        self.history = History(self.game.new_state(width, height, self.rules, self.komi))
        self.clock.reset()
        self._changed()

    def clear(self) -> None:
        """An empty board of the same size."""
        self.new_game(self.state.width, self.state.height)

    def set_komi(self, komi: float) -> None:
        """Any finite komi, at any time. Raises ValueError("komi not a float")."""
        if not math.isfinite(komi):
            raise ValueError("komi not a float")
        self._searches.forget()
        self.komi = komi
        self._changed()

    def set_rules(self, rules: Rules) -> None:
        """Change the rules, keeping the game. Raises ValueError when its moves break them; nothing changes then."""
        state = self.state
        history = History(self.game.new_state(state.width, state.height, rules, self.komi))
        if self.history.is_setup:
            history.setup(self._start_under(rules))
        setup.replay(history, self.history.moves, rules)
        self._searches.forget()
        self.rules, self.history = rules, history
        self._changed()

    def play(self, colour: int, move: int) -> None:
        """Play for either colour, also twice in a row. Raises IllegalMove with the reason."""
        self._searches.rest()
        self.history.play(colour, move, self.rules.repetition)
        self._changed(is_next=True)

    def play_sequence(self, moves: Sequence[tuple[int, int]]) -> None:
        """Play all of the moves, or none when one is illegal (IllegalMove)."""
        self._searches.rest()
        for played, (colour, move) in enumerate(moves):
            try:
                self.history.play(colour, move, self.rules.repetition)
            except IllegalMove:
                self.history.undo(played)
                raise
        self._changed()

    def undo(self, count: int = 1) -> None:
        """Take back moves, back to the empty board; a set-up or handicap counts as one. ValueError("cannot undo")."""
        self._searches.rest()
        self.history.undo(count)
        if not self.history.is_setup:
            self._placed = 0
        self._changed()

    def setup(self, stones: bytes, to_move: int, handicap: int = 0) -> None:
        """Replace the board and forget the moves. Raises ValueError and changes nothing for an impossible board."""
        state = self._state_with(stones, to_move, self.rules)
        self._searches.forget()
        self._placed = handicap
        self.history.setup(state)
        self._changed()

    def begin(self, start: State) -> None:
        """Begin a game at any position of this game, which is not changed from here on; the moves are forgotten, what
        was searched is not."""
        self._searches.rest()
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

    # Thinking

    def genmove(self, request: MoveRequest) -> Decision:
        """Decide on a move, and play it when the request says so. Blocks; `interrupt` or `request.stop` ends it early.

        Raises IllegalMove("game over").
        """
        self._stop = stop = request.stop or StopToken()
        try:
            decision = self._decider.decide(self._situation(), request, stop)
        finally:
            self._stop = None
        if request.play and decision.move is not None:
            self.history.play(request.colour, decision.move)
            self._after_own_move()
        return decision

    def interrupt(self) -> None:
        """Any thread: a running genmove returns its best so far within 100 ms; one that has not begun is not meant."""
        stop = self._stop
        if stop is not None:
            stop.stop()

    def analyse(
        self,
        colour: int,
        on_info: OnInfo,
        interval: float,
        *,
        limits: Limits | None = None,
        allow: Sequence[int] = (),
        avoid: Sequence[int] = (),
        ownership: bool = False,
        max_lines: int = 0,
    ) -> Analysis:
        """Search for `colour` in the background, reporting every `interval` seconds, the first time at once.

        Returns at once. It stops searching by itself after `config.analysis_seconds` unless `limits` are given,
        and any change of the position ends it.
        """
        self._searches.rest()
        root = self._situation().root(colour, allow, avoid, is_analysis=True)
        bounds = limits or Limits(seconds=self.config.analysis_seconds)
        return self._searches.analyse(root, bounds, Watch(on_info, interval, ownership, max_lines))

    def final_status(self, stop: StopToken | None = None) -> FinalStatus:
        """Judge the position as if the game ended here; kept per position, as the last pass judged it.

        Takes up to two seconds. `stop` ends it early, with what was seen so far; that is not kept.
        """
        return self._decider.judge(self._situation(), stop or StopToken())

    def ponder_start(self) -> None:
        """Think in the opponent's time, until the position changes or something else is asked."""
        root = self._situation().root(self.state.to_move)
        self._searches.ponder(root, Limits(seconds=self.config.analysis_seconds))

    def ponder_stop(self) -> None:
        """End pondering or an analysis."""
        self._searches.rest()

    def close(self) -> None:
        """End everything that runs."""
        self.interrupt()
        self._searches.rest()

    # Inside

    def _situation(self) -> Situation:
        """The game as it is now."""
        return situation_of(self.history, self.table(), self.hooks, self.clock, self.config, self.level)

    def _after_own_move(self) -> None:
        self._refresh_komi()
        if self.config.ponder and not self.state.is_terminal():
            self.ponder_start()

    def _changed(self, is_next: bool = False) -> None:
        """After every change of the position; `is_next`: one move further."""
        if not is_next:
            self._decider.lose_track()
        self._refresh_komi()

    def _refresh_komi(self) -> None:
        table = self.table()
        if table.handicap != self._counted:  # what was searched counted other points
            self._searches.forget()
            self._counted = table.handicap
        self.hooks.tell_komi(self.history.state, table)

    def _configured_rules(self) -> Rules:
        """The rules of the configuration, else the game's. Raises ValueError naming the right names."""
        if not self.config.rules:
            return self.game.default_rules
        from tengen.engine.games.naming import rules_named

        return rules_named(self.game, self.config.rules)

    def _state_with(self, stones: bytes, to_move: int, rules: Rules) -> State:
        """A position with these stones. Raises ValueError when the game cannot have it."""
        empty = self.game.new_state(self.state.width, self.state.height, rules, self.komi)
        return setup.state_with(self.game, empty, stones, to_move)

    def _start_under(self, rules: Rules) -> State:
        """The position that was set up, under other rules. Raises ValueError when they cannot have it."""
        start = self.history.start
        if not self.game.conventions.has_points:
            return start.copy()
        return self._state_with(start.stones(), start.to_move, rules)

    def _place(self, cells: list[int]) -> list[int]:
        self.setup(setup.black_stones(self.state, cells), WHITE, handicap=len(cells))
        return cells
