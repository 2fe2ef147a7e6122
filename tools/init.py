"""`tengen init`: write a configuration that names every setting of a player, each commented out, with what it does.

The file changes nothing until a line of it loses its "#". A front end reads it by `--config FILE`.
"""

from __future__ import annotations

import textwrap
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine.config import Config, ConfigError
from tengen.tools.arguments import Parser

if TYPE_CHECKING:
    from tengen.engine.options import Option

COLUMNS = 100


def configure(parser: Parser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("file", nargs="?", default="tengen.toml", metavar="FILE", help="the configuration (tengen.toml); - is stdout")
    add("--game", metavar="GAME", default=Config.game, help="the game (go)")
    add("--player", metavar="NAME", help="the player (the game's strongest)")
    add("--force", action="store_true", help="replace a file that is there")


def run(values: Namespace) -> int:
    """Write it. Raises ConfigError for a file that is there, ValueError for an unknown game or player."""
    from tengen.engine import atomic
    from tengen.engine.games import get_game
    from tengen.engine.play.options import options_of

    options = options_of(get_game(values.game), values.player)
    text = "\n".join(lines(options, values.game, values.player)) + "\n"
    if values.file == "-":
        print(text, end="")
        return 0
    path = Path(values.file)
    if path.exists() and not values.force:
        raise ConfigError(f"'{path}' is there already; --force replaces it")
    atomic.write(path, text)
    print(f"written: {path}; a front end reads it by --config {path}")
    return 0


def lines(options: Sequence[Option], game: str, player: str | None) -> Iterator[str]:
    """Yield the lines of the file. A game and a player that were named hold from the start."""
    named = {"game": game, "player": player}
    yield f"# Settings of tengen for {game}. A line without its # holds; docs/configuration.md says more."
    plain = [option for option in options if "." not in option.name]
    for option in plain:
        yield from _lines_of(option, option.name, is_set=bool(named.get(option.name)))
    groups = dict.fromkeys(option.name.split(".")[0] for option in options if "." in option.name)
    for group in groups:
        yield from ("", f"[set.{group}]")
        for option in options:
            if option.name.startswith(f"{group}."):
                yield from _lines_of(option, option.name.removeprefix(f"{group}."))


def _lines_of(option: Option, key: str, is_set: bool = False) -> Iterator[str]:
    """What an option does, and its line."""
    from tengen.engine import toml
    from tengen.engine.options import Value

    yield ""
    state = "; not set, an example" if option.default is None else ""
    for line in textwrap.wrap(f"{option.doc} ({option.allowed}{state})", COLUMNS):
        yield f"# {line}"
    placeholders: dict[str, Value] = {"number": 1, "check": True, "choice": "", "text": ""}
    value = placeholders[option.kind] if option.default is None else option.default
    yield ("" if is_set else "# ") + toml.dumps({key: value}).strip()
