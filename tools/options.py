"""The options that every protocol front end shares, and the Config they make: option beats file beats default.

Types and ranges are `tengen.engine.config`'s business; an option hands over its text.
"""

from __future__ import annotations

import os
from argparse import SUPPRESS, Action, ArgumentError, ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tengen.engine.config import OPTIONS, Config, ConfigError, load, merge, parse_setting
from tengen.tools.arguments import Parser

SHARED = {
    "game": "GAME",
    "player": "NAME",
    "level": "1-10",
    "playouts": "N",
    "visits": "N",
    "time": "S",
    "threads": "N",
    "memory": "MB",
    "seed": "N",
    "temperature": "T",
    "resign": "P",
    "rules": "RULES",
    "book": "FILE",
    "book_margin": "D",
    "net": "FILE",
    "precision": "P",
    "device": "D",
    "name": "TEXT",
    "version_string": "TEXT",
    "file_root": "DIR",
    "log": "FILE",
}
"""The settings that are options with a value (their names with - for _), and what stands for it in the help."""


class Assign(Action):
    """Collects NAME=VALUE into a dict."""

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        try:
            name, value = parse_setting(str(values))
        except ConfigError as error:
            raise ArgumentError(self, str(error)) from None
        setattr(namespace, self.dest, {**getattr(namespace, self.dest, {}), name: value})


def add_to(parser: Parser, games: Callable[[], Sequence[str]], own: Mapping[str, str] | None = None) -> None:
    """Declare the shared options; one that is not given leaves no trace in the parsed values.

    games: those that the front end plays, the first of them the default; asked for when help is. own: the help of
    options that mean something else to this front end than in `OPTIONS` and `help_texts`.
    """
    for field, metavar in SHARED.items():
        doc = OPTIONS[field].doc
        parser.add_argument("--" + field.replace("_", "-"), metavar=metavar, help=doc, default=SUPPRESS)
    parser.add_argument("--ponder", action=BooleanOptionalAction, default=SUPPRESS, help=OPTIONS["ponder"].doc)
    parser.add_argument(
        "--set", action=Assign, metavar="K=V", default=SUPPRESS, help="a search setting, as mcts.c=0.5; repeatable"
    )
    parser.add_argument("--config", metavar="FILE", default=SUPPRESS, help="read settings from a TOML file first")

    def late_help() -> Mapping[str, str]:
        from tengen.engine.games.help_texts import help_texts

        return {**help_texts(games()), **(own or {})}

    parser.late_help = late_help


SMALL_MEMORY = 120
"""MB of a front end that stays small when the user names none.

The process stays below 100: 64 of them are set aside for Python, which needs about 25.
"""


def config_of_game(values: Namespace, game: str, front_end: str) -> Config:
    """The Config of a front end that plays one game and stays small. Raises ConfigError."""
    config = config_from(values, Config(game=game, memory=SMALL_MEMORY))
    if config.game != game:
        raise ConfigError(f"game: {front_end} plays {game}, not {config.game}; see 'tengen gtp --game {config.game}'")
    refuse_people(config, front_end)
    return config


def refuse_people(config: Config, front_end: str) -> None:
    """Raises ConfigError for a network or a rank of people, which a front end of another game than Go cannot use."""
    if config.rank is not None:
        raise ConfigError(f"rank: ranks are for 'tengen gtp', not {front_end}")
    if config.human_net or config.human_profile:
        raise ConfigError(f"human_net: networks of people are for 'tengen gtp' and 'tengen analysis', not {front_end}")


def config_from(values: Namespace, base: Config | None = None) -> Config:
    """The Config of a command line over a front end's own defaults. Raises ConfigError with one sentence."""
    given = vars(values).copy()
    path = given.pop("config", None)
    start = base or Config()
    config = merge(load(path, start) if path else start, given)
    if config.file_root and not os.path.isdir(config.file_root):
        raise ConfigError(f"file_root: there is no folder '{config.file_root}'")
    return config
