"""Check a record against the rules of its game."""

from __future__ import annotations

from dataclasses import replace

from tengen.engine.games import get_game
from tengen.engine.games.base import Rules, State
from tengen.engine.records.base import CUT, Record, RecordError
from tengen.engine.records.points import point_text
from tengen.engine.records.replay import change_stones, known_rules, start_of


def legal(record: Record, rules: Rules | None = None) -> Record:
    """The record up to its first illegal move, with a warning that names it and its line.

    A ko that is retaken, a repetition, and moves after the end are left to those who know what was agreed. rules: in
    place of the record's; where neither are known, suicide is allowed. Games whose board cannot be set up, those with
    forced passes, and chess stay as they are. Raises RecordError when nothing would be left.
    """
    game = get_game(record.game)
    if game.passes == "forced" or not game.conventions.has_points:
        return record
    try:
        state = start_of(record, rules or _lenient_rules(record))
    except RecordError:
        return record
    changes = {change.after: change for change in record.changes}
    for number, (colour, move) in enumerate(record.moves, 1):
        reason = _played(state, colour, move)
        if reason == "game over":
            return record
        if reason:
            return cut(record, number, reason)
        if number in changes:
            try:
                change_stones(state, record, changes[number])
            except ValueError as error:
                return cut(record, number + 1, str(error), is_setup=True)
    return record


def cut(record: Record, number: int, reason: str, *, is_setup: bool = False) -> Record:
    """The record up to a move, from 1, that cannot be played, with a warning; is_setup: up to stones that cannot be set
    up before it. Raises RecordError when nothing would be left."""
    said = _illegal(record, number, reason, is_setup)
    if number == 1 and not any(record.setup or b""):
        raise RecordError(said)
    return replace(
        record,
        moves=record.moves[: number - 1],
        changes=tuple(change for change in record.changes if change.after < number - is_setup),
        notes=record.notes[: number - 1],
        warnings=(*record.warnings, said + CUT),
    )


def _illegal(record: Record, number: int, reason: str, is_setup: bool) -> str:
    """The words for it, with its line where that is known."""
    where = "" if record.lines is None else f"line {record.lines.line(number)}: "
    if is_setup:
        return f"{where}the stones before move {number} cannot be set up: {reason}"
    colour, move = record.moves[number - 1]
    point = point_text(record.game, record.width, record.height, move)
    return f"{where}move {number}, {'BW'[colour]} {point if point == 'pass' else point.upper()}, is illegal: {reason}"


def _lenient_rules(record: Record) -> Rules:
    """The record's rules, else those of the game that forbid least."""
    sets = get_game(record.game).rule_sets
    return known_rules(record) or sets.get("tromp-taylor") or get_game(record.game).default_rules


def _played(state: State, colour: int, move: int) -> str:
    """Play a move, also one that retakes a ko; why it cannot be played, or nothing."""
    try:
        state.play_as(colour, move)
    except ValueError as error:
        if str(error) != "ko":
            return str(error)
        state.setup(state.stones(), colour)  # type: ignore[attr-defined]
        return _played(state, colour, move)
    return ""
