"""Moves after which neither side is better: yxbalanceone, yxbalancetwo, and the two stones of swap2.

A bias (in the unit of evals, `report`) asks for a position that is so much better for the side whose turn it was.
"""

from __future__ import annotations

import math

from tengen.engine.info import Info, Line
from tengen.engine.limits import EVERY
from tengen.protocols.gomocup.framing import GomocupError, Request, number
from tengen.protocols.gomocup.handler import Gomocup
from tengen.protocols.gomocup.registry import command
from tengen.protocols.gomocup.report import SCALE
from tengen.protocols.gomocup.thinking import avoided, some_cell, weigh

LOOK = 0.3
"""Share of the time for the first look, which finds the candidates."""
CANDIDATES = 5
"""Moves that are then judged one by one."""
FIRST_STONES = 3
"""First stones of a pair that are tried."""
QUESTION = 0.03
"""Seconds that one question is worth at least; with less time fewer are asked."""


@command("YXBALANCEONE")
def balance_one(gomocup: Gomocup, request: Request) -> str:
    """Answer one stone after which neither side is better."""
    colour = _to_move(gomocup)
    cell, _ = one(gomocup, request, colour, gomocup.seconds(request, colour), _wanted(request.text))
    gomocup.position.put(colour, cell)
    return gomocup.position.text(cell)


@command("YXBALANCETWO")
def balance_two(gomocup: Gomocup, request: Request) -> str:
    """Answer two stones, one of each colour, after which neither side is better."""
    colour = _to_move(gomocup)
    cells = pair(gomocup, request, colour, gomocup.seconds(request, colour), _wanted(request.text))
    return " ".join(gomocup.position.text(cell) for cell in cells)


def one(gomocup: Gomocup, request: Request, colour: int, seconds: float, wanted: float = 0.5) -> tuple[int, float]:
    """Return the point after which `colour` expects most nearly `wanted` (0..1), and its expectation there."""
    look = weigh(gomocup, request, colour, seconds * LOOK, EVERY, avoid=avoided(gomocup))
    if not look.lines:
        return some_cell(gomocup), 0.5
    nearest = _nearest(look, wanted)[: _count(seconds, CANDIDATES)]
    if len(nearest) == 1:
        return nearest[0].move, nearest[0].expected
    share = seconds * (1 - LOOK) / len(nearest)
    judged = []
    for line in nearest:
        best = weigh(gomocup, request, colour, share, allow=[line.move]).best
        judged.append((line.move, (best if best is not None else line).expected))
    return min(judged, key=lambda pair: abs(pair[1] - wanted))


def pair(gomocup: Gomocup, request: Request, colour: int, seconds: float, wanted: float = 0.5) -> tuple[int, int]:
    """Put a stone of each colour after which `colour`, to move, expects most nearly `wanted`; return the points."""
    position = gomocup.position
    if len(position.empty_cells()) < 2:
        raise GomocupError("the board is full")
    look = weigh(gomocup, request, colour, seconds * LOOK, EVERY, avoid=avoided(gomocup))
    nearest = _nearest(look, wanted)[: _count(seconds / 3, FIRST_STONES)]
    firsts = [line.move for line in nearest] or [some_cell(gomocup)]
    share = seconds * (1 - LOOK) / len(firsts)
    found = []
    for first in firsts:
        position.put(colour, first)
        second, value = one(gomocup, request, 1 - colour, share, 1 - wanted)
        position.take(first)
        found.append((abs(value - (1 - wanted)), first, second))
    _, first, second = min(found)
    position.put(colour, first)
    position.put(1 - colour, second)
    return first, second


def _nearest(look: Info, wanted: float) -> list[Line]:
    """The candidates, those first after which the side that moves expects most nearly `wanted`."""
    return sorted(look.lines, key=lambda line: (line.visits < 2, abs(line.expected - wanted)))


def _count(seconds: float, most: int) -> int:
    return max(1, min(most, int(seconds / QUESTION)))


def _to_move(gomocup: Gomocup) -> int:
    """The colour of the next stone: ours where a position was set, else by the number of stones."""
    position = gomocup.position
    return position.next_colour if position.us is None else position.us


def _wanted(text: str) -> float:
    """The expectation that a bias means for the side to move."""
    bias = number(text) or 0
    return 1 / (1 + math.exp(-max(-2000, min(2000, bias)) / SCALE))
