"""The product's Python files and what they import, from their text, and circles in a graph."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from checkout import ROOT

PARTS = ("engine", "protocols", "nets", "tools")
STATEMENTS = ("body", "orelse", "handlers", "finalbody", "cases")
"""The fields of a node that hold statements."""


def sources() -> list[Path]:
    """Every Python file of the product."""
    return [*sorted(ROOT.glob("__*__.py")), *sorted(path for part in PARTS for path in (ROOT / part).rglob("*.py"))]


def module_name(path: Path) -> str:
    """The name a file is imported by."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("tengen", *(parts[:-1] if parts[-1] == "__init__" else parts)))


@cache
def tree(path: Path) -> ast.Module:
    """What a file says."""
    return ast.parse(path.read_text("utf-8"))


@cache
def imports(path: Path, *, module_level_only: bool = False, types: bool = False) -> list[tuple[int, str]]:
    """(line, absolute module) of the imports in a file. types: with those for type checkers alone."""
    package = module_name(path) if path.name == "__init__.py" else module_name(path).rpartition(".")[0]
    found: list[tuple[int, str]] = []

    def visit(node: ast.AST) -> None:
        if not types and isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            return
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and module_level_only:
            return
        if isinstance(node, ast.Import):
            found.extend((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = f"{'.'.join(package.split('.')[: 1 - node.level or None])}.{base}".rstrip(".")
            found.extend((node.lineno, f"{base}.{alias.name}") for alias in node.names)
        for part in STATEMENTS:  # expressions import nothing
            for child in getattr(node, part, ()):
                visit(child)

    visit(tree(path))
    return found


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


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """The nodes of a circle, empty when there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []
