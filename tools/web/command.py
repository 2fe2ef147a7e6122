"""`tengen web`: serve the page on this machine, or with `--lan` to the devices of this network (docs/web.md)."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from functools import partial
from pathlib import Path

from tengen.tools.arguments import Parser, whole_number

PORT = 8765
GAMES_FOLDER = "tengen-games"


def configure(parser: Parser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add(
        "--port", type=partial(whole_number, low=0, high=65535), metavar="N", help=f"the port ({PORT}, else a free one)"
    )
    add("--lan", action="store_true", help="also for other devices of this network: prints an address with a key")
    add("--games", metavar="DIR", help=f"where games are kept (the folder {GAMES_FOLDER} in your home folder)")
    add("--engine", metavar="GAME=COMMAND", action="append", default=[],
        help="another program that may be chosen to play a game, as 'go=gnugo --mode gtp'; repeatable")  # fmt: skip
    add("--no-browser", action="store_true", help="do not open the page in a browser")
    add("--threads", type=partial(whole_number, low=1, high=256), metavar="N", help="search threads of each game")
    add("--memory", type=partial(whole_number, low=64, high=2**20), default=256, metavar="MB",
        help="memory of each player of a game (256)")  # fmt: skip


def programs_of(words: list[str]) -> dict[str, dict[str, str]]:
    """The programs of --engine: game -> the program's name -> its command line. Raises ConfigError."""
    from tengen.engine.config import ConfigError
    from tengen.engine.games import GAMES, get_game
    from tengen.tools.match.settings.engine import engine
    from tengen.tools.play.seats import table_of_words

    found: dict[str, dict[str, str]] = {}
    for word in words:
        game, equals, command = word.partition("=")
        if not equals or game not in GAMES:
            raise ConfigError(f"--engine takes GAME=COMMAND, the game one of {', '.join(GAMES)}")
        name = engine(table_of_words(command), game).name
        if name in get_game(game).players:
            raise ConfigError(f"--engine: '{name}' is a player of Tengen; name=OTHER before the command renames it")
        found.setdefault(game, {})[name] = command
    return found


def run(values: Namespace) -> int:
    """Serve until Ctrl-C. Raises OSError for a port that is taken, and ImportError without the extra."""
    from tengen.tools.web.address import Address, qr_text
    from tengen.tools.web.app import make_app
    from tengen.tools.web.game_folder import GameFolder
    from tengen.tools.web.serving import listen, serve
    from tengen.tools.web.session_pool import SessionPool

    folder = Path(values.games) if values.games else Path.home() / GAMES_FOLDER
    socket = listen("0.0.0.0" if values.lan else "127.0.0.1", values.port, PORT)
    address = Address.of(socket.getsockname()[1], is_lan=values.lan)
    programs = programs_of(values.engine)
    pool = SessionPool(GameFolder(folder), programs, threads=values.threads, memory=values.memory)
    print(f"Tengen's page: {address.text}", flush=True)
    if values.lan:
        print(f"Whoever has this address can play here; the key in it is new each time.\n\n{qr_text(address.text)}")
    print("Ctrl-C ends it. Games are kept in", folder, flush=True)
    if not values.no_browser and sys.stdout.isatty() and (os.environ.get("DISPLAY") or sys.platform != "linux"):
        import webbrowser

        webbrowser.open(address.local)
    try:
        serve(make_app(pool, address), socket)
    finally:
        pool.close()
    return 0
