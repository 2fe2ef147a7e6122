"""Player: a live game, its search and its clock. Every protocol drives this and nothing below it.

The player knows no game and no protocol: what is special in a game it asks of `tengen.engine.games.hooks`. `live_game`
has its position and what may be done to it. Colours are 0 (black, first) and 1. One thread at a time may call it;
`interrupt` alone may come from any thread.
"""

from __future__ import annotations

from dataclasses import replace

from tengen.engine._core import StopToken
from tengen.engine.config import Config, ConfigError
from tengen.engine.games import get_game
from tengen.engine.games.base import Game, Rules
from tengen.engine.games.hooks import FinalStatus
from tengen.engine.games.naming import player_of
from tengen.engine.games.players import Level
from tengen.engine.limits import Limits
from tengen.engine.play.clock import Clocks
from tengen.engine.play.decisions import Decider, Decision
from tengen.engine.play.levels import level_in_force
from tengen.engine.play.live_game import LiveGame
from tengen.engine.play.networks import check_named, check_people, named_network, player_for
from tengen.engine.play.opening import Openings
from tengen.engine.play.request import MoveRequest, Restrictions
from tengen.engine.play.running import Analysis, OnInfo, Watch
from tengen.engine.play.searches import Searches
from tengen.engine.play.situation import Situation, situation_of
from tengen.engine.search import SEARCHES

__all__ = ["Analysis", "Decision", "FinalStatus", "Player"]


class Player(LiveGame):
    """One game in progress and the one who plays it."""

    def __init__(self, config: Config, *, is_lenient: bool = False) -> None:
        """Cheap: no search is built here, unless `config.set` names options to check or no network is named for a
        player that needs one. is_lenient: weights that cannot be read are done without, and decisions say so
        (`Decision.notice`). Raises ConfigError.
        """
        try:
            game = get_game(config.game)
            self.config = config = replace(config, player=player_for(game, config))
            name, entry = player_of(game, config.player)
            level_in_force(game, config)
            super().__init__(game, _rules_of(game, config))
            self._searches = Searches(game, name, config, is_lenient=is_lenient)
            if config.set or (entry.needs_network and named_network(config) is None):
                self._searches.main()
        except ValueError as error:
            raise ConfigError(str(error)) from None
        self._level: tuple[tuple[Config, str, int], Level] | None = None
        """The level of a configuration, a player and a size of the board."""
        self._own_level: Level | None = None
        self.clock = Clocks()
        self._stop: StopToken | None = None
        """Of the decision that is being made."""
        self._decider = Decider(self._searches, Openings(game, config.book), config.seed)
        self.new_game(game.default_size)

    def configure(self, config: Config) -> None:
        """Replace the configuration during a game; its game, player and rules stay. Raises ConfigError."""
        kept = replace(config, game=self.config.game, player=self.config.player, rules=self.config.rules)
        try:
            level_in_force(self.game, kept)
            if kept.human_profile != self.config.human_profile:
                check_named(kept)
                check_people(kept)
            self._searches.configure(kept)
        except ValueError as error:
            raise ConfigError(str(error)) from None
        self.config = kept

    @property
    def level(self) -> Level:
        """The level in force: what bounds a move, the clock aside, and how freely it is chosen."""
        if self._own_level is not None:
            return self._own_level
        key = self.config, self.plays, self.state.cells
        if self._level is None or self._level[0] != key:
            self._level = key, self._level_of(*key)
        return self._level[1]

    def _level_of(self, config: Config, plays: str, cells: int) -> Level:
        """Who plays instead of a network that cannot be used has no ranks, and plays as well as it can."""
        has_ranks = bool(self.game.players[plays].ranks)
        return level_in_force(self.game, replace(config, player=plays, rank=config.rank if has_ranks else None), cells)

    @property
    def plays(self) -> str:
        """The name of the player in action: the configured one, or its replacement if its network cannot be used."""
        return self._searches.player

    @property
    def looks_ahead(self) -> bool:
        """Whether who plays looks ahead ply by ply (`Limits.depth`, `Limits.lines`); else it counts playouts."""
        return SEARCHES[player_of(self.game, self.plays)[1].search].looks_ahead

    @property
    def stand_in(self) -> str | None:
        """The player while the network loads, or instead of one that cannot be used; None if there is none."""
        return self._searches.stand_in

    def play_at(self, level: Level | None) -> None:
        """From now on play at a level that no configuration names, such as that of a rating; None: as configured."""
        self._own_level = level

    def prepare(self) -> None:
        """Build the search now, so that the first move need not. Raises ValueError for settings it does not have."""
        self._searches.main()

    def forget(self) -> None:
        """Clear the search results."""
        self._searches.forget()

    def new_game(self, width: int, height: int | None = None) -> None:
        """As `LiveGame.new_game`; the time settings stay too."""
        super().new_game(width, height)
        self.clock.reset()

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
        restrictions: Restrictions = Restrictions(),  # noqa: B008  it is a tuple
        ownership: bool = False,
        max_lines: int = 0,
    ) -> Analysis:
        """Search for `colour` in the background, reporting every `interval` seconds, the first time at once.

        Returns at once. It stops searching by itself after `config.analysis_seconds` unless `limits` are given,
        and any change of the position ends it.
        """
        self._searches.rest()
        root = self._situation().root(colour, *restrictions, is_analysis=True)
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

    def _rest(self) -> None:
        self._searches.rest()

    def _changed(self, is_next: bool = False) -> None:
        if not is_next:
            self._decider.lose_track()
        super()._changed(is_next)


def _rules_of(game: Game, config: Config) -> Rules:
    """The rules of the configuration, else the game's. Raises ValueError naming the right names."""
    if not config.rules:
        return game.default_rules
    from tengen.engine.games.naming import rules_named

    return rules_named(game, config.rules)
