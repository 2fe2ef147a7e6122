"""`bench [DEPTH]`: positions of all kinds to one depth by one thread, and the nodes that this took.

The number of nodes is the same on every machine: it changes when the search does. Unless options say
otherwise it is the chess line of `tengen bench --signature`. It is told whole or not at all.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from tengen.engine.games.chess.bench import BENCH
from tengen.engine.games.chess.text import state_from_fen
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest

if TYPE_CHECKING:
    from tengen.engine._core import StopToken
    from tengen.engine.config import Config

DEPTH, DEEPEST = BENCH.depth, 60
POSITIONS = tuple(position.fen for position in BENCH.positions)
STOPPED = "info string bench was ended before its end, so it has no total; 'tengen uci bench' waits for it\n"


def depth_of(words: list[str]) -> int:
    """The depth that follows `bench`; DEPTH where none does."""
    word = words[0] if words else ""
    depth = int(word) if word.isascii() and word.isdigit() and len(word) < 4 else DEPTH
    return min(max(depth, 1), DEEPEST)


def bench(config: Config, depth: int, write: Callable[[str], None], stop: StopToken) -> str:
    """Search every position anew, telling of each; returns the lines at the end: totals, or that it was stopped."""
    player = Player(replace(config, threads=1, playouts=None, level=None, seed=1), is_lenient=True)
    nodes, seconds = 0, 0.0
    try:
        for number, fen in enumerate(POSITIONS, 1):
            state = state_from_fen(fen)
            player.begin(state)
            player.forget()
            begun = time.monotonic()
            request = MoveRequest(state.to_move, Limits(depth=depth), play=False, resign=False, stop=stop)
            info = player.genmove(request).info
            seconds += time.monotonic() - begun
            if stop.is_stopped:
                return STOPPED
            nodes += info.playouts
            write(f"info string bench {number}/{len(POSITIONS)} nodes {info.playouts}\n")
    finally:
        player.close()
    speed = int(nodes / max(seconds, 0.001))
    return (
        f"===========================\nTotal time (ms) : {int(1000 * seconds)}\n"
        f"Nodes searched  : {nodes}\nNodes/second    : {speed}\n"
    )
