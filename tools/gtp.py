"""`tengen gtp`: the protocol front end. Starts fast: numpy and the other heavy packages stay unloaded."""

from __future__ import annotations

from argparse import Namespace

from tengen.tools import options
from tengen.tools.arguments import Parser


def configure(parser: Parser) -> None:
    """Declare the options."""
    options.add_to(parser)


def run(values: Namespace) -> int:
    """Serve one conversation; the exit code is the session's. Raises ConfigError or NetworkError before any answer."""
    config = options.config_from(values)
    from tengen.engine.play.player import Player

    if config.net != "none":
        from tengen.engine.play.networks import check_named

        check_named(config)
    Player(config).close()  # a GUI whose engine ends at once shows the reason, one that answers errors does not
    from tengen.protocols import gtp

    return gtp.run(config)
