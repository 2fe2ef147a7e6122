"""A journal of JSON lines: what a long run has done, so that a killed one goes on from there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

from tengen.engine import files

LARGEST = 1 << 30
"""Bytes of a journal."""


class Journal:
    """A file of JSON lines: first what the run is, then one line for every result, each written at once.

    `rows` are the results of an earlier run of the same kind. A torn last line is dropped. Raises ValueError when
    the file belongs to another run or is no journal, OSError. Without a path nothing is kept.
    """

    def __init__(self, path: str | None, header: Mapping[str, Any]) -> None:
        self.rows: list[dict[str, Any]] = []
        self._file: TextIO | None = None
        if path is None:
            return
        first = json.dumps(header)
        whole = 0
        if Path(path).exists():
            data = files.read(path, LARGEST)
            whole = data.rfind(b"\n") + 1
            lines = data[:whole].decode("utf-8", "replace").splitlines()
            if data and (not lines or not _is_same(lines[0], header)):
                raise ValueError(f"'{path}' belongs to another run: remove it or choose another file")
            self.rows = [_row(path, number, line) for number, line in enumerate(lines[1:], 2)]
        self._file = open(path, "a", encoding="utf-8")
        self._file.truncate(whole)
        if whole == 0:
            self._line(first)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, row: Mapping[str, Any]) -> None:
        """Append a result."""
        self._line(json.dumps(row))

    def _line(self, text: str) -> None:
        if self._file is not None:
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
