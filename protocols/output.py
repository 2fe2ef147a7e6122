"""The one way to a protocol's reader: whole texts, one at a time, written through at once."""

from __future__ import annotations

import os
import select
import threading
from typing import Protocol


class ByteSink(Protocol):
    """An unbuffered binary stream. `write` returns how many bytes it took, None when it could take none now."""

    def fileno(self) -> int: ...
    def write(self, data: bytes, /) -> int | None: ...


class OutputClosed(Exception):
    """The reader of our output is gone; the conversation is over."""


class Output:
    """Writes text from any thread. After the first failure every write raises OutputClosed."""

    def __init__(self, sink: ByteSink) -> None:
        self._sink = sink
        self._lock = threading.Lock()
        self._closed = False
        self._held: list[str] | None = None

    def write(self, text: str) -> None:
        """Write `text` (UTF-8) completely before any other thread's text. Raises OutputClosed."""
        with self._lock:
            if self._closed:
                raise OutputClosed
            if self._held is not None:
                self._held.append(text)
            else:
                self._send(text)

    def hold(self) -> None:
        """Keep written texts until `release`."""
        with self._lock:
            self._held = []

    def release(self) -> None:
        """Write the kept texts in one piece; from here on texts leave at once. Raises OutputClosed."""
        with self._lock:
            held, self._held = self._held, None
            if held:
                self._send("".join(held))

    def is_deserted(self, seconds: float) -> bool:
        """Whether the reader is gone, waiting at most so long for that. Raises OSError where that cannot be told."""
        poll = select.poll()  # type: ignore[attr-defined,unused-ignore]  # not on every system
        poll.register(self._sink.fileno(), 0)
        return bool(poll.poll(1000 * seconds))

    def _send(self, text: str) -> None:
        """The caller holds the lock."""
        data = memoryview(text.encode("utf-8", "replace"))
        try:
            while data:
                taken = self._sink.write(data)  # type: ignore[arg-type]
                if taken is None:
                    select.select([], [self._sink], [])
                else:
                    data = data[taken:]
        except (OSError, ValueError) as error:
            self._closed = True
            raise OutputClosed from error


def claim_stdout() -> int:
    """Return a private descriptor of the protocol's output and send everything else to stderr.

    From here on a stray `print`, or a library that writes to descriptor 1, cannot spoil the protocol.
    """
    protocol = os.dup(1)
    try:
        os.dup2(2, 1)
    except OSError:  # stderr is closed
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.close(silence)
    return protocol
