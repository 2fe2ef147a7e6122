"""Input lines: bytes cut at LF within bounded memory, read by a thread that is always reading.

Nothing is lost while a search runs or a network loads: lines wait in a queue. The queue and the length of one
line are bounded; at the bound of the queue the reader waits (the sender's pipe fills, nothing is dropped).
"""

from __future__ import annotations

import select
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import NamedTuple, Protocol

MAX_LINE = 1 << 20
"""Bytes of one line that are kept: a `gogui-play_sequence` of 100,000 moves fits."""
MAX_WAITING = 64 << 20
"""Bytes that may wait in the queue."""
CHUNK = 1 << 16


class ByteSource(Protocol):
    """An unbuffered binary stream. `read` returns at least one byte, b"" at the end, None when none is ready."""

    def fileno(self) -> int: ...
    def read(self, size: int, /) -> bytes | None: ...


class Line(NamedTuple):
    """One line as it came, without its LF. `number` counts from 1; `overlong`: the end was cut off."""

    number: int
    data: bytes
    overlong: bool = False


class LineSplitter:
    """Cuts a stream of chunks into lines; what exceeds `limit` bytes of a line is thrown away."""

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._length = 0
        self._overlong = False
        self._count = 0

    def feed(self, chunk: bytes) -> Iterator[Line]:
        """Yield the lines that `chunk` completes."""
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            self._keep(piece)
            yield self._take()
        self._keep(rest)

    def finish(self) -> Iterator[Line]:
        """Yield the last line when the input ended without LF."""
        if self._length:
            yield self._take()

    def _keep(self, piece: bytes) -> None:
        room = self._limit - self._length
        self._overlong |= len(piece) > room
        piece = piece[:room]
        if piece:
            self._parts.append(piece)
            self._length += len(piece)

    def _take(self) -> Line:
        self._count += 1
        line = Line(self._count, b"".join(self._parts), self._overlong)
        self._parts.clear()
        self._length, self._overlong = 0, False
        return line


class LineQueue:
    """Lines that have arrived, in order, and then the end of input. One thread puts, one takes.

    A line that is taken at once costs no more than a switch of threads: the lock is for a queue that is full.
    """

    def __init__(self, limit: int = MAX_WAITING) -> None:
        self._limit = limit
        self._lines: SimpleQueue[Line | None] = SimpleQueue()
        self._put = self._taken = 0
        """Bytes; each is written by one thread."""
        self._is_full = self._aborted = False
        self._changed = threading.Condition()

    def put(self, line: Line) -> None:
        """Append; waits while more than the limit is waiting."""
        if not self._has_room():
            with self._changed:
                self._is_full = True  # before the look that decides to wait: who takes looks the other way round
                self._changed.wait_for(self._has_room)
                self._is_full = False
        self._put += _size(line)
        self._lines.put(line)

    def close(self, *, abort: bool = False) -> None:
        """Mark the end of input. abort: drop what waits (nobody reads the answers any more)."""
        with self._changed:
            self._aborted |= abort
            self._changed.notify_all()
        self._lines.put(None)

    def take(self) -> Line | None:
        """The next line, waiting for it; None at the end of input."""
        line = self._lines.get()
        if line is None or self._aborted:
            self._lines.put(None)  # for whoever asks again
            return None
        self._taken += _size(line)
        if self._is_full:
            with self._changed:
                self._changed.notify_all()
        return line

    def _has_room(self) -> bool:
        return self._put - self._taken <= self._limit or self._aborted


def _size(line: Line) -> int:
    """The bytes of a line with its Python object: millions of empty lines count too."""
    return len(line.data) + 64


def pump(source: ByteSource, queue: LineQueue, arrived: Callable[[Line | None], None]) -> None:
    """Read `source` to its end into `queue`; `arrived` hears of each line first, and of the end as None.

    A read error (a terminal that went away) counts as the end of input.
    """
    splitter = LineSplitter()
    try:
        while chunk := _read(source):
            for line in splitter.feed(chunk):
                arrived(line)
                queue.put(line)
        for line in splitter.finish():
            arrived(line)
            queue.put(line)
    finally:
        arrived(None)
        queue.close()


def _read(source: ByteSource) -> bytes:
    """At least one byte; b"" at the end of input or on an error."""
    while True:
        try:
            chunk = source.read(CHUNK)
        except (OSError, ValueError):
            return b""
        if chunk is not None:
            return chunk
        select.select([source], [], [])  # a descriptor that somebody made non-blocking
