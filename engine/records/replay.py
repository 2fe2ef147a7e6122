"""A record played through by the rules of its game: the position at its end."""

from __future__ import annotations

from tengen.engine.games import get_game
from tengen.engine.games.base import Rules, State
from tengen.engine.games.hooks import hooks_of
from tengen.engine.records.base import Record, RecordError


def start_of(record: Record) -> State:
    """The position before the first move. Raises RecordError when the game has no such board."""
    try:
        game = get_game(record.game)
        game.check_size(record.width, record.height)
        komi, rules = game.default_komi if record.komi is None else record.komi, _rules(record)
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
    state = start_of(record)
    for number, (colour, move) in enumerate(record.moves, 1):
        try:
            state.play_as(colour, move)
        except ValueError as error:
            raise RecordError(f"move {number} is illegal: {error}") from None
    return state


def _rules(record: Record) -> Rules:
    """The rules that the record names, else the game's own."""
    game = get_game(record.game)
    try:
        return hooks_of(game).parse_rules(game, record.rules) if record.rules else game.default_rules
    except ValueError:
        return game.default_rules
