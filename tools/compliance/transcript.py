"""The conversation over the pipes, in order, as text that is safe to print: "> " sent, "< " received, "# " a note."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

from tengen.tools.compliance.finding import printable

MOST = 500
"""Lines that the excerpt for a finding may hold."""


class Transcript:
    """Hears everything. file: gets all of it, nothing cut; `excerpt` is what came since `mark`."""

    def __init__(self, file: IO[str] | None = None) -> None:
        self._file = file
        self._excerpt: list[str] = []

    def mark(self) -> None:
        """Begin a new excerpt."""
        self._excerpt.clear()

    @property
    def excerpt(self) -> tuple[str, ...]:
        """The conversation since the last `mark`."""
        return tuple(self._excerpt)

    def sent(self, data: bytes) -> None:
        """Lines that end with LF, and one that does not."""
        for line in data.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n"):
            self._add("> ", line)

    def received(self, lines: Sequence[str]) -> None:
        """Lines of stdout."""
        for line in lines:
            self._add("< ", line)

    def note(self, text: str) -> None:
        """Note an action of the examiner; only in the file."""
        self._write(f"# {text}")

    def _add(self, sign: str, line: str) -> None:
        if len(self._excerpt) < MOST:
            self._excerpt.append(sign + line)
        self._write(sign + line)

    def _write(self, line: str) -> None:
        if self._file is not None:
            print(printable(line, len(line)), file=self._file)
