"""`tengen nboard`: the NBoard front end for Reversi. Starts fast and stays small when no memory is named."""

from __future__ import annotations

from argparse import Namespace

from tengen.tools import options
from tengen.tools.arguments import Parser


def configure(parser: Parser) -> None:
    """Declare the options."""
    options.add_to(parser, "reversi")


def run(values: Namespace) -> int:
    """Serve one conversation; the exit code is the session's. Raises ConfigError before anything is answered."""
    config = options.config_of_game(values, "reversi", "NBoard")
    from tengen.engine.player import Player

    Player(config).close()  # a GUI whose engine ends at once shows the reason
    from tengen.protocols import nboard

    return nboard.run(config)
