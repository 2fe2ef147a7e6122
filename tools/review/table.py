"""What the terminal shows of a reviewed game: each player's play in a line, and the moves that cost most."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.engine.records.sgf_tree import GameTree
from tengen.engine.sentence import printable
from tengen.tools.review.annotating import PLAYERS, name_of
from tengen.tools.review.judging import BAD, Grade, Verdict, summary, worst

MOST = 10
HEADS = {Grade.BLUNDER: "blunders", Grade.MISTAKE: "mistakes", Grade.INACCURACY: "inaccuracies"}


def lines(tree: GameTree, verdicts: Sequence[Verdict]) -> list[str]:
    """The whole table."""
    found = [*_players(tree, verdicts), ""]
    bad = worst(verdicts, MOST)
    if not bad:
        return [*found, "No move lost as much as an inaccuracy."]
    found.append(f"{'move':>4}  {'played':<12} {'better':<6} {'points':>6}  {'Black wins':<17} grade")
    return [*found, *(_mistake(tree, verdict) for verdict in bad)]


def _players(tree: GameTree, verdicts: Sequence[Verdict]) -> list[str]:
    head = f"{'':<24} {'moves':>5} {'accuracy':>8} {'lost a move':>11} {'best moves':>10}"
    found = [head + "".join(f" {HEADS[grade]:>{len(HEADS[grade])}}" for grade in BAD)]
    for colour, player in enumerate(PLAYERS):
        one = summary(verdicts, colour)
        if one is None:
            continue
        name = printable(tree.record.players[colour], 15)
        who = f"{player} {f'({name})' if name else ''}"
        row = f"{who:<24} {one.moves:>5} {one.accuracy:>8.0f} {one.mean_loss:>11.2f} {100 * one.best:>8.0f} %"
        found.append(row + "".join(f" {one.counts[grade]:>{len(HEADS[grade])}}" for grade in BAD))
    return found


def _mistake(tree: GameTree, verdict: Verdict) -> str:
    played = f"{PLAYERS[verdict.colour]} {name_of(tree, verdict.move)}"
    better = name_of(tree, verdict.better[0][1])
    chances = f"{100 * verdict.before.win:5.1f} -> {100 * verdict.after.win:5.1f} %"
    return f"{verdict.number:>4}  {played:<12} {better:<6} {verdict.lost:>6.1f}  {chances:<17} {verdict.grade.word}"
