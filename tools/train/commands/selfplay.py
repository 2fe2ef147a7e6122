"""`tengen selfplay`: a network plays against itself, into files to learn from or as records to look at.

    tengen selfplay go-9 --games 20 --sgf games/            by the network of a run
    tengen selfplay network.bin.gz --games 200 --out shards/ --set search.visits=64
    tengen selfplay mine.safetensors --games 100000 --out shards/ --set search.depth=8      by patterns, looking ahead
    tengen selfplay chess.safetensors --games 50000 --out own/ --set search.nodes=5000      chess, looking ahead

Files of games that are in the folder are kept, so that the same command goes on where it was ended.
"""

from __future__ import annotations

import tempfile
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.engine import files
from tengen.engine.config import ConfigError
from tengen.engine.evaluators.backends.cards import read_network
from tengen.engine.evaluators.outline import outline_of
from tengen.engine.games import get_game
from tengen.engine.games.chess.game import CHESS
from tengen.engine.games.gomoku.game import GOMOKU
from tengen.tools.arguments import Parser, whole_number
from tengen.tools.executors import choice
from tengen.tools.executors.base import Result
from tengen.tools.locking import within
from tengen.tools.train.commands import selfplay_units
from tengen.tools.train.commands.train import add_settings, config_of, explicit
from tengen.tools.train.data.asked import Asked
from tengen.tools.train.play.checks import check
from tengen.tools.train.play.search import filled
from tengen.tools.train.run.places import existing
from tengen.tools.train.run.runs import look
from tengen.tools.train.settings.config import RunConfig, as_table, merge
from tengen.tools.train.settings.kinds import KATAGO_ENDING, ONNX_ENDING, PATTERNS, WEIGHTS_ENDING

if TYPE_CHECKING:
    from tengen.tools.train.data.game import PlayedGame

LINES = "lines"
"""In place of a network, for Gomoku: the tables of its alpha-beta."""


def configure(parser: Parser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("network", metavar="NETWORK", help="a file, or the name of a run: the network that plays there")
    add("--game", metavar="GAME", help="the game of a file (what it says)")
    add("--games", type=partial(whole_number, low=1, high=10**7), default=20, metavar="N", help="games (20)")
    add("--seed", type=partial(whole_number, low=0, high=2**31), default=1, metavar="N", help="seed (1)")
    add("--workers", type=partial(whole_number, low=1, high=1024), metavar="N", help="processes that play (the cores)")
    add("--out", metavar="DIR", help="write files of games to learn from (.npz)")
    add("--sgf", metavar="DIR", help="write a record of each game (.sgf)")
    choice.configure(parser)
    add_settings(parser)


def run(values: Namespace) -> int:
    """Play and write. Raises ValueError, OSError."""
    if not values.out and not values.sgf:
        raise ConfigError("nothing would be kept: give --out DIR, --sgf DIR or both")
    game = _weights_game(values.network)
    is_by_tables = values.network == LINES and values.game == GOMOKU.name
    if is_by_tables or game in (CHESS.name, GOMOKU.name):
        from tengen.tools.train.commands.searched_selfplay import selfplay

        path = None if is_by_tables else Path(values.network).expanduser()
        return selfplay(game or GOMOKU.name, path, values)
    path, config = _chosen(values)
    check(config)
    size = min(config.selfplay.unit_games, values.games)

    def facts(games: int) -> dict[str, Any]:
        return {"config": as_table(merge(config, {"selfplay.unit_games": games})), "generation": 1}

    with tempfile.TemporaryDirectory() as scratch:
        games = selfplay_units.Games("selfplay", path, Path(values.out or scratch), size, facts, _settings(config))
        with _records_folder(games, values):
            _play(games, values)
    return 0


@contextmanager
def _records_folder(games: selfplay_units.Games, values: Namespace) -> Iterator[None]:
    """The folder of records, where it is another one: made, locked, and of this question alone. Raises ConfigError,
    LockError, OSError."""
    if not values.sgf or (values.out and Path(values.sgf).resolve() == Path(values.out).resolve()):
        yield
        return
    with within(Path(values.sgf), "writes records to"):
        Asked(Path(values.sgf), games.question).keep()
        yield


def _settings(config: RunConfig) -> Mapping[str, Any]:
    """What decides the games besides the network, by name."""
    tables = {"board": as_table(config)["board"], "search": filled(config)}
    return {f"{table}.{name}": value for table, values in tables.items() for name, value in values.items()}


def _weights_game(name: str) -> str:
    """The game of a file of weights; "" for any other name. Raises NetworkError."""
    path = Path(name).expanduser()
    return read_network(path)[0].game if path.name.endswith(WEIGHTS_ENDING) and path.is_file() else ""


def _chosen(values: Namespace) -> tuple[Path, RunConfig]:
    """The network's file and the settings. Raises ConfigError, RunError."""
    path = Path(values.network).expanduser()
    if path.is_file():
        if path.name.endswith(WEIGHTS_ENDING):
            return path, merge(_config_of_weights(path), explicit(values))
        if not path.name.endswith((KATAGO_ENDING, ONNX_ENDING)):
            known = f"{KATAGO_ENDING}, {ONNX_ENDING} or {WEIGHTS_ENDING}"
            raise ConfigError(f"'{path}' is no network: give a {known} file, or the name of a run")
        config = _config_for(path, values)
    else:
        folder = existing(values.network)
        found = look(folder)
        path, config = folder / found.best.file.path, merge(RunConfig(), found.config)
    return path, merge(config, explicit(values))


def _config_for(path: Path, values: Namespace) -> RunConfig:
    """The settings for a file, by its own board where no size is given. Raises ConfigError, NetworkError."""
    outline = outline_of(path)
    outline.check_player(values.game or outline.game, "", ())
    _, config = config_of(outline.game, values)
    if outline.width and values.size is None:
        config = merge(config, {"board.size": outline.width})
    for size in merge(config, explicit(values)).board.sizes:
        outline.check_board(size, size)
    return config


def _config_of_weights(path: Path) -> RunConfig:
    """The settings for weights of an evaluator, whose games look ahead. Raises NetworkError."""
    game = get_game(read_network(path)[0].game)
    return merge(RunConfig(), {"board.name": game.name, "board.size": game.default_size, "model.kind": PATTERNS})


def _play(games: selfplay_units.Games, values: Namespace) -> None:
    from tengen.tools.train.data import shards

    def tell(result: Result, total: Mapping[str, Any]) -> str:
        if values.sgf:
            _records(shards.read_named(Path(result.path)), Path(values.sgf), result.unit.name)
        return ""

    total = selfplay_units.play(games, values, ("games", "moves", "positions", "black"), tell)
    count = total["games"]
    print(f"{count:g} games, {total['moves'] / count:.1f} moves each, Black won {total['black'] / count:.1%}, "
          f"{total['positions']:g} positions to learn from")  # fmt: skip


def _records(games: Iterable[PlayedGame], folder: Path, name: str) -> None:
    """A file for each game."""
    from tengen.tools.train.show.records_out import sgf_text

    for number, game in enumerate(games):
        files.write(folder / f"{name}-{number:04}.sgf", sgf_text(game).encode())
