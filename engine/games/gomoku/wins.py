"""Why a position is won: the line of a win by fours, or by threes and fours, and its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tengen.engine.games.base import State

if TYPE_CHECKING:
    from tengen.engine._core import GomokuState

POSITIONS = 200_000
"""Positions that are looked at for the line of a win: a tenth of a second or two."""
MOST_LED = 12
"""Moves of a search's line that are followed to where threats win."""
_NAMES = ("", "three", "two threes", "four", "four and three", "", "open four", "five")
"""Of the classes of `GomokuState.threats`."""
_FOURS = frozenset(("four", "four and three", "open four", "five"))


class Win(NamedTuple):
    """A win of one side.

    moves: cells of both sides in turn, the side to move first. threats: what each move of the winner makes, "" of one
    that makes nothing, and of replies. winner: the colour that wins. mover: the colour of the first move.
    """

    winner: int
    mover: int
    moves: tuple[int, ...]
    threats: tuple[str, ...]

    @property
    def length(self) -> int:
        """The moves of the winner."""
        return (len(self.moves) + (self.winner == self.mover)) // 2

    @property
    def kind(self) -> str:
        """By what it is won: "fours", "threes and fours", or "" where it begins with a move that makes neither."""
        made = self.threats[int(self.winner != self.mover) :: 2]
        if made and all(threat in _FOURS for threat in made):
            return "fours"
        return "threes and fours" if made and made[0] else ""


def win_of(state: State, positions: int = POSITIONS) -> Win | None:
    """The win of the side to move by threats; None where none is found among so many positions."""
    core: GomokuState = state  # type: ignore[assignment]
    line = core.win_by_threats(positions)
    if not line:
        return None
    moves, threats = zip(*line, strict=True)
    return Win(state.to_move, state.to_move, moves, threats)


def proved_win(state: State, winner: int, line: Sequence[int], positions: int = POSITIONS) -> Win | None:
    """The win that a search has proved, the shortest that is found: its line as far as needed, then threats that win.

    line: moves from the position on. positions: as for `win_of`, after each of them. None where the threats are not
    found, or a move cannot be played.
    """
    here: GomokuState = state.copy()  # type: ignore[assignment]
    mover, best = state.to_move, None
    made: tuple[str, ...] = ()
    for led in range(min(len(line), MOST_LED) + 1):
        if here.to_move == winner and (found := win_of(here, positions)):
            here_too = Win(winner, mover, (*line[:led], *found.moves), made + found.threats)
            best = here_too if best is None or here_too.length < best.length else best
        if led == len(line) or not here.is_legal(line[led]):
            break
        made += (_NAMES[here.threats(winner)[line[led]]] if here.to_move == winner else "",)
        here.play(line[led])
        if here.is_terminal():
            return best or (Win(winner, mover, tuple(line[: led + 1]), made) if here.winner == winner else None)
    return best


def words_of(win: Win, name: Callable[[int], str], most: int | None = None) -> str:
    """The sentence without its end: "Black wins by fours in 3 moves: H8 (four) G7, ... K9 (five)".

    name: the text of a cell. most: moves of both sides that are named; None: all.
    """
    side = ("Black", "White")[win.winner]
    by = f" by {win.kind}" if win.kind else ""
    moves = f"{win.length} move{'s' if win.length != 1 else ''}"
    named = win if most is None else win._replace(moves=win.moves[:most], threats=win.threats[:most])
    return f"{side} wins{by} in {moves}: {_moves(named, name)}{' ...' if len(named.moves) < len(win.moves) else ''}"


def _moves(win: Win, name: Callable[[int], str]) -> str:
    """The moves: each of the winner with what it makes and its reply, and a comma."""
    words = []
    for ply, (move, threat) in enumerate(zip(win.moves, win.threats, strict=True)):
        is_winner = (ply % 2 == 0) == (win.winner == win.mover)
        text = f"{name(move)} ({threat})" if threat else name(move)
        is_last = ply == len(win.moves) - 1
        words.append(text if is_winner or is_last else text + ",")
    return " ".join(words)
