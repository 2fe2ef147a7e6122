"""The game that the GUI shows: set as GGF or move by move, with its clock."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, cast

from tengen.engine.games.base import State
from tengen.engine.games.forced_passes import completed, with_passes
from tengen.engine.play.clock import LONGEST_LAG
from tengen.engine.play.time_control import TimeControl
from tengen.protocols.nboard.clock import Allowance, GameClock
from tengen.protocols.nboard.notation import SIDE, Played

if TYPE_CHECKING:
    from tengen.engine._core import ReversiState
    from tengen.engine.play.player import Player
    from tengen.engine.records.base import Record


class Position:
    """Keeps a player at the position that the GUI shows. Every method leaves it alone when it raises."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.clock = GameClock()
        self.depth: int | None = None
        """The depth that the GUI has set, where the player looks ahead ply by ply."""
        self._answer: tuple[int, float] | None = None

    @property
    def state(self) -> State:
        """The current position; read only."""
        return self.player.state

    def set_game(self, ggf: str) -> None:
        """Go to the end of a game. Raises ValueError with one sentence for what is no legal game of Othello 8x8."""
        from tengen.engine.records import ggf as records

        record = records.loads(ggf)
        if (record.width, record.height) != (SIDE, SIDE):
            raise ValueError(f"the board is {record.width}x{record.height}, not 8x8")
        start = self._start(record)
        moves = with_passes(self.player.game, start, record.moves)
        self._reach(start, record, moves)
        self.clock = GameClock.of(record.properties)
        for (_, move), note in zip(record.moves[-2:], record.notes[len(record.moves[:-2]) :], strict=False):
            self._learn_lag(move, note.seconds)
        self._answer = None
        for (colour, _), note in zip(record.moves, record.notes, strict=False):
            self.clock.charge(colour, note.seconds or 0.0)

    def play(self, played: Played) -> None:
        """Play one more move for the side to move. Raises IllegalMove."""
        moves = completed(self.player.game, self.state, None, played.move)
        self.player.play_sequence(moves)
        colour = moves[-1][0]
        self._learn_lag(played.move, played.seconds)
        self.clock.charge(colour, self._own_time(played.move) if played.seconds is None else played.seconds)
        self._answer = None

    def answered(self, move: int, seconds: float) -> None:
        """The engine said that it plays `move`; the time counts unless the GUI names another one."""
        self._answer = (move, seconds)

    def set_clock(self) -> None:
        """Give the player the clock of the side to move."""
        colour = self.state.to_move
        control = _control(self.clock.allowances[colour])
        if control is not self.player.clock.control:
            self.player.clock.set_control(control)
        self.player.clock[colour].remaining = self.clock.left(colour)

    # -- inside -------------------------------------------------------------------------------------------

    def _start(self, record: Record) -> State:
        """The position before the moves of `record`."""
        game = self.player.game
        state = game.new_state(SIDE, SIDE, self.player.rules, 0.0)
        if _is_setup(record):
            stones = state.stones() if record.setup is None else record.setup
            cast("ReversiState", state).setup(stones, record.first)
        return state

    def _reach(self, start: State, record: Record, moves: list[tuple[int, int]]) -> None:
        """Bring the player to the end of legal `moves`, keeping what both games have in common, and the search tree."""
        player = self.player
        if player.history.start.state_key != start.state_key:
            player.new_game(SIDE)
            if _is_setup(record):
                player.setup(start.stones(), start.to_move)
        common = 0
        for known, wanted in zip(player.moves, moves, strict=False):
            if known != wanted:
                break
            common += 1
        player.undo(len(player.moves) - common)
        player.play_sequence(moves[common:])

    def _learn_lag(self, move: int, seconds: float | None) -> None:
        """Our answer was played, and took so many seconds by the clock of the GUI."""
        if seconds and self._answer is not None and self._answer[0] == move:
            lost = seconds - self._answer[1]
            if lost < LONGEST_LAG:
                self.player.clock.overhead.lose(lost)

    def _own_time(self, move: int) -> float:
        """What our answer took, if this is the move of our answer."""
        return self._answer[1] if self._answer is not None and self._answer[0] == move else 0.0


@lru_cache(2)
def _control(allowance: Allowance) -> TimeControl:
    """The time control of a player who has that much."""
    return TimeControl.fischer(allowance.main, allowance.increment) if allowance.is_limited else TimeControl.none()


def _is_setup(record: Record) -> bool:
    """Whether the game begins with anything but the usual start."""
    return record.setup is not None or record.to_move is not None
