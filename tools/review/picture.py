"""The picture of a game. With winning chances: Black's above, who leads by how much below. Without them: who leads by
how much above, from where on that is exact, and what each move lost below.

Discs are bad moves, black or white like the player's stones; their rims tell how bad a move was.
"""

from __future__ import annotations

from collections.abc import Sequence

from tengen.engine.games.base import BLACK
from tengen.engine.records import Record
from tengen.tools.review.canvas import Canvas, Point
from tengen.tools.review.grading import Terms
from tengen.tools.review.move_costs import Verdict
from tengen.tools.review.plot import (
    BLACK_SHARE,
    CURVE,
    FAINT,
    LEFT,
    RIGHT,
    RIMS,
    WHITE_SHARE,
    Panel,
    discs,
    grid,
    label,
    title,
)
from tengen.tools.review.position import Position

LEAST_LEAD = 5.0
"""The least range of the scale of the score, each way."""
BAR = 0.35
"""The share of the room between two moves that a bar takes on either side."""


def draw(
    canvas: Canvas, record: Record, positions: Sequence[Position], verdicts: Sequence[Verdict], terms: Terms
) -> bytes:
    """The picture of a game as a file."""
    title(canvas, record, terms)
    (_with_chances if terms.has_chances else _with_losses)(canvas, positions, verdicts, terms)
    return canvas.data()


def _with_chances(canvas: Canvas, positions: Sequence[Position], verdicts: Sequence[Verdict], terms: Terms) -> None:
    wins, leads = [100 * position.win for position in positions], [position.lead for position in positions]
    chances = Panel(90, 320, 100, 0, len(positions) - 1)
    score = _score_panel(362, 566, leads, terms)
    _chances(canvas, chances, wins, terms)
    _score(canvas, score, leads, terms)
    for panel, values in ((chances, wins), (score, leads)):
        discs(canvas, panel, values, verdicts, terms)


def _with_losses(canvas: Canvas, positions: Sequence[Position], verdicts: Sequence[Verdict], terms: Terms) -> None:
    leads = [position.lead for position in positions]
    score = _score_panel(90, 376, leads, terms)
    _shares(canvas, score, leads)
    _score(canvas, score, leads, terms)
    _exact(canvas, score, positions)
    discs(canvas, score, leads, verdicts, terms)
    _losses(canvas, verdicts, terms)


def _chances(canvas: Canvas, panel: Panel, wins: Sequence[float], terms: Terms) -> None:
    above, below = (WHITE_SHARE, BLACK_SHARE) if terms.is_dark_first else (BLACK_SHARE, WHITE_SHARE)
    curve = [panel.at(move, win) for move, win in enumerate(wins)]
    canvas.area([panel.at(0, 0), panel.at(0, 100), panel.at(panel.moves, 100), panel.at(panel.moves, 0)], above)
    canvas.area([panel.at(0, 0), *curve, panel.at(panel.moves, 0)], below)
    grid(canvas, panel, [0, 25, 50, 75, 100], [f"{value} %" for value in (0, 25, 50, 75, 100)])
    canvas.line(curve, CURVE, 2)
    label(canvas, panel, f"{terms.sides[0]} wins")


def _score_panel(top: float, bottom: float, leads: Sequence[float], terms: Terms) -> Panel:
    most = terms.scale(max(LEAST_LEAD, *(abs(lead) for lead in leads)))
    return Panel(top, bottom, most, -most, len(leads) - 1)


def _score(canvas: Canvas, panel: Panel, leads: Sequence[float], terms: Terms) -> None:
    ticks = [panel.low, panel.low / 2, 0, panel.high / 2, panel.high]
    grid(canvas, panel, ticks, [f"{terms.sides[tick < 0][0]}+{abs(tick):g}" if tick else "0" for tick in ticks])
    canvas.line([panel.at(0, 0), panel.at(panel.moves, 0)], FAINT)
    canvas.line([panel.at(move, lead) for move, lead in enumerate(leads)], CURVE, 2)
    label(canvas, panel, f"{terms.unit.capitalize()} ahead")


def _shares(canvas: Canvas, panel: Panel, leads: Sequence[float]) -> None:
    """What lies between the curve and the line of an even game, in the colour of who is ahead."""
    curve = _crossed(leads)
    ends = [panel.at(panel.moves, 0), panel.at(0, 0)]
    canvas.area([*(panel.at(move, max(lead, 0.0)) for move, lead in curve), *ends], BLACK_SHARE)
    canvas.area([*(panel.at(move, min(lead, 0.0)) for move, lead in curve), *ends], WHITE_SHARE)


def _crossed(leads: Sequence[float]) -> list[Point]:
    """The curve with the points where it crosses the line of an even game."""
    points: list[Point] = []
    for move, lead in enumerate(leads):
        before = leads[move - 1] if move else lead
        if before * lead < 0:
            points.append((move - lead / (lead - before), 0.0))
        points.append((float(move), lead))
    return points


def _exact(canvas: Canvas, panel: Panel, positions: Sequence[Position]) -> None:
    """Where the part begins that is known for certain, unless that is the end of the game alone."""
    first = next((turn for turn in range(len(positions) - 1, -1, -1) if not positions[turn].is_exact), -1) + 1
    if first >= panel.moves:
        return
    x = panel.at(first, 0)[0]
    canvas.line([(x, panel.top - 12), (x, panel.bottom)], FAINT)
    is_right = x > (LEFT + RIGHT) / 2
    at = x - 6 if is_right else max(x + 6, LEFT + 110)
    canvas.text((at, panel.top - 6), f"exact from move {first} on", 12, FAINT, "end" if is_right else "start")


def _losses(canvas: Canvas, verdicts: Sequence[Verdict], terms: Terms) -> None:
    """What each move lost: Black's upward, White's downward."""
    most = terms.scale(max([*terms.least.values(), *(verdict.lost for verdict in verdicts)]))
    panel = Panel(418, 566, most, -most, len(verdicts))
    ticks = [-most, -most / 2, 0, most / 2, most]
    grid(canvas, panel, ticks, [f"{abs(tick):g}" for tick in ticks])
    for verdict in verdicts:
        height = verdict.lost if verdict.colour == BLACK else -verdict.lost
        left, right = max(verdict.number - BAR, 0.0), min(verdict.number + BAR, float(panel.moves))
        corners = ((left, 0.0), (left, height), (right, height), (right, 0.0))
        if verdict.lost:
            canvas.area([panel.at(*corner) for corner in corners], RIMS.get(verdict.grade, BLACK_SHARE))
    canvas.line([panel.at(0, 0), panel.at(panel.moves, 0)], FAINT)
    label(canvas, panel, f"{terms.unit.capitalize()} lost by each move: Black above, White below")
