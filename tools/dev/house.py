"""`python -m tengen.tools.dev.house` draws the map in docs/architecture.md from the source text.

The map has a line for each folder: what it holds (the first sentence of the package's docstring, or the row of `CORE`
for a folder of C++) and which folders it imports from. Within a part, each folder stands behind those that it needs.
What follows from other lines is left out: if a imports b and b imports c, the line of a need not name c.

`--check` compares instead and exits 1 when the map differs; a test does the same.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import tengen

BEGIN, END = "<!-- map: python -m tengen.tools.dev.house -->\n", "<!-- end of the map -->\n"
PARTS = ("engine", "protocols", "nets", "tools")
CORE = {
    "engine/core": "Contracts of games and evaluators (C++ concepts), feature sets, weights, random numbers.",
    "engine/core/search": "What every search shares: bounds, options, stop tokens, reports, stages at the root.",
    "engine/core/mcts": "Monte-Carlo tree search: nodes, UCT, PUCT, backup, proofs, forests of trees.",
    "engine/core/alphabeta": "Principal variation search: nodes, quiescence, transposition table, threads.",
    "engine/core/selfplay": "Games that a network plays against itself, many at once.",
    "engine/core/go": "Go: rules, playouts, life and death, what networks see.",
    "engine/core/go/reading": "Local fights of Go, read exactly: who captures and who lives, by who moves first.",
    "engine/core/go/live": "Go as networks play it: trees of live games, what reading corrects in them, self-play.",
    "engine/core/gomoku": "Gomoku, Renju, Caro: rules, threats, searches of fours, what networks see.",
    "engine/core/reversi": "Reversi: rules, pattern evaluation, the endgame solver, what networks see.",
    "engine/core/chess": "Chess: rules, exchanges, evaluation by network and tables, endings, what networks see.",
    "engine/core/bind": "The Python module `_core`: the only C++ that knows Python.",
}
"""The sentence for each folder of C++."""

Graph = Mapping[str, set[str]]


def root() -> Path:
    """The checkout. Only an editable install has one."""
    return Path(str(tengen.__file__)).parent


def sources() -> Iterator[Path]:
    """Every source file of the product, relative to the checkout."""
    for part in PARTS:
        for path in sorted((root() / part).rglob("*")):
            if path.suffix in (".py", ".cpp", ".hpp") and "__pycache__" not in path.parts:
                yield path.relative_to(root())


def imported(path: Path) -> Iterator[str]:
    """The paths, without suffix, that a file imports or includes: `engine/play/player`."""
    text = (root() / path).read_text("utf-8")
    if path.suffix != ".py":
        yield from ("engine/" + name for name in re.findall(r'#include "(core/[^"]+)"', text))
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name.removeprefix("tengen.").replace(".", "/") for name in names if name.startswith("tengen."))


@cache
def folders() -> dict[str, set[str]]:
    """Folder -> folders that its files import from. Modules beside the packages of `engine` belong to `engine`."""
    graph: dict[str, set[str]] = {path.parent.as_posix(): set() for path in sources()}
    for path in sources():
        own = path.parent.as_posix()
        for name in imported(path):
            found = _folder(name, graph)
            if found and found != own:
                graph[own].add("engine/core/bind" if name.split("/")[1:2] == ["_core"] else found)
    return graph


def _folder(name: str, graph: Graph) -> str:
    """The folder of an imported path: itself if it is a package, else its longest prefix that is one."""
    while name and name not in graph:
        name = name.rpartition("/")[0]
    return name


def reached(graph: Graph) -> dict[str, set[str]]:
    """Folder -> all folders that it needs, also through others."""
    found: dict[str, set[str]] = {}
    for name in graph:
        seen: set[str] = set()
        waiting = [*graph[name]]
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen.add(one)
                waiting += graph[one]
        found[name] = seen
    return found


def reduced(graph: Graph) -> dict[str, list[str]]:
    """The graph without what follows from the rest, part by part, each in the order of its dependencies.

    Folders that need each other stand side by side.
    """
    reach = reached(graph)

    def is_below(low: str, high: str) -> bool:
        return low in reach[high] and high not in reach[low]

    def follows(one: str, name: str) -> bool:
        return any(is_below(one, other) and is_below(other, name) for other in graph[name])

    order = sorted(graph, key=lambda name: (_part(name), sum(is_below(one, name) for one in graph), name))
    return {name: sorted((one for one in graph[name] if not follows(one, name)), key=order.index) for name in order}


def _part(folder: str) -> int:
    """The place of a folder's part in the map: the core first, what a person runs last."""
    return 0 if folder.startswith("engine/core") else 1 + PARTS.index(folder.partition("/")[0])


def sentence(folder: str) -> str:
    """Return the sentence that describes a folder. Raises LookupError with what is missing."""
    if folder.startswith("engine/core"):
        if folder not in CORE:
            raise LookupError(f"{folder} has no row in CORE of tools/dev/house.py")
        return CORE[folder]
    path = root() / folder / "__init__.py"
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) if path.exists() else None
    if not text:
        raise LookupError(f"{folder}/__init__.py has no docstring")
    first = " ".join(text.partition("\n\n")[0].split())
    return re.split(r"(?<=[^.]\.) (?=[A-Z`])", first)[0].replace("|", "\\|")


def drawn() -> str:
    """The map as Markdown."""
    counts = Counter(path.parent.as_posix() for path in sources())
    rows = [
        f"| `{name}` | {counts[name]} | {sentence(name)} | {', '.join(f'`{one}`' for one in found)} |"
        for name, found in reduced(folders()).items()
    ]
    return "\n".join(["| folder | files | holds | imports from |", "|---|---|---|---|", *rows, ""])


def page() -> Path:
    """The document that has the map."""
    return root() / "docs" / "architecture.md"


def redrawn(text: str) -> str:
    """A document with the map of today between its two marks."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + "\n" + drawn() + "\n" + END + rest.partition(END)[2]


def main(arguments: list[str]) -> int:
    """Draw or check the map."""
    text = page().read_text("utf-8")
    new = redrawn(text)
    if "--check" not in arguments:
        page().write_text(new, "utf-8")
        return 0
    if new == text:
        return 0
    print(f"{page()} is out of date: run `python -m tengen.tools.dev.house`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
