"""`tengen uci`, also `tengen-uci`: the UCI front end for chess. Starts fast and stays small until the GUI sets Hash."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import replace

from tengen.engine.config import Config, ConfigError
from tengen.engine.sentence import excerpt
from tengen.tools import options
from tengen.tools.arguments import Parser
from tengen.tools.leaving import serve

GAME = "chess"
HELP = {
    "level": "strength for people, 1 the weakest (UCI option Level); see also UCI_Elo",
    "playouts": "nodes of a move (UCI option Nodes)",
    "name": "what `id name` answers",
    "version_string": "the version behind it",
    "memory": "memory of the process before the GUI sets the UCI option Hash (82: a hash of 16)",
    "threads": "search threads before the GUI sets the UCI option Threads (1)",
    "resign": "of no use here: GUIs decide that",
    "book_margin": "of no use here",
    "file_root": "folder of all files that UCI options name (the current one)",
}
"""Help texts of this front end that differ from others."""


def configure(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("words", nargs="*", metavar="bench [DEPTH]", help="count the nodes of fixed positions instead")
    options.add_to(parser, lambda: [GAME], HELP)


def run(values: Namespace) -> int:
    """Serve one conversation; the exit code is the session's. Raises ConfigError or NetworkError before any answer."""
    from tengen.protocols import uci

    words = vars(values).pop("words")
    config = config_of(values, "UCI", Config(game=GAME, memory=uci.SMALL_MEMORY, threads=1, resign=0.0))
    if words:
        return _bench(config, words)
    check_player(config)
    return serve(lambda: uci.run(config))


def config_of(values: Namespace, front_end: str, base: Config) -> Config:
    """The configuration of a front end of chess. Raises ConfigError or NetworkError."""
    config = options.config_from(values, base)
    options.refuse_people(config, front_end)
    if config.game != GAME:
        raise ConfigError(f"game: {front_end} plays {GAME}, not {config.game}; see 'tengen gtp --game {config.game}'")
    from tengen.engine.play.networks import check_named

    check_named(config)
    return config


def check_player(config: Config) -> None:
    """Raises ConfigError where no player can be made: a GUI whose engine ends at once shows the reason."""
    from tengen.engine.play.player import Player

    Player(replace(config, book="none"), is_lenient=True).close()


def _bench(config: Config, words: list[str]) -> int:
    """`tengen uci bench [DEPTH]`: run to its end and print what `bench` does."""
    from tengen.engine._core import StopToken
    from tengen.protocols.uci.benchmark import DEEPEST, bench, depth_of

    if words[0] != "bench" or len(words) > 2:
        raise ConfigError(f"{excerpt(' '.join(words), 40)} is no command of UCI's front end; there is bench [DEPTH]")
    if len(words) == 2 and not (words[1].isdigit() and str(depth_of(words[1:])) == words[1]):
        raise ConfigError(f"bench: {excerpt(words[1], 20)} is no depth of 1 to {DEEPEST}")
    print(bench(config, depth_of(words[1:]), lambda text: print(text, end="", flush=True), StopToken()), end="")
    return 0


def main() -> int:
    """`tengen-uci`: Arena and lichess-bot want a program that they start without a command; options may follow."""
    from tengen.tools.cli import main as tengen

    return tengen(["uci", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
