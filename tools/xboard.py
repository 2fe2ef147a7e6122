"""`tengen xboard`, also `tengen-xboard`: the front end of XBoard's protocol, for chess. Starts fast and stays small
until the GUI sends `memory`."""

from __future__ import annotations

import sys
from argparse import Namespace

from tengen.engine.config import Config
from tengen.tools import options
from tengen.tools.arguments import Parser
from tengen.tools.leaving import serve
from tengen.tools.uci import GAME, check_player, config_of

HELP = {
    "level": "strength for people, 1 the weakest (option Level); see also the option Elo",
    "playouts": "nodes of a move (option Nodes)",
    "name": "what the engine is called (feature myname)",
    "version_string": "the version behind it",
    "memory": "memory of the process before the GUI sends `memory` (82: a table of 16)",
    "threads": "search threads before the GUI sends `cores` (1)",
    "book_margin": "of no use here",
    "file_root": "folder of all files that options name (the current one)",
}
"""Help texts of this front end that differ from others."""


def configure(parser: Parser) -> None:
    """Declare the options."""
    options.add_to(parser, lambda: [GAME], HELP)


def run(values: Namespace) -> int:
    """Serve one conversation; the exit code is the session's. Raises ConfigError or NetworkError before any answer."""
    from tengen.protocols import xboard

    config = config_of(values, "XBoard's protocol", Config(game=GAME, memory=xboard.SMALL_MEMORY, threads=1))
    check_player(config)
    return serve(lambda: xboard.run(config))


def main() -> int:
    """`tengen-xboard`: for GUIs that start a program without arguments; options may follow."""
    from tengen.tools.cli import main as tengen

    return tengen(["xboard", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
