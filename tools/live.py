"""How a long command says how far it is: a line that changes on a terminal, plain lines now and then elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TextIO

PAUSE = 10.0
"""Seconds between two plain lines of progress."""
_CLEAR = "\r\x1b[K"


class Live:
    """Writes on stderr alone, so that stdout holds results. pause: seconds between plain lines."""

    def __init__(self, out: TextIO | None = None, pause: float = PAUSE) -> None:
        self._out = out or sys.stderr
        self._is_terminal = self._out.isatty()
        self._pause = pause
        self._told = float("-inf")

    def update(self, text: str, is_last: bool = False) -> None:
        """How far it is now; off a terminal it is left out when one was said just before, unless it is the last."""
        if self._is_terminal:
            print(_CLEAR + text, end="", file=self._out, flush=True)
            return
        now = time.monotonic()
        if is_last or now - self._told >= self._pause:
            self._told = now
            print(text, file=self._out, flush=True)

    def line(self, text: str) -> None:
        """A line that stays."""
        print((_CLEAR if self._is_terminal else "") + text, file=self._out, flush=True)

    def clear(self) -> None:
        """Take the changing line away."""
        if self._is_terminal:
            print(_CLEAR, end="", file=self._out, flush=True)


class Pace:
    """How long the rest takes, by what was done since the start."""

    def __init__(self, done: int = 0) -> None:
        """done: of earlier runs, which say nothing about the pace."""
        self._begin = time.monotonic()
        self._before = done

    def left(self, done: int, total: int) -> str:
        """ "0:12:05", or "?" before anything is done."""
        if done <= self._before:
            return "?"
        seconds = round((time.monotonic() - self._begin) / (done - self._before) * (total - done))
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
