"""The table of commands. A module of a family registers its handlers with `@command`; importing it is enough.

A handler takes the conversation and the request and returns the text of the response ("" for none), raises
GtpError with the text of the refusal, or returns OPEN when its response stays open (analysis).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tengen.protocols.gtp.framing import Request


class Open(Enum):
    """The type of OPEN."""

    OPEN = 0


OPEN = Open.OPEN
"""The result of a handler whose response goes on until the next line of input."""

Function = Callable[[Any, "Request"], "str | Open"]
"""A handler of the conversation (`handler.Gtp`, which imports this table) and the request."""


class Command(NamedTuple):
    """One command. `listed`: named by list_commands; `known_command` knows all. `games`: whose it is, empty: every.
    `not_for`: the games that must not have it.
    """

    name: str
    function: Function
    listed: bool = True
    games: tuple[str, ...] = ()
    not_for: tuple[str, ...] = ()

    def refusal(self, game: str) -> str | None:
        """Why the command has no meaning in that game; None where it has one."""
        if game in self.not_for:
            return f"{self.name} is not for {game}"
        if self.games and game not in self.games:
            return f"{self.name} belongs to {' and '.join(self.games)}, this is {game}"
        return None

    def serves(self, game: str) -> bool:
        """Whether the command has a meaning in that game."""
        return self.refusal(game) is None


COMMANDS: dict[str, Command] = {}
GO = ("go",)


def command(
    *names: str, listed: bool = True, games: tuple[str, ...] = (), not_for: tuple[str, ...] = ()
) -> Callable[[Function], Function]:
    """Register the decorated handler under `names`, all with the same meaning."""

    def register(function: Function) -> Function:
        for name in names:
            assert name not in COMMANDS, name
            COMMANDS[name] = Command(name, function, listed, games, not_for)
        return function

    return register
