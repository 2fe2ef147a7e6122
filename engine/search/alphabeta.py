"""Alpha-beta search of the core behind the Search contract. It counts nodes where a tree search counts playouts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.engine.evaluators import shipped
from tengen.engine.games.base import Game
from tengen.engine.games.parts import load
from tengen.engine.games.players import Entry
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value, text
from tengen.engine.search import fitting, native
from tengen.engine.search.base import Root

if TYPE_CHECKING:
    from tengen.engine._core import StopToken

AUTO, NONE = "auto", "none"
"""Values of `alphabeta.weights`: the file that tengen ships, and to evaluate by what needs none."""


def weights_file(game: Game, weights: str) -> Path | None:
    """The file that a value of `alphabeta.weights` stands for; None: none."""
    if weights.lower() in ("", NONE) or game.parts.weights is None:
        return None
    return shipped.path_of(game.parts.weights.shipped) if weights.lower() == AUTO else Path(weights)


class AlphaBetaSearch(native.NativeSearch):
    """Implements `Search`: principal variations, deepened ply by ply. The option `alphabeta.weights` names a file of
    weights, or AUTO; the evaluator of the game's `Parts.weights` then plays by it. `alphabeta.syzygy` names folders of
    endgame tables, where the game has `Parts.tablebases`. It searches `alphabeta.lines` best moves, or as many as the
    limits of a run name where these are more."""

    kind, prefix, part, usual = "alpha-beta search", "alphabeta.", "alphabeta", "mobility"

    def __init__(self, game: Game, player: Entry) -> None:
        super().__init__(game, player)
        self._game, self._without, self._weights = game, player.evaluator or self.usual, NONE
        self._tablebases = ""
        self._lines = self._set_lines = 1
        """As the core has them; as they were set."""

    def options(self) -> Sequence[Option]:
        name = self.prefix + "lines"
        own = [one._replace(default=self._set_lines) if one.name == name else one for one in super().options()]
        if self._game.parts.weights is not None:
            doc = f"file of weights to evaluate by; {AUTO}: tengen's own, {NONE}: do without"
            own.append(text(self.prefix + "weights", self._weights, doc))
        if self._game.parts.tablebases:
            doc = "folders of Syzygy's endgame tables, several as in PATH, that the search asks; nothing: none"
            own.append(text(self.prefix + "syzygy", self._tablebases, doc))
        return own

    def configure(self, values: Mapping[str, Value]) -> None:
        """See `Search.configure`. Raises NetworkError with one sentence for a file that is not for this, ValueError for
        endgame tables that are not there, ImportError without what reads them."""
        found = fitting(self.options(), values)
        self._search_lines(self._set_lines)
        weights = str(found.pop(self.prefix + "weights", self._weights)) or NONE
        tablebases = str(found.pop(self.prefix + "syzygy", self._tablebases))
        asked = self._opened(tablebases)
        if weights != self._weights:
            kept = {option.name: option.default for option in super().options() if option.default is not None}
            self._native, self._weights = self._made(weights), weights
            found = {**kept, **found}
            if tablebases:
                self._native.use_tablebases(asked)
        elif tablebases != self._tablebases:
            self._native.use_tablebases(asked)
        self._tablebases = tablebases
        for full, value in found.items():
            self._native.set(full.removeprefix(self.prefix), value)
        self._lines = self._set_lines = int(found.get(self.prefix + "lines", self._set_lines))

    def _opened(self, folders: str) -> Any:
        """Endgame tables as the core asks them; None: there are none to ask."""
        return load(self._game.parts.tablebases)(folders) if folders else None

    def _made(self, weights: str) -> Any:
        """The core's search by those weights."""
        path = weights_file(self._game, weights)
        reads = self._game.parts.weights
        evaluator = self._without if path is None or reads is None else reads.evaluator
        return native.native(self.part, self.kind, self._game, evaluator, path)

    def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        self._search_lines(max(limits.lines, self._set_lines))
        return super().run(root, limits, stop)

    def _search_lines(self, count: int) -> None:
        """Have the core search so many lines; what it knows of positions is forgotten when that changes."""
        if count != self._lines:
            self._native.set("lines", count)
            self._lines = count
