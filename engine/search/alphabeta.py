"""Alpha-beta search of the core behind the Search contract. It counts nodes where a tree search counts playouts."""

from __future__ import annotations

from tengen.engine.search.native import NativeSearch

NATIVE: dict[str, str] = {"reversi": "tengen.engine._core:ReversiAlphaBeta"}
"""Game -> "module:attribute" of the core's search of it."""


class AlphaBetaSearch(NativeSearch):
    """Implements `Search`: principal variations, deepened ply by ply."""

    kind, prefix, natives, usual = "alpha-beta search", "alphabeta.", NATIVE, "mobility"
