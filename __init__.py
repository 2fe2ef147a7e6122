"""A headless engine for board games: Go, Gomoku, Reversi and chess.

    from tengen import Config, MoveRequest, Player

`tengen.engine` plays, `tengen.protocols` speaks with GUIs, `tengen.nets` defines networks and `tengen.tools` holds the
commands. The names below are imported on first use: `import tengen` itself loads nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tengen.engine.config import Config
    from tengen.engine.limits import Limits
    from tengen.engine.play.player import Player
    from tengen.engine.play.request import MoveRequest
    from tengen.engine.version import __version__

__all__ = ["Config", "Limits", "MoveRequest", "Player", "__version__"]

_HOMES = {
    "Config": "tengen.engine.config",
    "Limits": "tengen.engine.limits",
    "MoveRequest": "tengen.engine.play.request",
    "Player": "tengen.engine.play.player",
    "__version__": "tengen.engine.version",
}
"""Public name -> the module that defines it."""


def __getattr__(name: str) -> object:
    """Import a public name on first use. Raises AttributeError for any other name."""
    if name not in _HOMES:
        raise AttributeError(f"module 'tengen' has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
