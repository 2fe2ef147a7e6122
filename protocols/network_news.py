"""Messages of a conversation about the network that plays: which it is, or who plays instead, each sentence once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from tengen.protocols.output import OutputClosed

if TYPE_CHECKING:
    from tengen.engine.config import Config
    from tengen.engine.evaluators.background import Loading
    from tengen.engine.evaluators.outline import Size
    from tengen.engine.games.base import Game, Rules, State
    from tengen.engine.play.player import Player


class NetworkNews:
    """The messages for the user of one conversation about its network. at_once: as soon as the network is there, in its
    thread; else with the next look."""

    def __init__(self, tell: Callable[[str], None], *, at_once: bool = False) -> None:
        self._tell, self._at_once = tell, at_once
        self._lock = threading.Lock()
        self._awaited: Loading | None = None
        self._told: set[str] = set()
        self._settled: Size | None = None
        """Of the boards for which the user was told which network plays: there is no more to look for."""
        self._without: Config | None = None
        """Settings that name no network."""

    def once(self, sentence: str) -> None:
        """Tell it, unless it was told before."""
        with self._lock:
            if sentence and sentence not in self._told:
                self._told.add(sentence)
                self._tell(sentence)

    def look(self, player: Player, *, begins_game: bool) -> None:
        """Report the known facts about the player's network; at the start of a game, begin to load it."""
        if player.config is self._without:
            return
        size = player.state.width, player.state.height
        if size == self._settled:
            return
        from tengen.engine.play.networks import begun_network, named_network, network_of

        if named_network(player.config) is None:
            self._without = player.config
            return
        loading = network_of(player.config, size) if begins_game else begun_network(player.config, size)
        if loading is None:
            return
        if not loading.is_done:
            self._await(loading)
            return
        if loading.error is None:
            self._settled = size
            for sentence in loading.sentences():
                self.once(sentence)
        else:
            who = player.stand_in
            self.once(f"{loading.error}" + (f"; {who} plays" if who else ""))

    def look_outside(self, player: Player) -> None:
        """Tell what of the position the player's network was not taught, once the network is there."""
        from tengen.engine.play.networks import begun_network

        state = player.state
        loading = begun_network(player.config, (state.width, state.height))
        if loading is not None:
            self.outside(loading, player.game, state.copy(), player.rules)

    def outside(self, loading: Loading, game: Game, state: State, rules: Rules) -> None:
        """The same of any network and position."""

        def arrived() -> None:
            from tengen.engine.play.outside import outside_sentence

            with suppress(OutputClosed):
                self.once(outside_sentence(loading, game, state, rules))

        loading.future.add_done_callback(lambda future: None if future.exception() else arrived())

    def _await(self, loading: Loading) -> None:
        """Tell of a network when it is there; one that cannot be loaded is told with the next look."""
        if not self._at_once or loading is self._awaited:
            return
        self._awaited = loading

        def arrived() -> None:
            with suppress(OutputClosed):
                for sentence in loading.sentences():
                    self.once(sentence)

        loading.future.add_done_callback(lambda future: None if future.exception() else arrived())
