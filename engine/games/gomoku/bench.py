"""The Gomoku positions of `tengen bench --signature`: all its rules, quiet positions and attacks by fours."""

from __future__ import annotations

from tengen.engine.games.bench import Bench, BenchPosition

BENCH = Bench(
    (
        BenchPosition(),
        BenchPosition(moves="H8 J9 H9"),
        BenchPosition(moves="H8 J9 K8 H10 G9 H6 J7 J8 K7 K9 L9"),
        BenchPosition(moves="H8 H9 K10 G7 J9 J8", rules="renju"),
        BenchPosition(moves="H8 J8 J9 H7 G10 K10 H9 H10", rules="standard"),
        BenchPosition(moves="K10 L11 K11 L10", size=19, rules="caro"),
        BenchPosition(moves="K10 L11 L9 M10 K8 J11", size=20, rules="exact-caro"),
        BenchPosition(moves="D4 E5", size=7),
    ),
    depth=8,
    playouts=5000,
    elo_a_doubling=180,
)
