"""Monte-Carlo tree search of the core behind the Search contract."""

from __future__ import annotations

from tengen.engine.search import native


class MctsSearch(native.NativeSearch):
    """Implements `Search`: a tree that playouts or an evaluator of the core guide."""

    kind, prefix, part, usual = "tree search", "mcts.", "mcts", "uniform"
