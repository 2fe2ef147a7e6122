"""The source of a search's network, and whether it is ready: from a file, or from whoever loads one for it."""

from __future__ import annotations

import time
from threading import Lock
from typing import TYPE_CHECKING, cast

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.background import loading_of
from tengen.engine.evaluators.outline import Outline, Size, outline_of
from tengen.engine.evaluators.under_way import begun
from tengen.engine.games.base import Game, State
from tengen.engine.games.naming import name_of
from tengen.engine.games.players import Entry
from tengen.engine.search.batching import Place, new_place
from tengen.engine.search.guide import Guide, Loader
from tengen.engine.search.katago_facts import new_tree

if TYPE_CHECKING:
    from concurrent.futures import Future

    from tengen.engine.evaluators.katago.loading import Wish

TRIALS, TRIAL_SECONDS = 3, 0.2
"""Further answers by which a network's speed is told, and within how many seconds."""


class Source:
    """The network of one search. Any thread may call it."""

    def __init__(self, game: Game, player: Entry) -> None:
        self._game, self._player = game, player
        self._outline = Outline()
        self._load: Loader | None = None
        self._guides: dict[Size, Guide] = {}
        self._lock = Lock()
        self._prepared: dict[Size, Future[float]] = {}
        self._prepared_lock = Lock()

    def use(self, load: Loader, outline: Outline) -> None:
        """Use another loader's network; its `load` gets the size of the board and may take its time. Raises
        NetworkError for one that does not fit the player."""
        outline.check_player(self._game.name, name_of(self._game, self._player), self._player.features)
        with self._prepared_lock:
            self._load, self._guides, self._outline = load, {}, outline
            self._prepared.clear()

    def read(self, path: str, precision: str, threads: int) -> None:
        """Have it from a file, of which the beginning is looked at here. Raises NetworkError with one sentence."""
        wish = cast("Wish", precision)
        self.use(lambda _size: loading_of(path, wish=wish, threads=threads).get().evaluator, outline_of(path))

    def require(self) -> None:
        """Raises NetworkError without a network."""
        if self._load is None:
            raise NetworkError("this player plays with a network, and none was named: --net FILE")

    @property
    def features(self) -> str:
        """The name of what the network sees."""
        return self._outline.features

    @property
    def has_owners(self) -> bool:
        """Whether the network says who owns the points of a board."""
        return self._outline.has_owners

    def guide(self, size: Size) -> Guide | None:
        """The network for boards of a size, where it is there already."""
        return self._guides.get(size)

    def get(self, size: Size) -> Guide:
        """The same as soon as it is there. Raises what loading it raises, and tries again the next time."""
        with self._lock:
            load, guides = self._load, self._guides
            assert load is not None
            if size not in guides:
                guides[size] = load(size)
            return guides[size]

    def prepare(self, state: State) -> Future[float]:
        """See `NetworkSearch.prepare`."""
        self.require()
        size = state.width, state.height
        with self._prepared_lock:
            if size not in self._prepared:
                copy = state.copy()
                self._prepared[size] = begun(lambda: self._tried(copy), "network")
            return self._prepared[size]

    def forget_failures(self) -> None:
        """Try again what could not be prepared."""
        with self._prepared_lock:
            for size, future in list(self._prepared.items()):
                if future.done() and future.exception() is not None:
                    del self._prepared[size]

    def _tried(self, state: State) -> float:
        """The seconds of an answer about a position, the least of some."""
        self._outline.check_board(state.width, state.height)
        guide = self.get((state.width, state.height))
        place = encoded(self._game, self.features, state)

        def asked() -> float:
            begin = time.monotonic()
            place.asked(guide).wait()
            return time.monotonic() - begin

        asked()  # may be compiled first
        least, started = asked(), time.monotonic()
        for _ in range(TRIALS):
            if time.monotonic() - started + least < TRIAL_SECONDS:
                least = min(least, asked())
        return least


def encoded(game: Game, features: str, state: State) -> Place:
    """A batch of one position without a past."""
    tree = new_tree(game.name, features)
    tree.set("memory_mb", 1)
    place = new_place(tree.features, state.height, state.width, 1)
    tree.begin(state, visits=1)
    tree.collect(*place)
    tree.end()
    return place
