"""The presets: configurations by name, from minutes on a laptop to a GPU; they lie in presets/*.toml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tengen.engine.config import ConfigError, nearest
from tengen.engine.sentence import excerpt
from tengen.tools.train.config import RunConfig, load, merge

FOLDER = Path(__file__).resolve().with_name("presets")
USUAL = "laptop"
"""The last word of the preset that is taken for a game when nobody names one."""


def names() -> tuple[str, ...]:
    """Every preset that is here."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def preset(name: str) -> RunConfig:
    """A preset by its name. Raises ConfigError."""
    if name not in names():
        known = ", ".join(names())
        raise ConfigError(f"there is no preset {excerpt(name, 60)}{nearest(name, names())}; there are {known}")
    return load(FOLDER / f"{name}.toml")


def usual(game: str, size: int | None = None) -> tuple[str, RunConfig]:
    """The preset of a game, for a board of this size, and its name. Raises ConfigError for a game that has none."""
    known = {name: preset(name) for name in names() if name.endswith(USUAL)}
    fitting = {name: found for name, found in known.items() if found.board.name == game}
    if not fitting:
        games = sorted({found.board.name for found in known.values()})
        hint = nearest(game, games) or f"; there are some for {', '.join(games)}"
        raise ConfigError(f"no preset is for {excerpt(game, 60)}{hint}")
    largest = max(found.board.sizes[0] for found in fitting.values())
    wished = largest if size is None else size
    name = min(fitting, key=lambda name: abs(fitting[name].board.sizes[0] - wished))
    changes: dict[str, Any] = {"board.size": wished} if fitting[name].board.sizes != (wished,) else {}
    return name, merge(fitting[name], changes)
