"""Choose the game: Quarry's list_games and set_game. Commands that belong to one game follow it."""

from __future__ import annotations

from tengen.protocols.gtp.framing import GtpError, Request, quoted
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.registry import command


@command("list_games")
def list_games(gtp: Gtp, request: Request) -> str:
    """Answer the games by the names that GUIs know, one in a line."""
    return "\n".join(_names().values())


@command("set_game")
def set_game(gtp: Gtp, request: Request) -> str:
    """Begin a game of that name, ours or GoGui's in any case, on its usual board; time settings stay."""
    wanted = request.rest.lower()
    for name, shown in _names().items():
        if wanted in (name.lower(), shown.lower()):
            gtp.change_game(name)
            return ""
    raise GtpError(f"unknown game {quoted(request.rest)}; there are: {', '.join(_names().values())}")


def _names() -> dict[str, str]:
    """Name -> what GoGui and Quarry call it."""
    from tengen.engine.games import get_game, of_points

    return {name: get_game(name).gogui_id for name in of_points()}
