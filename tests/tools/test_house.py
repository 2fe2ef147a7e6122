"""The map in docs/architecture.md is what the imports draw, and every folder says what it holds."""

from tengen.tools.dev import house


def test_the_committed_map_is_what_the_imports_draw() -> None:
    text = house.page().read_text("utf-8")
    assert text == house.redrawn(text), "run `python -m tengen.tools.dev.house`"


def test_the_map_shows_who_needs_whom() -> None:
    graph = house.folders()
    assert "engine/core/mcts" in graph["engine/core/bind"]
    assert "engine/core/bind" in graph["engine/search"]  # by the name `_core`
    assert not any(name.startswith("tools") for name in house.reached(graph)["protocols"])
    lines = house.drawn().splitlines()
    places = [
        next(i for i, line in enumerate(lines) if f"| `{name}` |" in line)
        for name in ("engine/core", "engine/play", "tools")
    ]
    assert places == sorted(places) and len(lines) == len(graph) + 2


def test_what_follows_from_the_rest_is_left_out() -> None:
    graph = {"engine": set[str](), "nets": {"engine"}, "tools": {"engine", "nets"}, "tools/dev": {"tools", "engine"}}
    assert house.reduced(graph) == {"engine": [], "nets": ["engine"], "tools": ["nets"], "tools/dev": ["tools"]}
    circle = {"tools": {"tools/dev", "engine"}, "tools/dev": {"tools", "engine"}, "engine": set[str]()}
    assert house.reduced(circle) == {"engine": [], "tools": ["engine", "tools/dev"], "tools/dev": ["engine", "tools"]}
