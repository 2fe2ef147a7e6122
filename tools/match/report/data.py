"""The data of the report, read from the folder of a run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen.engine.config import ConfigError
from tengen.tools.match.openings.start import first_mover
from tengen.tools.match.report.summary import movers, opening_of, plies
from tengen.tools.match.run.machine import Session
from tengen.tools.match.run.standing import Standing, standing
from tengen.tools.match.run.store import RUN, StoreError, read, read_openings, read_sessions, read_table
from tengen.tools.match.settings.table import RunSpec, run_spec
from tengen.tools.match.spec import GameResult, MoveRecord, Opening

MOST_BOARDS = 2000
"""Games that can be replayed; the page of a longer run stays small enough for a browser."""


@dataclass(frozen=True)
class ReportData:
    """A run. results: all recorded games, void ones too. spec: None when run.toml is gone; then there are no boards.
    sessions: when and where it was played, as far as that was kept. note: what of run.toml was left out, and why."""

    title: str
    spec: RunSpec | None
    names: tuple[str, ...]
    standing: Standing
    results: tuple[GameResult, ...]
    openings: tuple[Opening, ...]
    sessions: tuple[Session, ...] = ()
    note: str = ""

    @property
    def anchors(self) -> dict[str, float]:
        """Ratings that are given."""
        return dict(self.spec.anchors) if self.spec else {}

    @property
    def scale(self) -> str:
        """The reference of Elo."""
        mean = "the mean of both engines" if len(self.names) == 2 else "the mean of all engines"
        return ", ".join(self.anchors) or mean

    def moves_of(self) -> dict[str, list[MoveRecord]]:
        """The moves of every engine that it thought about."""
        found: dict[str, list[MoveRecord]] = {name: [] for name in self.names}
        for row in self.standing.games:
            for name, move in movers(row, self.openings):
                if move.seconds:  # a forced pass is no move of anybody
                    found.setdefault(name, []).append(move)
        return found


def collect(folder: Path) -> ReportData:
    """Read a folder. Raises StoreError when it is none."""
    results = read(folder)
    if not results and not (folder / RUN).exists():
        raise StoreError(f"'{folder}' is no folder of a match: it has no games")
    spec, note = _spec(folder) if (folder / RUN).exists() else (None, "")
    seen = dict.fromkeys(name for row in results for name in (row.first, row.second))
    names = tuple(dict.fromkeys([*(spec.names if spec else ()), *seen]))
    title = " - ".join(names) if len(names) == 2 else f"{len(names)} engines"
    openings, sessions = tuple(read_openings(folder)), tuple(read_sessions(folder))
    return ReportData(title, spec, names, standing(results), tuple(results), openings, sessions, note)


def _spec(folder: Path) -> tuple[RunSpec, str]:
    """The run, and a note where a test that an earlier release allowed had to be left out. Raises ConfigError."""
    table = read_table(folder)
    try:
        return run_spec(table), ""
    except ConfigError as error:
        if "sprt" not in table:
            raise
        return run_spec({key: value for key, value in table.items() if key != "sprt"}), f"No test: {error}."


def boards(data: ReportData) -> dict[str, Any]:
    """The games as the page's script replays them."""
    if data.spec is None:
        return {"game": "", "size": 0, "games": []}
    game = data.spec.game
    rows = [_board(row, data.openings) for row in sorted(data.results[:MOST_BOARDS], key=lambda row: row.id)]
    return {"game": game.game, "size": game.size, "games": rows}


def _board(row: GameResult, openings: Sequence[Opening]) -> dict[str, Any]:
    opening = opening_of(row, openings)
    return {
        "id": row.id, "first": row.first, "second": row.second, "result": row.result, "reason": row.reason.value,
        "detail": row.detail, "plies": plies(row, openings),
        "opening": opening.name, "position": opening.position, "start": list(opening.moves),
        "second_begins": not first_mover(Opening("", (), opening.position)),
        "moves": [[move.move, round(move.seconds, 3), _finite(move.score)] for move in row.moves],
    }  # fmt: skip


def _finite(score: float | None) -> float | None:
    return round(score, 3) if score is not None and math.isfinite(score) else None
