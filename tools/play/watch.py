"""`tengen watch A B`: two players, or programs, play while you look on (docs/play.md)."""

from __future__ import annotations

from argparse import Namespace
from functools import partial

from tengen.engine.config import Config
from tengen.tools.arguments import Parser, whole_number
from tengen.tools.play.command import add_board, add_players, adviser_of, config_of


def configure(parser: Parser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("first", metavar="A", help="who moves first: a player (uct, alphabeta:3), or a command line in quotes")
    add("second", metavar="B", help="the other")
    add("--game", default=Config.game, metavar="GAME", help=f"the game ({Config.game})")
    add_board(parser)
    add(
        "--moves", type=partial(whole_number, low=1, high=100_000), default=1000, metavar="N", help="stop after so many"
    )
    add("--save", metavar="FILE", help="save the game there at its end (.sgf, .pgn)")
    add_players(parser)


def run(values: Namespace) -> int:
    """Show one game. Raises ConfigError, OSError with one sentence."""
    from tengen.engine.games import get_game
    from tengen.tools.play import typed
    from tengen.tools.play.console import GameConsole
    from tengen.tools.play.seats import seat_of
    from tengen.tools.play.table import Table, new_live

    config = config_of(values, values.game)
    live = new_live(config, values.size, values.komi, values.handicap or 0)
    game = get_game(config.game)
    first = seat_of(values.first, game, config)
    table = Table(live, (first, seat_of(values.second, game, config)), adviser_of(values, config))
    try:
        return typed.watch(GameConsole(table, values.save or ""), values.moves)
    finally:
        table.close()
