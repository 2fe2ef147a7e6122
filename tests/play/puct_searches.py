"""Searches with the tiny network, and positions for them."""

from __future__ import annotations

from typing import Any

import networks

from tengen.engine._core import StopToken
from tengen.engine.games import get_game
from tengen.engine.games.base import State
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.options import Value
from tengen.engine.search import make_search
from tengen.engine.search.base import Root, Search

GO = get_game("go")


def search(**options: Value) -> Search:
    """Repeatable, with the tiny network."""
    named = {"network": str(networks.tiny()), "seed": 7, "memory_mb": 32, **options}
    return make_search(GO, "puct", {f"puct.{name}": value for name, value in named.items()})


def empty(size: int = 9, rules: str = "chinese") -> State:
    return GO.new_state(size, size, GO.rule_sets[rules], 7.5)


def after(state: State, words: str) -> State:
    for word in words.split():
        state.play(GO.move_from_text(state, word))
    return state


def run(made: Search, root: Root | State, **limits: Any) -> Info:
    found = made.run(root if isinstance(root, Root) else Root(root), Limits(**limits), StopToken())
    return found


def facts(info: Info) -> list[tuple[Any, ...]]:
    return [(line.move, line.visits, line.win, line.score, line.lcb, line.prior, line.pv) for line in info.lines]
