"""The picture of a game: Black's winning chances above, who leads by how much below, bad moves as discs.

Discs are black or white like the player's stones; their rims tell how bad a move was.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tengen.engine.games.base import BLACK
from tengen.engine.records import Record
from tengen.tools.review.analysing import Position
from tengen.tools.review.canvas import Canvas, Point
from tengen.tools.review.judging import BAD, Grade, Verdict

WIDTH, HEIGHT = 1000, 600
LEFT, RIGHT = 64, 980
GROUND, GRID, INK, FAINT = "#fbfaf7", "#dddad2", "#333333", "#777777"
BLACK_SHARE, WHITE_SHARE = "#8d99ae", "#eceae4"
CURVE = "#22577a"
STONES = ("#1a1a1a", "#ffffff")
RIMS = {Grade.BLUNDER: "#d00000", Grade.MISTAKE: "#f48c06", Grade.INACCURACY: "#ffd60a"}
RADII = {Grade.BLUNDER: 7.0, Grade.MISTAKE: 6.0, Grade.INACCURACY: 4.5}
LEGEND = (500, 660, 820)
LEAST_LEAD = 5.0
"""Points that the scale of the score shows at least, each way."""


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


def draw(canvas: Canvas, record: Record, positions: Sequence[Position], verdicts: Sequence[Verdict]) -> bytes:
    """The picture of a game as a file."""
    moves = len(positions) - 1
    chances = Panel(90, 320, 100, 0, moves)
    most = _rounded(max(LEAST_LEAD, *(abs(position.lead) for position in positions)))
    score = Panel(362, 566, most, -most, moves)
    _title(canvas, record)
    wins, leads = [100 * position.win for position in positions], [position.lead for position in positions]
    _chances(canvas, chances, wins)
    _score(canvas, score, leads)
    for panel, values in ((chances, wins), (score, leads)):
        _discs(canvas, panel, values, verdicts)
    return canvas.data()


def _title(canvas: Canvas, record: Record) -> None:
    names = [name or colour for name, colour in zip(record.players, ("Black", "White"), strict=True)]
    canvas.text((LEFT, 34), f"{names[0][:40]} (Black) - {names[1][:40]} (White)", 20, INK)
    facts = [record.properties.get("DT", ""), record.properties.get("EV", ""), record.result]
    canvas.text((LEFT, 56), "   ".join(fact[:60] for fact in facts if fact), 13, FAINT)
    for x, grade in zip(LEGEND, BAD, strict=True):
        canvas.disc((x, 52), RADII[grade], WHITE_SHARE, RIMS[grade])
        canvas.text((x + 14, 56), f"{grade.word} (from {grade.points:g} points)", 12, FAINT)


def _chances(canvas: Canvas, panel: Panel, wins: Sequence[float]) -> None:
    curve = [panel.at(move, win) for move, win in enumerate(wins)]
    canvas.area([panel.at(0, 0), panel.at(0, 100), panel.at(panel.moves, 100), panel.at(panel.moves, 0)], WHITE_SHARE)
    canvas.area([panel.at(0, 0), *curve, panel.at(panel.moves, 0)], BLACK_SHARE)
    _grid(canvas, panel, [0, 25, 50, 75, 100], [f"{value} %" for value in (0, 25, 50, 75, 100)])
    canvas.line(curve, CURVE, 2)
    canvas.text((LEFT, panel.top - 6), "Black wins", 13, INK)


def _score(canvas: Canvas, panel: Panel, leads: Sequence[float]) -> None:
    ticks = [panel.low, panel.low / 2, 0, panel.high / 2, panel.high]
    _grid(canvas, panel, ticks, [f"{'B' if tick > 0 else 'W'}+{abs(tick):g}" if tick else "0" for tick in ticks])
    canvas.line([panel.at(0, 0), panel.at(panel.moves, 0)], FAINT)
    canvas.line([panel.at(move, lead) for move, lead in enumerate(leads)], CURVE, 2)
    canvas.text((LEFT, panel.top - 6), "Points ahead", 13, INK)


def _grid(canvas: Canvas, panel: Panel, ticks: Sequence[float], words: Sequence[str]) -> None:
    for tick, word in zip(ticks, words, strict=True):
        left, right = panel.at(0, tick), panel.at(panel.moves, tick)
        canvas.line([left, right], GRID)
        canvas.text((left[0] - 8, left[1] + 4), word, 12, FAINT, "end")
    for move in range(0, panel.moves + 1, _step(panel.moves)):
        top, bottom = panel.at(move, panel.high), panel.at(move, panel.low)
        canvas.line([top, bottom], GRID)
        canvas.text((bottom[0], bottom[1] + 16), str(move), 12, FAINT, "middle")


def _discs(canvas: Canvas, panel: Panel, values: Sequence[float], verdicts: Sequence[Verdict]) -> None:
    """The worst last, on top of the others."""
    for verdict in sorted(verdicts, key=lambda verdict: verdict.grade.points):
        if verdict.grade in RIMS:
            fill = STONES[0] if verdict.colour == BLACK else STONES[1]
            at = panel.at(verdict.number, values[verdict.number])
            canvas.disc(at, RADII[verdict.grade], fill, RIMS[verdict.grade])


def _step(moves: int) -> int:
    """Moves between two lines of the grid."""
    return next(step for step in (1, 2, 5, 10, 20, 50, 100, 10**9) if moves <= 16 * step)


def _rounded(value: float) -> float:
    """The next round number: 5, 10, 20, 30, 40, 60, 80, 100, 150, ..."""
    return next(float(one) for one in (5, 10, 20, 30, 40, 60, 80, 100, 150, 200, 400, 10**6) if one >= value)
