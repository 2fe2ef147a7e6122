"""metrics.csv of a run: what the live line says, a row now and then, for the report and for people.

A run goes on without it: a person may remove it, and what is damaged is refused before anything is begun.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from tengen.engine import files
from tengen.tools.train.run.manifest import RunError
from tengen.tools.train.run.runs import Run

LEAD = (
    "seconds", "generation", "steps", "games", "positions", "games_per_second", "positions_per_second", "elo",
    "elo_low", "elo_high",
)  # fmt: skip
"""The first columns; losses by their names follow, and those of held-out games as held_NAME."""
LARGEST = 1 << 28
"""Bytes of the file."""
NOT_KNOWN = float("nan")


class Metrics:
    """The rows of metrics.csv: the columns are those of its first row."""

    def __init__(self, run: Run, path: Path) -> None:
        """Raises RunError for a file that is damaged, OSError."""
        self._run = run
        self.columns = tuple(columns(path))

    def row(self, values: Mapping[str, float | None]) -> None:
        """A row; it counts with the next commit."""
        if not self.columns:
            self.columns = (*LEAD, *(name for name in values if name not in LEAD))
            self._run.measure(",".join(self.columns))
        self._run.measure(",".join(_cell(values.get(name)) for name in self.columns))


def columns(path: Path) -> dict[str, list[float]]:
    """The columns of the file, none where it is not there; NaN where a cell is empty. Raises RunError for a file that
    is damaged, OSError."""
    if not path.exists():
        return {}
    data = files.read(path, LARGEST)
    whole = data[: data.rfind(b"\n") + 1]  # somebody may be at work on it
    try:
        head, *rows = csv.reader(io.StringIO(whole.decode("ascii")), strict=True) if whole else [[]]
    except (UnicodeDecodeError, csv.Error) as error:
        raise _damage(path, str(error)) from None
    if whole and (not all(name.isidentifier() for name in head) or len(set(head)) < len(head)):
        raise _damage(path, "line 1 does not name columns")
    table: dict[str, list[float]] = {name: [] for name in head}
    for number, row in enumerate(rows, 2):
        try:
            for name, cell in zip(head, row, strict=True):
                table[name].append(float(cell) if cell else NOT_KNOWN)
        except ValueError:
            raise _damage(path, f"line {number} is no row of its {len(head)} columns") from None
    return table


def _damage(path: Path, what: str) -> RunError:
    return RunError(f"'{path}' is damaged ({what}): remove it to go on without the figures so far")


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
