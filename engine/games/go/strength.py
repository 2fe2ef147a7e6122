"""Levels and ranks of Go's player with a network: how much it searches and how freely it chooses.

Two families of players, each with one number: the weaker take moves from the policy at a temperature, the stronger
search. `docs/benchmarks.md` has the matches that the numbers come from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from tengen.engine.games.network_levels import ONE
from tengen.engine.games.players import Level
from tengen.engine.limits import Limits


def by_policy(temperature: float) -> Level:
    """A player that draws its moves from the policy. The flatter it is, the smaller the shares that it still takes."""
    return Level(ONE, temperature, 1.0, min(0.05, 0.0125 * temperature**-1.5))


def by_search(visits: int) -> Level:
    """A player that searches; the more it sees, the less freely it chooses."""
    temperature = 0.25 * (8 / visits) ** 0.3
    return Level(Limits(visits=visits), temperature, temperature / 5)


def _levels(temperatures: Sequence[float], visits: Sequence[int]) -> Mapping[int, Level]:
    found = [*map(by_policy, temperatures), *map(by_search, visits)]
    return MappingProxyType(dict(enumerate(found, 1)))


SMALL = _levels((1.7, 1.22, 0.8, 0.4), (3, 8, 20, 56, 160, 400))
"""Levels 1 to 10 on 9x9."""
LARGE = _levels((1.5, 1.36, 1.2, 1.03, 0.82, 0.64, 0.5, 0.15), (3, 8))
"""Levels 1 to 10 on 19x19, where weak moves cost more, because more of them are made."""
BY_POLICY: Mapping[int, float] = MappingProxyType({-25: 2.3, -18: 2.0, -13: 1.75, -8: 1.57, -3: 1.36, 2: 1.05})
"""Temperatures of ranks: -25 is 25 kyu, 0 is 1 dan."""


def _between(knots: Mapping[int, float]) -> Iterator[tuple[int, float]]:
    """Each rank from the first knot to the last, and its number, by the ratio of the numbers of its neighbours."""
    places = list(knots)
    for low, high in zip(places, places[1:], strict=False):
        for at in range(low, high):
            yield at, knots[low] * (knots[high] / knots[low]) ** ((at - low) / (high - low))
    yield places[-1], knots[places[-1]]


def _name(at: int) -> str:
    return f"{-at}k" if at < 0 else f"{at + 1}d"


RANKS: Mapping[str, Level] = MappingProxyType(
    {_name(at): by_policy(temperature) for at, temperature in _between(BY_POLICY)}
)
"""Levels by ranks, from 25 kyu to 3 dan."""
