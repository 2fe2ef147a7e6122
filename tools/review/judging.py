"""What each move of a game cost, from what is known of the positions before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tengen.engine.games.base import BLACK
from tengen.tools.review.analysing import Move, Position


class Grade(Enum):
    """How bad a move is: from so many points lost on. As KaTrain's colours, coarser."""

    BLUNDER = ("blunder", 6.0)
    MISTAKE = ("mistake", 3.0)
    INACCURACY = ("inaccuracy", 1.5)
    FINE = ("", 0.0)

    @property
    def word(self) -> str:
        return self.value[0]

    @property
    def points(self) -> float:
        return self.value[1]


BAD = (Grade.BLUNDER, Grade.MISTAKE, Grade.INACCURACY)
POWER = 0.75
"""Accuracy is 100 times this to the power of the mean loss in points, as KaTrain's."""


@dataclass(frozen=True)
class Verdict:
    """A move: its number from 1, who played what, the points and the share of winning chances that it lost the player
    (0 at least), and the line that was better; before, after: the positions."""

    number: int
    colour: int
    move: int
    lost: float
    win_lost: float
    grade: Grade
    better: tuple[Move, ...]
    before: Position
    after: Position

    @property
    def is_best(self) -> bool:
        """Whether it is the move that the network prefers."""
        return bool(self.better) and self.better[0][1] == self.move


@dataclass(frozen=True)
class Summary:
    """A player's game. best: the share of moves that the network prefers."""

    moves: int
    accuracy: float
    mean_loss: float
    best: float
    counts: dict[Grade, int]


def judge(moves: Sequence[Move], positions: Sequence[Position]) -> list[Verdict]:
    """One verdict a move; so many positions and one more."""
    return [
        _verdict(number, *move, before, after)
        for number, (move, before, after) in enumerate(zip(moves, positions, positions[1:], strict=False), 1)
    ]


def _verdict(number: int, colour: int, move: int, before: Position, after: Position) -> Verdict:
    sign = 1 if colour == BLACK else -1
    is_turn = before.to_move == colour  # else the line is not this player's
    better = before.line if is_turn else ()
    is_best = bool(better) and better[0][1] == move
    lost = max(0.0, sign * (before.lead - after.lead))
    grade = Grade.FINE if is_best or not better else next(one for one in Grade if lost >= one.points)
    return Verdict(number, colour, move, lost, max(0.0, sign * (before.win - after.win)), grade, better, before, after)


def summary(verdicts: Sequence[Verdict], colour: int) -> Summary | None:
    """Of one player; None without a move."""
    own = [verdict for verdict in verdicts if verdict.colour == colour]
    if not own:
        return None
    loss = sum(verdict.lost for verdict in own) / len(own)
    return Summary(
        len(own),
        100 * POWER**loss,
        loss,
        sum(verdict.is_best for verdict in own) / len(own),
        {grade: sum(verdict.grade is grade for verdict in own) for grade in BAD},
    )


def worst(verdicts: Sequence[Verdict], count: int) -> list[Verdict]:
    """The moves that cost most, in the order of what they cost."""
    bad = [verdict for verdict in verdicts if verdict.grade is not Grade.FINE]
    return sorted(bad, key=lambda verdict: -verdict.lost)[:count]
