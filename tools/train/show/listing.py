"""`tengen train list`: the runs of this user and the presets, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.tools.live import clock
from tengen.tools.net.listing import short
from tengen.tools.train.run.manifest import RunError
from tengen.tools.train.run.places import all_runs, runs_folder
from tengen.tools.train.run.runs import look
from tengen.tools.train.run.strength import standings
from tengen.tools.train.settings.preset import names, preset

RUNS = ("run", "game", "size", "generation", "games", "positions", "time", "Elo (95 %)")


def show() -> int:
    """Print them."""
    rows, bad = [], []
    for path in all_runs():
        try:
            rows.append(_row(path.name))
        except RunError as error:
            bad.append(f"{path.name}: {error}")
    if rows:
        print_table([RUNS, *rows])
    elif not bad:
        print("There are no runs yet.")
    print("".join(f"{line}\n" for line in bad), end="")
    print(f"\nRuns lie in {short(runs_folder())}. Presets, for --preset:")
    print_table([(name, preset(name).about) for name in names()])
    return 0


def _row(name: str) -> tuple[str, ...]:
    found = look(runs_folder() / name)
    board = found.config["board"]
    taken = [row for row in standings(found) if row.generation == found.best.generation] if found.networks else []
    newest = str(found.networks[-1].generation) if found.networks else ""
    elo = taken[0].elo.as_text() if taken else ""
    counts = str(found.games), str(found.positions), clock(found.seconds)
    return name, str(board["name"]), str(board["size"]), newest, *counts, elo


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Columns under each other; the first row names them."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
