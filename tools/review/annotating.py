"""The SGF of a reviewed game: the file as it was, with what the engine says of each move.

Every move gets the value of its position: V (what Black leads by) and, where the game has chances, SBKV (Black's in
percent, which Sabaki draws), and a comment. A bad move gets DO (doubtful, from an inaccuracy on) or BM (bad, twice for
a blunder), a cross on its point, and the better line as a variation. What a node has of its own stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from tengen.engine.records import Record, pgn
from tengen.engine.records.points import word_of
from tengen.engine.records.sgf_tree import GameTree
from tengen.tools.review.grading import BAD, Grade, Terms
from tengen.tools.review.move_costs import Verdict, summary
from tengen.tools.review.position import Move, Position

ANNOTATIONS = {Grade.INACCURACY: ("DO", ""), Grade.MISTAKE: ("BM", "1"), Grade.BLUNDER: ("BM", "2")}
JUDGED = ("BM", "DO", "IT", "TE")
"""A move has one of these at most."""
MARKS = ("CR", "MA", "SL", "SQ", "TR", "LB")
LONGEST = 12
"""Moves of a variation."""


def annotate(tree: GameTree, verdicts: Sequence[Verdict], first: Position, who: str, terms: Terms) -> None:
    """Write the results into the tree. who: what the review was made with."""
    _value(tree, 0, first, terms)
    tree.comment(0, "\n".join([f"Review by {who}.", *summaries(verdicts, terms)]))
    for verdict in verdicts:
        _value(tree, verdict.number, verdict.after, terms)
        tree.comment(verdict.number, comment(tree.record, verdict, terms))
        if verdict.grade is not Grade.FINE:
            _condemn(tree, verdict, terms)


def comment(record: Record, verdict: Verdict, terms: Terms) -> str:
    """Return the comment on a move."""
    parts = [f"{verdict.after.why}." if verdict.after.why else standing(verdict.after, terms)]
    if verdict.grade is not Grade.FINE:
        loss = f"{terms.amount(verdict.lost, verdict.before.is_exact)} {terms.unit}"
        if terms.has_chances:
            loss += f" and {100 * verdict.win_lost:.1f} %"
        better = name_of(record, verdict.better[0][1], verdict.number - 1)
        parts.insert(0, f"{verdict.grade.word.capitalize()}: {loss} lost; better {better}.")
    return "\n".join(parts)


def standing(position: Position, terms: Terms) -> str:
    """Say who is ahead, and how surely."""
    leader, lead = (terms.sides[0], position.lead) if position.lead >= 0 else (terms.sides[1], -position.lead)
    if terms.has_chances and position.is_exact:
        moves = (max(position.plies, len(position.line)) + 1) // 2
        return f"{leader} {terms.wins} in {moves}." if lead and moves else "The game is over."
    if terms.has_chances and position.depth:
        ahead = terms.amount(lead, False)
        who = "even" if ahead == "0" else f"{leader} is {ahead} {terms.unit} ahead"
        return f"{terms.sides[0]} {100 * position.win:.1f} %, {who} ({position.depth} plies ahead)."
    if terms.has_chances:
        return f"Black {100 * position.win:.1f} %, {leader} leads by {lead:.1f} ({position.visits} visits)."
    known = "exact" if position.is_exact else f"{position.depth} plies ahead"
    number = terms.amount(lead, position.is_exact)
    return f"Even ({known})." if float(number) == 0 else f"{leader} leads by {number} {terms.unit} ({known})."


def name_of(record: Record, move: int, turn: int = 0) -> str:
    """A move after so many of the record as people write it: "G7", "pass", "Nf3"."""
    if record.game == pgn.GAME:
        board = pgn.board_at(record, turn)
        return str(board.san(pgn.move_of(board, move)))
    text = word_of(record, move)
    return text if move >= record.width * record.height else text.upper()


def summaries(verdicts: Sequence[Verdict], terms: Terms) -> list[str]:
    """A sentence for each player, and what the grades mean."""
    lines = []
    for colour, player in enumerate(terms.sides):
        found = summary(verdicts, colour, terms)
        if found is not None:
            counts = ", ".join(f"{_plural(grade)} {found.counts[grade]}" for grade in BAD)
            accuracy = "" if found.accuracy is None else f"accuracy {found.accuracy:.0f}, "
            loss = f"{found.mean_loss:.2f} {terms.unit} lost a move"
            lines.append(f"{player}: {accuracy}{loss}, {counts}.")
    limits = ", ".join(f"{grade.word} from {terms.least[grade]:g}" for grade in reversed(BAD))
    what = "Percent of winning chances" if terms.by_chances else terms.unit.capitalize()
    return [*lines, f"{what} lost: {limits}."]


def number_of(record: Record, verdict: Verdict) -> str:
    """A move's number as people count it: plies, in chess pairs of them, "12." of White and "12..." of Black."""
    if record.game != pgn.GAME:
        return str(verdict.number)
    return f"{pgn.board_at(record, verdict.number - 1).fullmove_number}{'...' if verdict.colour else '.'}"


def _plural(grade: Grade) -> str:
    return "inaccuracies" if grade is Grade.INACCURACY else grade.word + "s"


def _value(tree: GameTree, turn: int, position: Position, terms: Terms) -> None:
    chance = {"SBKV": f"{100 * position.win:.2f}"} if terms.has_chances else {}
    tree.put(turn, {"V": f"{round(position.lead, 1) + 0.0:.1f}", **chance})


def _condemn(tree: GameTree, verdict: Verdict, terms: Terms) -> None:
    turn = verdict.number
    if not tree.has(turn, *JUDGED):
        tree.put(turn, dict([ANNOTATIONS[verdict.grade]]))
    if not tree.has(turn, *MARKS):
        tree.mark(turn, "MA", verdict.move)
    better: tuple[Move, ...] = verdict.better[:LONGEST]
    lost = terms.amount(verdict.lost, verdict.before.is_exact)
    text = f"Better than {name_of(tree.record, verdict.move)} by {lost} {terms.unit}."
    tree.branch(turn - 1, better, text)
