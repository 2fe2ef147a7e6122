"""What the searches that play by a network share: its file or its loader, when it is ready, and the tree that encodes.

The tree is the core's (`engine/core/mcts/live.hpp`); it knows which moves may be played and what a network is shown.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, Any

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.games.players import Entry
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value, number, text
from tengen.engine.search import fitting
from tengen.engine.search.asking import Asker, Patience, Place
from tengen.engine.search.base import Root
from tengen.engine.search.mcts import info_of, terms_of

if TYPE_CHECKING:
    from tengen.engine._core import StopToken
    from tengen.engine.search.guide import Guide

ROOT_OPTIMISM, TREE_OPTIMISM = 0.2, 1.0
"""How far to the optimistic policy, where a network has one: KataGo's defaults at the root and below."""


class GuidedSearch:
    """The part of `Search` and `NetworkSearch` that does not depend on what is looked at.

    A subclass has `prefix`, its options in `_own_options` and `_set`, the batches it asks in `_buckets`, and `_look`.
    Without a network it lists its options and refuses to run.
    """

    prefix = ""

    def __init__(self, player: Entry) -> None:
        """Raises NetworkError for a file of the player's that is no network."""
        from tengen.engine._core import GoTree

        self._tree: Any = GoTree()
        self._trees = [self._tree]  # all that encode
        self._threads = 1
        self._path = ""
        self._load: Callable[[], Guide] | None = None
        self._guide: Guide | None = None
        self._lock = Lock()
        self._pool = ThreadPoolExecutor(Asker.IN_FLIGHT, "network")
        if player.weights is not None:
            self._read(str(player.weights))

    def options(self) -> Sequence[Option]:
        return [
            text(self.prefix + "network", self._path, "file of a KataGo network (.bin.gz, .txt.gz)"),
            number(self.prefix + "threads", self._threads, 1, 256, "threads of the network", is_whole=True),
            *self._own_options(),
        ]

    def configure(self, values: Mapping[str, Value]) -> None:
        """See `Search.configure`. Raises NetworkError with one sentence for a file that is no network."""
        path, buckets = self._path, self._buckets()
        found = {full.removeprefix(self.prefix): value for full, value in fitting(self.options(), values).items()}
        for name, value in found.items():
            if name == "network":
                path = str(value)
            elif name == "threads":
                self._threads = int(value)
            else:
                self._set(name, value)
        if path and ({"network", "threads"} & set(found) or buckets != self._buckets()):
            self._read(path)

    def use(self, load: Callable[[], Guide]) -> None:
        """Play by a network that somebody else loads: `load` may take its time, in another thread. The tree is
        forgotten."""
        with self._lock:
            self._load, self._guide = load, None
        self.clear()

    def require(self) -> None:
        """Raises NetworkError without a network."""
        if self._load is None:
            raise NetworkError("this player plays with a network, and none was named: --net FILE")

    def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        self.require()
        patience = Patience(stop, time.monotonic() + (limits.seconds or math.inf))
        self._tree.begin(root.state, list(root.earlier), *terms_of(root, self._bounds(limits)), stop)
        try:
            guide = self._guide or patience.wait(self._pool.submit(self._ready), is_first=True)
            if guide is not None:
                self._look(guide, root, limits, patience)
        finally:
            self._tree.end()
        return self.info()

    def info(self, max_lines: int = 0, ownership: bool = False) -> Info:
        return info_of(self._tree.info(max_lines, ownership))

    def clear(self) -> None:
        for tree in self._trees:
            tree.clear()

    def _own_options(self) -> Sequence[Option]:
        """The options besides the network and its threads."""
        raise NotImplementedError

    def _set(self, name: str, value: Value) -> None:
        """Set one of `_own_options` by its name without the prefix."""
        raise NotImplementedError

    def _buckets(self) -> list[int]:
        """Sizes of batches that the network is prepared for."""
        raise NotImplementedError

    def _bounds(self, limits: Limits) -> Limits:
        """What bounds the tree of a run."""
        return limits

    def _look(self, guide: Guide, root: Root, limits: Limits, patience: Patience) -> None:
        """Search, until the tree is over or nobody wants to wait."""
        raise NotImplementedError

    def _place(self, width: int, height: int, rows: int) -> Place:
        """Room for a batch."""
        import numpy as np

        features = self._tree.features
        planes = np.empty((rows, len(features.planes), height, width), np.float32)
        return Place(planes, np.empty((rows, len(features.globals)), np.float32))

    def _ready(self) -> Guide:
        """The network ready to run. Raises NetworkError."""
        with self._lock:
            if self._guide is None:
                assert self._load is not None
                self._guide = self._load()
                for tree in self._trees:
                    tree.tell(suicide_in_life=self._guide.suicide_in_life)
            return self._guide

    def _read(self, path: str) -> None:
        """Take the network of a file. Raises NetworkError."""
        from tengen.engine.search.guide import loader

        self.use(loader(path, self._threads, self._buckets()))
        self._path = path
