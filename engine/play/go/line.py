"""A line of play in Go, and what a search of any of its positions starts from: for analyses, which come with all moves.

As tolerant as KataGo's: moves may retake a ko, repeat a position, come out of turn or follow two passes. Left out:
stones that take themselves off the board where the rules forbid it, which KataGo plays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from tengen.engine.games import get_game
from tengen.engine.games.base import BLACK, WHITE, IllegalMove
from tengen.engine.games.go.handicap import given
from tengen.engine.games.go.rules import GoRules
from tengen.engine.games.hooks import Table, hooks_of
from tengen.engine.history import History
from tengen.engine.play.go.katago_inputs import EARLIER, RECENT
from tengen.engine.play.setup import state_with
from tengen.engine.search.base import Root

if TYPE_CHECKING:
    from tengen.engine._core import GoState

GAME = "go"


class BadMove(ValueError):
    """A move of the line that cannot be played; number counts from 0."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number


@dataclass(frozen=True)
class Start:
    """stones: bytes of the board row by row from the top (0 empty, 1 black, 2 white). first: who moves first, None: as
    usual. komi: None is the rules' own. has_history: whether networks are shown how a position came about. changes: of
    stones in mid-game, after so many moves, as (cell, 0 empty, 1 black, 2 white)."""

    width: int
    height: int
    rules: GoRules
    komi: float | None = None
    stones: bytes = b""
    first: int | None = None
    has_history: bool = False
    changes: Mapping[int, Sequence[tuple[int, int]]] = field(default_factory=dict)


def roots(start: Start, moves: Sequence[tuple[int, int]], turns: Sequence[int]) -> dict[int, Root]:
    """Return the starting points of searches after so many of the moves, by turn; -turn: before the stones that are set
    up then.

    Raises BadMove, and ValueError for a board or stones that cannot be.
    """
    game = get_game(GAME)
    komi = hooks_of(game).usual_komi(game, start.rules) if start.komi is None else start.komi
    empty = game.new_state(start.width, start.height, start.rules, komi)
    first = start.first if start.first is not None else _first(start, moves)
    stones = start.stones or bytes(start.width * start.height)
    history = History(state_with(game, empty, stones, first))
    given_by = history.start
    wanted, found = set(turns), dict[int, Root]()
    for turn in range(len(moves) + 1):
        colour = moves[turn - 1][0] ^ 1 if turn else first
        handicap = given(given_by, moves[:turn])
        if turn in start.changes:
            if turn in wanted:
                found[-turn] = _root(start, komi, history, handicap, colour)
            colour = moves[turn][0] if turn < len(moves) else colour
            history = _changed(history, start.changes[turn], colour)
        if turn in wanted:
            found[turn] = _root(start, komi, history, handicap, colour)
        if turn < len(moves):
            history = _played(history, turn, moves[turn])
    return found


def _first(start: Start, moves: Sequence[tuple[int, int]]) -> int:
    """Whose first move it is; White's where Black has handicap stones."""
    if moves:
        return moves[0][0]
    is_handicap = WHITE + 1 not in start.stones and start.stones.count(BLACK + 1) > 1
    return WHITE if is_handicap else BLACK


def _played(history: History, number: int, move: tuple[int, int]) -> History:
    try:
        history.play(*move)
    except IllegalMove as error:
        if str(error) != "ko":
            raise BadMove(number, str(error)) from None
        state = cast("GoState", history.state.copy())
        state.setup(state.stones(), move[0])
        history = History(state)
        history.play(*move)
    return history


def _changed(history: History, stones: Sequence[tuple[int, int]], colour: int) -> History:
    """The same board with other stones. Raises ValueError for one that cannot be."""
    state = cast("GoState", history.state.copy())
    board = bytearray(state.stones())
    for cell, stone in stones:
        board[cell] = stone
    state.setup(bytes(board), colour)
    return History(state)


def _root(start: Start, komi: float, history: History, handicap: int, colour: int) -> Root:
    hooks = hooks_of(get_game(GAME))
    table = Table(start.rules, komi, handicap, history.moves)
    state = hooks.search_state(history.state, table, colour)
    hooks.tell_komi(state, table)
    recent = history.recent(_in_turn(history, colour))
    if not start.has_history:
        recent = []
    has_passed = any(move == state.pass_move for _, move in history.moves)
    earlier = history.earlier(min(EARLIER, len(recent)))
    return Root(
        state, history.seen(start.rules.repetition), recent, earlier=earlier, rules=start.rules, has_passed=has_passed
    )


def _in_turn(history: History, colour: int) -> int:
    """How many of the last moves go back without a side moving twice in a row, `colour` being next."""
    mover, count = colour, 0
    for player, _ in reversed(history.moves[-RECENT:]):
        if player == mover:
            break
        mover, count = player, count + 1
    return count
