"""The time of a game as XBoard tells it: `level` or `st`, `time` and `otim`, `sd`, `nps`.

Seconds, but for `time` and `otim`, which are hundredths. What `level` says is counted on where no `time` follows.
"""

from __future__ import annotations

import math
import re

from tengen.protocols.chess.bounds import Go

LONGEST = 1e8
"""Seconds: three years."""
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)
_BASE = re.compile(r"(\d{1,9})(?::(\d{1,9}(?:\.\d{1,9})?))?", re.ASCII)


def number(word: str) -> float | None:
    """A number, at most LONGEST; None for what is none."""
    found = _NUMBER.fullmatch(word)
    return None if found is None else max(-LONGEST, min(LONGEST, float(word[:400])))


def whole(word: str) -> int | None:
    """The whole part of a number."""
    found = number(word)
    return None if found is None else math.floor(found)


class GameClock:
    """What bounds the moves of the engine. seconds: what it has left, None without a clock."""

    def __init__(self) -> None:
        self.moves, self.base, self.increment = 0, 0.0, 0.0
        self.seconds: float | None = None
        self.opponent: float | None = None
        self.fixed: float | None = None
        """Seconds of every move (`st`), which replace the clock."""
        self.depth: int | None = None
        self.rate: float | None = None
        """Nodes that count as a second (`nps`)."""
        self._made = 0
        self._is_set = False

    def level(self, words: list[str]) -> None:
        """Take MOVES BASE INCREMENT; the base is "minutes" or "minutes:seconds", and what follows it is passed over.
        Raises ValueError."""
        moves, increment = whole(words[0]) if words else None, number(words[2]) if len(words) > 2 else 0.0
        base = _BASE.match(words[1]) if len(words) > 1 else None
        if moves is None or increment is None or base is None:
            raise ValueError("level needs MOVES BASE INCREMENT")
        minutes, seconds = base.groups()
        self.moves, self.increment, self.fixed = max(0, moves), max(0.0, increment), None
        self.base = min(LONGEST, 60.0 * float(minutes) + float(seconds or 0))
        self._is_set = True
        self._start()

    def new_game(self) -> None:
        """Begin a game: the clock as it was set, and no other bound of depth or nodes."""
        self.depth = self.rate = None
        if self._is_set:
            self._start()

    def spent(self, seconds: float) -> None:
        """The engine made a move in so many."""
        self._made += 1
        if self.seconds is None or self.fixed is not None:
            return
        self.seconds += self.increment - seconds
        if self.moves and self._made % self.moves == 0:
            self.seconds += self.base

    def bounds(self, colour: int, fallback: float | None) -> Go:
        """What bounds the next move of the engine, of that colour. fallback: seconds where nothing was said; None: no
        bound then."""
        movetime = self.fixed
        clock: list[int | None] = [None, None]
        if movetime is None and self.seconds is not None:
            clock[colour] = round(1000 * self.seconds)
            clock[1 - colour] = None if self.opponent is None else round(1000 * self.opponent)
        elif movetime is None and self.depth is None:
            movetime = fallback
        left = self.moves - self._made % self.moves if self.moves else None
        increment = round(1000 * self.increment)
        return Go(
            depth=self.depth, movetime=None if movetime is None else max(1, round(1000 * movetime)),
            times=(clock[0], clock[1]), increments=(increment, increment), movestogo=left,
        )  # fmt: skip

    def _start(self) -> None:
        self.seconds = self.opponent = self.base
        self._made = 0
