"""Bytes of a pipe, in whatever pieces they come, to lines of bounded length."""

from __future__ import annotations


class Splitter:
    """A splitter of bytes into lines. The beginning of a line longer than `longest` bytes is returned as soon as it
    arrives, and the rest is dropped."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._rest = b""
        self._skips = False  # inside a line whose beginning was given

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that end in these bytes, without their LF."""
        parts = (self._rest + data).split(b"\n")
        if self._skips and len(parts) > 1:
            del parts[0]
            self._skips = False
        self._rest = parts.pop()
        if self._skips:
            self._rest = b""
        elif len(self._rest) > self._longest:
            parts.append(self._rest)
            self._rest, self._skips = b"", True
        return [part[: self._longest] for part in parts]

    def end(self) -> list[bytes]:
        """Return the bytes after the last LF when the input has ended."""
        rest, self._rest = self._rest, b""
        return [rest] if rest else []
