"""The figures of a match: wins, draws and losses, the score with its interval, rating differences, time used."""

from __future__ import annotations

from typing import NamedTuple

from tengen.tools.match.statistics.elo import Interval, elo_of, wilson


class Tally(NamedTuple):
    """The sum of games from `a`'s side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    cpu: tuple[float, float] = (0.0, 0.0)
    thought: tuple[int, int] = (0, 0)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """0..1; one half without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the score."""
        return wilson(self.score, self.games)

    def elo(self) -> Interval:
        """The rating difference with the interval of the score."""
        low, high = self.interval()
        return Interval(elo_of(self.score), elo_of(low), elo_of(high))

    def cpu_per_move(self) -> tuple[float, float]:
        """Seconds of `a` and of `b`."""
        a, b = (spent / max(1, moves) for spent, moves in zip(self.cpu, self.thought, strict=True))
        return a, b

    def as_text(self) -> str:
        """One line: score, interval, Elo, games, CPU seconds a move."""
        low, high = self.interval()
        a, b = self.cpu_per_move()
        return (
            f"{self.score:.1%} of {self.games} games (95 %: {low:.1%} to {high:.1%}), "
            f"Elo {self.elo().as_text()}, +{self.wins} ={self.draws} -{self.losses}, "
            f"CPU s a move: {a:.4f} and {b:.4f}"
        )
