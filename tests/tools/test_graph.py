"""The graph of who needs whom, from the source text: no module, no header and no room of the core in a circle."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from checkout import ROOT
from source_tree import imports, module_name, sources

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


def modules() -> dict[str, set[str]]:
    """Module -> modules of ours that it imports: at once, on use, and for type checkers alone."""
    names = {module_name(path): path for path in sources()}

    def target(text: str) -> str | None:
        while text not in names and "." in text:
            text = text.rpartition(".")[0]
        return text if text in names else None

    return {
        name: {found for _, text in imports(path, types=True) if (found := target(text)) and found != name}
        for name, path in names.items()
    }


def headers() -> dict[str, set[str]]:
    """File of the core -> files of the core that it includes."""
    return {
        path.relative_to(CORE).as_posix(): set(re.findall(r'#include "core/([^"]+)"', path.read_text("utf-8")))
        for path in CORE.rglob("*.[ch]pp")
    }


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """The nodes of a circle, empty when there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_module_is_in_a_circle() -> None:
    graph = modules()
    assert sum(map(len, graph.values())) > 500 and not circle(graph)


def test_no_header_is_in_a_circle() -> None:
    graph = headers()
    assert sum(map(len, graph.values())) > 100 and not circle(graph)


def test_a_circle_would_be_found() -> None:
    graph = {**modules(), "tengen.engine.info": {"tengen.tools.match.command"}}
    assert "tengen.engine.info" in circle(graph)


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
