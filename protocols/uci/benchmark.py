"""`bench [DEPTH]`: positions of all kinds to one depth by one thread, and the nodes that this took.

The number of nodes is the same on every machine: it changes when the search does.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from tengen.engine.games.chess.text import START, state_from_fen
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest

if TYPE_CHECKING:
    from tengen.engine._core import StopToken
    from tengen.engine.config import Config

DEPTH, DEEPEST = 10, 60
POSITIONS = (
    START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 11",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
    "r2q1rk1/1b2bppp/p2ppn2/1p6/3QP3/1BN1B3/PPP2PPP/R4RK1 w - - 0 13",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "6k1/6p1/6Pp/ppp5/3pn2P/1P3K2/1PP2P2/3N4 b - - 0 1",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "3r1rk1/p5pp/bpp1pp2/8/q1PP1P2/b3P3/P2NQRPP/1R2B1K1 b - - 6 22",
    "r1bq1r1k/1pp1n1pp/1p1p4/4p2Q/4Pp2/1BNP4/PPP2PPP/3R1RK1 w - - 2 14",
)


def bench(config: Config, depth: int, write: Callable[[str], None], stop: StopToken) -> str:
    """Search every position anew, telling of each; returns the lines at the end."""
    player = Player(replace(config, threads=1, playouts=None, level=None, seed=1), is_lenient=True)
    nodes, seconds = 0, 0.0
    try:
        for number, fen in enumerate(POSITIONS, 1):
            state = state_from_fen(fen)
            player.begin(state)
            player.forget()
            begun = time.monotonic()
            limits = Limits(depth=min(max(depth, 1), DEEPEST))
            info = player.genmove(MoveRequest(state.to_move, limits, play=False, resign=False, stop=stop)).info
            seconds += time.monotonic() - begun
            nodes += info.playouts
            write(f"info string bench {number}/{len(POSITIONS)} nodes {info.playouts}\n")
            if stop.is_stopped:
                break
    finally:
        player.close()
    speed = int(nodes / max(seconds, 0.001))
    return (
        f"===========================\nTotal time (ms) : {int(1000 * seconds)}\n"
        f"Nodes searched  : {nodes}\nNodes/second    : {speed}\n"
    )
