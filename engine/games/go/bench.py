"""The Go positions of `tengen bench --signature`: boards of three sizes under several rules, from opening to end."""

from __future__ import annotations

from tengen.engine.games.bench import Bench, BenchPosition

BENCH = Bench(
    (
        BenchPosition(size=9),
        BenchPosition(moves="E5 E3 G4 G3 C4 D3 C3 C2 D2 E2 B2 C1 F4 H4 H5 H3", size=9),
        BenchPosition(moves="C3 G7 G3 C7 E7 F7 E6 E8 D8 F8 D7 C6", size=9, rules="japanese"),
        BenchPosition(moves="C3 C2 D2 B3 D3 B2 C4 B4 C1 B1 D1 C5 D5 B5 pass", size=5, rules="tromp-taylor"),
        BenchPosition(moves="C3 D4 D3 E3 C4 E4 D5 F4 E5 D2 C2", size=13),
        BenchPosition(moves="Q16 D4 Q4 D16 R14 O17", size=19),
    ),
    playouts=2000,
    elo_a_doubling=100,
)
