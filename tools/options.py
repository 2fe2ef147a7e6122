"""The options that every protocol front end shares, and the Config they make: option beats file beats default.

Types and ranges are `tengen.engine.config`'s business; an option hands over its text.
"""

from __future__ import annotations

import os
from argparse import SUPPRESS, Action, ArgumentError, ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tengen.engine.config import Config, ConfigError, load, merge, parse_setting


class Shared(NamedTuple):
    """One option: the Config field it sets (its name with - for _), what it takes, and its help."""

    field: str
    metavar: str
    help: str


SHARED = (
    Shared("game", "GAME", "go (the default; 19x19 until the GUI says otherwise), gomoku (15x15) or reversi"),
    Shared("player", "NAME", "who plays: uct (the strong one), rollout, random; mix, weighted (Reversi)"),
    Shared("level", "1-10", "strength for people, 1 the weakest; full strength without it"),
    Shared("playouts", "N", "playouts for a move"),
    Shared("time", "S", "seconds for a move while the protocol has set no clock"),
    Shared("threads", "N", "search threads (physical cores - 1)"),
    Shared("memory", "MB", "memory of the process"),
    Shared("seed", "N", "random seed; with one thread and --playouts the moves repeat"),
    Shared("temperature", "T", "variety of the moves; 0 plays the best one always"),
    Shared("resign", "P", "resign below this win probability; 0 is never"),
    Shared("rules", "RULES", "Go: chinese, japanese, aga, ...; Gomoku: freestyle, standard, renju, caro"),
    Shared("name", "TEXT", "what `name` answers (some GUIs choose their dialect by it)"),
    Shared("version_string", "TEXT", "what `version` answers"),
    Shared("file_root", "DIR", "folder that loadsgf and printsgf may use (the current one)"),
    Shared("log", "FILE", "write the conversation to a file"),
)


class Assign(Action):
    """Collects NAME=NUMBER into a dict."""

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        try:
            name, number = parse_setting(str(values))
        except ConfigError as error:
            raise ArgumentError(self, str(error)) from None
        setattr(namespace, self.dest, {**getattr(namespace, self.dest, {}), name: number})


def add_to(parser: ArgumentParser, own: Mapping[str, str] | None = None) -> None:
    """Declare the shared options; one that is not given leaves no trace in the parsed values. own: the help of those
    that a front end of one game explains in other words than SHARED."""
    for field, metavar, text in SHARED:
        shown = (own or {}).get(field, text)
        parser.add_argument("--" + field.replace("_", "-"), metavar=metavar, help=shown, default=SUPPRESS)
    parser.add_argument("--ponder", action=BooleanOptionalAction, default=SUPPRESS, help="think in the opponent's time")
    parser.add_argument(
        "--set", action=Assign, metavar="K=V", default=SUPPRESS, help="a search setting, as mcts.c=0.5; repeatable"
    )
    parser.add_argument("--config", metavar="FILE", default=SUPPRESS, help="read settings from a TOML file first")


SMALL_MEMORY = 120
"""MB of a front end that stays small when the user names none.

The process stays below 100: 64 of them are set aside for Python, which needs about 25.
"""


def config_of_game(values: Namespace, game: str, front_end: str) -> Config:
    """The Config of a front end that plays one game and stays small. Raises ConfigError."""
    config = config_from(values, Config(game=game, memory=SMALL_MEMORY))
    if config.game != game:
        raise ConfigError(f"game: {front_end} plays {game}, not {config.game}; see 'tengen gtp --game {config.game}'")
    return config


def config_from(values: Namespace, base: Config | None = None) -> Config:
    """The Config of a command line over a front end's own defaults. Raises ConfigError with one sentence."""
    given = vars(values).copy()
    path = given.pop("config", None)
    start = base or Config()
    config = merge(load(path, start) if path else start, given)
    if config.file_root and not os.path.isdir(config.file_root):
        raise ConfigError(f"file_root: there is no folder '{config.file_root}'")
    return config
