"""The best moves of a position, evaluated one beside the other, deeper with each iteration.

A tree search looks closely at the move it would play and hardly at the others. So the best move is searched with the
playouts of the depth, then the best one without it with a quarter of them, and so on; the tree keeps all of it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tengen.engine.info import Info, Line
from tengen.engine.limits import Limits
from tengen.engine.play.request import MoveRequest
from tengen.protocols.nboard import strength

if TYPE_CHECKING:
    from tengen.engine._core import StopToken
    from tengen.engine.play.player import Player

SHARE = 4
"""The best move gets so many times the playouts of any other one."""
FIRST = 4
"""Depth of the first iteration."""
LEAST_SECONDS = 0.001


class Hints:
    """One question about the player's position."""

    def __init__(self, player: Player, count: int, seconds: float, stop: StopToken | None = None) -> None:
        """count: of moves, at least 1; more than there are means all. seconds: for all, which `stop` ends."""
        self._stop = stop
        self._player = player
        self._count = min(count, len(player.state.legal_moves()))
        self._deadline = time.monotonic() + seconds
        self._main = Info()
        self._main_playouts = self._playouts = 0
        self._seconds = 0.0

    def iterations(self, playouts: int | None) -> Iterator[Info]:
        """Deeper and deeper reports, up to searches of so many playouts (None: until the time is over)."""
        depth = FIRST
        while True:
            wanted = strength.playouts(depth)
            is_last = depth >= strength.DEEPEST or (playouts is not None and wanted >= playouts)
            yield (info := self.look(wanted if playouts is None else min(wanted, playouts)))
            is_solved = len(info.lines) == self._count and all(_is_exact(line) for line in info.lines)
            if is_last or is_solved or time.monotonic() >= self._deadline:
                return
            depth += 1

    def look(self, playouts: int) -> Info:
        """One iteration. Fewer lines than asked for, or none, when the stop or the time ends it."""
        if self._main.best is None or not _is_exact(self._main.best):
            self._main = self._search(playouts - self._main_playouts, [])
            self._main_playouts = playouts
        main = latest = self._main
        lines: list[Line] = []
        while latest.best is not None:
            lines.append(latest.best)
            if len(lines) == self._count:
                break
            latest = self._without(latest, lines, playouts // SHARE)
        if any(line.terms for line in lines):
            lines = self._compared(lines)
        return Info(
            tuple(lines),
            main.to_move,
            main.visits,
            self._playouts,
            seconds=self._seconds,
            expected=main.expected,
        )

    def _without(self, latest: Info, lines: list[Line], playouts: int) -> Info:
        """The report about the moves that have no line yet, searched on when they have been searched too little.

        A solved move comes first in a report, also before better ones that are not solved yet: it stands only when
        all are solved, or a search of all is not for another one.
        """
        taken = [line.move for line in lines]
        rest = tuple(line for line in latest.lines if line.move not in taken)
        if not rest:
            return self._search(playouts, taken)
        first, known = rest[0], Info(rest, latest.to_move)
        if not _is_exact(first):
            return known if first.visits >= playouts else self._search(playouts - first.visits, taken)
        if len(taken) + len(rest) == len(self._player.state.legal_moves()) and all(_is_exact(line) for line in rest):
            return known
        best = (found := self._search(playouts, taken)).best
        return found if best is not None and (_is_exact(best) or best.score > first.score) else known

    def _compared(self, lines: list[Line]) -> list[Line]:
        """The same moves out of one report about all: terms are scaled over the moves that a report is about."""
        wanted = {line.move: line for line in lines}
        found = [line for line in self._search(1, []).lines if wanted.pop(line.move, None) is not None]
        return [*found, *wanted.values()]

    def _search(self, playouts: int, avoid: list[int]) -> Info:
        limits = Limits(seconds=max(LEAST_SECONDS, self._deadline - time.monotonic()), playouts=max(1, playouts))
        side = self._player.state.to_move
        request = MoveRequest(side, limits=limits, play=False, resign=False, avoid=avoid, stop=self._stop)
        info = self._player.genmove(request).info
        self._playouts += info.playouts
        self._seconds += info.seconds
        return info


def _is_exact(line: Line) -> bool:
    """Whether nothing more can be learned about the move."""
    return line.proof is not None and line.bound == "exact"
