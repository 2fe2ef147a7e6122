"""The network that a configuration names, loaded once a process and by nobody before it is asked for."""

from __future__ import annotations

import atexit
import threading
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from tengen.engine.config import Config, default_threads
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.search.guide import NetworkSearch
from tengen.engine.sentence import excerpt

if TYPE_CHECKING:
    from collections.abc import Callable

    from tengen.engine.evaluators.katago.loading import Loaded, Wish
    from tengen.engine.games.base import Game
    from tengen.engine.search.base import Search
    from tengen.engine.search.guide import Guide

GAME = "go"
NONE, AUTO = "none", "auto"
NOT_FOUND = "no KataGo network was found on this machine; 'tengen net list' says where tengen looks"

BUCKETS = (1, 2, 4, 8, 16, 32, 64)
"""Batch sizes of searches; each is compiled when it first comes. All boards of a game fill their planes."""


class Chosen(NamedTuple):
    """The file of a network, and how it was come to."""

    path: Path
    reason: str


def chosen_network(config: Config) -> Chosen | None:
    """The file that the configuration names or `auto` finds; None for none. It is not opened."""
    if config.game != GAME or config.net.lower() == NONE:
        return None
    if config.net.lower() != AUTO:
        return Chosen(Path(config.net).expanduser(), "named")
    from tengen.engine.evaluators.katago.finding import choose, find_networks

    found = choose(find_networks())
    return Chosen(found.path, f"found in {found.owner}'s folder") if found else None


def check_named(config: Config) -> None:
    """Look at the beginning of a network that is named. Raises NetworkError with one sentence when it cannot be read or
    is none; what is wrong further behind is seen when it is loaded. So is a device that is not there."""
    if config.device != Config.device and config.net.lower() != NONE:
        from tengen.engine.evaluators.backends import backend_for

        backend_for(config.device)
    if config.net.lower() == AUTO:
        return
    chosen = chosen_network(config)
    if chosen is not None:
        from tengen.engine.evaluators.katago.model import glance

        glance(chosen.path)


def player_for(game: Game, config: Config) -> str | None:
    """Who plays: as configured; else, where a network was named or found, the first player that needs one."""
    if config.player is not None or chosen_network(config) is None:
        return config.player
    return next((name for name, entry in game.players.items() if entry.needs_network), None)


def give_network(search: Search, config: Config) -> None:
    """Let a search that plays with a network have that of the configuration, loaded when it is first needed."""
    if isinstance(search, NetworkSearch) and chosen_network(config) is not None:
        search.use(lambda: _guide(config))


def load_ahead(config: Config) -> None:
    """Begin to load the network of the configuration, if there is one; what is wrong is told when it is needed."""
    with suppress(NetworkError):
        network_of(config)


def _guide(config: Config) -> Guide:
    loading = network_of(config)
    assert loading is not None
    return loading.get().evaluator


class Unwanted(Exception):
    """The process ends while the network loads."""


class Loading:
    """A network on its way: a thread loads it, whoever needs it waits.

    load: gets what to ask between its steps. A process must not end while a back end compiles in a thread of its own
    (it would be ended by a signal), so that its end waits for the step.
    """

    def __init__(self, chosen: Chosen, load: Callable[[Callable[[], None]], Loaded]) -> None:
        self.chosen = chosen
        self._load = load
        self._loaded: Loaded | None = None
        self._error: Exception | None = None
        self._is_wanted = True
        self._thread = threading.Thread(target=self._run, name="network", daemon=True)
        self._thread.start()
        atexit.register(self.cancel)

    @property
    def is_done(self) -> bool:
        return not self._thread.is_alive()

    @property
    def has_failed(self) -> bool:
        return self.is_done and self._error is not None

    def get(self) -> Loaded:
        """The network, when it is there. Raises NetworkError, or what else went wrong."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._loaded is not None
        return self._loaded

    def sentences(self) -> list[str]:
        """What to tell the user of it: which it is, and what was wrong. Waits and raises as `get`."""
        loaded, name = self.get(), excerpt(self.chosen.path.name, 100)
        told = f"the network {name} ({loaded.evaluator.header.name}), {self.chosen.reason}, in {loaded.precision}"
        return [told, *filter(None, [loaded.notice])]

    def cancel(self) -> None:
        """Nobody wants it any more: returns once nothing is under way."""
        self._is_wanted = False
        self._thread.join()

    def _go_on(self) -> None:
        if not self._is_wanted:
            raise Unwanted

    def _run(self) -> None:
        try:
            self._loaded = self._load(self._go_on)
        except Exception as error:
            self._error = error


_kept: dict[tuple[Path, str, str, int | None], Loading] = {}
_lock = threading.Lock()


def network_of(config: Config) -> Loading | None:
    """The network of the configuration, loading from now on if it was not yet; None where there is none.

    All who play by it share it. One that could not be loaded is tried again. Raises NetworkError, with a hint, when
    `auto` finds none.
    """
    chosen = chosen_network(config)
    if chosen is None:
        if config.game == GAME and config.net.lower() == AUTO:
            raise NetworkError(NOT_FOUND)
        return None
    key = _key(chosen, config)
    with _lock:
        kept = _kept.get(key)
        if kept is None or kept.has_failed:
            kept = _kept[key] = Loading(chosen, partial(_load, chosen.path, config))
        return kept


def loaded_network(config: Config) -> Loading | None:
    """The network of the configuration, if it is there already; nothing is begun."""
    chosen = chosen_network(config) if any(loading.is_done for loading in _kept.values()) else None
    kept = None if chosen is None else _kept.get(_key(chosen, config))
    return kept if kept is not None and kept.is_done and not kept.has_failed else None


def _key(chosen: Chosen, config: Config) -> tuple[Path, str, str, int | None]:
    return chosen.path.absolute(), config.precision, config.device, config.threads


def _load(path: Path, config: Config, go_on: Callable[[], None]) -> Loaded:
    from tengen.engine.evaluators.backends import backend_for
    from tengen.engine.evaluators.katago.loading import load_for_play

    return load_for_play(
        path,
        wish=cast("Wish", config.precision),
        backend=backend_for(config.device),
        threads=config.threads or default_threads(),
        buckets=BUCKETS,
        is_masked=False,
        go_on=go_on,
    )
