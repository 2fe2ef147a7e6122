"""The registry of evaluators: what a search asks about a position it does not look beyond.

A native evaluator is a header and a binding in the core; a network is a file with a card, run by a back end. Either
is one line here, which lists the (game, search) pairs it serves.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Entry(NamedTuple):
    """One evaluator: what it does, and the (game, search) pairs it serves."""

    doc: str
    serves: frozenset[tuple[str, str]]


EVALUATORS: Mapping[str, Entry] = MappingProxyType(
    {
        "tactical": Entry(
            "playouts with patterns, captures and escapes, and move priors", frozenset({("go", "mcts")})
        ),
        "uniform": Entry("uniformly random playouts that fill no own eye", frozenset({("go", "mcts")})),
    }
)


def check(evaluator: str, game: str, search: str) -> None:
    """Raise ValueError with one sentence unless the evaluator serves that pair."""
    from tengen.engine.config import nearest

    entry = EVALUATORS.get(evaluator)
    if entry is None:
        raise ValueError(f"unknown evaluator '{evaluator}'{nearest(evaluator, EVALUATORS)}")
    if (game, search) not in entry.serves:
        raise ValueError(f"the evaluator '{evaluator}' does not serve {search} in {game}")
