"""The file formats of a review: SGF or PGN with comments and variations, or GGF, whose moves carry evaluations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath

from tengen.engine.games.base import BLACK
from tengen.engine.records import RecordError, ggf, pgn, pgn_tree
from tengen.engine.records.base import Note
from tengen.engine.records.othello import GAME
from tengen.tools.review.annotating import annotate, summaries
from tengen.tools.review.games import Subject
from tengen.tools.review.reviewed import Review

FORMS = ("sgf", "ggf", "pgn")


def form_of(path: str, subject: Subject) -> str:
    """The format of a file that is written: by its extension, else the game's own where that holds remarks, else SGF.

    Raises RecordError where the format does not hold the game.
    """
    extension = PurePath(path).suffix.lower().removeprefix(".")
    own = subject.form if subject.form in FORMS else "sgf"
    is_chess = subject.record.game == pgn.GAME
    form = extension if extension in FORMS else "pgn" if is_chess else own
    if is_chess != (form == "pgn"):
        raise RecordError(
            "a reviewed game of chess is a PGN; name a file that ends in .pgn"
            if is_chess
            else "PGN holds games of chess only; name a file that ends in .sgf"
        )
    if form == "ggf" and subject.record.game != GAME:
        raise RecordError("GGF holds games of Reversi only; name a file that ends in .sgf")
    return form


def left_out(form: str, subject: Subject) -> str:
    """Describe the parts of a game that cannot be written in that format; "" for nothing. Found before the analysis.

    Raises RecordError where the format does not hold the game.
    """
    if form == "pgn":
        return pgn_tree.read(subject.text, subject.record).left_out
    if form == "ggf":
        ggf.dumps(subject.record)
    else:
        subject.tree()
    return ""


def text_of(review: Review, form: str) -> str:
    """The annotated game."""
    if form == "pgn":
        from tengen.tools.review.annotating_pgn import annotated

        return annotated(review)
    return _ggf(review) if form == "ggf" else _sgf(review)


def _sgf(review: Review) -> str:
    tree = review.subject.tree()
    annotate(tree, review.verdicts, review.positions[0], review.who, review.terms)
    return tree.dumps()


def _ggf(review: Review) -> str:
    """Each move with what it is worth to its player, and the seconds that it has; CO: who lost how much."""
    record = review.subject.record
    notes = tuple(
        Note(verdict.lead if verdict.colour == BLACK else -verdict.lead, old.seconds)
        for verdict, old in zip(review.verdicts, record.notes or [Note()] * len(record.moves), strict=True)
    )
    said = [f"Review by {review.who}.", *summaries(review.verdicts, review.terms)]
    comment = " ".join(filter(None, (record.properties.get("CO", ""), *said)))
    return ggf.dumps(replace(record, notes=notes, properties={**record.properties, "CO": comment}))
