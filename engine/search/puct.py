"""PUCT with a network: the tree is the core's (`engine/core/mcts/live.hpp`), leaves are answered in batches.

While the network works on one batch, the next is collected. A batch is never larger than a sixteenth of what the tree
knows already, so that few visits are searched one by one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.games.base import Game
from tengen.engine.games.players import Entry
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value, number, text
from tengen.engine.search import fitting
from tengen.engine.search.asking import Asker, Place
from tengen.engine.search.base import Root
from tengen.engine.search.mcts import info_of, option_of

if TYPE_CHECKING:
    from tengen.engine._core import StopToken
    from tengen.engine.evaluators.katago.model import Model
    from tengen.engine.evaluators.katago.network import KataGoNetwork
    from tengen.engine.evaluators.network import Evaluation

PREFIX = "puct."
LARGEST_BATCH = 64
VISITS_A_LEAF = 16
"""Visits of the root for each leaf of a batch."""


class PuctSearch:
    """Implements `Search` with one of KataGo's networks.

    Raises ValueError (`NetworkError`) with one sentence for a file that is none. Without a file it lists its options
    and refuses to run.
    """

    def __init__(self, game: Game, player: Entry) -> None:
        from tengen.engine._core import GoTree

        self._tree: Any = GoTree()
        self._batch, self._threads = 8, 1
        self._path = ""
        self._model: Model | None = None
        self._evaluator: KataGoNetwork | None = None
        self._lock = Lock()
        self._pool = ThreadPoolExecutor(Asker.IN_FLIGHT, "network")
        if player.weights is not None:
            self._read(str(player.weights))

    def options(self) -> Sequence[Option]:
        return [
            text(PREFIX + "network", self._path, "file of a KataGo network (.bin.gz, .txt.gz)"),
            number(PREFIX + "batch", self._batch, 1, LARGEST_BATCH, "positions at once, at most", is_whole=True),
            number(PREFIX + "threads", self._threads, 1, 256, "threads of the network", is_whole=True),
            *(option_of(PREFIX, *facts) for facts in self._tree.options()),
        ]

    def configure(self, values: Mapping[str, Value]) -> None:
        for full, value in fitting(self.options(), values).items():
            name = full.removeprefix(PREFIX)
            if name == "network":
                self._read(str(value))
            elif name == "batch":
                self._batch = int(value)
                self._drop_evaluator()
            elif name == "threads":
                self._threads = int(value)
                self._drop_evaluator()
            else:
                self._tree.set(name, value)

    def require(self) -> None:
        """Raises NetworkError without a network."""
        if self._model is None:
            raise NetworkError(f"this player plays with a network, and none was named: --set {PREFIX}network=FILE")

    def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        self.require()
        deadline = time.monotonic() + (limits.seconds or math.inf)
        self._tree.begin(
            root.state,
            list(root.earlier),
            list(root.seen),
            list(root.recent),
            list(root.allow),
            list(root.avoid),
            root.komi_shift,
            limits.seconds or 0.0,
            limits.playouts or 0,
            limits.visits or 0,
            limits.depth or 0,
            limits.early_stop,
            stop,
        )
        try:
            self._search(root.state.width, root.state.height, deadline, stop)
        finally:
            self._tree.end()
        return self.info()

    def info(self, max_lines: int = 0, ownership: bool = False) -> Info:
        return info_of(self._tree.info(max_lines, ownership))

    def clear(self) -> None:
        self._tree.clear()

    def _search(self, width: int, height: int, deadline: float, stop: StopToken) -> None:
        """Until the tree is over, or nobody wants to wait."""
        asker = Asker(self._pool, self._answer, lambda: self._place(width, height))
        while True:
            place, count = asker.free, 0
            if place is not None:
                room = self._room()
                count = self._tree.collect(place.planes[:room], place.numbers[:room])
                if count:
                    asker.ask(count)
            if not asker.is_waiting:
                if self._tree.is_over:
                    return
            elif asker.free is None or not count:
                answer = asker.wait(stop, deadline, is_first=self._tree.visits == 0)
                if answer is None:
                    return
                owners = answer.extras.get("ownership")
                flat = None if owners is None else owners.reshape(len(owners), -1)
                self._tree.deliver(answer.policies, answer.values, answer.scores, flat)

    def _room(self) -> int:
        """Leaves for the next batch: a power of two, which the network is prepared for."""
        most = max(1, min(self._batch, self._tree.visits // VISITS_A_LEAF))
        return int(most) if most == self._batch else 1 << (int(most).bit_length() - 1)

    def _place(self, width: int, height: int) -> Place:
        import numpy as np

        features = self._tree.features
        planes = np.empty((self._batch, len(features.planes), height, width), np.float32)
        return Place(planes, np.empty((self._batch, len(features.globals)), np.float32))

    def _answer(self, place: Place, rows: int) -> Evaluation:
        """What the network says, which is made ready for the first batch."""
        with self._lock:
            if self._evaluator is None:
                self._evaluator = self._ready()
            evaluator = self._evaluator
        return evaluator.submit(place.planes[:rows], place.numbers[:rows]).wait()

    def _ready(self) -> KataGoNetwork:
        """The network ready to run. Raises NetworkError."""
        from tengen.engine.evaluators.backends import make_backend
        from tengen.engine.evaluators.katago.network import KataGoNetwork
        from tengen.engine.evaluators.katago.source import KataGoSource

        assert self._model is not None
        buckets = sorted({*(1 << n for n in range(self._batch.bit_length())), self._batch})
        source = KataGoSource(self._model, is_masked=False)
        backend = make_backend()(source, Path(self._path).name, threads=self._threads, precision="f32", buckets=buckets)
        return KataGoNetwork(self._model.header, backend)

    def _read(self, path: str) -> None:
        """Take the network of a file. Raises NetworkError."""
        from tengen.engine.evaluators.katago.model import read_model

        model = read_model(path)
        self._drop_evaluator()
        self._path, self._model = path, model
        self._tree.tell(suicide_in_life=model.header.has_suicide_life)
        self._tree.clear()

    def _drop_evaluator(self) -> None:
        """The settings of the network have changed."""
        with self._lock:
            old, self._evaluator = self._evaluator, None
        if old is not None:
            old.close()
