"""Searches with the tiny network, and positions for them."""

from __future__ import annotations

import random
from typing import Any

import networks

from tengen.engine._core import StopToken
from tengen.engine.games import get_game
from tengen.engine.games.base import State
from tengen.engine.history import History
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.options import Value
from tengen.engine.search import make_search
from tengen.engine.search.base import Root, Search

GO = get_game("go")


def search(**options: Value) -> Search:
    """Repeatable, with the tiny network."""
    named = {"network": str(networks.tiny()), "precision": "f32", "seed": 7, "memory_mb": 32, **options}
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


def with_banned(seed: int) -> tuple[History, list[int]]:
    """A random game up to where superko alone forbids the side to move something that fills no eye."""
    rules, choose = GO.rule_sets["tromp-taylor"], random.Random(seed)
    while True:
        history = History(GO.new_state(4, 4, rules, 0.5))
        for number in range(60):
            state: Any = history.state
            sensible = [
                cell for cell in range(16) if state.is_legal(cell) and not state.is_playout_eye(number % 2, cell)
            ]
            banned = [cell for cell in sensible if history.is_repetition(number % 2, cell, rules.repetition)]
            if banned:
                return history, banned
            if not sensible:
                break
            history.play(number % 2, choose.choice(sensible), rules.repetition)
