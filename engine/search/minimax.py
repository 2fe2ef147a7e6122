"""The player of chess that counts: minimax of a fixed depth by material and ranks, as in the chess program from which
this project grew (engine/core/chess/minimax.hpp; docs/chess.md).

It looks at every move to the same depth, so that its scores are exact; alpha-beta only saves time. Of equal moves it
takes the first of `State.legal_moves`. It knows no repetition.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from tengen.engine.games.base import Game
from tengen.engine.games.chess.game import CHESS
from tengen.engine.games.players import Entry
from tengen.engine.info import Info, Line, Proof
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value, number
from tengen.engine.search import fitting
from tengen.engine.search.base import Root

if TYPE_CHECKING:
    from tengen.engine._core import ChessState, StopToken

DEPTH, DEEPEST = 3, 12
UNIT = 500.0
"""So much more than the enemy (a knight) wins about three games of four."""


class MinimaxSearch:
    """Implements `Search`. A run looks one ply further each time and reports the last depth that it finished: the
    wished one, of `minimax.depth` or the limits, where nothing cuts it short. Of counts it knows the depth alone."""

    def __init__(self, game: Game, player: Entry) -> None:
        if game.name != CHESS.name:
            raise ValueError(f"the search 'minimax' does not serve {game.name}")
        self._depth = DEPTH
        self._info = Info()

    def options(self) -> Sequence[Option]:
        return [number("minimax.depth", self._depth, 1, DEEPEST, "plies that it looks ahead", is_whole=True)]

    def configure(self, values: Mapping[str, Value]) -> None:
        for depth in fitting(self.options(), values).values():
            self._depth = int(depth)

    def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        from tengen.engine._core import chess_minimax

        begin, state = time.monotonic(), root.state
        moves = [move for move in state.legal_moves() if _may_play(root, move)]
        self._info = Info(to_move=state.to_move)
        nodes = 0
        for depth in range(1, min(limits.depth or self._depth, DEEPEST) + 1 if moves else 1):
            left = math.inf if limits.seconds is None else limits.seconds - (time.monotonic() - begin)
            if depth > 1 and (left <= 0 or stop.is_stopped):
                break
            bound = 0.0 if depth == 1 or math.isinf(left) else left
            found = chess_minimax(cast("ChessState", state), depth, moves, None if depth == 1 else stop, bound)
            if found is None:
                break
            nodes += found[0]
            lines = [_line(*one, depth) for one in found[1]]
            self._info = _report(lines, state.to_move, nodes, time.monotonic() - begin)
        return self._info

    def info(self, max_lines: int = 0, ownership: bool = False) -> Info:
        info = self._info
        return info._replace(lines=info.lines[:max_lines]) if max_lines else info

    def clear(self) -> None:
        self._info = Info()


def _may_play(root: Root, move: int) -> bool:
    return move not in root.avoid and (not root.allow or move in root.allow)


def _report(found: Sequence[Line], to_move: int, nodes: int, seconds: float) -> Info:
    lines = tuple(sorted(found, key=lambda line: -line.score))
    best = lines[0]
    return Info(
        lines, to_move, visits=nodes, playouts=nodes, nodes=nodes, seconds=seconds, expected=best.expected,
        score=best.score,
    )  # fmt: skip


def _line(move: int, score: int, pv: Sequence[int], depth: int) -> Line:
    from tengen.engine._core import CHESS_MINIMAX_MATE as MATE

    proof = None
    if abs(score) > MATE // 2:
        proof = Proof(1 if score > 0 else -1, MATE - abs(score))
    win = 1 / (1 + math.exp(-max(-50.0, min(50.0, score / UNIT))))
    return Line(
        move, tuple(pv), visits=1, win=win, loss=1 - win, score=float(score), lcb=win, bound="exact", proof=proof,
        depth=depth, seldepth=len(pv),
    )  # fmt: skip
