"""The log of an engine: the conversation, with the seconds since the start."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from pathlib import Path
from typing import IO

from tengen.engine.sentence import harmless

LARGEST_LOG = 8 << 20
"""Letters of an engine's log; then only its end is kept, and the next process begins a new one."""
LAST_LINES = 100


class EngineLog:
    """Lines with a mark: `<` to the engine, `>` from it, `!` its stderr, `#` a remark; "?" for control characters.

    A full one keeps its last lines for the end, when they tell most. A disk that is full ends the log, not the game.
    """

    def __init__(self, path: Path | None) -> None:
        self._file: IO[str] | None = None
        self._room = LARGEST_LOG
        self._last: deque[str] = deque(maxlen=LAST_LINES)
        self._left_out = 0
        self._begin = time.monotonic()
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and path.stat().st_size >= LARGEST_LOG:
                path.replace(path.with_name(path.name + ".old"))
            self._file = path.open("a", encoding="utf-8", errors="replace")
            self._room -= self._file.tell()

    def write(self, mark: str, text: str) -> None:
        """Write one line while there is room."""
        if self._file is None:
            return
        line = f"{time.monotonic() - self._begin:.3f} {mark} {harmless(text)}\n"
        if self._room > 0:
            self._room -= len(line)
            self._put(line)
        else:
            self._left_out += len(self._last) == LAST_LINES
            self._last.append(line if len(line) < 100 else line[:100] + "...\n")

    def flush(self) -> None:
        """Hand the written lines to the system."""
        if self._file is not None:
            try:
                self._file.flush()
            except OSError:
                self._drop()

    def close(self) -> None:
        """Write the last lines of a full log, and end it."""
        if self._last:
            self._put(f"the log is full: {self._left_out} lines left out\n{''.join(self._last)}")
        self._drop()

    def _put(self, text: str) -> None:
        if self._file is not None:
            try:
                self._file.write(text)
            except OSError:
                self._drop()

    def _drop(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None
