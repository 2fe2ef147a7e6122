"""Players of Go in a position, for the tests: one thread, seed 1, 800 playouts a move unless said otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from go_boards import stones_of

from tengen.engine.config import Config
from tengen.engine.play.player import Player


def player(size: int = 7, **settings: Any) -> Player:
    live = Player(Config(**{"playouts": 800, "threads": 1, "seed": 1, **settings}))
    live.new_game(size)
    return live


def at(diagram: str, to_move: int, komi: float, passed: bool = False, **settings: Any) -> Player:
    """A player in a position; with `passed` the other side has just passed."""
    width, _, stones = stones_of(diagram)
    live = player(width, **settings)
    live.set_komi(komi)
    live.setup(stones, 1 - to_move if passed else to_move)
    if passed:
        live.play(1 - to_move, live.state.pass_move)
    return live


def name(live: Player, move: int | None) -> str:
    return "resign" if move is None else live.game.move_to_text(live.state, move)


def names(live: Player, chains: Sequence[Sequence[int]]) -> set[str]:
    """The first cell of every chain."""
    return {name(live, cells[0]) for cells in chains}
