"""PUCT with a network: the tree is the core's (`engine/core/mcts/live.hpp`), leaves are answered in batches.

While the network works on one batch, the next is collected. A batch is never larger than a sixteenth of what the tree
knows already, so that few visits are searched one by one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, Any

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.games.base import Game
from tengen.engine.games.go_rules import GoRules
from tengen.engine.games.players import Entry
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value, choice, number, text
from tengen.engine.search import fitting
from tengen.engine.search.asking import Asker, Patience, Place
from tengen.engine.search.base import Root
from tengen.engine.search.mcts import info_of, option_of, terms_of

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from tengen.engine._core import StopToken
    from tengen.engine.evaluators.network import Evaluation
    from tengen.engine.search.guide import Guide

PREFIX = "puct."
GUMBEL = "gumbel"
LARGEST_BATCH = 64
VISITS_A_LEAF = 16
"""Visits of the root for each leaf of a batch."""
ROOT_OPTIMISM, TREE_OPTIMISM = 0.2, 1.0
"""How far to the optimistic policy, where a network has one: KataGo's defaults at the root and below."""


class PuctSearch:
    """Implements `Search` with one of KataGo's networks.

    Raises ValueError (`NetworkError`) with one sentence for a file that is none. Without a network it lists its options
    and refuses to run.
    """

    def __init__(self, game: Game, player: Entry) -> None:
        from tengen.engine._core import GoTree

        self._tree: Any = GoTree()
        self._settings: dict[str, int] = {"batch": 8, "threads": 1}
        self._path = ""
        self._load: Callable[[], Guide] | None = None
        self._guide: Guide | None = None
        self._lock = Lock()
        self._pool = ThreadPoolExecutor(Asker.IN_FLIGHT, "network")
        if player.weights is not None:
            self._read(str(player.weights))

    def options(self) -> Sequence[Option]:
        batch, threads = self._settings["batch"], self._settings["threads"]
        return [
            text(PREFIX + "network", self._path, "file of a KataGo network (.bin.gz, .txt.gz)"),
            number(PREFIX + "batch", batch, 1, LARGEST_BATCH, "positions at once, at most", is_whole=True),
            number(PREFIX + "threads", threads, 1, 256, "threads of the network", is_whole=True),
            *(_option(*facts) for facts in self._tree.options()),
        ]

    def configure(self, values: Mapping[str, Value]) -> None:
        path = self._path
        for full, value in fitting(self.options(), values).items():
            name = full.removeprefix(PREFIX)
            if name == "network":
                path = str(value)
            elif name in self._settings:
                self._settings[name] = int(value)
            elif name == "root":
                self._tree.set(GUMBEL, value == GUMBEL)
            else:
                self._tree.set(name, value)
        if path and {PREFIX + name for name in ("network", *self._settings)} & set(values):
            self._read(path)

    def use(self, load: Callable[[], Guide]) -> None:
        """Play by a network that somebody else loads: `load` may take its time, in another thread. The tree is
        forgotten."""
        with self._lock:
            self._load, self._guide = load, None
        self._tree.clear()

    def require(self) -> None:
        """Raises NetworkError without a network."""
        if self._load is None:
            raise NetworkError("this player plays with a network, and none was named: --net FILE")

    def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        self.require()
        patience = Patience(stop, time.monotonic() + (limits.seconds or math.inf))
        self._tell(root)
        self._tree.begin(root.state, list(root.earlier), *terms_of(root, limits), stop)
        try:
            guide = self._guide or patience.wait(self._pool.submit(self._ready), is_first=True)
            if guide is not None:
                self._tell(root)
                self._search(guide, root, patience)
        finally:
            self._tree.end()
        return self.info()

    def info(self, max_lines: int = 0, ownership: bool = False) -> Info:
        return info_of(self._tree.info(max_lines, ownership))

    def clear(self) -> None:
        self._tree.clear()

    def _tell(self, root: Root) -> None:
        """What the network sees beside positions, as far as it is known; the rest of a run goes by it."""
        rules = root.rules
        self._tree.tell(
            suicide_in_life=self._guide is not None and self._guide.suicide_in_life,
            has_button=isinstance(rules, GoRules) and rules.has_button and not root.has_passed,
            friendly_pass=isinstance(rules, GoRules) and rules.friendly_pass,
        )

    def _search(self, guide: Guide, root: Root, patience: Patience) -> None:
        """Until the tree is over, or nobody wants to wait."""
        import numpy as np

        def answer(place: Place, rows: int) -> Evaluation:
            optimism = np.where(place.is_root[:rows], np.float32(ROOT_OPTIMISM), np.float32(TREE_OPTIMISM))
            return guide.submit(place.planes[:rows], place.numbers[:rows], optimism=optimism).wait()

        asker = Asker(self._pool, answer, lambda: self._place(root.state.width, root.state.height))
        while True:
            count = self._collect(asker)
            if not asker.is_waiting:
                if self._tree.is_over:
                    return
            elif asker.free is None or not count:
                found = asker.wait(patience, is_first=self._tree.visits == 0)
                if found is None:
                    return
                owners = found.extras.get("ownership")
                flat = None if owners is None else owners.reshape(len(owners), -1)
                self._tree.deliver(found.policies, found.values, found.scores, flat, errors_of(found))

    def _collect(self, asker: Asker) -> int:
        """Ask about a batch, where there is room for one: how many leaves it has."""
        place = asker.free
        if place is None:
            return 0
        room = self._room()
        count = int(self._tree.collect(place.planes[:room], place.numbers[:room], place.is_root[:room]))
        if count:
            asker.ask(count)
        return count

    def _room(self) -> int:
        """Leaves for the next batch."""
        most = max(1, self._tree.visits // VISITS_A_LEAF)
        return max(size for size in self._buckets() if size <= most)

    def _buckets(self) -> list[int]:
        """Sizes of batches that the network is prepared for: powers of two and the largest."""
        batch = self._settings["batch"]
        return sorted({*(1 << n for n in range(batch.bit_length())), batch})

    def _place(self, width: int, height: int) -> Place:
        import numpy as np

        features, rows = self._tree.features, self._settings["batch"]
        planes = np.empty((rows, len(features.planes), height, width), np.float32)
        return Place(planes, np.empty((rows, len(features.globals)), np.float32), np.zeros(rows, np.bool_))

    def _ready(self) -> Guide:
        """The network ready to run. Raises NetworkError."""
        with self._lock:
            if self._guide is None:
                assert self._load is not None
                self._guide = self._load()
            return self._guide

    def _read(self, path: str) -> None:
        """Take the network of a file. Raises NetworkError."""
        from tengen.engine.search.guide import loader

        self.use(loader(path, self._settings["threads"], self._buckets()))
        self._path = path


def _option(name: str, value: float, low: float, high: float, doc: str, kind: str) -> Option:
    if name == GUMBEL:
        chosen = GUMBEL if value else "puct"
        return choice(PREFIX + "root", chosen, ("puct", GUMBEL), "how moves of the root are chosen")
    return option_of(PREFIX, name, value, low, high, doc, kind)


def errors_of(found: Evaluation) -> NDArray[float32] | None:
    """How far value and score may be off, a row each, where the network says so."""
    value, score = (found.extras.get(f"shortterm_{name}_error") for name in ("value", "score"))
    if value is None or score is None:
        return None
    import numpy as np

    return np.stack([value, score], 1)
