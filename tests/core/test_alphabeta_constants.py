"""The numbers of alpha-beta: each one that is listed acts, and none hides in the search's source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from checkout import ROOT

from tengen.engine._core import ChessAlphaBeta, ReversiAlphaBeta, ReversiState
from tengen.engine.games import get_game
from tengen.engine.games.chess_text import state_from_fen
from tengen.engine.play.options import options_of
from tengen.engine.search import make_search

FENS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
)
REVERSI = "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c7"
RESOURCES = {"threads", "memory_mb", "lines", "depth", "selectivity"}
"""Settings of a search that are none of its numbers; other tests set them."""
DEPTH = 9
SPENDS_TIME = re.compile("time_.*")
"""These say when a step begins no more, which changes no step: test_alphabeta_time.py looks at them."""
LEVEL = re.compile("probcut_([1-5])")
"""Of ProbCut at one selectivity, to which the others are nothing."""


def chess() -> Any:
    return ChessAlphaBeta("tables")


def reversi() -> Any:
    search = make_search(get_game("reversi"), "alphabeta", {})
    return search._native  # type: ignore[attr-defined]


def positions(game: str) -> list[Any]:
    if game == "chess":
        return [state_from_fen(fen) for fen in FENS]
    states, state, rules = [ReversiState()], ReversiState(), get_game("reversi")
    for word in REVERSI.split():
        state.play(rules.move_from_text(state, word))
        states.append(state.copy())
    return states[::4]


def searched(game: str, values: Mapping[str, float]) -> list[Any]:
    """What a search says of some positions, each after the ones before, in a table that is too small for all."""
    search = chess() if game == "chess" else reversi()
    for name, value in {"memory_mb": 0.1, **values}.items():
        search.set(name, value)
    found = []
    for state in positions(game):
        search.run(state, depth=DEPTH)
        info = search.info()
        found.append((info.nodes, [(line.visits, line.score, tuple(line.pv)) for line in info.lines]))
    return found


def constants(search: Any) -> dict[str, tuple[float, float, float, str]]:
    """Name -> value, low, high, kind."""
    return {
        name: (value, low, high, kind)
        for name, value, low, high, _, kind in search.options() if name not in RESOURCES
    }  # fmt: skip


def others(value: float, low: float, high: float, kind: str) -> set[float]:
    """Two legal values well away from the present one."""
    wanted = [min(high, 2 * value + 1), max(low, (value - 1) / 3)]
    return {float(round(one)) if kind == "whole" else one for one in wanted} - {value}


@pytest.mark.parametrize("game", ["chess", "reversi"])
def test_every_constant_acts(game: str) -> None:
    made = {"chess": chess, "reversi": reversi}[game]()
    usual: dict[int, list[Any]] = {}
    idle = []
    for name, (value, low, high, kind) in constants(made).items():
        assert low <= value <= high, name
        if SPENDS_TIME.fullmatch(name):
            continue
        level = int(found[1]) if (found := LEVEL.fullmatch(name)) else 5
        given = {"selectivity": level} if game == "reversi" else {}
        plain = usual.setdefault(level, searched(game, given))
        if all(searched(game, {**given, name: one}) == plain for one in others(value, low, high, kind)):
            idle.append(name)
    assert not idle, ", ".join(idle)
