"""A record played through by the rules of its game: the position at its end."""

from __future__ import annotations

from functools import lru_cache

from tengen.engine.games import get_game
from tengen.engine.games.base import Rules, State
from tengen.engine.games.hooks import hooks_of
from tengen.engine.records.base import Change, Record, RecordError
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


def recorded_start(record: Record) -> State:
    """The same for the game that was played from there, also on beyond where the rules end it. Raises RecordError."""
    return hooks_of(get_game(record.game)).recorded(start_of(record))


def state_of(record: Record) -> State:
    """The position after the last move. Raises RecordError for an illegal one; repetition is not looked at."""
    state, changes = recorded_start(record), {change.after: change for change in record.changes}
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
    """The colour to move after a change: as the file says, else the colour of the next move, else the opponent of the
    last mover."""
    if change.to_move is not None:
        return change.to_move
    if change.after < len(record.moves):
        return record.moves[change.after][0]
    return record.moves[change.after - 1][0] ^ 1


def rules_of(record: Record) -> Rules:
    """The rules that the record names, else the game's own."""
    return known_rules(record) or get_game(record.game).default_rules


def known_rules(record: Record) -> Rules | None:
    """The rules that the record names, or the nearest to them; None when it names none that are known."""
    return _rules(record.game, record.rules or "")[0]


def rules_said(game: str, text: str) -> str:
    """Return a message about the rules that a record names: nothing of those that are known by that name."""
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
