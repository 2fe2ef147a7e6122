"""PUCT with a network: the tree is the core's (`engine/core/mcts/live.hpp`), leaves are answered in batches.

While the network works on one batch, the next is collected. A batch is never larger than a share of what the tree knows
already (`puct.visits_a_leaf`), so that few visits are searched one by one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from tengen.engine.config import PRECISIONS
from tengen.engine.evaluators.katago.background import begun
from tengen.engine.evaluators.katago.evaluator import ROOT_OPTIMISM, TREE_OPTIMISM
from tengen.engine.games.base import Game, State
from tengen.engine.games.players import Entry
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value, choice, number, text
from tengen.engine.search import fitting
from tengen.engine.search.asking import Asker, Patience, Place
from tengen.engine.search.base import Root
from tengen.engine.search.mcts import info_of, option_of, terms_of
from tengen.engine.search.source import Source

if TYPE_CHECKING:
    from tengen.engine._core import StopToken
    from tengen.engine.evaluators.network import Evaluation
    from tengen.engine.search.guide import Guide

PREFIX = "puct."
LARGEST_BATCH = 64


class PuctSearch:
    """Implements `Search` with one of KataGo's networks.

    Raises ValueError (`NetworkError`) with one sentence for a file that is none. Without a network it lists its options
    and refuses to run.
    """

    def __init__(self, game: Game, player: Entry) -> None:
        from tengen.engine._core import GoTree

        self.tree: Any = GoTree()
        """The core's tree, for who steps many of them (`tools/match/own/together.py`)."""
        self._settings: dict[str, int] = {"batch": 8, "visits_a_leaf": 16, "in_flight": Asker.IN_FLIGHT, "threads": 1}
        self._path, self._precision = "", "auto"
        self._source = Source()
        self._pool = ThreadPoolExecutor(Asker.IN_FLIGHT, "network")
        if player.weights is not None:
            self._read(str(player.weights))

    def options(self) -> Sequence[Option]:
        now = self._settings
        return [
            text(PREFIX + "network", self._path, "file of a KataGo network (.bin.gz, .txt.gz)"),
            choice(PREFIX + "precision", self._precision, PRECISIONS, "what that network computes in"),
            number(PREFIX + "batch", now["batch"], 1, LARGEST_BATCH, "positions at once, at most", is_whole=True),
            number(
                PREFIX + "visits_a_leaf", now["visits_a_leaf"], 0, 10**6,
                "visits for each position of a batch: fewer are searched in smaller batches", is_whole=True,
            ),
            number(
                PREFIX + "in_flight", now["in_flight"], 1, Asker.IN_FLIGHT,
                "batches on their way: one is collected while the network works on the other", is_whole=True,
            ),
            number(PREFIX + "threads", now["threads"], 1, 256, "threads of the network", is_whole=True),
            *(option_of(PREFIX, *facts) for facts in self.tree.options()),
        ]

    def configure(self, values: Mapping[str, Value]) -> None:
        path = self._path
        for full, value in fitting(self.options(), values).items():
            name = full.removeprefix(PREFIX)
            if name == "network":
                path = str(value)
            elif name == "precision":
                self._precision = str(value)
            elif name in self._settings:
                self._settings[name] = int(value)
            else:
                self.tree.set(name, value)
        if path and {PREFIX + name for name in ("network", "precision", "threads")} & set(values):
            self._read(path)

    def use(self, load: Callable[[], Guide]) -> None:
        """Play by a network that somebody else loads: `load` may take its time, in another thread. The tree is
        forgotten."""
        self._source.use(load)
        self.tree.clear()

    def require(self) -> None:
        """Raises NetworkError without a network."""
        self._source.require()

    def prepare(self, state: State) -> Future[float]:
        """See `NetworkSearch.prepare`."""
        return self._source.prepare(state)

    def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        self.require()
        patience = Patience(stop, time.monotonic() + (limits.seconds or math.inf))
        self.tree.begin(root.state, list(root.earlier), *terms_of(root, limits), stop)
        try:
            guide = self._source.guide or patience.wait(begun(self._source.get, "network"), is_first=True)
            if guide is not None:
                self.tree.tell(suicide_in_life=guide.suicide_in_life)
                self._search(guide, root, patience)
        finally:
            self.tree.end()
        return self.info()

    def info(self, max_lines: int = 0, ownership: bool = False) -> Info:
        return info_of(self.tree.info(max_lines, ownership))

    def clear(self) -> None:
        self.tree.clear()
        self._source.forget_failures()

    def _search(self, guide: Guide, root: Root, patience: Patience) -> None:
        """Until the tree is over, or nobody wants to wait."""

        def answer(place: Place, rows: int) -> Evaluation:
            optimism = ROOT_OPTIMISM if self.tree.visits == 0 else TREE_OPTIMISM  # the root is asked about alone
            return guide.submit(place.planes[:rows], place.numbers[:rows], optimism=optimism).wait()

        asker = Asker(
            self._pool, answer, lambda: self._place(root.state.width, root.state.height), self.in_flight
        )
        while True:
            count = self._collect(asker)
            if not asker.is_waiting:
                if self.tree.is_over:
                    return
            elif asker.free is None or not count:
                found = asker.wait(patience, is_first=self.tree.visits == 0)
                if found is None:
                    return
                owners = found.extras.get("ownership")
                flat = None if owners is None else owners.reshape(len(owners), -1)
                self.tree.deliver(found.policies, found.values, found.scores, flat)

    def _collect(self, asker: Asker) -> int:
        """Ask about a batch, where there is room for one: how many leaves it has."""
        place = asker.free
        if place is None:
            return 0
        room = self.room()
        count = int(self.tree.collect(place.planes[:room], place.numbers[:room]))
        if count:
            asker.ask(count)
        return count

    @property
    def in_flight(self) -> int:
        """How many batches may be on their way."""
        return self._settings["in_flight"]

    def room(self) -> int:
        """Leaves for the next batch."""
        share = self._settings["visits_a_leaf"]
        most = max(1, self.tree.visits // share) if share else LARGEST_BATCH
        return max(size for size in self._buckets() if size <= most)

    def _buckets(self) -> list[int]:
        """Sizes of batches that the network is prepared for: powers of two and the largest."""
        batch = self._settings["batch"]
        return sorted({*(1 << n for n in range(batch.bit_length())), batch})

    def _place(self, width: int, height: int) -> Place:
        import numpy as np

        features, rows = self.tree.features, self._settings["batch"]
        planes = np.empty((rows, len(features.planes), height, width), np.float32)
        return Place(planes, np.empty((rows, len(features.globals)), np.float32))

    def _read(self, path: str) -> None:
        """Take the network of a file. Raises NetworkError."""
        self._source.read(path, self._precision, self._settings["threads"])
        self.tree.clear()
        self._path = path
