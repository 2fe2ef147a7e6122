"""The tables of the report: crosstable, ratings, time, reasons, games."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from tengen.tools.match.report import facts
from tengen.tools.match.report.data import ReportData


def table(head: Sequence[str], rows: Iterable[Sequence[object]], kind: str = "") -> str:
    """An HTML table; every cell is escaped."""
    cells = "".join(f"<th>{escape(text)}</th>" for text in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table class="{kind}"><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table></div>'


def order(data: ReportData) -> list[str]:
    """The engines, the best first."""
    return [row.name for row in data.standing.ratings(data.names, data.anchors).players]


def crosstable_rows(data: ReportData) -> list[list[str]]:
    """Head and a row for every engine: name, points, games, Elo, its interval, faults, then the score against each. A
    number that has no bound is left out."""
    names = order(data)
    ratings = {row.name: row for row in data.standing.ratings(data.names, data.anchors).players}
    faults = data.standing.faults()
    rows = [["engine", "points", "games", "Elo", "low", "high", "faults", *names]]
    for name in names:
        rating, total = ratings[name], data.standing.total(name)
        elo = [f"{value:.1f}" if math.isfinite(value) and total.games else "" for value in rating.elo]
        against = [_against(data, name, other) for other in names]
        count = sum(faults.get(name, Counter()).values())
        rows.append([name, f"{total.points:g}", f"{total.games}", *elo, f"{count}", *against])
    return rows


def numbered(data: ReportData) -> tuple[list[str], list[list[str]]]:
    """Head and rows of the crosstable as a page shows it: engines by number, Elo with its interval in one cell."""
    names = order(data)
    ratings = {row.name: row for row in data.standing.ratings(data.names, data.anchors).players}
    faults = data.standing.faults()
    head = ["", "engine", "points", "games", "Elo (95 %)", "faults", *(f"{n}" for n in range(1, len(names) + 1))]
    rows = []
    for number, name in enumerate(names, 1):
        total = data.standing.total(name)
        elo = ratings[name].elo.as_text(sign="-" if data.anchors else "+") if total.games else ""
        if name in data.anchors:
            elo = f"{data.anchors[name]:.0f}, given"
        count = sum(faults.get(name, Counter()).values())
        against = [_against(data, name, other) or "-" for other in names]
        rows.append([f"{number}", name, f"{total.points:g}", f"{total.games}", elo, f"{count}", *against])
    return head, rows


def known_rows(data: ReportData) -> list[list[str]]:
    """Every engine against those of known rating: who, the rating, points, what was expected, the rating by these games
    alone."""
    rows = []
    for row in data.standing.ratings(data.names, data.anchors).players:
        if row.name not in data.anchors:
            rows += [
                [row.name, one.name, f"{one.known:.0f}", f"{one.points:g}/{one.games}",
                 f"{one.expected(row.elo.value):.1f}", one.alone.as_text(sign="-")]
                for one in data.standing.meetings(row.name, data.anchors)
            ]  # fmt: skip
    return rows


def _against(data: ReportData, name: str, other: str) -> str:
    score = data.standing.score(name, other)
    return score.as_text() if name != other and score.games else ""


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """RFC 4180; a cell that a spreadsheet would take for a formula begins with an apostrophe."""
    text = io.StringIO()
    writer = csv.writer(text)
    for row in rows:
        writer.writerow([f"'{cell}" if _is_formula(cell) else cell for cell in row])
    return text.getvalue()


def _is_formula(cell: str) -> bool:
    if cell[:1] not in "=+-@\t\r" or not cell:
        return False
    return not all(part[:1] in "+=-" and part[1:].replace(".", "", 1).isdecimal() for part in cell.split())


def time_rows(data: ReportData) -> list[list[str]]:
    """Seconds a move and answering time of every engine."""
    rows = []
    for name, moves in data.moves_of().items():
        seconds = sorted(move.seconds for move in moves)
        cpu = [move.cpu for move in moves if move.cpu is not None]
        latency = sorted(row.latency[name][0] for row in data.standing.games if name in row.latency)
        if seconds:
            rows.append([
                name, f"{len(seconds)}", f"{sum(seconds) / len(seconds):.3f}", f"{seconds[len(seconds) // 2]:.3f}",
                f"{seconds[-1]:.3f}", f"{sum(cpu) / len(cpu):.3f}" if cpu else "",
                f"{latency[len(latency) // 2]:.1f}" if latency else "",
            ])  # fmt: skip
    return rows


def reason_rows(data: ReportData) -> list[list[str]]:
    """Return rows of the reasons for which games ended, with the sides at fault."""
    faults = data.standing.faults()
    rows = []
    for reason, count in data.standing.reasons().most_common():
        by = ", ".join(f"{name} {found[reason]}" for name, found in faults.items() if found[reason])
        rows.append([reason, f"{count}", by])
    return rows + ([["void, played again", f"{data.standing.void}", ""]] if data.standing.void else [])


def played(data: ReportData) -> tuple[list[str], list[tuple[str, str]]]:
    """Head and rows of how it was played: the run, what every engine calls itself, the commands."""
    told = {name: f"{pair[0]} {pair[1]}".strip() for row in data.results for name, pair in row.versions.items()}
    return ["what", "how"], [*facts.played(data), *((f"{name} calls itself", text) for name, text in told.items())]
