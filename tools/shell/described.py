"""Every command with its options and arguments, as its parser declares them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tengen.engine.games import GAMES, get_game
from tengen.tools import cli
from tengen.tools.arguments import Parser

FILES = re.compile(r"FILE|DIR|IMAGE|SGF|PGN|PNG|PATH|VIDEO|GAMES?\b.*\.\.\.")
"""Words of a metavar after which a file or a folder is typed."""


class Argument(NamedTuple):
    """An option, or an argument without a name. names: as they are typed, none for an argument. values: the words that
    may follow, if they are few. metavar: "" for an option that stands alone."""

    names: tuple[str, ...]
    metavar: str
    help: str
    values: tuple[str, ...] = ()

    @property
    def is_file(self) -> bool:
        """Whether a file or a folder is typed there."""
        return FILES.search(self.metavar) is not None


class Described(NamedTuple):
    """One command."""

    name: str
    summary: str
    usage: str
    arguments: tuple[Argument, ...]

    @property
    def options(self) -> tuple[Argument, ...]:
        return tuple(one for one in self.arguments if one.names)

    @property
    def first(self) -> tuple[str, ...]:
        """The words that may follow the command itself, if they are few."""
        return next((one.values for one in self.arguments if not one.names), ())


def commands() -> tuple[Described, ...]:
    """Every command of `tengen`, in the order of its help."""
    return tuple(describe(name) for name in cli.COMMANDS)


def describe(name: str) -> Described:
    """Describe one command; its module is imported for that."""
    summary = cli.COMMANDS[name].summary
    parser = Parser(prog=f"tengen {name}", description=f"{summary[:1].upper()}{summary[1:]}.")
    cli.load(name).configure(parser)
    parser.format_help()  # fills in the help that is made late
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    return Described(name, summary, usage, tuple(_argument(parser, action) for action in parser._actions))


def _argument(parser: Parser, action: argparse.Action) -> Argument:
    text = "" if action.help is None else parser._get_formatter()._expand_help(action)
    metavar = action.metavar if action.nargs != 0 else ""
    if metavar is None:
        metavar = "|".join(map(str, action.choices)) if action.choices else action.dest.upper()
    shown = metavar if isinstance(metavar, str) else " ".join(metavar)
    values = tuple(map(str, action.choices)) if action.choices else ()
    return Argument(tuple(action.option_strings), shown, " ".join(text.split()), values or _known(action))


def _known(action: argparse.Action) -> tuple[str, ...]:
    """The values of options that take a word of the registries."""
    if not action.option_strings or action.nargs == 0:
        return ()
    return tuple(dict.fromkeys(VALUES.get(action.dest, {}))) if action.dest in VALUES else ()


def _of_games(field: str) -> Iterable[str]:
    return (name for game in GAMES for name in getattr(get_game(game), field))


VALUES: Mapping[str, Iterable[str]] = {
    "game": tuple(GAMES),
    "player": tuple(_of_games("players")),
    "rules": tuple(_of_games("rule_sets")),
    "level": tuple(map(str, range(1, 11))),
}
"""The field of a command's values -> what may be typed there, of any game."""
