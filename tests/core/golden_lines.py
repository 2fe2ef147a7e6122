"""Golden lines: what alpha-beta of every game finds from fixed positions within fixed depths or nodes, as text.

    python tests/core/golden_lines.py        # writes tests/data/golden again, after a change that was meant to change play

A file is one position by one evaluator: the first run, a second one that knows its table and history, and the next
move of the game. Nodes are counted exactly, so that any change of cuts, reductions, ordering, the table or an
evaluation shows. One thread, no clock: how long a step may take (`time_management.hpp`) is not part of it.

Scores are whole numbers. The real ones (logarithms of reductions, ProbCut's margins) are rounded to whole plies and
scores, and none lies closer to where it would be rounded otherwise than 3e-5: files are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tengen.engine._core import StopToken
from tengen.engine.games import GAMES, get_game
from tengen.engine.games.base import Game, State
from tengen.engine.history import History
from tengen.engine.info import Info, Line
from tengen.engine.limits import Limits
from tengen.engine.search import make_search
from tengen.engine.search.base import Root

FOLDER = Path(__file__).parent.parent / "data" / "golden"
PLAYER = "alphabeta"
MEMORY_MB = 16


class Case(NamedTuple):
    """A position by its text ("" is the start) and the moves from there, what bounds a run, and options of the search."""

    game: str
    start: str
    moves: str
    limits: Limits
    options: Mapping[str, Any] = {}
    rules: str = "standard"


REVERSI_END = (
    "c4 c5 f6 c3 b5 g7 e3 e6 c2 f3 g3 a5 h8 b3 f4 f2 b4 f5 f7 h3 a3 d2 e2 e1 a6 e7 d7 c1 c6 g8 f1 g4 d1 b6 b1 d3 "
    "g6 b7 f8 a7 c7 h6 a8 b2"
)
"""44 moves of a game: 16 cells are left."""

FIVES = "H8 J9 K8 H10 G9 H6 J7 J8 K7 K9 L9"
"""A fight in Gomoku."""

CASES: dict[str, Case] = {
    "chess-start": Case("chess", "", "", Limits(depth=9)),
    "chess-opening": Case("chess", "", "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6", Limits(playouts=60_000)),
    "chess-tactics": Case(
        "chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10", "", Limits(depth=8)
    ),
    "chess-attack": Case(
        "chess", "r1bq1r1k/1pp1n1pp/1p1p4/4p2Q/4Pp2/1BNP4/PPP2PPP/3R1RK1 w - - 2 14", "", Limits(playouts=60_000)
    ),
    "chess-mate": Case("chess", "6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", "", Limits(depth=12)),
    "chess-passed": Case("chess", "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1", "", Limits(depth=12)),
    "chess-rooks": Case("chess", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 11", "", Limits(depth=13)),
    "chess-kbnk": Case("chess", "8/8/3k4/8/8/4K3/8/4BN2 w - - 0 1", "", Limits(playouts=40_000)),
    "chess-fifty": Case("chess", "7k/8/8/8/8/8/Q7/K7 w - - 90 80", "", Limits(playouts=40_000)),
    "chess-repeats": Case(
        "chess", "6k1/6p1/8/7Q/8/8/qr4PP/6K1 w - - 0 1", "h5e8 g8h7 e8h5 h7g8", Limits(depth=10)
    ),
    "chess-lines": Case(
        "chess", "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19", "", Limits(depth=7), {"alphabeta.lines": 4}
    ),
    "chess-960": Case(
        "chess", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "", Limits(depth=8), rules="chess960"
    ),
    "reversi-start": Case("reversi", "", "", Limits(depth=10)),
    "reversi-middle": Case("reversi", "", "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c7", Limits(playouts=80_000)),
    "reversi-whole": Case(
        "reversi", "", "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c7", Limits(depth=7), {"alphabeta.selectivity": 0}
    ),
    "reversi-bold": Case(
        "reversi", "", " ".join(REVERSI_END.split()[:24]), Limits(depth=10), {"alphabeta.selectivity": 5}
    ),
    "reversi-lines": Case(
        "reversi", "", "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c7", Limits(depth=6), {"alphabeta.lines": 3}
    ),
    "reversi-24-left": Case("reversi", "", " ".join(REVERSI_END.split()[:36]), Limits(playouts=200_000)),
    "reversi-solved": Case("reversi", "", " ".join(REVERSI_END.split()[:42]), Limits(playouts=3_000_000)),
    "reversi-to-end": Case("reversi", "", " ".join(REVERSI_END.split()[:40]), Limits(depth=9, to_end=True)),
    "reversi-last": Case("reversi", "", REVERSI_END, Limits(depth=10, to_end=True)),
    "reversi-passes": Case("reversi", "", f"{REVERSI_END} h7 b8 d6 d8 h5 e8 g5 h4", Limits(playouts=200_000)),
    "gomoku-opening": Case("gomoku", "", "H8 J9 H9", Limits(playouts=40_000), rules="freestyle"),
    "gomoku-attack": Case("gomoku", "", FIVES, Limits(depth=8), rules="freestyle"),
    "gomoku-lines": Case("gomoku", "", FIVES, Limits(depth=5), {"alphabeta.lines": 3}, rules="freestyle"),
    "gomoku-standard": Case("gomoku", "", "H8 J8 J9 H7 G10 K10 H9 H10", Limits(playouts=40_000)),
    "gomoku-renju": Case("gomoku", "", "H8 H9 K10 G7 J9 J8", Limits(playouts=40_000), rules="renju"),
    "gomoku-caro": Case("gomoku", "", "H8 J9 J7 K10 G6 H11", Limits(playouts=40_000), rules="caro"),
}  # fmt: skip


def evaluators(game: str) -> dict[str, str]:
    """Name of an evaluator -> the value of `alphabeta.weights` by which the player has it, "" where it reads none."""
    facts = get_game(game)
    if facts.parts.weights is None:
        return {str(facts.players[PLAYER].evaluator): ""}
    return {facts.parts.weights.evaluator: "auto", str(facts.players[PLAYER].evaluator): "none"}


def names() -> list[tuple[str, str]]:
    """(case, evaluator) of every file."""
    return [(case, evaluator) for case, facts in CASES.items() for evaluator in evaluators(facts.game)]


def file_of(case: str, evaluator: str) -> Path:
    return FOLDER / f"{case}.{PLAYER}.{evaluator}.txt"


def games() -> set[str]:
    """Those that alpha-beta searches."""
    return {name for name in GAMES if PLAYER in get_game(name).players}


def lines_text(name: str, evaluator: str) -> str:
    """The text of one golden file."""
    case = CASES[name]
    game = get_game(case.game)
    repetition = game.rule_sets[case.rules].repetition
    history = History(_start(game, case))
    for word in case.moves.split():
        history.play(history.state.to_move, game.move_from_text(history.state, word), repetition)
    weights = evaluators(case.game)[evaluator]
    own = {
        **({"alphabeta.weights": weights} if weights else {}),
        "alphabeta.threads": 1,
        "alphabeta.memory_mb": MEMORY_MB,
    }
    search = make_search(game, PLAYER, {**own, **case.options})
    parts = []
    for title in ("first", "again", "next"):
        state = history.state
        info = search.run(Root(state.copy(), seen=history.seen(repetition)), case.limits, StopToken())
        parts += [f"[{title}]", *_report(game, state, info)]
        if title == "again":
            history.play(state.to_move, info.lines[0].move, repetition)
            if history.state.is_terminal():
                break
    return "\n".join(parts) + "\n"


def _start(game: Game, case: Case) -> State:
    rules = game.rule_sets[case.rules]
    if case.start:
        return game.hooks.position(game, case.start, rules)
    return game.new_state(game.default_size, game.default_size, rules, 0.0)


def _report(game: Game, state: State, info: Info) -> Iterator[str]:
    yield f"nodes {info.nodes}"
    for line in info.lines:
        yield f"{_facts(line)} pv {' '.join(_words(game, state, line))}"


def _facts(line: Line) -> str:
    proof = f" proof {line.proof.result} in {line.proof.plies}" if line.proof else ""
    return (
        f"depth {line.depth} seldepth {line.seldepth} nodes {line.visits} score {line.score:.4f} "
        f"win {line.win:.4f} draw {line.draw:.4f} {line.bound}{proof}"
    )


def _words(game: Game, state: State, line: Line) -> Iterator[str]:
    at = state.copy()
    for move in line.pv:
        yield game.move_to_text(at, move)
        at.play(move)


if __name__ == "__main__":
    for case_name, evaluator_name in names():
        file_of(case_name, evaluator_name).write_text(lines_text(case_name, evaluator_name), encoding="utf-8")
