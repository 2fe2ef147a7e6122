"""The schedule of a match or tournament: pairs of games, each opening with both colours; more engines or more games
continue the same run.

The number of a pair says all: pairing * STRIDE + round, where the pairing of engines i < j is j (j - 1) / 2 + i. So a
game keeps its number, opening and seed however the run grows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tengen.tools.match.spec import GameTask, Opening

KINDS = ("pair", "round-robin", "gauntlet")
STRIDE = 100_000
"""More than the rounds of a tournament; a match of two may have more."""


@dataclass(frozen=True)
class Pair:
    """Two games with one opening and colours reversed: the unit of work and of the statistics."""

    number: int
    tasks: tuple[GameTask, GameTask]


def pairings(kind: str, players: int, seeds: int = 1) -> list[tuple[int, int]]:
    """(i, j) with i < j. gauntlet: the first `seeds` engines against all others. Raises ValueError."""
    if players < 2:
        count = "none" if players == 0 else "only one"
        most = "two engines" if kind == "pair" else "at least two engines"
        raise ValueError(
            f"give {most}, there is {count}: a player of ours by --player uct, any program by --engine command='...'"
        )
    if kind == "pair" and players != 2:
        raise ValueError(f"a match has two engines, not {players}: use 'tengen tournament'")
    if kind == "gauntlet" and not 0 < seeds < players:
        raise ValueError(f"a gauntlet of {players} engines has 1 to {players - 1} seeds")
    everyone = [(i, j) for j in range(players) for i in range(j)]
    return [(i, j) for i, j in everyone if kind != "gauntlet" or i < seeds <= j]


def pairs(
    kind: str, names: Sequence[str], rounds: int, openings: Sequence[Opening], seed: int, seeds: int = 1
) -> Iterator[Pair]:
    """Every pair of a run, round by round."""
    table = pairings(kind, len(names), seeds)
    if len(names) > 2 and rounds >= STRIDE:
        raise ValueError(f"a tournament has fewer than {STRIDE} rounds")
    for turn in range(rounds):
        opening = openings[turn % len(openings)]
        for i, j in table:
            yield _pair(names[i], names[j], (j * (j - 1) // 2 + i) * STRIDE + turn + 1, turn + 1, opening, seed)


def _pair(one: str, other: str, number: int, turn: int, opening: Opening, seed: int) -> Pair:
    ids = (f"{number:06d}a", f"{number:06d}b")
    return Pair(
        number,
        (
            GameTask(ids[0], number, turn, one, other, opening, _seed(seed, ids[0])),
            GameTask(ids[1], number, turn, other, one, opening, _seed(seed, ids[1])),
        ),
    )


def _seed(seed: int, name: str) -> int:
    """A game's own seed, 0 to 2**31 - 1."""
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:4], "big") >> 1
