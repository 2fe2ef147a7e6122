"""The Reversi positions of `tengen bench --signature`: the start, middle games, and endings that are solved."""

from __future__ import annotations

from tengen.engine.games.bench import Bench, BenchPosition

GAMES = (
    "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c7 c6 g4 f7 g5 f8 e8 c8 c5 b6 g8 g6 h5 d2 c2 f2 g3 h6 e3 e2 f1 c1 d1 e1 b1 d8 b8",
    "c4 c5 f6 c3 b5 g7 e3 e6 c2 f3 g3 a5 h8 b3 f4 f2 b4 f5 f7 h3 a3 d2 e2 e1 a6 e7 d7 c1 c6 g8 f1 g4 d1 b6 b1 d3 g6 b7 "
    "f8 a7 c7 h6 a8 b2",
)


def _after(game: int, *plies: int) -> list[BenchPosition]:
    return [BenchPosition(moves=" ".join(GAMES[game].split()[:count])) for count in plies]


BENCH = Bench(
    (BenchPosition(), *_after(0, 6, 12, 18, 24, 30), *_after(1, 8, 16, 24, 32, 36, 40, 44)),
    depth=12,
    playouts=1000,
    elo_a_doubling=60,
)
