"""`tengen gtp`: the protocol front end. Starts fast: numpy and the other heavy packages stay unloaded."""

from __future__ import annotations

from argparse import SUPPRESS, Namespace

from tengen.engine.config import OPTIONS, Config, ConfigError
from tengen.tools import options
from tengen.tools.arguments import Parser
from tengen.tools.leaving import serve


def configure(parser: Parser) -> None:
    """Declare the options."""
    from tengen.engine.games import of_points

    options.add_to(parser, of_points)
    for name, metavar in (("rank", "R"), ("human_net", "FILE"), ("human_profile", "NAME")):
        option = "--" + name.replace("_", "-")
        parser.add_argument(option, metavar=metavar, default=SUPPRESS, help=OPTIONS[name].doc)


def run(values: Namespace) -> int:
    """Serve one conversation; the exit code is the session's. Raises ConfigError or NetworkError before any answer."""
    config = options.config_from(values, Config(net=""))
    from tengen.engine.games import GAMES, get_game, of_points
    from tengen.engine.play.networks import check_named, check_people, looked_for
    from tengen.engine.play.player import Player

    if config.game in GAMES and not get_game(config.game).conventions.has_points:
        front_end = get_game(config.game).conventions.protocol
        raise ConfigError(f"game: GTP plays {', '.join(of_points())}; {config.game} has 'tengen {front_end}'")
    try:
        config = config if config.net else looked_for(config)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    check_named(config)
    check_people(config)
    # a GUI whose engine ends at once shows the reason, one that answers errors does not
    Player(config, is_lenient=True).close()
    from tengen.protocols import gtp

    return serve(lambda: gtp.run(config))
