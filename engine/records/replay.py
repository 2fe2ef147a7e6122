"""A record played through by the rules of its game: the position at its end, and how far it is legal."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from tengen.engine.games import get_game
from tengen.engine.games.base import Rules, State
from tengen.engine.games.hooks import hooks_of
from tengen.engine.records.base import CUT, Change, Record, RecordError
from tengen.engine.sentence import excerpt


def start_of(record: Record, rules: Rules | None = None) -> State:
    """The position before the first move; rules: in place of the record's. Raises RecordError when the game has no
    such board."""
    try:
        game = get_game(record.game)
        game.check_size(record.width, record.height)
        komi = game.default_komi if record.komi is None else record.komi
        rules = rules or rules_of(record)
        if record.position:
            return hooks_of(game).position(game, record.position, rules)
        state = game.new_state(record.width, record.height, rules, komi)
        if record.setup is not None:
            state.setup(record.setup, record.first)  # type: ignore[attr-defined]
        elif record.first != state.to_move:
            state.set_to_move(record.first)
    except ValueError as error:
        raise RecordError(f"the record does not fit {record.game}: {error}") from None
    except AttributeError:
        raise RecordError(f"positions of {record.game} cannot be set up") from None
    return state


def state_of(record: Record) -> State:
    """The position after the last move. Raises RecordError for an illegal one; repetition is not looked at."""
    state, changes = start_of(record), {change.after: change for change in record.changes}
    for number, (colour, move) in enumerate(record.moves, 1):
        try:
            state.play_as(colour, move)
            if number in changes:
                change_stones(state, record, changes[number])
        except ValueError as error:
            raise RecordError(f"move {number} is illegal: {error}") from None
    return state


def change_stones(state: State, record: Record, change: Change) -> None:
    """Set up a change of the record on the position before it. Raises ValueError for an impossible board."""
    state.setup(stones_after(state.stones(), change), side_after(record, change))  # type: ignore[attr-defined]


def stones_after(stones: bytes, change: Change) -> bytes:
    """A board after the change."""
    board = bytearray(stones)
    for cell, stone in change.stones:
        board[cell] = stone
    return bytes(board)


def side_after(record: Record, change: Change) -> int:
    """Who moves after a change: as the file says, else who does, else the other than who moved last."""
    if change.to_move is not None:
        return change.to_move
    if change.after < len(record.moves):
        return record.moves[change.after][0]
    return record.moves[change.after - 1][0] ^ 1


def legal(record: Record, rules: Rules | None = None) -> Record:
    """The record up to its first illegal move, with a warning that names it and its line.

    A ko that is retaken, a repetition, and moves after the end are left to those who know what was agreed. rules: in
    place of the record's; where neither are known, suicide is allowed. Games whose board cannot be set up, and those
    with forced passes, stay as they are. Raises RecordError when nothing would be left.
    """
    if get_game(record.game).passes == "forced" or record.position:
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
    from tengen.engine.records.points import point_text

    where = "" if record.lines is None else f"line {record.lines.line(number)}: "
    if is_setup:
        return f"{where}the stones before move {number} cannot be set up: {reason}"
    colour, move = record.moves[number - 1]
    point = point_text(record.game, record.width, record.height, move)
    return f"{where}move {number}, {'BW'[colour]} {point if point == 'pass' else point.upper()}, is illegal: {reason}"


def rules_of(record: Record) -> Rules:
    """The rules that the record names, else the game's own."""
    return _rules(record.game, record.rules or "")[0] or get_game(record.game).default_rules


def rules_said(game: str, text: str) -> str:
    """What is to tell of the rules that a record names: nothing of those that are known by that name."""
    return _rules(game, text)[1] if text else ""


@lru_cache(maxsize=256)
def _rules(name: str, text: str) -> tuple[Rules | None, str]:
    """Rules by the text of a record, None for what is unknown; a sentence where it is not plain."""
    game = get_game(name)
    if not text:
        return None, ""
    try:
        return hooks_of(game).read_rules(game, text)
    except ValueError:
        return None, f"the rules {excerpt(text, 40)} are not known"


def _lenient_rules(record: Record) -> Rules:
    """The record's rules, else those of the game that forbid least."""
    sets = get_game(record.game).rule_sets
    known = _rules(record.game, record.rules or "")[0]
    return known or sets.get("tromp-taylor") or get_game(record.game).default_rules


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
