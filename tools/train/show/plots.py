"""The pictures of a run, by matplotlib: losses, Elo by generation, what the network likes, how well it knows.

Each returns the text of an SVG; "" where there is nothing to show yet.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

from tengen.tools.train.run.strength import Standing
from tengen.tools.train.show.rated import Rated

SIZE = (6.4, 3.2)
HELD = "held_"
INK, SOFT, MARK, WARN = "#1d2430", "#d8d4ca", "#2563a8", "#b4441c"


def losses(table: Mapping[str, Sequence[float]], names: Sequence[str]) -> str:
    """Figures over the steps: of what is learned from as lines, of held-out games as dots."""
    known = [name for name in names if any(map(math.isfinite, table.get(name, ())))]
    if not known:
        return ""
    figure, axes = _figure()
    for number, name in enumerate(known):
        colour = f"C{number}"
        line, dots = {"linewidth": 1.3, "label": name}, {"marker": "o", "linestyle": ""}
        for column, style in ((name, line), (HELD + name, dots)):
            points = _points(table, column)
            if points:
                axes.plot(*zip(*points, strict=True), color=colour, markersize=3, **style)
    axes.set_xlabel("steps")
    _whole_numbers(axes)
    axes.legend(fontsize=7, frameon=False)
    return _svg(figure)


def elo(rows: Sequence[Standing], taken: Sequence[int]) -> str:
    """Elo over generation 0 with its 95 % intervals; hollow where a network was not taken."""
    if len(rows) < 2:
        return ""
    figure, axes = _figure()
    for is_taken in (True, False):
        some = [row for row in rows if (row.generation in taken) == is_taken]
        if some:
            bars = [[row.elo.value - row.elo.low for row in some], [row.elo.high - row.elo.value for row in some]]
            axes.errorbar(
                [row.generation for row in some], [row.elo.value for row in some], yerr=bars, fmt="o", markersize=4,
                color=MARK if is_taken else WARN, capsize=2, linewidth=1, mfc=MARK if is_taken else "none",
                label="plays" if is_taken else "not taken",
            )  # fmt: skip
    line = [row for row in rows if row.generation in taken]
    axes.plot([row.generation for row in line], [row.elo.value for row in line], color=MARK, linewidth=0.8)
    axes.set_xlabel("generation")
    _whole_numbers(axes)
    axes.set_ylabel("Elo over generation 0")
    axes.legend(fontsize=7, frameon=False)
    return _svg(figure)


def rated(rows: Sequence[Rated]) -> str:
    """Elo by the minutes at work, with its 95 % intervals; each point bears its generation."""
    if len(rows) < 2:
        return ""
    figure, axes = _figure()
    minutes = [row.network.seconds / 60 for row in rows]
    bars = [[row.elo.value - row.elo.low for row in rows], [row.elo.high - row.elo.value for row in rows]]
    axes.errorbar(
        minutes, [row.elo.value for row in rows], yerr=bars, fmt="o-", markersize=4, color=MARK, capsize=2, linewidth=1
    )
    for minute, row in zip(minutes, rows, strict=True):
        place = (minute, row.elo.value)
        axes.annotate(f"{row.network.generation}", place, (4, -9), textcoords="offset points", fontsize=7)
    axes.set_xlabel("minutes (numbers: generations)")
    axes.set_ylabel("Elo over the first")
    return _svg(figure)


def heat(shares: Sequence[Sequence[float | None]], stones: bytes, title: str) -> str:
    """Draw a network's policy on a board, rows from the top; stones as `State.stones` has them."""
    height, width = len(shares), len(shares[0])
    figure, axes = _figure((3.6, 3.6))
    values = [[math.nan if share is None else share for share in row] for row in shares]
    most = max((share for row in shares for share in row if share is not None), default=0.0)
    image = axes.imshow([[100 * value for value in row] for row in values], cmap="YlOrRd", vmin=0)
    _scale(figure, axes, image)
    for cell, stone in enumerate(stones):
        if stone:
            row, column = divmod(cell, width)
            face = "#111111" if stone == 1 else "#f6f6f2"
            axes.plot(column, row, "o", markersize=110 / max(width, height), mfc=face, mec="#555555")
    for row in range(height):
        for column in range(width):
            share = shares[row][column]
            if share is not None and share >= 0.02 and not stones[row * width + column]:
                ink = "white" if share > 0.6 * most else INK
                axes.text(column, row, f"{100 * share:.0f}", ha="center", va="center", fontsize=6, color=ink)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_title(title, fontsize=8)
    return _svg(figure)


def calibration(rows: Sequence[tuple[int, float, float]]) -> str:
    """Draw the calibration of positions: what was expected against what was scored, each 0 to 1; rows of (how many,
    expected, scored)."""
    if not rows:
        return ""
    figure, axes = _figure((3.6, 3.6))
    most = max(count for count, _, _ in rows)
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=1)
    axes.scatter(
        [expected for _, expected, _ in rows], [scored for _, _, scored in rows],
        s=[6 + 60 * count / most for count, _, _ in rows], color=MARK, alpha=0.8,
    )  # fmt: skip
    axes.set_xlabel("expected")
    axes.set_ylabel("scored")
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    return _svg(figure)


def _points(table: Mapping[str, Sequence[float]], column: str) -> list[tuple[float, float]]:
    pairs = zip(table["steps"], table.get(column, ()), strict=False)
    return [(x, y) for x, y in pairs if math.isfinite(x) and math.isfinite(y)]


def _figure(size: tuple[float, float] = SIZE) -> tuple[Any, Any]:
    """A figure of its own: no window, no state that others share."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    axes = figure.add_subplot()
    axes.tick_params(labelsize=7)
    axes.grid(visible=True, color=SOFT, linewidth=0.4)
    return figure, axes


def _whole_numbers(axes: Any) -> None:
    """Steps and generations are counted: no tick between two of them."""
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _scale(figure: Any, axes: Any, image: Any) -> None:
    """What the colours of a board mean, in percent."""
    bar = figure.colorbar(image, ax=axes, shrink=0.8, format="%g %%")
    bar.ax.tick_params(labelsize=7)
    bar.outline.set_visible(False)


def _svg(figure: Any) -> str:
    """The same text for the same figure."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return text.getvalue()
