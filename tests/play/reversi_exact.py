"""How far evaluation and shallow searches of Reversi are from exact results, by the number of empty cells.

    python tests/play/reversi_exact.py NETWORK.safetensors GAMES [GAMES ...] [--empties 20 19] [--count 300] [--depths 0 1 2 8] [--moves]

GAMES are bases of people's games (.wtb), or games of a match (.ggf). The positions are one a game, drawn by `--seed`. Depth 0 is the evaluation alone; others are searches that
leave nothing out. For each depth: the mean distance in discs, and the mean of value less result, which is positive where
the side to move is thought too well of. `--moves` judges the evaluation behind every move instead, for the side that
made it, and says how many discs are lost by the move that looks best.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from statistics import fmean

from tengen.engine._core import ReversiSolver, ReversiState, StopToken, Weights, reversi_evaluation
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


def judge_moves(state: ReversiState, weights: Weights, solver: ReversiSolver) -> tuple[list[float], float]:
    """What the evaluation is wrong by behind each move, for the side that made it, and what the best-looking one loses;
    in discs."""
    looks, worth = list[float](), list[float]()
    for move in state.legal_moves():
        after = state.copy()
        after.play(move)
        solved = solver.solve(after)
        assert solved is not None
        sign = 1 if after.to_move == state.to_move else -1
        looks.append(sign * (solved[0] if after.is_terminal() else reversi_evaluation(after, weights)))
        worth.append(sign * solved[0])
    return [look - true for look, true in zip(looks, worth, strict=True)], max(worth) - worth[looks.index(max(looks))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", type=Path)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--empties", type=int, nargs="+", default=[20])
    parser.add_argument("--depths", type=int, nargs="+", default=[0, 1, 2, 8])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moves", action="store_true")
    values = parser.parse_args()
    game, weights = get_game("reversi"), read_weights(values.network, "reversi", "patterns")
    solver = ReversiSolver(weights=weights)
    search = make_search(game, "alphabeta", {"alphabeta.weights": str(values.network), "alphabeta.selectivity": 0})
    for empties in values.empties:
        errors: dict[int, list[float]] = {depth: [] for depth in values.depths}
        positions = positions_of(values.games, empties, values.count, values.seed)
        if values.moves:
            judged = [judge_moves(state, weights, solver) for state in positions]
            mean, bias = (fmean(fmean(map(how, wrong)) for wrong, _ in judged) for how in (abs, float))
            lost = fmean(loss for _, loss in judged)
            print(
                f"{empties} empty cells, {len(positions)} positions; all moves: {mean:.2f} ({bias:+.2f}); lost: {lost:.2f}"
            )
            continue
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
