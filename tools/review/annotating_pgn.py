"""The PGN of a reviewed game: the file's own game, with what the engine says of each move.

Every move gets [%eval] and, where it cost something, a comment, a sign (?! inaccuracy, ? mistake, ?? blunder) and the
better line as a variation. Comments, signs and variations that the game has stay as they are.
"""

from __future__ import annotations

import re
from typing import Any

from tengen.engine.records import pgn, pgn_tree
from tengen.tools.review.annotating import LONGEST, comment, summaries
from tengen.tools.review.grading import Grade
from tengen.tools.review.move_costs import Verdict
from tengen.tools.review.position import Position
from tengen.tools.review.reviewed import Review

SIGNS = {Grade.INACCURACY: 6, Grade.MISTAKE: 2, Grade.BLUNDER: 4}
"""Numeric annotation glyphs."""
JUDGED = frozenset(range(1, 7))
"""A move has one of these at most."""
_EVAL = re.compile(r"\s*\[%eval [^\]]*\]")


def annotated(review: Review) -> str:
    """The text of the game with its review."""
    record = review.subject.record
    game: Any = pgn_tree.read(review.subject.text, record).game
    said = [f"Review by {review.who}.", *summaries(review.verdicts, review.terms)]
    game.comment = _joined(game.comment, "\n".join(said))
    node = game
    for verdict in review.verdicts:
        parent, node = node, node.variations[0]
        words = comment(record, verdict, review.terms) if verdict.grade is not Grade.FINE else ""
        node.comment = _joined(_eval(verdict.after), _EVAL.sub("", node.comment).strip(), words)
        if verdict.grade is not Grade.FINE:
            _condemn(parent, node, verdict)
    return pgn.text_of(game)


def _condemn(parent: Any, node: Any, verdict: Verdict) -> None:
    if not node.nags & JUDGED:
        node.nags.add(SIGNS[verdict.grade])
    board = parent.board()
    line = []
    for _, number in verdict.better[:LONGEST]:
        line.append(pgn.move_of(board, number))
        board.push(line[-1])
    if line and not parent.has_variation(line[0]):
        parent.add_line(line)


def _eval(position: Position) -> str:
    """[%eval], pawns from White's side; a mate as its moves."""
    if position.is_exact and position.lead:
        moves = (len(position.line) + 1) // 2
        return f"[%eval #{moves if position.lead > 0 else -moves}]" if moves else ""
    return f"[%eval {position.lead / 100 + 0.0:.2f}]"


def _joined(*parts: str) -> str:
    return " ".join(filter(None, parts))
