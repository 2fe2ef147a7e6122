"""The table of a reviewed game on the terminal: each player's play in a line, and the moves that cost most.

No line is wider than 80 columns, whatever the names of the players are.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from tengen.engine.records import Record
from tengen.engine.sentence import fitted, printable
from tengen.tools.review.annotating import name_of, number_of
from tengen.tools.review.grading import BAD, Grade, Terms, amount
from tengen.tools.review.move_costs import Verdict, summary, worst

MOST = 10
HEADS = {Grade.BLUNDER: "blunders", Grade.MISTAKE: "mistakes", Grade.INACCURACY: "inaccuracies"}
WIDTH = 80
NAME = 30
"""Columns of a player's name at most."""


def lines(record: Record, verdicts: Sequence[Verdict], terms: Terms) -> list[str]:
    """The whole table."""
    found = [*_names(record, terms), *_players(verdicts, terms), ""]
    bad = worst(verdicts, MOST, terms)
    if not bad:
        return [*found, "No move lost as much as an inaccuracy."]
    value = f"{terms.sides[0]} {'wins' if terms.has_chances else 'ahead'}"
    head = ("move", "played", "better", terms.unit, value, "grade")
    rows = _columns([head, *(_mistake(record, verdict, terms) for verdict in bad)], "><<><<", "  ")
    return [*found, *rows, *_reasons(record, bad)]


def _reasons(record: Record, bad: Sequence[Verdict]) -> list[str]:
    """The wins that bad moves let the other side have, where they are known."""
    found: list[str] = []
    for verdict in bad:
        if verdict.after.why:
            text = f"{number_of(record, verdict)}: {verdict.after.why}."
            found += textwrap.wrap(text, WIDTH, subsequent_indent="    ", break_on_hyphens=False)
    return ["", *found] if found else []


def _names(record: Record, terms: Terms) -> list[str]:
    """The names of the players, if the record has them."""
    names = [fitted(printable(name), NAME) for name in record.players]
    sides = (f"{side}{name and f' ({name})'}" for side, name in zip(terms.sides, names, strict=True))
    return [" - ".join(sides)] if any(names) else []


def _players(verdicts: Sequence[Verdict], terms: Terms) -> list[str]:
    measure = "lost" if terms.power is None else "accuracy"
    rows = [("", "moves", measure, "lost a move", "best moves", *(HEADS[grade] for grade in BAD))]
    for colour, player in enumerate(terms.sides):
        one = summary(verdicts, colour, terms)
        if one is None:
            continue
        measured = f"{one.moves * one.mean_loss:.1f}" if one.accuracy is None else f"{one.accuracy:.0f}"
        counts = (f"{one.counts[grade]}" for grade in BAD)
        rows.append((player, f"{one.moves}", measured, f"{one.mean_loss:.2f}", f"{100 * one.best:.0f} %", *counts))
    return _columns(rows, "<>>>>>>>", " ")


def _mistake(record: Record, verdict: Verdict, terms: Terms) -> tuple[str, ...]:
    turn = verdict.number - 1
    played = f"{terms.sides[verdict.colour]} {name_of(record, verdict.move, turn)}"
    better = name_of(record, verdict.better[0][1], turn)
    is_exact = verdict.before.is_exact
    if terms.has_chances:
        change = f"{100 * verdict.before.win:5.1f} -> {100 * verdict.win:5.1f} %"
    else:
        change = f"{_signed(verdict.before.lead, is_exact):>5} -> {_signed(verdict.lead, is_exact):>5}"
    lost, grade = terms.amount(verdict.lost, is_exact), verdict.grade.word + (", exact" if is_exact else "")
    return number_of(record, verdict), played, better, lost, change, grade


def _columns(rows: Sequence[Sequence[str]], sides: str, gap: str) -> list[str]:
    """Rows as lines whose cells stand below each other; sides: where each column's cells begin, "<" or ">"."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    cells = [[f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)] for row in rows]
    return [gap.join(row).rstrip() for row in cells]


def _signed(lead: float, is_exact: bool) -> str:
    """What Black is ahead by."""
    text = amount(lead, is_exact)
    return text if text.startswith("-") or float(text) == 0 else f"+{text}"
