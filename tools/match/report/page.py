"""The page: its parts in order, with style, script and the games' data inside."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

from tengen.tools.match.report import charts, facts, tables
from tengen.tools.match.report.data import ReportData, boards
from tengen.tools.match.report.glossary import WORDS
from tengen.tools.match.report.summary import plies

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)


def page(data: ReportData) -> str:
    """The whole HTML text."""
    title = escape(data.title)
    lengths = [float(plies(row, data.openings)) for row in data.standing.games]
    parts = [
        f'<header class="both"><h1>{title}</h1>{paragraph(facts.outcome(data))}{paragraph(facts.when(data))}'
        f"{paragraph(data.note)}</header>",
        section("Crosstable", tables.table(*tables.numbered(data), kind="cross"), facts.scale(data), is_wide=True),
        section("Against known ratings", tables.table(KNOWN, rows) if (rows := tables.known_rows(data)) else "",
                facts.agreement(data), is_wide=True),
        section("Games", REPLAY if data.spec else "", facts.limit(data), is_wide=True),
        section("Elo, 95 % intervals", charts.elo_bars(data), f"Relative to {data.scale}."),
        section("Sequential test", charts.sprt_path(data), facts.verdict(data)),
        section("How the games ended", tables.table(("reason", "games", "whose fault"), tables.reason_rows(data))),
        section("Time", tables.table(TIME, tables.time_rows(data)),
                "Seconds of a move, at the pipe and of the processor; latency in milliseconds.", is_wide=True),
        *(section(f"Seconds a move: {name}", charts.histogram([m.seconds for m in moves], "s", f"time use of {name}"))
          for name, moves in data.moves_of().items() if moves),
        section("Game lengths", charts.histogram(lengths, "plies", "lengths"), "Plies, those of the opening included."),
        section("How it was played", tables.table(*tables.played(data), kind="text"), is_wide=True),
        section("Words", tables.table(("word", "meaning"), WORDS, kind="text"), is_wide=True),
    ]  # fmt: skip
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{title}</title><style>{_file('style.css')}</style></head>\n<body><main>{''.join(parts)}</main>\n"
        f'<script type="application/json" id="data">{embedded(boards(data))}</script>\n'
        f"<script>{_file('replay.js')}</script></body></html>\n"
    )


TIME = ("engine", "moves", "mean", "median", "longest", "CPU mean", "latency")
KNOWN = ("engine", "opponent", "its rating", "points", "expected", "rating by these games alone (95 %)")
REPLAY = (
    '<div class="games"><div class="list"><input id="filter" type="search" placeholder="find: engine, reason, 1-0"'
    ' aria-label="find games"><ol id="list"></ol></div><div class="board"><div id="board"></div>'
    '<p class="buttons"><button id="begin">|&lt;</button><button id="back">&lt;</button><button id="next">&gt;</button>'
    '<button id="end">&gt;|</button> <span id="at"></span></p><p id="about"></p></div></div>'
)


def section(title: str, body: str, note: str = "", *, is_wide: bool = False) -> str:
    """A headed part; nothing without a body. body is HTML, title and note are text. is_wide: over both columns."""
    if not body:
        return ""
    kind = ' class="both"' if is_wide else ""
    return f"<section{kind}><h2>{escape(title)}</h2>{body}{paragraph(note)}</section>"


def paragraph(text: str) -> str:
    """Escaped; nothing of nothing."""
    return f"<p>{escape(text)}</p>" if text else ""


def embedded(values: object) -> str:
    """JSON that cannot end the script element it stands in.

    >>> embedded({"name": "</script>"})
    '{"name":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(values, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")
