"""`tengen nboard`: the NBoard front end for Reversi. Starts fast and stays small when no memory is named."""

from __future__ import annotations

from argparse import Namespace

from tengen.engine.config import Config, ConfigError
from tengen.tools import options
from tengen.tools.arguments import Parser

MEMORY = 120
"""MB when the user names none, of which the process takes less than 100."""


def configure(parser: Parser) -> None:
    """Declare the options."""
    options.add_to(parser)


def run(values: Namespace) -> int:
    """Serve one conversation; the exit code is the session's. Raises ConfigError before anything is answered."""
    config = options.config_from(values, Config(game="reversi", memory=MEMORY))
    if config.game != "reversi":
        raise ConfigError(f"game: NBoard plays reversi, not {config.game}; see 'tengen gtp --game {config.game}'")
    from tengen.engine.player import Player

    Player(config).close()  # a GUI whose engine ends at once shows the reason
    from tengen.protocols import nboard

    return nboard.run(config)
