"""The searches of one player: built when first needed, one at a time at work.

Two searches share the memory: the main one keeps its tree from move to move, a small one explores side questions
(dead stones, what happens after a pass) without spoiling it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from tengen.engine._core import StopToken
from tengen.engine.config import RESERVED_MB, Config, default_threads
from tengen.engine.games.base import Game, State
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.memory import room_mb
from tengen.engine.options import Value
from tengen.engine.play.networks import give_network
from tengen.engine.play.running import Analysis, Background, Watch
from tengen.engine.search import RESOURCES, is_resource, make_search
from tengen.engine.search.base import Root, Search
from tengen.engine.search.guide import NetworkSearch

SPARE_MB, SPARE_A_THREAD = 48.0, 8.0
"""Of what an outer limit leaves: for everything but the trees, and for the stack of each thread."""
SIDE_SHARE = 0.08
"""Share of the memory that the small search gets."""


class Searches:
    """What searches for a Player, for one thread at a time."""

    def __init__(self, game: Game, player: str, config: Config) -> None:
        self._game, self._player, self._config = game, player, config
        self._main: Search | None = None
        self._side: Search | None = None
        self._room: float | None = None
        self._work: Background | Analysis | None = None

    def main(self) -> Search:
        """The main search, built on first use. Raises ValueError for settings it does not have."""
        if self._main is None:
            self._main = self._make(self._player, 1.0 - SIDE_SHARE, self._config.set)
        return self._main

    def seconds_to_solve(self, state: State) -> float:
        """About how many seconds the main search needs to know how the game ends; 0: it does not try, or cannot say."""
        ask = getattr(self.main(), "seconds_to_solve", None)
        return float(ask(state)) if ask is not None else 0.0

    def configure(self, config: Config) -> None:
        """Take new settings; the searches are built anew when they concern them. Raises ValueError."""
        self.rest()
        old, self._config = self._config, config
        fields = ("threads", "memory", "seed", "set", "net", "precision", "device")
        if any(getattr(old, name) != getattr(config, name) for name in fields):
            self._main = self._side = None
            try:
                self.main()
            except ValueError:
                self._config = old
                raise

    def explore(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        """Search a side question by the game's strongest player; an empty Info when it is stopped already."""
        if self._side is None:
            self._side = self._make(next(iter(self._game.players)), SIDE_SHARE, {})
        if stop.is_stopped:
            return Info(to_move=root.state.to_move)
        self._side.clear()
        self._side.run(root, limits, stop)
        return self._side.info(0, True)

    def ponder(self, root: Root, limits: Limits) -> None:
        """Search in the background, until `rest`."""
        self.rest()
        self._work = Background(self.main(), root, limits)

    def analyse(self, root: Root, limits: Limits, watch: Watch) -> Analysis:
        """Search in the background and report, until `rest` or the analysis is stopped."""
        self.rest()
        self._work = work = Analysis(self.main(), root, limits, watch)
        return work

    def rest(self) -> None:
        """End whatever runs in the background."""
        work, self._work = self._work, None
        if work is not None:
            work.stop()

    def forget(self) -> None:
        """Clear the tree."""
        self.rest()
        if self._main is not None:
            self._main.clear()

    def _make(self, player: str, share: float, settings: Mapping[str, Value]) -> Search:
        """Build a search with the resources that it has options for."""
        config = self._config
        search = make_search(self._game, player, {})
        values = (config.threads or default_threads(), max(8.0, share * self._trees_mb()), config.seed or 0)
        resources = dict(zip(RESOURCES, values, strict=True))
        names = [option.name for option in search.options() if is_resource(option)]
        search.configure({name: resources[name.rpartition(".")[2]] for name in names})
        search.configure(settings)
        give_network(search, config)
        if isinstance(search, NetworkSearch):
            search.require()
        return search

    def _trees_mb(self) -> float:
        """Megabytes for both trees: what was configured, or what an outer limit left before the first was made."""
        config = self._config
        if self._room is None:
            room, threads = room_mb(), (config.threads or default_threads()) + 2
            self._room = math.inf if room is None else room - SPARE_MB - SPARE_A_THREAD * threads
        return min(config.memory - RESERVED_MB, self._room)
