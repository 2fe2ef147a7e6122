"""The standing of a run: results of each engine, pairs of each pairing, reasons; from the games that count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tengen.tools.match.run.store import Counted
from tengen.tools.match.spec import FAULTS, GameResult
from tengen.tools.match.statistics.elo import Summary, summary
from tengen.tools.match.statistics.known import Meeting
from tengen.tools.match.statistics.ratings import Game, Rating, Ratings, fit

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

    def reversed(self) -> Score:
        """The same from the other side."""
        return Score(self.trinomial[::-1], self.pentanomial[::-1])

    def summary(self) -> Summary:
        """Summarise the pairs; or the games while there are fewer than two pairs, or while all pairs were won or lost:
        then the games say as much, and a game without its pair counts, too."""
        pairs = sum(self.pentanomial)
        is_perfect = pairs in (self.pentanomial[0], self.pentanomial[-1])
        return summary(self.trinomial if pairs < 2 or is_perfect else self.pentanomial)

    def as_text(self) -> str:
        """ "+3 =1 -2"."""
        losses, draws, wins = self.trinomial
        return f"+{wins} ={draws} -{losses}"


class Standing:
    """The sum of a run's games, kept up game by game, since a long run asks for it after each of thousands."""

    def __init__(self) -> None:
        self.counted = Counted()
        self._scores: dict[tuple[str, str], Score] = {}
        self._halves: dict[tuple[str, str, int], float] = {}
        self._reasons: Counter[str] = Counter()
        self._faults: dict[str, Counter[str]] = {}

    def add(self, row: GameResult) -> None:
        """Take one more result."""
        if not self.counted.add(row):
            return
        one, other = sorted((row.first, row.second))
        points = SCORES[row.result] if row.first == one else 1 - SCORES[row.result]
        score = self._scores.setdefault((one, other), Score())
        score.trinomial[int(2 * points)] += 1
        half = self._halves.pop((one, other, row.pair), None)
        if half is None:
            self._halves[one, other, row.pair] = points
        else:
            score.pentanomial[int(2 * (half + points))] += 1
        self._reasons[row.reason.value] += 1
        if row.reason in FAULTS and row.culprit is not None:
            self._faults.setdefault(row.culprit, Counter())[row.reason.value] += 1

    @property
    def games(self) -> Sequence[GameResult]:
        """Those that count."""
        return self.counted.games

    @property
    def duplicates(self) -> int:
        """Games that repeat an earlier one."""
        return len(self.counted.duplicates)

    @property
    def void(self) -> int:
        """Games that were played again."""
        return self.counted.void

    @property
    def played(self) -> int:
        """Games of the schedule that are done, duplicates too."""
        return len(self.games) + self.duplicates

    def score(self, one: str, other: str) -> Score:
        """`one` against `other`."""
        if one <= other:
            return self._scores.get((one, other), Score())
        return self._scores.get((other, one), Score()).reversed()

    def total(self, name: str) -> Score:
        """An engine against all others; games only."""
        total = Score()
        for pair in self._scores:
            if name in pair:
                score = self.score(name, pair[1 - pair.index(name)])
                total.trinomial = [sum(both) for both in zip(total.trinomial, score.trinomial, strict=True)]
        return total

    def ratings(self, names: Sequence[str], anchors: dict[str, float] | None = None) -> Ratings:
        """Ratings of everybody, relative to the anchors, else to their mean. Those of two are their pairs' Elo, so
        that table and summary say the same."""
        rows = (Game(row.first, row.second, SCORES[row.result], row.pair) for row in self.games)
        found = fit(rows, anchors, names)
        return found._replace(players=self._two(found.players, anchors or {})) if len(found.players) == 2 else found

    def _two(self, players: tuple[Rating, ...], anchors: Mapping[str, float]) -> tuple[Rating, ...]:
        one, other = players
        if one.name in anchors and other.name in anchors:
            return players
        difference = self.score(one.name, other.name).summary().elo
        if anchors:
            places = [(1.0, anchors.get(other.name, 0.0)), (-1.0, anchors.get(one.name, 0.0))]
        else:
            places = [(0.5, 0.0), (-0.5, 0.0)]
        moved = (
            row if row.name in anchors else row._replace(elo=difference.moved(*place))
            for row, place in zip(players, places, strict=True)
        )
        return tuple(sorted(moved, key=lambda row: -row.elo.value))

    def meetings(self, name: str, anchors: Mapping[str, float]) -> list[Meeting]:
        """An engine against those of known rating that it met, the highest rating first."""
        found = []
        for other, known in sorted(anchors.items(), key=lambda pair: -pair[1]):
            score = self.score(name, other)
            if name != other and score.games:
                said = score.summary()
                alone = said.elo.moved(1.0, known)
                found.append(Meeting(other, known, score.points, score.games, said.score, alone))
        return found

    def reasons(self) -> Counter[str]:
        """Count the reasons for which games ended."""
        return self._reasons

    def faults(self) -> dict[str, Counter[str]]:
        """Each engine's misbehaviour, by reason."""
        return self._faults


def standing(results: Iterable[GameResult]) -> Standing:
    """The standing after everything that a run recorded."""
    found = Standing()
    for row in results:
        found.add(row)
    return found
