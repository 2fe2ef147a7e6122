"""Common parts of the searches that play by a network: its file or its loader, when it is ready, and the tree that
encodes.

The tree is the core's (`engine/core/mcts/live.hpp`); it knows which moves may be played and what a network is shown.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from tengen.engine.config import PRECISIONS
from tengen.engine.evaluators.outline import Outline
from tengen.engine.evaluators.under_way import begun
from tengen.engine.games.base import Game, State
from tengen.engine.games.hooks import hooks_of
from tengen.engine.games.players import Entry
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value, choice, number, text
from tengen.engine.search import fitting
from tengen.engine.search.base import Root
from tengen.engine.search.batching import Asker, Patience, Place, new_place
from tengen.engine.search.katago_facts import new_tree, tell
from tengen.engine.search.native import info_of, terms_of
from tengen.engine.search.network_source import Source

if TYPE_CHECKING:
    from tengen.engine._core import StopToken
    from tengen.engine.search.guide import Guide, Loader


class GuidedSearch:
    """The part of `Search` and `NetworkSearch` that does not depend on the kind of search.

    A subclass has `prefix`, its options in `_own_options` and `_set`, and `_look`.
    Without a network it lists its options and refuses to run.
    """

    prefix = ""
    only_looks = False

    def __init__(self, game: Game, player: Entry) -> None:
        """Raises NetworkError for a file of the player's that is no network."""
        self._game = game
        self.tree: Any = new_tree(game.name)
        """The core's tree, for who steps many of them (`tools/match/own/together.py`)."""
        self._trees = [self.tree]  # all that encode
        self._threads = 1
        self._path, self._precision = "", "auto"
        self._source = Source(game, player)
        self._pool = ThreadPoolExecutor(Asker.IN_FLIGHT, "network")
        if player.weights is not None:
            self._read(str(player.weights))

    def options(self) -> Sequence[Option]:
        return [
            text(self.prefix + "network", self._path, "file of a network (.bin.gz, .txt.gz, .onnx)"),
            choice(self.prefix + "precision", self._precision, PRECISIONS, "what that network computes in"),
            number(self.prefix + "threads", self._threads, 1, 256, "threads of the network", is_whole=True),
            *self._own_options(),
        ]

    def configure(self, values: Mapping[str, Value]) -> None:
        """See `Search.configure`. Raises NetworkError with one sentence for a file that is no network."""
        path = self._path
        found = {full.removeprefix(self.prefix): value for full, value in fitting(self.options(), values).items()}
        for name, value in found.items():
            if name == "network":
                path = str(value)
            elif name == "precision":
                self._precision = str(value)
            elif name == "threads":
                self._threads = int(value)
            else:
                self._set(name, value)
        if path and {"network", "precision", "threads"} & set(found):
            self._read(path)

    @property
    def has_owners(self) -> bool:
        """See `NetworkSearch.has_owners`."""
        return self._source.has_owners

    def use(self, load: Loader, outline: Outline = Outline()) -> None:  # noqa: B008  it is frozen
        """See `NetworkSearch.use`. The tree is forgotten."""
        self._source.use(load, outline)
        self._see()

    def require(self) -> None:
        """Raises NetworkError without a network."""
        self._source.require()

    def prepare(self, state: State) -> Future[float]:
        """See `NetworkSearch.prepare`."""
        return self._source.prepare(state)

    def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        self.require()
        patience = Patience(stop, time.monotonic() + (limits.seconds or math.inf))
        size = root.state.width, root.state.height
        self._tell(root, self._source.guide(size))
        for player, plies in enumerate(root.held_back):
            self.tree.hold_back(player, list(plies))
        self.tree.begin(root.state, list(root.earlier), *terms_of(root, self._bounds(limits)), stop)
        try:
            guide = self._source.guide(size)
            if guide is None:
                guide = patience.wait(begun(lambda: self._source.get(size), "network"), is_first=True)
            if guide is not None:
                self._tell(root, guide)
                self._look(guide, root, limits, patience)
        finally:
            self.tree.end()
        return self.info()

    def info(self, max_lines: int = 0, ownership: bool = False) -> Info:
        info = info_of(self.tree.info(max_lines, ownership and self.has_owners))
        hooks = hooks_of(self._game)
        if (score := hooks.score_of(info.expected)) is None:
            return info
        lines = [line._replace(score=hooks.score_of(line.expected) or 0.0) for line in info.lines]
        return info._replace(lines=tuple(lines), score=score)

    def clear(self) -> None:
        for tree in self._trees:
            tree.clear()
        self._source.forget_failures()

    def _tell(self, root: Root, guide: Guide | None) -> None:
        """What the network sees beside positions, as far as it is known; the rest of a run goes by it."""
        for tree in self._trees:
            tell(tree, root, guide)

    def _see(self) -> None:
        """Encode for the network that was named."""
        for tree in self._trees:
            tree.see_by(self._source.features)
        self.clear()

    def _own_options(self) -> Sequence[Option]:
        """The options besides the network and its threads."""
        raise NotImplementedError

    def _set(self, name: str, value: Value) -> None:
        """Set one of `_own_options` by its name without the prefix."""
        raise NotImplementedError

    def _bounds(self, limits: Limits) -> Limits:
        """What bounds the tree of a run."""
        return limits

    def _look(self, guide: Guide, root: Root, limits: Limits, patience: Patience) -> None:
        """Search, until the tree is over or nobody wants to wait."""
        raise NotImplementedError

    def _place(self, width: int, height: int, rows: int) -> Place:
        """Room for a batch."""
        return new_place(self.tree.features, height, width, rows)

    def _read(self, path: str) -> None:
        """Take the network of a file. Raises NetworkError."""
        self._source.read(path, self._precision, self._threads)
        self._see()
        self._path = path
