"""The table of an alpha-beta search grows with what a run may look at: short runs are quick however much memory there
is, and what was known stays known."""

from __future__ import annotations

import resource
import sys
from typing import Any

import pytest

from tengen.engine._core import ReversiState, StopToken
from tengen.engine.games import get_game
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.search import make_search
from tengen.engine.search.base import Root

DEPTH = 12


def searching(memory_mb: float) -> Any:
    search = make_search(get_game("reversi"), "alphabeta", {"alphabeta.weights": "none"})
    search.configure({"alphabeta.memory_mb": memory_mb, "alphabeta.threads": 1})
    return search


def run(search: Any, **limits: float) -> Info:
    root = Root(state=ReversiState())
    return search.run(root, Limits(**limits), StopToken())  # type: ignore[no-any-return, arg-type]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory in use as Linux counts it")
def test_a_short_run_takes_little_of_much_memory() -> None:
    def resident_mb() -> float:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize() / 1e6

    search = searching(1000)
    run(search, playouts=100)
    before = resident_mb()
    for _ in range(20):
        run(search, playouts=5000)
    assert resident_mb() - before < 16


@pytest.mark.parametrize("grown", [{"depth": DEPTH}, {"playouts": 10_000_000, "depth": DEPTH}])
def test_what_is_known_stays_known_when_it_grows(grown: dict[str, float]) -> None:
    fresh = run(searching(64), depth=DEPTH)
    search = searching(64)
    assert fresh.nodes > 30_000
    run(search, playouts=fresh.nodes + 1, depth=DEPTH)
    again = run(search, **grown)
    assert again.lines[0].depth == DEPTH and again.nodes < fresh.nodes / 4
    forgetful = searching(64)
    run(forgetful, playouts=10, depth=DEPTH)
    assert run(forgetful, **grown).nodes > fresh.nodes / 2
