"""`tengen nboard`: the NBoard front end for Reversi. Starts fast and stays small when no memory is named."""

from __future__ import annotations

from argparse import Namespace

from tengen.tools import options
from tengen.tools.arguments import Parser
from tengen.tools.leaving import serve

GAME = "reversi"
HELP = {
    "name": "what the engine is called (`set myname`)",
    "version_string": "of no use here: NBoard does not ask",
    "memory": f"memory of the process ({options.SMALL_MEMORY})",
    "file_root": "of no use here: it is for GTP's files",
}
"""Help texts of this front end that differ from others."""


def configure(parser: Parser) -> None:
    """Declare the options."""
    options.add_to(parser, lambda: [GAME], HELP)


def run(values: Namespace) -> int:
    """Serve one conversation; the exit code is the session's. Raises ConfigError or NetworkError before any answer."""
    config = options.config_of_game(values, GAME, "NBoard")
    from tengen.engine.play.networks import check_named
    from tengen.engine.play.player import Player

    check_named(config)
    Player(config, is_lenient=True).close()  # a GUI whose engine ends at once shows the reason
    from tengen.protocols import nboard

    return serve(lambda: nboard.run(config))
