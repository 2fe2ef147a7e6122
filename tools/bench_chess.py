"""The row of `tengen bench` for chess: leaves counted, moves made, nodes searched, per CPU-second of one thread.

perft_per_cpu_s counts the last ply without playing it, made_per_cpu_s plays every move. *_nodes_per_cpu_s are of the
player alphabeta by its tables and, where tengen ships one, by its network: 200,000 nodes from each of six positions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import TYPE_CHECKING, Any

from tengen.tools.bench_game import Benchmark

if TYPE_CHECKING:
    from tengen.engine._core import ChessState

POSITIONS = (
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4),
)
"""Positions that move generators are compared by, and how deep they are counted."""
NODES = 200_000


def parts() -> list[str]:
    """The parts of the measurement."""
    return ["chess perft", "chess made", *(f"chess {evaluator}" for evaluator in evaluators())]


def figures(budget: float, on_part: Callable[[str], None]) -> dict[str, dict[str, float]]:
    """See `Benchmark.figures`."""
    found = {}
    for name, is_bulk in (("perft_per_cpu_s", True), ("made_per_cpu_s", False)):
        on_part(f"chess {name.partition('_')[0]}")
        found[name] = _rate(_counts(is_bulk), budget)
    for evaluator in evaluators():
        on_part(f"chess {evaluator}")
        found[f"{evaluator}_nodes_per_cpu_s"] = _rate(_searches(evaluator), budget)
    return {"chess": {name: round(value) for name, value in found.items()}}


def evaluators() -> list[str]:
    """Those that the search can be measured by here."""
    from tengen.engine.evaluators import shipped
    from tengen.engine.games.chess.game import OWN_WEIGHTS

    evaluator, own = OWN_WEIGHTS
    return ["tables", *([evaluator] if shipped.path_of(own).is_file() else [])]


def _rate(work: Iterator[Callable[[], int]], budget: float) -> float:
    """What pieces of work count in all, per CPU second."""
    done, spent = 0, 0.0
    while spent < budget:
        piece = next(work)
        start = time.process_time()
        done += piece()
        spent += time.process_time() - start
    return done / spent


def _states() -> list[tuple[ChessState, int]]:
    from tengen.engine.games.chess.text import state_from_fen

    return [(state_from_fen(fen), depth) for fen, depth in POSITIONS]


def _counts(is_bulk: bool) -> Iterator[Callable[[], int]]:
    from tengen.engine._core import chess_perft

    for state, depth in cycle(_states()):
        yield lambda state=state, depth=depth: int(chess_perft(state, depth, is_bulk))  # type: ignore[misc]


def _searches(evaluator: str) -> Iterator[Callable[[], int]]:
    from tengen.engine import _core
    from tengen.engine.evaluators import shipped
    from tengen.engine.evaluators.weights import read_weights
    from tengen.engine.games.chess.game import CHESS, OWN_WEIGHTS

    if evaluator == "tables":
        search: Any = _core.ChessAlphaBeta(evaluator)
    else:
        weights = read_weights(shipped.path_of(OWN_WEIGHTS.shipped), CHESS.name, evaluator)
        search = _core.ChessAlphaBeta(evaluator, weights)
    search.set("threads", 1)

    def searched(state: ChessState) -> int:
        search.run(state, [], [], [], [], 0.0, 0.0, NODES, 0, 0, False)
        return int(search.info().playouts)

    for state, _ in cycle(_states()):
        search.clear()
        yield lambda state=state: searched(state)  # type: ignore[misc]


BENCHMARK = Benchmark(parts, figures)
