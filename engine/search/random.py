"""The player without a search: any legal move that the game calls sensible. Serves every game."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tengen.engine.games.base import Game
from tengen.engine.games.hooks import hooks_of
from tengen.engine.games.players import Entry
from tengen.engine.info import Info, Line
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value, number
from tengen.engine.search import fitting
from tengen.engine.search.base import Root

if TYPE_CHECKING:
    from tengen.engine._core import StopToken

_OPTIONS = (number("random.seed", 0, 0, 2**53, "0: different every time", is_whole=True),)


class RandomSearch:
    """Implements `Search`; every run ends at once with one line."""

    def __init__(self, game: Game, player: Entry) -> None:
        self._game = game
        self._random = random.Random()
        self._info = Info()

    def options(self) -> Sequence[Option]:
        return _OPTIONS

    def configure(self, values: Mapping[str, Value]) -> None:
        for seed in fitting(_OPTIONS, values).values():
            self._random = random.Random(seed or None)

    def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        move = self._choose(root)
        lines = () if move is None else (Line(move, (move,), visits=1, win=0.5, loss=0.5),)
        self._info = Info(lines=lines, to_move=root.state.to_move, visits=1, playouts=1, nodes=1)
        return self._info

    def info(self, max_lines: int = 0, ownership: bool = False) -> Info:
        return self._info

    def clear(self) -> None:
        self._info = Info()

    def _choose(self, root: Root) -> int | None:
        """A sensible move that repeats nothing, else a pass where the game has one, else any move."""
        state, hooks = root.state, hooks_of(self._game)
        legal = [
            move for move in state.legal_moves() if move not in root.avoid and (not root.allow or move in root.allow)
        ]
        self._random.shuffle(legal)
        for move in legal:
            is_pass = move == state.pass_move
            if hooks.is_sensible(state, move) and (is_pass or state.key_after(move) not in root.seen):
                return move
        if state.is_legal(state.pass_move):
            return state.pass_move
        return legal[0] if legal else None
