"""Bytes of a pipe, in whatever pieces they come, to lines of bounded length."""

from __future__ import annotations


class Splitter:
    """Of a line longer than `longest` bytes the beginning is given as soon as it is there, and the rest dropped."""

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
        """What stands after the last LF when nothing more comes."""
        rest, self._rest = self._rest, b""
        return [rest] if rest else []
