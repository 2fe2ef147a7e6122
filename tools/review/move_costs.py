"""Compute the loss of each move of a game from the values of the positions before and after it.

All figures are rounded as they are shown before moves are judged by them: what a reader subtracts is what was graded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tengen.engine.games.base import BLACK
from tengen.tools.review.grading import BAD, Grade, Terms
from tengen.tools.review.position import Move, Position

CHANCE_DIGITS = 3
"""The digits of a share of winning chances: a tenth of a percent is shown."""


@dataclass(frozen=True)
class Verdict:
    """A move: its number from 1, its player, its loss in the game's unit and as a share of winning chances (0 at
    least), and the better line; before: the position; after: the position that was reached, with the lead and the
    chances that were compared with those before it."""

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
        """The lead of the side that moves first, after the move."""
        return self.after.lead

    @property
    def win(self) -> float:
        """The chances of who moves first, after the move."""
        return self.after.win


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
        _verdict(number, *move, before, after.arrived or after, terms)
        for number, (move, before, after) in enumerate(zip(moves, positions, positions[1:], strict=False), 1)
    ]


def _verdict(number: int, colour: int, move: int, before: Position, after: Position, terms: Terms) -> Verdict:
    sign = 1 if colour == BLACK else -1
    is_turn = before.to_move == colour  # else the line is not this player's
    better = before.line if is_turn else ()
    is_best = bool(better) and better[0][1] == move
    known, reached = _shown(before, before, terms), _shown(_compared(before, after), before, terms)
    lost = max(0.0, round(sign * (known.lead - reached.lead), 1))
    win_lost = max(0.0, round(sign * (known.win - reached.win), CHANCE_DIGITS))
    by = round(100 * win_lost, 1) if terms.by_chances else lost
    grade = Grade.FINE if is_best or not better else terms.grade(by)
    return Verdict(number, colour, move, lost, win_lost, grade, better, known, reached)


def _compared(before: Position, after: Position) -> Position:
    """The position after a move with the figures that are compared with those before it."""
    lead = after.lead if before.played is None else before.played
    win = after.win if before.played_win is None else before.played_win
    return replace(after, lead=lead, win=win, is_exact=after.is_exact and lead == after.lead)


def _shown(position: Position, before: Position, terms: Terms) -> Position:
    """Its figures as they are shown beside those of `before`."""
    lead = terms.known(position.lead, before.is_exact)
    return replace(position, lead=lead, win=round(position.win, CHANCE_DIGITS) + 0.0)


def summary(verdicts: Sequence[Verdict], colour: int, terms: Terms) -> Summary | None:
    """Summarise one player; None if no move was a choice."""
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
    """Return the moves with the largest losses, in their order."""
    bad = [verdict for verdict in verdicts if verdict.grade is not Grade.FINE]
    by_chances = terms is not None and terms.by_chances
    return sorted(bad, key=lambda verdict: -(verdict.win_lost if by_chances else verdict.lost))[:count]
