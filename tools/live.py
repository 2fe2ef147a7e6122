"""The progress line of a long command: a line that changes on a terminal, plain lines now and then elsewhere.

The changing line is never wider than the terminal, whatever its size becomes. Where nothing changes for a while, a
plain line says so every PAUSE seconds. All of it is on stderr, so that stdout holds results.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import threading
import time
from collections.abc import Sequence
from typing import TextIO

from tengen.engine.sentence import printable

PAUSE = 10.0
"""Seconds between two plain lines of progress."""
TICK = 0.5
"""Seconds between two looks at the terminal's size."""
BAR = 20
"""Letters of a bar."""
USUAL = 80
"""Columns of a terminal that does not tell."""
LONGEST = 2000
"""Letters of a line that changes."""
_CLEAR = "\r\x1b[K"
_shown: list[Live] = []


class Live:
    """Writes on stderr alone. A command that ends early is cleaned up after by `close`, as `tengen` does."""

    def __init__(self, out: TextIO | None = None, pause: float = PAUSE, is_patient: bool = False) -> None:
        """pause: seconds between plain lines. is_patient: the first plain line waits so long, too: for commands that
        are done at once, more often than not."""
        self._out = out or sys.stderr
        self.is_terminal = self._out is not None and self._out.isatty() and not _is_dumb()
        """Whether there is a line that changes."""
        self._pause = pause
        self._begun = time.monotonic()
        self._told = self._begun if is_patient else float("-inf")
        self._heard = self._begun  # a line of any kind
        self._parts: Sequence[str] = ()
        self._separator, self._said, self._drawn, self._columns = "", "", "", 0
        self._lock = threading.RLock()
        self._end: threading.Event | None = None

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def update(self, text: str | Sequence[str], is_last: bool = False, separator: str = " | ") -> None:
        """Show the progress: a text, or its parts. Where they are too wide, parts are left out from the last but one
        back to the second. Off a terminal a text is left out when one was said just before, unless it is the last."""
        with self._lock:
            self._parts = [text] if isinstance(text, str) else [part for part in text if part]
            self._separator = separator
            self._begin()
            if self.is_terminal:
                self._draw()
            elif is_last or time.monotonic() - self._told >= self._pause:
                self._say(self._text())

    def line(self, text: str) -> None:
        """A line that stays."""
        with self._lock:
            if not self.is_terminal:
                self._write(f"{text}\n")
                self._heard = time.monotonic()
                return
            self._wipe()
            self._write(f"{wrapped(text, self._width())}\n")
            self._draw()

    def row(self, parts: Sequence[str], separator: str = ", ") -> None:
        """A line that stays, of parts that are left out where a terminal is too narrow for them."""
        self.line(fitted(parts, self._width(), separator) if self.is_terminal else separator.join(parts))

    def result(self, text: str) -> None:
        """A line of results on stdout, where the changing line makes room for it."""
        with self._lock:
            self._wipe()
            print(text, flush=True)
            self._heard = time.monotonic()
            self._draw()

    def clear(self) -> None:
        """Take the changing line away; nothing more is said until the next one."""
        with self._lock:
            self._wipe()
            self._parts = ()
            if self._end is not None:
                self._end.set()
                self._end = None
                _shown.remove(self)

    def _begin(self) -> None:
        """Have the line looked after while it is shown."""
        if self._end is None and self._out is not None:
            self._end = threading.Event()
            _shown.append(self)
            threading.Thread(target=self._watch, args=(self._end,), name="progress", daemon=True).start()

    def _watch(self, end: threading.Event) -> None:
        """In a thread of its own: fit the line to a terminal whose size changes; say elsewhere that it goes on."""
        while not end.wait(TICK if self.is_terminal else min(TICK, self._pause / 4 or TICK)):
            with self._lock:
                if end.is_set():
                    return
                if self.is_terminal:
                    if self._width() != self._columns:
                        self._draw()
                elif time.monotonic() - max(self._told, self._heard) >= self._pause > 0:
                    self._say(self._text())

    def _text(self) -> str:
        return printable(self._separator.join(self._parts), LONGEST)

    def _say(self, text: str) -> None:
        """A plain line; where it is the last one again, for how long it has been going on."""
        now = time.monotonic()
        so_far = f" ({clock(now - self._begun)} so far)" if text == self._said else ""
        self._told, self._said = now, text
        self._write(f"{text}{so_far}\n")

    def _draw(self) -> None:
        """The line anew, on a terminal that shows one."""
        if self.is_terminal and self._parts:
            self._wipe()
            self._columns = self._width()
            self._drawn = fitted([printable(part, LONGEST) for part in self._parts], self._columns - 1, self._separator)
            self._write(self._drawn)

    def _wipe(self) -> None:
        """Take the line off the terminal; one that has become narrower may have broken it into several rows."""
        if self.is_terminal:
            rows = 1
            if self._drawn and _breaks_lines():
                from rich.cells import cell_len

                rows = max(1, math.ceil(cell_len(self._drawn) / self._width()))
            self._write((f"\x1b[{rows - 1}A\r\x1b[J" if rows > 1 else "") + _CLEAR)
            self._drawn = ""

    def _width(self) -> int:
        try:
            return os.get_terminal_size(self._out.fileno()).columns or USUAL
        except (OSError, ValueError, AttributeError):
            return USUAL

    def _write(self, text: str) -> None:
        """What nobody can read is not worth the work that is told of."""
        if self._out is not None:
            with contextlib.suppress(OSError, ValueError):
                self._out.write(text)
                self._out.flush()


class Pace:
    """The estimate of the time left, by what was done since the start."""

    def __init__(self, done: int = 0) -> None:
        """done: of earlier runs, which say nothing about the pace."""
        self._begin = time.monotonic()
        self._before = done

    def left(self, done: int, total: int) -> str:
        """ "0:12:05", or "?" before anything is done."""
        if done <= self._before:
            return "?"
        return clock((time.monotonic() - self._begin) / (done - self._before) * (total - done))


def clock(seconds: float) -> str:
    """ "0:12:05"."""
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def bar(done: int, total: int) -> str:
    """ "[#####...............] 12/50"."""
    full = min(BAR, BAR * done // total) if total else 0
    return f"[{'#' * full}{'.' * (BAR - full)}] {done}/{total}"


def fitted(parts: Sequence[str], columns: int, separator: str = " | ") -> str:
    """As many parts as so many columns hold, the first and the last before all others; a text that is still too wide is
    cut. Letters may be two columns wide."""
    from rich.cells import cell_len, set_cell_size

    kept = list(parts)
    while len(kept) > 1 and cell_len(separator.join(kept)) > columns:
        del kept[-2 if len(kept) > 2 else -1]
    text = separator.join(kept)
    if cell_len(text) <= columns:
        return text
    return set_cell_size(text, max(0, columns - 3)).rstrip() + "..."[: max(0, columns)]


def wrapped(text: str, columns: int) -> str:
    """Lines of a text broken between words where a terminal of so many columns would break them within; a word that is
    wider stays whole, so that a path can be copied."""
    from rich.cells import cell_len

    rows: list[str] = []
    for line in text.split("\n"):
        row, *words = line.split(" ") if cell_len(line) > columns else [line]
        for word in words:
            if row.strip() and cell_len(row) + 1 + cell_len(word) > columns:
                rows.append(row)
                row = word
            else:
                row = f"{row} {word}"
        rows.append(row)
    return "\n".join(rows)


def close() -> None:
    """Take the lines away of commands that ended before they did so."""
    for live in list(_shown):
        live.clear()


def _is_dumb() -> bool:
    """Whether the terminal says that it cannot take a line away."""
    return os.environ.get("TERM", "").lower() in ("dumb", "unknown")


def _breaks_lines() -> bool:
    """Whether the terminal breaks lines anew when it becomes narrower, as most do."""
    if os.environ.get("TMUX"):
        return True
    term = os.environ.get("TERM", "")
    return not os.environ.get("XTERM_VERSION") and term != "linux" and not term.startswith("screen")
