"""`tengen play [GAME]`: a game in the terminal against a player, a program or a person (docs/play.md)."""

from __future__ import annotations

import sys
from argparse import SUPPRESS, Namespace
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine.config import Config, ConfigError, nearest
from tengen.tools import options
from tengen.tools.arguments import Parser, number, whole_number
from tengen.tools.play.strength import LEVEL, RANK, usual_strength

if TYPE_CHECKING:
    from tengen.tools.play.console import GameConsole
    from tengen.tools.play.seats import Seat

STRENGTHS = ("level", "rank", "playouts", "visits", "time", "temperature", "config", "human_net")
COLOURS = ("first", "second", "black", "white", "both")
USED = ("player", "level", "playouts", "visits", "time", "threads", "memory", "seed", "temperature", "resign", "rules")
OWN = {"player": "who plays against you: a player of Tengen (tengen options lists them)",
       "level": f"how strong it plays, 1 the weakest ({LEVEL}; Go with a network: rank {RANK})",
       "time": "seconds for each of its moves (3)"}  # fmt: skip
NETWORKS = ("net", "precision", "device", "book", "book_margin", "human_net", "human_profile")


def configure(parser: Parser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("game", nargs="?", metavar="GAME", help="the game: go, gomoku, reversi or chess, or a file to go on with (go)")
    add("--opponent", metavar="WHO", help="a player (uct, alphabeta:3), a command line in quotes, or me: two people")
    add("--colour", "--color", choices=COLOURS, default="first", help="your side: black, white, first, second, both")
    add_board(parser)
    add("--save", metavar="FILE", help="save the game there when you leave (.sgf, .pgn)")
    add(
        "--typed", action="store_true", help="typed moves, a board below the other, also where arrow keys could be used"
    )
    add_players(parser)


def add_board(parser: Parser) -> None:
    """The options of a new board."""
    add = parser.add_argument
    add("--size", type=partial(whole_number, low=2, high=25), metavar="N", help="points a side (Go 19, Gomoku 15)")
    add("--komi", type=partial(number, low=-1000, high=1000), metavar="K", help="points for White (Go)")
    add("--handicap", type=partial(whole_number, low=2, high=9), metavar="N", help="Black begins with stones (Go)")


def add_players(parser: Parser) -> None:
    """The settings of players of ours."""
    from tengen.engine.config import OPTIONS

    for name in (*USED, *NETWORKS):
        words, metavar = (
            OWN.get(name, OPTIONS[name].doc),
            options.SHARED.get(name, "NAME" if "profile" in name else "FILE"),
        )
        parser.add_argument("--" + name.replace("_", "-"), metavar=metavar, help=words, default=SUPPRESS)
    parser.add_argument(
        "--rank",
        metavar="R",
        help="Go: as strong as people of this rank, 25k to 3d (like them, to 9d, with --human-net)",
    )
    parser.add_argument("--set", action=options.Assign, metavar="K=V", default=SUPPRESS, help="a setting of the search")
    parser.add_argument("--config", metavar="FILE", default=SUPPRESS, help="read settings from a TOML file first")


def run(values: Namespace) -> int:
    """Play one game. Raises ConfigError, RecordError, OSError with one sentence."""
    console = console_of(values)
    try:
        return _front_end(console, is_typed=values.typed)
    finally:
        console.table.close()


def console_of(values: Namespace) -> GameConsole:
    """The board that the command line asks for."""
    from tengen.tools.play.console import GameConsole

    path = values.game if values.game and is_file(values.game) else None
    if path is not None:
        return _resumed(Path(path), values)
    config = config_of(values, values.game or Config.game)
    from tengen.tools.play.table import Table, new_live

    live = new_live(config, values.size, values.komi, values.handicap or 0)
    seats = _seats(values, config, values.opponent)
    return GameConsole(Table(live, seats, adviser_of(values, config)), values.save or "")


def is_file(text: str) -> bool:
    """Whether somebody means a file, not a game."""
    from tengen.engine.games import GAMES

    return text not in GAMES and (Path(text).suffix != "" or Path(text).is_file())


def config_of(values: Namespace, game: str) -> Config:
    """The settings of players of ours; LEVEL or RANK where no strength is given. Raises ConfigError."""
    from tengen.engine.games import GAMES, get_game
    from tengen.engine.games.naming import player_of
    from tengen.engine.play.networks import check_people, looked_for, player_for

    if game not in GAMES:
        raise ConfigError(f"unknown game '{game}'{nearest(game, GAMES)}; there are {', '.join(GAMES)}")
    taken = (*USED, *NETWORKS, "set", "config")
    given = {name: value for name, value in vars(values).items() if name in taken}
    if values.rank is not None:
        given |= of_rank(values.rank, given)
    config = replace(options.config_from(Namespace(**given), Config(game=game, net="")), game=game)
    config = config if config.net else looked_for(config)
    check_people(config)
    entry = player_of(get_game(game), player_for(get_game(game), config))[1]
    if not any(name in given for name in STRENGTHS):
        config = usual_strength(config, entry)
    return replace(config, time=config.time or SECONDS)


def of_rank(rank: str, given: Mapping[str, object]) -> dict[str, object]:
    """The settings that make a player of a rank, beside those that are given. Raises ConfigError."""
    if given.get("human_profile") is not None:
        raise ConfigError("--rank and --human-profile both say who is imitated: give one of them")
    if given.get("human_net") is None:
        return {"rank": rank}
    return {"human_profile": f"rank_{rank.lower()}"}


def adviser_of(values: Namespace, config: Config) -> Config:
    """Who gives hints beside players of a configuration: the game's own player at full strength."""
    from tengen.engine.play.networks import looked_for

    bare = replace(config, player=None, level=None, rank=None, set={}, human_net=None, human_profile=None)
    return bare if "net" in vars(values) else looked_for(bare)


SECONDS = 3.0


def _resumed(path: Path, values: Namespace) -> GameConsole:
    from tengen.engine import records
    from tengen.tools.play.console import GameConsole
    from tengen.tools.play.table import table_of

    record = records.read(path)
    config = config_of(values, record.game)
    table, told = table_of(record, _seats(values, config, values.opponent, record.players), adviser_of(values, config))
    for sentence in (*record.warnings, *([told] if told else [])):
        print(f"{path.name}: {sentence}", file=sys.stderr)
    return GameConsole(table, values.save or str(path))


def _seats(
    values: Namespace, config: Config, opponent: str | None, names: tuple[str, str] = ("", "")
) -> tuple[Seat, Seat]:
    """Who sits where. names: of the record that is gone on with."""
    from tengen.engine.games import get_game
    from tengen.tools.play.board import look_of
    from tengen.tools.play.seats import Own, Person, seat_of

    game = get_game(config.game)
    if values.colour == "both":
        return Person(), Person()
    sides = [side.lower() for side in look_of(game).sides]
    words = sides if values.colour in sides else ["first", "second"]
    mine = words.index(values.colour)
    other = seat_of(opponent, game, config) if opponent else Own(config)
    me = Person("" if names[mine].startswith("Tengen") else names[mine])
    return (me, other) if mine == 0 else (other, me)


def _front_end(console: GameConsole, *, is_typed: bool) -> int:
    """The screen where there is a terminal and the library for it, else typed moves."""
    from tengen.tools.play import typed

    if not is_typed and sys.stdin.isatty() and sys.stdout.isatty():
        from tengen.engine import extras

        if not extras.missing("play"):
            from tengen.tools.play import screen

            return screen.play(console)
        print(f"Arrow keys need one more package: {extras.install_line('play')}", file=sys.stderr)
    return typed.play(console)
