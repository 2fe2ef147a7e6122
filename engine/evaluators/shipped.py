"""The files that tengen ships with its engine: networks and tables, each with its card."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def folders() -> tuple[Path, ...]:
    """The folders of `tengen.nets.weights`; none where that was left out of the installation."""
    spec = find_spec("tengen.nets.weights")
    return tuple(map(Path, (spec.submodule_search_locations if spec else None) or ()))


def path_of(name: str) -> Path:
    """Return the path of a shipped file by its name, also of a missing one: the reader reports it."""
    found = [folder / name for folder in folders()]
    return next((path for path in found if path.is_file()), found[0] if found else Path(name))
