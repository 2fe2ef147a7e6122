"""How far evaluation and shallow searches of Reversi are from exact results, by the number of empty cells.

    python tests/play/reversi_exact.py NETWORK.safetensors GAMES [GAMES ...] [--empties 20 19] [--count 300] [--depths 0 1 2 8]

GAMES are bases of people's games (.wtb), or games of a match (.ggf). The positions are one a game, drawn by `--seed`. Depth 0 is the evaluation alone; others are searches that
leave nothing out. For each depth: the mean distance in discs, and the mean of value less result, which is positive where
the side to move is thought too well of.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from tengen.engine._core import ReversiSolver, ReversiState, StopToken, reversi_evaluation
from tengen.engine.evaluators.weights import read_weights
from tengen.engine.games import get_game
from tengen.engine.limits import Limits
from tengen.engine.records import ggf, wthor
from tengen.engine.search import make_search
from tengen.engine.search.base import Root


def positions_of(files: list[Path], empties: int, count: int, seed: int) -> list[ReversiState]:
    """`count` positions that are not over, with so many empty cells, of games drawn by the seed."""
    formats = {".wtb": wthor, ".ggf": ggf}
    games = [game for file in files for game in formats[file.suffix].loads_all(file.read_bytes())]
    random.Random(seed).shuffle(games)
    found = list[ReversiState]()
    for game in games:
        state = ReversiState()
        for _, move in game.moves:
            if bytes(state.stones()).count(0) <= empties:
                break
            if move is not None and state.is_legal(move):
                state.play(move)
        if bytes(state.stones()).count(0) == empties and not state.is_terminal():
            found.append(state)
        if len(found) == count:
            break
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", type=Path)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--empties", type=int, nargs="+", default=[20])
    parser.add_argument("--depths", type=int, nargs="+", default=[0, 1, 2, 8])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    values = parser.parse_args()
    game, weights = get_game("reversi"), read_weights(values.network, "reversi", "patterns")
    solver = ReversiSolver(weights=weights)
    search = make_search(game, "alphabeta", {"alphabeta.weights": str(values.network), "alphabeta.selectivity": 0})
    for empties in values.empties:
        errors: dict[int, list[float]] = {depth: [] for depth in values.depths}
        positions = positions_of(values.games, empties, values.count, values.seed)
        for state in positions:
            solved = solver.solve(state)
            assert solved is not None
            for depth in values.depths:
                if depth:
                    found = search.run(Root(state.copy()), Limits(depth=depth), StopToken()).lines[0].score
                else:
                    found = reversi_evaluation(state, weights)
                errors[depth].append(found - solved[0])
        told = (
            f"depth {depth}: {sum(map(abs, some)) / len(some):.2f} ({sum(some) / len(some):+.2f})"
            for depth, some in errors.items()
        )
        print(f"{empties} empty cells, {len(positions)} positions; {'; '.join(told)}", flush=True)


if __name__ == "__main__":
    main()
