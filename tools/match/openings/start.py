"""Where a game begins: the position before an opening, who is to move after it, its moves as text."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.engine.games import get_game
from tengen.engine.games.base import State
from tengen.engine.games.hooks import hooks_of
from tengen.engine.records import read_all
from tengen.tools.match.notation import move_text
from tengen.tools.match.spec import GameSpec, Opening


def start_state(game: GameSpec, position: str | None = None) -> State:
    """The position before an opening's moves. Not for chess. Raises ValueError."""
    kind = get_game(game.game)
    kind.check_size(game.size, game.size)
    rules = hooks_of(kind).parse_rules(kind, game.rules) if game.rules else kind.default_rules
    state = kind.new_state(game.size, game.size, rules, game.komi)
    if position is not None:
        record = read_all(position.encode(), "obf")[0]
        if record.setup is not None:
            state.setup(record.setup, record.first)  # type: ignore[attr-defined]
    return state


def first_mover(opening: Opening) -> bool:
    """Whether the first player is to move after an opening (else the second one is)."""
    if opening.position is None:
        begins = True
    else:
        is_fen = "/" in opening.position  # where White is the first player
        begins = opening.position.split()[1][0] in ("w" if is_fen else "Xx*Bb@#")
    return begins == (len(opening.moves) % 2 == 0)


def texts_of(start: State, game: str, moves: Sequence[int]) -> tuple[str, ...]:
    """Moves after a position as text in the game's notation."""
    return tuple(move_text(game, start, move) for move in moves)
