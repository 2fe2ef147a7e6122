"""The presets: configurations by name, from minutes on a laptop to a GPU; they lie in presets/*.toml.

A preset may be made `from` another one, over which it is read. One that names no game is for any.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tengen.engine.config import ConfigError, nearest
from tengen.engine.sentence import excerpt
from tengen.tools.train.settings.config import RunConfig, merge, read

FOLDER = Path(__file__).resolve().parent.with_name("presets")
FROM = "from"
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
    table = read(FOLDER / f"{name}.toml", (FROM,))
    base = preset(table.pop(FROM)) if FROM in table else RunConfig()
    return merge(base, table)


def is_for_any_game(name: str) -> bool:
    """Whether a preset names no game."""
    table = read(FOLDER / f"{name}.toml", (FROM,))
    return "board.name" not in table and (FROM not in table or is_for_any_game(table[FROM]))


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
