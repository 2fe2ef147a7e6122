"""Profiles of the people that KataGo's human networks imitate: players by the name of a profile, as the 192 numbers
that it takes.

Names and numbers are KataGo's (`cpp/neuralnet/sgfmetadata.cpp`): its networks learned from games that are described so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from tengen.engine.evaluators.katago.model import METADATA

if TYPE_CHECKING:
    from numpy import float32, uint8
    from numpy.typing import NDArray

RANKS = (*(f"{number}d" for number in range(9, 0, -1)), *(f"{number}k" for number in range(1, 21)))
"""Ranks from the strongest; the network takes a rank as its place here, from 1 on."""
KNOWN = (
    "rank_20k to rank_9d (of today), preaz_20k to preaz_9d (of 2016), rank_A_B and preaz_A_B (Black A, White B), "
    "proyear_1800 to proyear_2023 (professionals)"
)
FIRST_YEAR, LAST_YEAR, FIRST_MODERN = 1800, 2023, 2021
DATES = {"rank": date(2020, 3, 1), "preaz": date(2016, 9, 1)}
KGS, GOGOD, GO4GO = 2, 5, 6
"""The sources of the games of a profile, as the network numbers them."""

# Places in the row; pairs are of the side to move and of the other.
HUMAN, RANK, RANK_PLACES = 0, 6, 34
RATED, UNKNOWN_CLOCK, BYO_YOMI = 74, 75, 79
MAIN_TIME, PERIOD_TIME, PERIODS, CANADIAN_MOVES, AREA = 82, 83, 84, 85, 86
DATE, DATE_WAVES, SOURCE = 87, 32, 151
EPOCH, SHORTEST_WAVE, LONGEST_FACTOR = date(1970, 1, 1), 7.0, 80000.0
"""A date is the angle of waves from a week to this many weeks."""


@dataclass(frozen=True)
class Profile:
    """Two players and their game. black, white: places in RANKS, from 1. The clock is that of a server, or unknown."""

    name: str
    black: int
    white: int
    played: date
    source: int
    is_on_server: bool


def profile_of(name: str) -> Profile:
    """The profile of a name. Raises ValueError with one sentence that says which there are."""
    kind, _, rest = name.partition("_")
    if kind == "proyear" and rest.isascii() and rest.isdigit() and FIRST_YEAR <= int(rest) <= LAST_YEAR:
        year = int(rest)
        return Profile(name, 1, 1, date(year, 6, 1), GO4GO if year >= FIRST_MODERN else GOGOD, False)
    ranks = rest.split("_")
    if kind in DATES and len(ranks) <= 2 and all(rank in RANKS for rank in ranks):
        black, white = (1 + RANKS.index(rank) for rank in (ranks[0], ranks[-1]))
        return Profile(name, black, white, DATES[kind], KGS, True)
    raise ValueError(f"there are no players '{name[:60]}'; those known are {KNOWN}")


def rows_of(profile: Profile, sides: NDArray[uint8], area: int) -> NDArray[float32]:
    """n x METADATA, for positions with these sides to move on boards of so many points."""
    return _both(profile, area)[sides]


@cache
def _both(profile: Profile, area: int) -> NDArray[float32]:
    """2 x METADATA: Black to move, and White."""
    import numpy as np

    rows = np.zeros((2, METADATA), np.float32)
    rows[:, HUMAN : HUMAN + 2] = 1
    for side, (own, other) in enumerate(((profile.black, profile.white), (profile.white, profile.black))):
        rows[side, RANK : RANK + own] = 1
        rows[side, RANK + RANK_PLACES : RANK + RANK_PLACES + other] = 1
    rows[:, BYO_YOMI if profile.is_on_server else UNKNOWN_CLOCK] = 1
    rows[:, RATED] = 0.5 if profile.is_on_server else 0  # one half: it is not known
    main, period, periods = (1200.0, 30.0, 5) if profile.is_on_server else (0.0, 0.0, 0)
    rows[:, MAIN_TIME] = 0.4 * (math.log(main + 60) - 6.5)
    rows[:, PERIOD_TIME] = 0.3 * (math.log(period + 1) - 3)
    rows[:, PERIODS] = 0.5 * (math.log(periods + 2) - 1.5)
    rows[:, CANADIAN_MOVES] = 0.25 * (math.log(2) - 1.5)
    rows[:, AREA] = 0.5 * math.log(area / 361)
    rows[:, DATE : DATE + 2 * DATE_WAVES] = _waves((profile.played - EPOCH).days)
    rows[:, SOURCE + profile.source] = 1
    return rows


def _waves(days: int) -> list[float]:
    """Cosine and sine of each wave."""
    factor = LONGEST_FACTOR ** (1 / (DATE_WAVES - 1))
    angles = [math.tau * days / (SHORTEST_WAVE * factor**place) for place in range(DATE_WAVES)]
    return [wave(angle) for angle in angles for wave in (math.cos, math.sin)]
