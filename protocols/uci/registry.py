"""The table of commands, and how one is found in a line. `commands.py` registers them with `@command`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Command = Callable[[Any, list[str]], None]
"""A handler of the conversation (`handler.Uci`, which imports this table) and the words that follow the command."""
COMMANDS: dict[str, Command] = {}
"""All but `quit`, which ends the session itself."""
ALONE = ("go", "quit", "bench", "perft", "d")
"""Commands that have to begin their line."""
AT_ONCE = ("stop", "ponderhit", "isready", "quit")
"""Commands of a script that do not wait for a search that ends by itself."""
MOST_UNKNOWN = 16
"""Words before a command that are passed over."""


def verb_of(words: list[str]) -> tuple[str | None, int]:
    """The command of a line, and which word it is; (None, 0) where there is none."""
    for at, word in enumerate(words[:MOST_UNKNOWN]):
        if (word in COMMANDS or word == "quit") and (at == 0 or word not in ALONE):
            return word, at
    return None, 0


def command(name: str) -> Callable[[Command], Command]:
    """Register the decorated function under `name`."""

    def register(function: Command) -> Command:
        assert name not in COMMANDS, name
        COMMANDS[name] = function
        return function

    return register
