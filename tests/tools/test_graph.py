"""The graph of who includes whom in the core, from the source text: no header and no room in a circle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import ROOT
from source_tree import circle

CORE = ROOT / "engine" / "core"
# Rooms of the core, lowest first: each knows those before it, and games do not know each other.
CORE_ROOMS = (
    {""},
    {"search"},
    {"mcts", "alphabeta"},
    {"selfplay"},
    {"go", "gomoku", "reversi", "chess"},
    {"go/reading"},
    {"go/live"},
    {"bind"},
)


def headers() -> dict[str, set[str]]:
    """File of the core -> files of the core that it includes."""
    return {
        path.relative_to(CORE).as_posix(): set(re.findall(r'#include "core/([^"]+)"', path.read_text("utf-8")))
        for path in CORE.rglob("*.[ch]pp")
    }


def test_no_header_is_in_a_circle() -> None:
    graph = headers()
    assert sum(map(len, graph.values())) > 100 and not circle(graph)


def rooms() -> Iterator[tuple[str, str]]:
    """(room that includes, room that is included) for every include of the core."""
    for name, found in headers().items():
        for other in found:
            yield _room(name), _room(other)


def _room(name: str) -> str:
    return Path(name).parent.as_posix().replace(".", "")


@pytest.mark.parametrize(
    "pair", sorted(set(rooms())), ids=lambda pair: f"{pair[0] or 'core'} needs {pair[1] or 'core'}"
)
def test_rooms_of_the_core_need_lower_ones(pair: tuple[str, str]) -> None:
    own, other = (next(height for height, names in enumerate(CORE_ROOMS) if room in names) for room in pair)
    assert pair[0] == pair[1] or other < own
