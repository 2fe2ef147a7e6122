"""What each move of a game cost, from what is known of the positions before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tengen.engine.games.base import BLACK
from tengen.tools.review.grading import BAD, Grade, Terms
from tengen.tools.review.position import Move, Position


@dataclass(frozen=True)
class Verdict:
    """A move: its number from 1, who played what, what it lost the player, in the game's unit and as a share of winning
    chances (0 at least), and the line that was better; before, after: the positions."""

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
        """Whether it is the move that the engine prefers, or surely as good."""
        return bool(self.better) and (self.better[0][1] == self.move or (self.before.is_exact and not self.lost))

    @property
    def lead(self) -> float:
        """Of Black after the move, as it is compared with the one before it."""
        return self.after.lead if self.before.played is None else self.before.played


@dataclass(frozen=True)
class Summary:
    """A player's game, without the moves that were the only ones. best: the share of moves that the engine prefers.
    accuracy: None where the game has no such measure."""

    moves: int
    accuracy: float | None
    mean_loss: float
    best: float
    counts: dict[Grade, int]


def judge(moves: Sequence[Move], positions: Sequence[Position], terms: Terms) -> list[Verdict]:
    """One verdict a move; so many positions and one more."""
    return [
        _verdict(number, *move, before, after, terms)
        for number, (move, before, after) in enumerate(zip(moves, positions, positions[1:], strict=False), 1)
    ]


def _verdict(number: int, colour: int, move: int, before: Position, after: Position, terms: Terms) -> Verdict:
    sign = 1 if colour == BLACK else -1
    is_turn = before.to_move == colour  # else the line is not this player's
    better = before.line if is_turn else ()
    is_best = bool(better) and better[0][1] == move
    lost = max(0.0, sign * (before.lead - (after.lead if before.played is None else before.played)))
    win_lost = max(0.0, sign * (before.win - (after.win if before.played_win is None else before.played_win)))
    grade = Grade.FINE if is_best or not better else terms.grade(100 * win_lost if terms.by_chances else lost)
    return Verdict(number, colour, move, lost, win_lost, grade, better, before, after)


def summary(verdicts: Sequence[Verdict], colour: int, terms: Terms) -> Summary | None:
    """Of one player; None without a move that was a choice."""
    own = [verdict for verdict in verdicts if verdict.colour == colour and not verdict.before.is_forced]
    if not own:
        return None
    loss = sum(verdict.lost for verdict in own) / len(own)
    chances = 100 * sum(verdict.win_lost for verdict in own) / len(own)
    return Summary(
        len(own),
        None if terms.power is None else 100 * terms.power ** (chances if terms.by_chances else loss),
        loss,
        sum(verdict.is_best for verdict in own) / len(own),
        {grade: sum(verdict.grade is grade for verdict in own) for grade in BAD},
    )


def worst(verdicts: Sequence[Verdict], count: int, terms: Terms | None = None) -> list[Verdict]:
    """The moves that cost most, in the order of what they cost."""
    bad = [verdict for verdict in verdicts if verdict.grade is not Grade.FINE]
    by_chances = terms is not None and terms.by_chances
    return sorted(bad, key=lambda verdict: -(verdict.win_lost if by_chances else verdict.lost))[:count]
