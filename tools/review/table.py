"""What the terminal shows of a reviewed game: each player's play in a line, and the moves that cost most."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.engine.records import Record
from tengen.engine.sentence import printable
from tengen.tools.review.annotating import name_of, number_of
from tengen.tools.review.grading import BAD, Grade, Terms, amount
from tengen.tools.review.judging import Verdict, summary, worst

MOST = 10
HEADS = {Grade.BLUNDER: "blunders", Grade.MISTAKE: "mistakes", Grade.INACCURACY: "inaccuracies"}


def lines(record: Record, verdicts: Sequence[Verdict], terms: Terms) -> list[str]:
    """The whole table."""
    found = [*_players(record, verdicts, terms), ""]
    bad = worst(verdicts, MOST, terms)
    if not bad:
        return [*found, "No move lost as much as an inaccuracy."]
    value = f"{terms.sides[0]} {'wins' if terms.has_chances else 'ahead'}"
    found.append(f"{'move':>4}  {'played':<12} {'better':<6} {terms.unit:>6}  {value:<17} grade")
    return [*found, *(_mistake(record, verdict, terms) for verdict in bad)]


def _players(record: Record, verdicts: Sequence[Verdict], terms: Terms) -> list[str]:
    measure = "lost" if terms.power is None else "accuracy"
    head = f"{'':<24} {'moves':>5} {measure:>8} {'lost a move':>11} {'best moves':>10}"
    found = [head + "".join(f" {HEADS[grade]:>{len(HEADS[grade])}}" for grade in BAD)]
    for colour, player in enumerate(terms.sides):
        one = summary(verdicts, colour, terms)
        if one is None:
            continue
        name = printable(record.players[colour], 15)
        who = f"{player} {f'({name})' if name else ''}"
        measured = f"{one.moves * one.mean_loss:.1f}" if one.accuracy is None else f"{one.accuracy:.0f}"
        row = f"{who:<24} {one.moves:>5} {measured:>8} {one.mean_loss:>11.2f} {100 * one.best:>8.0f} %"
        found.append(row + "".join(f" {one.counts[grade]:>{len(HEADS[grade])}}" for grade in BAD))
    return found


def _mistake(record: Record, verdict: Verdict, terms: Terms) -> str:
    turn = verdict.number - 1
    played = f"{terms.sides[verdict.colour]} {name_of(record, verdict.move, turn)}"
    better = name_of(record, verdict.better[0][1], turn)
    is_exact = verdict.before.is_exact
    if terms.has_chances:
        change = f"{100 * verdict.before.win:5.1f} -> {100 * verdict.after.win:5.1f} %"
    else:
        change = f"{_signed(verdict.before.lead, is_exact):>5} -> {_signed(verdict.lead, is_exact):>5}"
    lost, grade = terms.amount(verdict.lost, is_exact), verdict.grade.word + (", exact" if is_exact else "")
    return f"{number_of(record, verdict):>4}  {played:<12} {better:<6} {lost:>6}  {change:<17} {grade}"


def _signed(lead: float, is_exact: bool) -> str:
    """What Black is ahead by."""
    text = amount(lead, is_exact)
    return text if text.startswith("-") or float(text) == 0 else f"+{text}"
