"""Monte-Carlo tree search of the core behind the Search contract."""

from __future__ import annotations

from tengen.engine.search.native import NativeSearch

NATIVE: dict[str, str] = {
    "go": "tengen.engine._core:GoMcts",
    "gomoku": "tengen.engine._core:GomokuMcts",
    "reversi": "tengen.engine._core:ReversiMcts",
}
"""Game -> "module:attribute" of the core's search of it, which lists the game's evaluators (`GoMcts.evaluators()`)."""


class MctsSearch(NativeSearch):
    """Implements `Search`: a tree that playouts or an evaluator of the core guide."""

    kind, prefix, natives, usual = "tree search", "mcts.", NATIVE, "uniform"
