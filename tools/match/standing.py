"""Where a run stands: results of each engine, pairs of each pairing, reasons; from the games that count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tengen.tools.match.spec import FAULTS, GameResult
from tengen.tools.match.statistics.elo import Summary, summary
from tengen.tools.match.statistics.ratings import Game, Ratings, fit
from tengen.tools.match.store import counted

SCORES = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}


@dataclass
class Score:
    """One engine against another. trinomial: [losses, draws, wins] of all games; pentanomial: [LL, LD, DD+WL, WD, WW]
    of the pairs with both games."""

    trinomial: list[int] = field(default_factory=lambda: [0, 0, 0])
    pentanomial: list[int] = field(default_factory=lambda: [0, 0, 0, 0, 0])

    @property
    def games(self) -> int:
        return sum(self.trinomial)

    @property
    def points(self) -> float:
        return self.trinomial[2] + self.trinomial[1] / 2

    def summary(self) -> Summary:
        """Of the pairs; of the games while there are fewer than two pairs."""
        return summary(self.pentanomial if sum(self.pentanomial) > 1 else self.trinomial)

    def as_text(self) -> str:
        """ "+3 =1 -2"."""
        losses, draws, wins = self.trinomial
        return f"+{wins} ={draws} -{losses}"


@dataclass(frozen=True)
class Standing:
    """The sum of a run's games. faults: of each engine, by reason. void: games that were played again."""

    games: tuple[GameResult, ...]
    duplicates: int = 0
    void: int = 0

    @property
    def played(self) -> int:
        """Games of the schedule that are done, duplicates too."""
        return len(self.games) + self.duplicates

    def score(self, one: str, other: str) -> Score:
        """`one` against `other`."""
        score = Score()
        halves: dict[int, list[float]] = {}
        for row in self.games:
            if {row.first, row.second} == {one, other}:
                points = SCORES[row.result] if row.first == one else 1 - SCORES[row.result]
                score.trinomial[int(2 * points)] += 1
                halves.setdefault(row.pair, []).append(points)
        for half in halves.values():
            if len(half) == 2:
                score.pentanomial[int(2 * sum(half))] += 1
        return score

    def total(self, name: str) -> Score:
        """An engine against all others; games only."""
        score = Score()
        for row in self.games:
            if name in (row.first, row.second):
                points = SCORES[row.result] if row.first == name else 1 - SCORES[row.result]
                score.trinomial[int(2 * points)] += 1
        return score

    def ratings(self, names: Sequence[str], anchors: dict[str, float] | None = None) -> Ratings:
        """Ratings of everybody."""
        rows = (Game(row.first, row.second, SCORES[row.result], row.pair) for row in self.games)
        return fit(rows, anchors, names)

    def reasons(self) -> Counter[str]:
        """How the games ended."""
        return Counter(row.reason.value for row in self.games)

    def faults(self) -> dict[str, Counter[str]]:
        """Each engine's misbehaviour, by reason."""
        found: dict[str, Counter[str]] = {}
        for row in self.games:
            if row.reason in FAULTS and row.culprit is not None:
                found.setdefault(row.culprit, Counter())[row.reason.value] += 1
        return found


def standing(results: Iterable[GameResult]) -> Standing:
    """Of everything that a run recorded."""
    found = counted(results)
    return Standing(found.games, len(found.duplicates), found.void)
