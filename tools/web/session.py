"""A game of the page: the table that `tengen play` has, looked at from any of its moves, with a thread that thinks.

The line of moves may be longer than what is on the board: whoever looks back sees an earlier position. A move that is
played there begins a try; the game is kept, and one step leads back to it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from tengen.engine.games.base import IllegalMove
from tengen.engine.play.live_game import LiveGame
from tengen.engine.records import Record
from tengen.tools.play.record import record_of
from tengen.tools.play.table import Table
from tengen.tools.web.evaluation import Evaluation

Listener = Callable[[str, dict[str, Any]], None]
Moves = list[tuple[int, int]]


class Session:
    """One game. Its methods may be called from any thread; `worker` is the one that decides and analyses."""

    def __init__(self, name: str, table: Table, told: str = "") -> None:
        """told: what a person should know of the file that it was read from."""
        self.name, self.table, self.told = name, table, told
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        self.version = 0
        self.line: Moves = list(table.live.moves)
        self.kept: Moves | None = None
        """The game, while something else is tried; who has resigned it."""
        self._kept_resigned: int | None = None
        self.evaluations: dict[int, Evaluation] = {}
        """What searches found, by the key of the position."""
        self.is_thinking = self.is_analysing = self.is_reviewing = self.is_closed = False
        self.hint_wanted = self.is_unsaved = False
        self.used = time.monotonic()
        self._listeners: list[Listener] = []

    # Who looks on

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell of every change from now on; returns how to end that."""
        with self.lock:
            self._listeners.append(listener)
            self.changed.notify_all()

        def leave() -> None:
            with self.lock:
                self._listeners.remove(listener)
                self.changed.notify_all()

        return leave

    @property
    def is_watched(self) -> bool:
        return bool(self._listeners)

    def tell(self, kind: str, values: dict[str, Any]) -> None:
        """Tell all who listen."""
        with self.lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener(kind, values)

    def touch(self, *, is_new: bool = True) -> None:
        """Something changed. is_new: the position, so that who thinks about the old one ends."""
        with self.lock:
            self.used = time.monotonic()
            if is_new:
                self.version += 1
                self.table.interrupt()
            self.changed.notify_all()

    # What people do

    @property
    def ply(self) -> int:
        return len(self.table.live.moves)

    @property
    def is_at_end(self) -> bool:
        return self.ply == len(self.line)

    def play(self, move: int) -> None:
        """Play on the board that is shown. Raises IllegalMove."""
        with self.lock:
            ply, colour = self.ply, self.table.live.state.to_move
            if ply < len(self.line) and self.line[ply] == (colour, move):
                return self.go(ply + 1)
            resigned = self.table.resigned
            if ply < len(self.line):
                self.table.resigned = None  # in what is tried nobody has
            try:
                self.table.play(move)
            except IllegalMove:
                self.table.resigned = resigned
                raise
            if ply < len(self.line) and self.kept is None:
                self.kept, self._kept_resigned = self.line, resigned
            self.line = [*self.line[:ply], (colour, move)]
            self.is_unsaved = True
            self.touch()

    def go(self, ply: int) -> None:
        """Show the position after so many moves of the line."""
        with self.lock:
            live, ply = self.table.live, max(0, min(ply, len(self.line)))
            if ply < self.ply:
                live.undo(self.ply - ply)
            for colour, move in self.line[self.ply : ply]:
                live.play(colour, move)
            self.touch()

    def back(self) -> None:
        """Leave what was tried, to where it left the game."""
        with self.lock:
            if self.kept is None:
                return
            shared = 0
            while shared < min(len(self.kept), len(self.line)) and self.kept[shared] == self.line[shared]:
                shared += 1
            self.go(shared)
            self.line, self.kept = self.kept, None
            self.table.resigned = self._kept_resigned
            self.touch()

    def undo(self) -> None:
        """Take back to where a person was last to move. Raises ValueError."""
        with self.lock:
            self.go(len(self.line))
            self.table.undo()
            self.line = list(self.table.live.moves)
            self.is_unsaved = True
            self.touch()

    def resign(self) -> None:
        with self.lock:
            self.table.resign()
            self.is_unsaved = True
            self.touch()

    def record(self) -> Record:
        """The game itself to its end, whatever is shown or tried."""
        with self.lock:
            if self.kept is None and self.is_at_end:
                return self.table.record()
            whole = copied(self.table.live, self.line if self.kept is None else self.kept)
            return record_of(whole, self.table.names)

    def snapshot(self, ply: int | None = None) -> LiveGame:
        """A copy of the game as it is shown, or after so many moves of the line, for who searches it."""
        with self.lock:
            live = self.table.live
            moves = live.moves if ply is None else tuple(self.line[:ply])
            return copied(live, moves)

    def remember(self, key: int, found: Evaluation) -> None:
        """Keep what was found of a position, unless more is known: more moves, then more visits."""
        with self.lock:
            known = self.evaluations.get(key)
            if known is None or (len(found.lines), found.visits) >= (len(known.lines), known.visits):
                self.evaluations[key] = found

    def keys(self) -> list[int]:
        """The keys of the positions of the line, from its start."""
        with self.lock:
            state = self.table.live.history.start.copy()
            found = [state.state_key]
            for colour, move in self.line:
                state.play_as(colour, move)
                found.append(state.state_key)
            return found

    def close(self) -> None:
        with self.lock:
            self.is_closed = True
            self.touch()


def copied(live: LiveGame, moves: Any) -> LiveGame:
    """A game of its own with the same start."""
    made = LiveGame(live.game, live.rules)
    made.komi = live.komi
    start = live.history.start
    made.new_game(start.width, start.height)
    if made.history.start.state_key != start.state_key:
        made.begin(start.copy())
    made.play_sequence(moves)
    return made
