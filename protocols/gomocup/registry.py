"""The table of commands. A module of a family registers its handlers with `@command`; importing it is enough.

A handler takes the conversation and the request and returns the reply ("" for none), or raises GomocupError.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tengen.protocols.gomocup.framing import Request

Function = Callable[[Any, "Request"], str]
"""A handler of the conversation (`handler.Gomocup`, which imports this table) and the request."""


@dataclass(frozen=True)
class Command:
    """One command.

    is_block: lines follow, up to DONE. needs_rule: refused under a rule that is not supported.
    needs_board: refused before START.
    """

    name: str
    function: Function
    is_block: bool
    needs_rule: bool
    needs_board: bool


COMMANDS: dict[str, Command] = {}


def command(*names: str, block: bool = False, rule: bool = True, board: bool = True) -> Callable[[Function], Function]:
    """Register the decorated handler under `names`, all with the same meaning. See `Command`."""

    def register(function: Function) -> Function:
        for name in names:
            assert name not in COMMANDS, name
            COMMANDS[name] = Command(name, function, block, rule, board)
        return function

    return register
