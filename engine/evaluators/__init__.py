"""The registry of evaluators: what a search asks about a position it does not look beyond.

A native evaluator is a header and a binding in the core; a network is a file with a card, run by a back end. Either
is one line here, which lists the (game, search) pairs it serves.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, cast


class Entry(NamedTuple):
    """One evaluator: what it does, and per (game, search) the "module:attribute" of the search built with it.

    That attribute, called with the evaluator's name, makes a search of the core.
    """

    doc: str
    serves: dict[tuple[str, str], str]


_GO = {("go", "mcts"): "tengen.engine._core:GoMcts"}
_GOMOKU = {("gomoku", "mcts"): "tengen.engine._core:GomokuMcts"}
_REVERSI = {("reversi", "mcts"): "tengen.engine._core:ReversiMcts"}

EVALUATORS: dict[str, Entry] = {
    "tactical": Entry("playouts that answer threats, and move priors by patterns and shapes", {**_GO, **_GOMOKU}),
    "weighted": Entry("playouts that prefer corners and edges, move priors, exact endings", {**_REVERSI}),
    "uniform": Entry("uniformly random playouts (in Go they fill no own eye)", {**_GO, **_GOMOKU, **_REVERSI}),
}


def native(evaluator: str, game: str, search: str) -> Callable[[str], Any]:
    """What makes the core's search with that evaluator. Raises ValueError with one sentence for a pair not served."""
    entry = EVALUATORS.get(evaluator)
    if entry is None:
        from tengen.engine.config import nearest

        raise ValueError(f"unknown evaluator '{evaluator}'{nearest(evaluator, EVALUATORS)}")
    target = entry.serves.get((game, search))
    if target is None:
        raise ValueError(f"the evaluator '{evaluator}' does not serve {search} in {game}")
    module, _, attribute = target.partition(":")
    return cast("Callable[[str], Any]", getattr(import_module(module), attribute))
