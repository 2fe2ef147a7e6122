"""Questions of a report to the games and to the newest network: how far values can be believed, which moves are
liked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine.config import Config
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.tools.train.run.manifest import Manifest
from tengen.tools.train.settings.config import RunConfig, merge

if TYPE_CHECKING:
    from tengen.engine.games.base import State
    from tengen.tools.train.data.game import PlayedGame

SHARDS = 8
"""The newest files of games that are looked at."""
PLY = 12
"""Moves of the newest game before the board that is shown beside the empty one."""
Board = tuple[list[list[float | None]], bytes, str]
"""The policy by rows from the top, the stones, a title."""


def calibrated(folder: Path, found: Manifest) -> list[tuple[int, float, float]]:
    """Rows of (positions, result expected by the search, result), for Black and White alike, by bins."""
    import numpy as np

    from tengen.nets.calibration import calibration

    games = list(newest_games(folder, found))
    if not games:
        return []
    expected, scored = [], []
    for game in games:
        values = game.values[:, 0] + game.values[:, 1] / 2
        black = np.arange(len(game.moves)) % 2 == 0  # colours alternate
        expected.append(values)
        scored.append(np.where(black, game.outcome, 1 - game.outcome))
    return calibration(np.concatenate(expected), np.concatenate(scored)).rows()


def newest_games(folder: Path, found: Manifest) -> Iterator[PlayedGame]:
    """Those of the newest files."""
    from tengen.tools.train.data import shards

    for shard in found.shards[-SHARDS:]:
        yield from shards.read_named(folder / shard.file.path)


def likings(folder: Path, found: Manifest) -> list[Board]:
    """The policy of the network that plays, on the empty board and early in the newest game."""
    if not found.networks:
        return []
    board = merge(RunConfig(), found.config).board
    player = Player(
        Config(
            game=board.name, player="puct", net=str(folder / found.best.file.path), precision="f32", threads=1,
            playouts=1, rules=next(iter(board.rule_names), None),
        )
    )  # fmt: skip
    try:
        boards = [_liking(player, board.sizes[0], board.komi, [], "the empty board")]
        game = next(iter([*newest_games(folder, found)][-1:]), None)
        if game is not None and len(game.moves) > PLY:
            title = f"after {PLY} moves of the newest game"
            boards.append(_liking(player, game.width, game.komi, game.moves[:PLY].tolist(), title))
        return boards
    finally:
        player.close()


def _liking(player: Player, size: int, komi: float, moves: list[int], title: str) -> Board:
    player.new_game(size)
    if player.game.default_komi:  # others have none
        player.set_komi(komi)
    for move in moves:
        player.play(player.state.to_move, move)
    state = player.state
    info = player.genmove(MoveRequest(state.to_move, play=False)).info
    shares = {line.move: line.prior for line in info.lines}
    rows = [[_share(state, shares, row * size + column) for column in range(size)] for row in range(size)]
    return rows, bytes(state.stones()), title


def _share(state: State, shares: dict[int, float], move: int) -> float | None:
    return shares.get(move, 0.0) if state.is_legal(move) else None
