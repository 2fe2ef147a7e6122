"""The start of a game: the position before an opening, who is to move after it, its moves as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tengen.engine.games import get_game
from tengen.engine.games.base import State
from tengen.engine.games.hooks import hooks_of
from tengen.engine.records import get_format
from tengen.engine.records.replay import start_of
from tengen.tools.match.notation import move_of, move_text
from tengen.tools.match.spec import GameSpec, Opening


def start_state(game: GameSpec, position: str | None = None) -> State:
    """The position before an opening's moves; position: in the game's own text of one. Raises ValueError."""
    kind = get_game(game.game)
    size = game.size or kind.default_size
    kind.check_size(size, size)
    rules = hooks_of(kind).parse_rules(kind, game.rules) if game.rules else kind.default_rules
    if position is None:
        return kind.new_state(size, size, rules, game.komi)
    if not kind.conventions.has_points:
        return hooks_of(kind).position(kind, position, rules)
    if kind.conventions.position is None:
        raise ValueError(f"{game.game} has no text of positions; give the opening's moves")
    record = get_format(kind.conventions.position).loads(position)
    return start_of(replace(record, rules=rules.name))


def first_mover(opening: Opening) -> bool:
    """Whether the first player is to move after an opening (else the second one is)."""
    if opening.position is None:
        begins = True
    else:
        is_fen = "/" in opening.position  # where White is the first player
        begins = opening.position.split()[1][0] in ("w" if is_fen else "Xx*Bb@#")
    return begins == (len(opening.moves) % 2 == 0)


def texts_of(start: State, game: str, moves: Sequence[int]) -> tuple[str, ...]:
    """Legal moves after a position as text in the game's notation."""
    return tuple(move_text(game, state, move) for state, move in _along(start, game, moves))


def moves_of(start: State, game: str, texts: Iterable[str]) -> list[int]:
    """The moves of texts after a position, of chess legal ones. Raises ValueError."""
    if get_game(game).conventions.has_points:
        return [move_of(game, start, text) for text in texts]
    state, moves = start.copy(), list[int]()
    for text in texts:
        moves.append(move_of(game, state, text))
        state.play(moves[-1])
    return moves


def _along(start: State, game: str, moves: Sequence[int]) -> Iterable[tuple[State, int]]:
    """Each move and the position that says how it is written: where moves are points, any does."""
    state = start.copy()
    for move in moves:
        yield state, move
        if not get_game(game).conventions.has_points:
            state.play(move)
