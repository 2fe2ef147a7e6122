"""The SGF of a reviewed game: the file as it was, with what the network says of each move.

Every move gets the value of its position: V (points that Black leads by) and SBKV (Black's chance in percent, which
Sabaki draws), and a comment. A bad move gets DO (doubtful, from an inaccuracy on) or BM (bad, twice for a blunder), a
cross on its point, and the better line as a variation. What a node has of its own stays as it is.
"""

from __future__ import annotations

from tengen.engine.records.points import point_text
from tengen.engine.records.sgf_tree import GameTree
from tengen.tools.review.analysing import Move, Position
from tengen.tools.review.judging import BAD, Grade, Verdict, summary

ANNOTATIONS = {Grade.INACCURACY: ("DO", ""), Grade.MISTAKE: ("BM", "1"), Grade.BLUNDER: ("BM", "2")}
JUDGED = ("BM", "DO", "IT", "TE")
"""A move has one of these at most."""
MARKS = ("CR", "MA", "SL", "SQ", "TR", "LB")
LONGEST = 12
"""Moves of a variation."""
PLAYERS = ("Black", "White")


def annotate(tree: GameTree, verdicts: list[Verdict], first: Position, who: str) -> None:
    """Write what is known into the tree. who: what the review was made with."""
    _value(tree, 0, first)
    tree.comment(0, "\n".join([f"Review by {who}.", *_summaries(verdicts)]))
    for verdict in verdicts:
        _value(tree, verdict.number, verdict.after)
        tree.comment(verdict.number, comment(tree, verdict))
        if verdict.grade is not Grade.FINE:
            _condemn(tree, verdict)


def comment(tree: GameTree, verdict: Verdict) -> str:
    """What is said of a move."""
    parts = [standing(verdict.after)]
    if verdict.grade is not Grade.FINE:
        loss = f"{verdict.lost:.1f} points and {100 * verdict.win_lost:.1f} % lost"
        parts.insert(0, f"{verdict.grade.word.capitalize()}: {loss}; better {name_of(tree, verdict.better[0][1])}.")
    return "\n".join(parts)


def standing(position: Position) -> str:
    """Who is ahead."""
    leader, points = (PLAYERS[0], position.lead) if position.lead >= 0 else (PLAYERS[1], -position.lead)
    return f"Black {100 * position.win:.1f} %, {leader} leads by {points:.1f} ({position.visits} visits)."


def name_of(tree: GameTree, move: int) -> str:
    return point_text(tree.record.game, tree.record.width, tree.record.height, move)


def _summaries(verdicts: list[Verdict]) -> list[str]:
    lines = []
    for colour, player in enumerate(PLAYERS):
        found = summary(verdicts, colour)
        if found is not None:
            counts = ", ".join(f"{_plural(grade)} {found.counts[grade]}" for grade in BAD)
            loss = f"{found.mean_loss:.2f} points lost a move"
            lines.append(f"{player}: accuracy {found.accuracy:.0f}, {loss}, {counts}.")
    limits = ", ".join(f"{grade.word} from {grade.points:g}" for grade in reversed(BAD))
    return [*lines, f"Points lost: {limits}."]


def _plural(grade: Grade) -> str:
    return "inaccuracies" if grade is Grade.INACCURACY else grade.word + "s"


def _value(tree: GameTree, turn: int, position: Position) -> None:
    tree.put(turn, {"V": f"{position.lead:.1f}", "SBKV": f"{100 * position.win:.2f}"})


def _condemn(tree: GameTree, verdict: Verdict) -> None:
    turn = verdict.number
    if not tree.has(turn, *JUDGED):
        tree.put(turn, dict([ANNOTATIONS[verdict.grade]]))
    if not tree.has(turn, *MARKS):
        tree.mark(turn, "MA", verdict.move)
    better: tuple[Move, ...] = verdict.better[:LONGEST]
    text = f"Better than {name_of(tree, verdict.move)} by {verdict.lost:.1f} points."
    tree.branch(turn - 1, better, text)


