"""`tengen gomocup`, also `pbrain-tengen`: the front end for Gomoku managers. Starts fast and stays small by default."""

from __future__ import annotations

import sys
from argparse import Namespace

from tengen.tools import options
from tengen.tools.arguments import Parser
from tengen.tools.leaving import serve

GAME = "gomoku"
HELP = {
    "name": "what `ABOUT` answers",
    "version_string": "the version that `ABOUT` answers",
    "memory": f"memory of the process ({options.SMALL_MEMORY})",
    "file_root": "of no use here: it is for GTP's files",
}
"""Help texts of this front end that differ from others."""


def configure(parser: Parser) -> None:
    """Declare the options."""
    options.add_to(parser, lambda: [GAME], HELP)


def run(values: Namespace) -> int:
    """Serve one conversation; the exit code is the session's. Raises ConfigError or NetworkError before any answer."""
    config = options.config_of_game(values, GAME, "Gomocup")
    from tengen.engine.play.networks import check_named
    from tengen.engine.play.player import Player

    check_named(config)
    Player(config, is_lenient=True).close()  # a manager whose engine ends at once shows the reason
    from tengen.protocols import gomocup

    return serve(lambda: gomocup.run(config))


def main() -> int:
    """`pbrain-tengen`: Piskvork wants a program of such a name and starts it without arguments; any are ignored."""
    from tengen.tools.cli import main as tengen

    return tengen(["gomocup"])


if __name__ == "__main__":
    sys.exit(main())
