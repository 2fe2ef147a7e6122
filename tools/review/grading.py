"""Grade moves by their loss, in the terms of each game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class Grade(Enum):
    """Grades of moves, like KaTrain's colours but coarser."""

    BLUNDER = "blunder"
    MISTAKE = "mistake"
    INACCURACY = "inaccuracy"
    FINE = ""

    @property
    def word(self) -> str:
        return self.value


BAD = (Grade.BLUNDER, Grade.MISTAKE, Grade.INACCURACY)


@dataclass(frozen=True)
class Terms:
    """The terms of a game's review: grades and texts.

    unit: what is lost. least: from how much on a move is as bad as that. power: accuracy is 100 times this to the
    power of the mean loss; None: the sum of all losses is told instead. has_chances: whether winning chances are told.
    steps: ends of the scale of a picture; the last one is never exceeded. by_chances: `least` and `power` are of
    winning chances in percent. sides: who moves first, and the other. digits: of an estimate in the unit. wins: what
    the winner of a proved game does "in 3".
    """

    unit: str
    least: Mapping[Grade, float]
    power: float | None
    has_chances: bool
    steps: tuple[float, ...]
    by_chances: bool = False
    sides: tuple[str, str] = ("Black", "White")
    digits: int = 1
    wins: str = "mates"

    @property
    def is_dark_first(self) -> bool:
        """Whether who moves first has the dark stones or pieces."""
        return self.sides[0] == "Black"

    def amount(self, value: float, is_exact: bool) -> str:
        """A number as it is known (see `amount`)."""
        return amount(value, is_exact or not self.digits)

    def known(self, value: float, is_exact: bool) -> float:
        """A number as `amount` shows it."""
        return float(self.amount(value, is_exact))

    def threshold(self, grade: Grade) -> str:
        """From what on a move has that grade."""
        return f"{self.least[grade]:g} {'%' if self.by_chances else self.unit}"

    def grade(self, lost: float) -> Grade:
        """Return the grade of a loss."""
        return next((grade for grade in BAD if lost >= self.least[grade]), Grade.FINE)

    def scale(self, value: float) -> float:
        """The step that holds a value."""
        return next((step for step in self.steps if step >= value), self.steps[-1])


def amount(value: float, is_exact: bool) -> str:
    """A number as it is known: "12", or "12.0" of an estimate; without a negative zero.

    >>> amount(12.0, True), amount(-0.04, False)
    ('12', '0.0')
    """
    return f"{round(value) + 0.0:.0f}" if is_exact else f"{round(value, 1) + 0.0:.1f}"


GO = Terms(
    "points",
    {Grade.BLUNDER: 6.0, Grade.MISTAKE: 3.0, Grade.INACCURACY: 1.5},
    0.75,
    True,
    (5, 10, 20, 30, 40, 60, 80, 100, 150, 200, 400, 10**6),
)
"""Accuracy as KaTrain's."""
REVERSI = Terms(
    "discs",
    {Grade.BLUNDER: 8.0, Grade.MISTAKE: 4.0, Grade.INACCURACY: 2.0},
    None,
    False,
    (4, 8, 16, 24, 32, 48, 64),
)
"""Exact losses are even numbers."""
CHESS = Terms(
    "centipawns",
    {Grade.BLUNDER: 15.0, Grade.MISTAKE: 10.0, Grade.INACCURACY: 5.0},
    0.957,
    True,
    (100, 200, 300, 500, 1000),
    by_chances=True,
    sides=("White", "Black"),
    digits=0,
)
"""Grades and accuracy about as lichess's: 5, 10 and 15 % of expected points. A mate counts 1000 centipawns."""
GOMOKU = Terms(
    "units",
    {Grade.BLUNDER: 30.0, Grade.MISTAKE: 20.0, Grade.INACCURACY: 10.0},
    0.957,
    True,
    (300, 600, 1000, 1500),
    by_chances=True,
    digits=0,
    wins="wins",
)
"""300 units are a unit of log odds: 73 % of winning chances. A proved win counts 1500."""
