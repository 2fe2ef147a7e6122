"""The table of commands. `setting.py`, `playing.py` and `analysing.py` register them with `@command`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Command = Callable[[Any, str], None]
"""A handler of the conversation (`handler.XBoard`, which imports this table) and what follows the command."""
COMMANDS: dict[str, Command] = {}
"""All but `quit`, which ends the session itself."""
AT_ONCE = ("?", ".", "ping", "draw", "time", "otim", "post", "nopost", "hard", "easy")
"""Commands of a script that do not wait for a search before them, which ends by itself."""


def command(*names: str) -> Callable[[Command], Command]:
    """Register the decorated function under each of the names."""

    def register(function: Command) -> Command:
        for name in names:
            assert name not in COMMANDS, name
            COMMANDS[name] = function
        return function

    return register


class Refused(ValueError):
    """A command that is not obeyed; the message is the kind of its error: "command not legal now"."""
