"""The searches of one player: built when first needed, one at a time at work.

Two searches share the memory: the main one keeps its tree from move to move, a small one explores side questions
(dead stones, what happens after a pass) without spoiling it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from tengen.engine._core import StopToken
from tengen.engine.config import RESERVED_MB, Config, default_threads
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.outline import Size
from tengen.engine.games.base import Game, State
from tengen.engine.games.naming import player_of
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.memory import room_mb
from tengen.engine.options import Value
from tengen.engine.play.clock import LEAST
from tengen.engine.play.networks import NONE, guide_for, named_network, network_of, told_outline
from tengen.engine.play.running import Analysis, Background, Watch
from tengen.engine.play.standin import StandIn
from tengen.engine.search import RESOURCES, is_resource, make_search
from tengen.engine.search.base import Root, Search
from tengen.engine.search.guide import Guide, NetworkSearch

if TYPE_CHECKING:
    from tengen.engine.play.standin import Guided

SPARE_MB, SPARE_A_THREAD = 48.0, 8.0
"""The memory that is kept of an outer limit: for everything but the trees, and for the stack of each thread."""
SIDE_SHARE = 0.08
"""Share of the memory that the small search gets."""
WEIGHTS = ".weights"
"""The end of the names of options that name a file which a search can do without: then they are NONE."""
LEAST_VISITS = 16
"""A side question with fewer visits was not answered, but by a network."""
GUIDED_PLAYOUTS, GUIDED_ANSWERS = 64, 4
"""Most playouts of a side question to a network, and how many it must have time for."""


class Searches:
    """The searches of a Player, for one thread at a time."""

    def __init__(self, game: Game, player: str, config: Config, *, is_lenient: bool = False) -> None:
        self._game, self._player, self._config, self._is_lenient = game, player, config, is_lenient
        self._main: Search | None = None
        self._side: Search | None = None
        self._room: float | None = None
        self._lacking = ""
        self._work: Background | Analysis | None = None

    def main(self) -> Search:
        """The main search, built on first use. Raises ValueError for settings it does not have and, unless this is
        lenient, for a file of weights that cannot be read."""
        if self._main is None:
            self._main, self._lacking = self._found(self._config.set, is_lenient=self._is_lenient)
        return self._main

    @property
    def player(self) -> str:
        """The name of the player in action: not the one requested if its network cannot be used."""
        return self._player if self._standing is None or self._standing.error is None else self.fallback

    @property
    def is_guided(self) -> bool:
        """Whether a network guided the last run of the main search."""
        return self._standing is not None and self._standing.is_guided

    @property
    def has_owners(self) -> bool:
        """Whether the last run of the main search could say who owns the points of a board."""
        return bool(getattr(self.main(), "has_owners", True))

    @property
    def notice(self) -> str:
        """Return a message for the user about the last run of the main search; "" for none."""
        standing = self._standing
        if self._lacking:
            return self._lacking
        if standing is not None and standing.error is not None:
            return f"{standing.error}; {self.fallback} plays"
        if standing is None or not standing.is_too_slow:
            return ""
        return f"the network takes {standing.seconds:.1g} s for an answer: {self.fallback} plays where time is short"

    @property
    def stand_in(self) -> str | None:
        """The player that replaces the main search if its network cannot be used; None without one."""
        return self.fallback if isinstance(self.main(), StandIn) else None

    @property
    def fallback(self) -> str:
        """The player without a network."""
        return next(name for name, entry in self._game.players.items() if not entry.needs_network)

    @property
    def _standing(self) -> StandIn | None:
        return self._main if isinstance(self._main, StandIn) else None

    def seconds_to_solve(self, state: State) -> float:
        """About how many seconds the main search needs to know how the game ends; 0: it does not try, or cannot say."""
        ask = getattr(self.main(), "seconds_to_solve", None)
        return float(ask(state)) if ask is not None else 0.0

    def configure(self, config: Config) -> None:
        """Take new settings; the searches are built anew when they concern them. Raises ValueError."""
        self.rest()
        old, self._config = self._config, config
        fields = ("threads", "memory", "seed", "set", "net", "precision", "device", "human_profile")
        if any(getattr(old, name) != getattr(config, name) for name in fields):
            self._main = self._side = None
            try:
                names_other = self._weights(self._player, old.set) != self._weights(self._player, config.set)
                is_lenient = self._is_lenient and not names_other  # what was just asked for
                self._main, self._lacking = self._found(config.set, is_lenient=is_lenient)
            except ValueError:
                self._config = old
                raise

    def explore(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        """Search a side question: by the network where one is ready and quick enough, else by the game's strongest
        player without one. An empty Info when there was too little time for an answer, or it is stopped already."""
        begun = time.monotonic()
        is_guided = self._is_quick(root.state, limits, stop)
        if limits.seconds is not None:
            limits = limits._replace(seconds=max(LEAST, limits.seconds - (time.monotonic() - begun)))
        if self._side is None or isinstance(self._side, NetworkSearch) != is_guided:
            own = (self._player, SIDE_SHARE, self._config.set)
            self._side = self._make(*own) if is_guided else self._make_fallback(SIDE_SHARE)
        if stop.is_stopped:
            return Info(to_move=root.state.to_move)
        if is_guided and limits.playouts:
            limits = limits._replace(playouts=min(limits.playouts, GUIDED_PLAYOUTS))
        self._side.clear()
        self._side.run(root, limits, stop)
        info = self._side.info(0, True)
        return info if info.visits >= (1 if is_guided else LEAST_VISITS) else Info(to_move=root.state.to_move)

    def _is_quick(self, state: State, limits: Limits, stop: StopToken) -> bool:
        """Whether the network answers some positions within the limits; it is waited for, but not for long."""
        self.main()
        if self._standing is None or not self._standing.says_owners:
            return False
        most = math.inf if limits.seconds is None else limits.seconds
        seconds = self._standing.prepared(state, most, stop)
        return seconds is not None and GUIDED_ANSWERS * seconds < most

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

    def _build(self, settings: Mapping[str, Value]) -> Search:
        """The main search."""
        share = 1.0 - SIDE_SHARE
        made = self._make(self._player, share, settings)
        if isinstance(made, NetworkSearch) and not made.only_looks:
            return StandIn(cast("Guided", made), lambda: self._make_fallback(share))
        return made

    def _found(self, settings: Mapping[str, Value], *, is_lenient: bool) -> tuple[Search, str]:
        """The main search, and what the user should know of it: where it is lenient, it does without weights that
        cannot be read."""
        try:
            return self._build(settings), ""
        except NetworkError as error:
            named = self._weights(self._player, settings)
            if not is_lenient or not named:
                raise
            without = {**settings, **dict.fromkeys(named, NONE)}
            return self._build(without), f"{error}; {self._player} plays without it"

    def _make_fallback(self, share: float) -> Search:
        """The entry that plays if a network cannot be used, without weights that cannot be read."""
        try:
            return self._make(self.fallback, share, {})
        except NetworkError:
            return self._make(self.fallback, share, dict.fromkeys(self._weights(self.fallback, {}), NONE))

    def _weights(self, player: str, settings: Mapping[str, Value]) -> dict[str, Value]:
        """The files of weights that a player, or its settings, name."""
        _, entry = player_of(self._game, player)
        return {name: value for name, value in {**entry.set, **settings}.items() if name.endswith(WEIGHTS)}

    def _make(self, player: str, share: float, settings: Mapping[str, Value]) -> Search:
        """Build a search with the resources that it has options for."""
        config = self._config
        search = make_search(self._game, player, settings)
        values = (config.threads or default_threads(), max(8.0, share * self._trees_mb()), config.seed or 0)
        resources = dict(zip(RESOURCES, values, strict=True))
        names = [option.name for option in search.options() if is_resource(option)]
        search.configure({name: resources[name.rpartition(".")[2]] for name in names if name not in settings})
        if isinstance(search, NetworkSearch):
            if named_network(config) is not None:
                search.use(lambda size: _guide(config, size), told_outline(config))
            search.require()
        return search

    def _trees_mb(self) -> float:
        """Megabytes for both trees: what was configured, or what an outer limit left before the first was made."""
        config = self._config
        if self._room is None:
            room, threads = room_mb(), (config.threads or default_threads()) + 2
            self._room = math.inf if room is None else room - SPARE_MB - SPARE_A_THREAD * threads
        return min(config.memory - RESERVED_MB, self._room)


def _guide(config: Config, size: Size) -> Guide:
    """The network of a configuration for boards of a size, once it is loaded. Raises NetworkError."""
    loading = network_of(config, size)
    assert loading is not None
    return guide_for(config, loading.get().evaluator)
