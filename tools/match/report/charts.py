"""The pictures of the report as SVG text: Elo bars, the path of the test, histograms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from tengen.tools.match.report.data import ReportData

WIDTH, HEIGHT = 640, 220
LEFT, BOTTOM, TOP = 52, 30, 12


def svg(body: str, label: str, height: int = HEIGHT) -> str:
    """A picture as wide as the column."""
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(label)}">{body}</svg>'


def text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    """A label; escaped."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def histogram(values: Sequence[float], unit: str, label: str, bins: int = 24) -> str:
    """Draw how often values fall into equal parts of their range; "" without values."""
    if not values:
        return ""
    low, high = min(values), max(values)
    step = (high - low) / bins or 1.0
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, int((value - low) / step))] += 1
    width, most = (WIDTH - LEFT - 10) / bins, max(counts)
    body = "".join(
        f'<rect class="bar" x="{LEFT + i * width + 1:.1f}" y="{HEIGHT - BOTTOM - _tall(count, most):.1f}" '
        f'width="{width - 2:.1f}" height="{_tall(count, most):.1f}"><title>{low + i * step:.3g} {escape(unit)}: '
        f"{count}</title></rect>"
        for i, count in enumerate(counts)
    )
    body += text(LEFT, HEIGHT - 10, f"{low:.3g}", "start") + text(WIDTH - 10, HEIGHT - 10, f"{high:.3g} {unit}", "end")
    return svg(body + text(LEFT - 6, TOP + 10, f"{most}", "end"), label)


def _tall(count: float, most: float) -> float:
    return (HEIGHT - BOTTOM - TOP) * count / most


def elo_bars(data: ReportData) -> str:
    """Every engine's rating with its 95 % interval."""
    rows = [row for row in data.standing.ratings(data.names, data.anchors).players if row.games]
    ends = [value for row in rows for value in row.elo if math.isfinite(value)]
    if not ends:
        return ""
    low, high = min([*ends, 0.0]), max([*ends, 0.0])
    if len(ends) < 3 * len(rows):  # an interval without an end runs to the edge
        low, high = low - (high - low) / 4, high + (high - low) / 4
    left, scale = 190, (WIDTH - 230) / (high - low or 1.0)
    height = 34 * len(rows) + 30

    def x(elo: float) -> float:
        return left + (min(max(elo, low), high) - low) * scale

    body = f'<line class="grid" x1="{x(0):.1f}" x2="{x(0):.1f}" y1="4" y2="{height - 24}"/>'
    for place, row in enumerate(rows):
        y = 20 + 34 * place
        name = row.name if len(row.name) <= 24 else row.name[:23] + "…"
        body += text(left - 14, y + 4, name, "end")
        body += f'<line class="error" x1="{x(row.elo.low):.1f}" x2="{x(row.elo.high):.1f}" y1="{y}" y2="{y}"/>'
        middle = x(row.elo.value)
        if math.isinf(row.elo.value):
            body += text((x(row.elo.low) + x(row.elo.high)) / 2, y - 9, row.elo.as_text())
            continue
        body += f'<circle class="dot" cx="{middle:.1f}" cy="{y}" r="5"><title>{row.elo.as_text()}</title></circle>'
        body += text(middle, y - 9, f"{row.elo.value:+.0f}")
    body += text(x(low), height - 6, f"{low:.0f}") + text(x(high), height - 6, f"{high:.0f} Elo", "end")
    return svg(body, "Elo with 95 % intervals", height)


def sprt_path(data: ReportData) -> str:
    """The log-likelihood ratio after every pair, between the bounds; "" without a test."""
    if data.spec is None or data.spec.sprt is None or len(data.names) != 2:
        return ""
    test, path = data.spec.sprt, pair_path(data)
    if not path:
        return ""
    low, high = test.bounds
    bottom, top = min(low, *path) * 1.1, max(high, *path) * 1.1

    def y(value: float) -> float:
        return TOP + (top - value) / (top - bottom) * (HEIGHT - BOTTOM - TOP)

    step = (WIDTH - LEFT - 10) / len(path)
    points = " ".join(f"{LEFT + (i + 1) * step:.1f},{y(value):.1f}" for i, value in enumerate(path))
    body = "".join(
        f'<line class="{kind}" x1="{LEFT}" x2="{WIDTH - 10}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>'
        + text(LEFT - 6, y(value) + 4, f"{value:.2f}", "end")
        for kind, value in (("bound", high), ("grid", 0.0), ("bound", low))
    )
    body += f'<polyline class="path" points="{LEFT:.1f},{y(0):.1f} {points}"/>'
    return svg(body + text(WIDTH - 10, HEIGHT - 8, f"{len(path)} pairs", "end"), "path of the test")


def pair_path(data: ReportData) -> list[float]:
    """The test's ratio after every pair that was finished."""
    assert data.spec is not None and data.spec.sprt is not None
    one, counts, path = data.names[0], [0] * 5, []
    halves: dict[int, float] = {}
    scores = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
    for row in data.standing.games:
        points = scores[row.result] if row.first == one else 1 - scores[row.result]
        if row.pair in halves:
            counts[int(2 * (halves.pop(row.pair) + points))] += 1
            path.append(data.spec.sprt.llr(counts))
        else:
            halves[row.pair] = points
    return path
