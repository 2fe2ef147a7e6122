"""A journal of JSON lines: what a long run has done, so that a killed one goes on from there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, TextIO

from tengen.engine import files
from tengen.tools.locking import beside

LARGEST = 1 << 30
"""Bytes of a journal."""


class Journal:
    """A file of JSON lines: first what the run is, then one line for every result, each written at once.

    `rows` are the results of an earlier run of the same kind. A torn last line is dropped. One process has it at a
    time. Without a path nothing is kept. Use as a context manager.
    """

    def __init__(self, path: str | None, header: Mapping[str, Any], older: Sequence[Mapping[str, Any]] = ()) -> None:
        """header: what the run is. older: the same as earlier versions wrote it. Raises ValueError when the file
        belongs to another run or is no journal, LockError while another process has it, OSError."""
        self.rows: list[dict[str, Any]] = []
        self.is_older = False
        """Whether an earlier version began it."""
        self._path = path
        self._file: TextIO | None = None
        self._held = ExitStack()
        if path is None:
            return
        with self._held:
            self._held.enter_context(beside(Path(path), "writes"))
            self._open(path, header, older)
            self._held = self._held.pop_all()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        with self._held:
            if self._file is not None:
                with suppress(OSError):  # what could not be written was told when it was
                    self._file.close()

    def write(self, row: Mapping[str, Any]) -> None:
        """Append a result. Raises OSError naming the file."""
        self._line(json.dumps(row))

    def _open(self, path: str, header: Mapping[str, Any], older: Sequence[Mapping[str, Any]]) -> None:
        """Read what is there, and open the file behind its last whole line."""
        whole = 0
        if Path(path).exists():
            data = files.read(path, LARGEST)
            whole = data.rfind(b"\n") + 1
            lines = data[:whole].decode("utf-8", "replace").splitlines()
            is_same = bool(lines) and _is_same(lines[0], header)
            self.is_older = bool(lines) and not is_same and any(_is_same(lines[0], one) for one in older)
            if data and not (self.is_older or is_same):
                raise ValueError(f"'{path}' belongs to another run: remove it or choose another file")
            self.rows = [_row(path, number, line) for number, line in enumerate(lines[1:], 2)]
        with files.writing(path):
            self._file = open(path, "a", encoding="utf-8")
            self._file.truncate(whole)
        if whole == 0:
            self._line(json.dumps(header))

    def _line(self, text: str) -> None:
        if self._file is not None and self._path is not None:
            with files.writing(self._path):
                self._file.write(text + "\n")
                self._file.flush()


def _is_same(line: str, header: Mapping[str, Any]) -> bool:
    """Whether a first line is the header, numbers as JSON has them."""
    try:
        return bool(json.loads(line) == json.loads(json.dumps(header)))
    except (ValueError, RecursionError):
        return False


def _row(path: str, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise ValueError(f"line {number} of '{path}' is no JSON object")
    return row
