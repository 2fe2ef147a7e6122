"""Common parts of pictures of games: panels with a grid, the title and its legend, bad moves as discs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tengen.engine.games.base import BLACK
from tengen.engine.records import Record
from tengen.tools.review.canvas import Canvas, Point
from tengen.tools.review.grading import BAD, Grade, Terms
from tengen.tools.review.move_costs import Verdict

WIDTH, HEIGHT = 1000, 600
LEFT, RIGHT = 64, 980
GROUND, GRID, INK, FAINT = "#fbfaf7", "#dddad2", "#333333", "#777777"
BLACK_SHARE, WHITE_SHARE = "#8d99ae", "#eceae4"
CURVE = "#22577a"
STONES = ("#1a1a1a", "#ffffff")
RIMS = {Grade.BLUNDER: "#d00000", Grade.MISTAKE: "#f48c06", Grade.INACCURACY: "#ffd60a"}
RADII = {Grade.BLUNDER: 7.0, Grade.MISTAKE: 6.0, Grade.INACCURACY: 4.5}
LEGEND = (464, 634, 802)
MOST_FACTS = 48
"""Letters of them that stay clear of the legend."""


class Panel(NamedTuple):
    """A part of the picture: its upper and lower edge, and the values there; moves from 0 to `moves`."""

    top: float
    bottom: float
    high: float
    low: float
    moves: int

    def at(self, move: float, value: float) -> Point:
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return LEFT + (RIGHT - LEFT) * move / max(self.moves, 1), self.bottom - (self.bottom - self.top) * share


def title(canvas: Canvas, record: Record, terms: Terms) -> None:
    """The title: players, date, result, and the meaning of the discs."""
    sides = zip(record.players, terms.sides, strict=True)
    canvas.text((LEFT, 34), " - ".join(f"{name[:40]} ({side})" if name else side for name, side in sides), 20, INK)
    facts = [record.properties.get("DT", ""), record.result, record.properties.get("EV", "")]
    canvas.text((LEFT, 56), _clipped(", ".join(fact for fact in facts if fact)), 13, FAINT)
    for x, grade in zip(LEGEND, BAD, strict=True):
        canvas.disc((x, 52), RADII[grade], WHITE_SHARE, RIMS[grade])
        canvas.text((x + 14, 56), f"{grade.word} (from {terms.threshold(grade)})", 12, FAINT)


def grid(canvas: Canvas, panel: Panel, ticks: Sequence[float], words: Sequence[str]) -> None:
    """Lines across at the ticks, named on the left, and down at every few moves, numbered below."""
    for tick, word in zip(ticks, words, strict=True):
        left, right = panel.at(0, tick), panel.at(panel.moves, tick)
        canvas.line([left, right], GRID)
        canvas.text((left[0] - 8, left[1] + 4), word, 12, FAINT, "end")
    for move in range(0, panel.moves + 1, _step(panel.moves)):
        top, bottom = panel.at(move, panel.high), panel.at(move, panel.low)
        canvas.line([top, bottom], GRID)
        canvas.text((bottom[0], bottom[1] + 16), str(move), 12, FAINT, "middle")


def label(canvas: Canvas, panel: Panel, words: str) -> None:
    """Draw the labels of a panel."""
    canvas.text((LEFT, panel.top - 6), words, 13, INK)


def discs(canvas: Canvas, panel: Panel, values: Sequence[float], verdicts: Sequence[Verdict], terms: Terms) -> None:
    """The worst last, on top of the others."""
    for verdict in sorted(verdicts, key=lambda verdict: verdict.lost):
        if verdict.grade in RIMS:
            fill = STONES[0] if (verdict.colour == BLACK) == terms.is_dark_first else STONES[1]
            at = panel.at(verdict.number, values[verdict.number])
            canvas.disc(at, RADII[verdict.grade], fill, RIMS[verdict.grade])


def _clipped(text: str) -> str:
    return text if len(text) <= MOST_FACTS else text[: MOST_FACTS - 3].rstrip() + "..."


def _step(moves: int) -> int:
    """Moves between two lines of the grid."""
    return next(step for step in (1, 2, 5, 10, 20, 50, 100, 10**9) if moves <= 16 * step)
