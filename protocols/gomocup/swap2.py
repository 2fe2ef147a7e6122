"""The swap2 opening: one side places three stones, the other takes a colour or places two more and leaves the choice.

Stones alternate black, white, black, ...; whoever answers with a move plays White, "SWAP" takes Black.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from tengen.engine.games.base import BLACK, WHITE
from tengen.protocols.gomocup.balance import pair
from tengen.protocols.gomocup.framing import GomocupError, Request, placed
from tengen.protocols.gomocup.handler import Gomocup
from tengen.protocols.gomocup.registry import command
from tengen.protocols.gomocup.thinking import choose, weigh

# Openings as (x, y) from the corner: black, white, black. The player `alphabeta`, 11 and 12 plies ahead, gave White 45
# to 55 % after each of them, on 15x15 freestyle and standard and on 20x20.
OPENINGS: tuple[tuple[tuple[int, int], ...], ...] = (
    ((4, 1), (0, 0), (0, 3)),
    ((4, 3), (6, 2), (3, 1)),
    ((4, 6), (6, 2), (6, 1)),
    ((3, 0), (1, 6), (3, 7)),
    ((4, 2), (1, 6), (1, 7)),
    ((4, 1), (4, 0), (1, 0)),
    ((5, 2), (3, 6), (4, 6)),
    ((6, 6), (1, 6), (0, 6)),
    ((3, 2), (5, 0), (6, 0)),
    ((0, 6), (5, 0), (1, 7)),
    ((2, 1), (2, 4), (4, 3)),
    ((1, 5), (2, 3), (1, 7)),
)
NEAR = 0.02
"""Win probabilities that differ less from one half leave the choice to the opponent."""
WEIGHING = 0.5
"""Share of the move's time for judging the position."""


@command("SWAP2BOARD", block=True)
def swap2board(gomocup: Gomocup, request: Request) -> str:
    """Answer in the swap2 opening. Lines are `x,y`. No stones: propose three. Three: take a colour or add two. Five:
    take a colour."""
    position = gomocup.position
    cells: list[int] = []
    for line in request.lines:
        x, y, _ = placed(line)
        if (cell := position.cell(x, y)) in cells:
            raise GomocupError(f"{x},{y} is named twice")
        cells.append(cell)
    if len(cells) not in (0, 3, 5):
        raise GomocupError(f"SWAP2BOARD has 0, 3 or 5 stones, not {len(cells)}")
    if not cells:
        return " ".join(position.text(cell) for cell in propose(gomocup))
    position.us = None
    position.load((number % 2, cell) for number, cell in enumerate(cells))
    answer = take_colour(gomocup, request, may_add=len(cells) == 3)
    if answer.added:
        return " ".join(position.text(cell) for cell in answer.added)
    if answer.swaps:
        position.us = BLACK
        return "SWAP"
    position.us = WHITE
    return position.text(choose(gomocup, request, WHITE))


class Answer(NamedTuple):
    """An answer to stones that another has placed: take Black, add two stones and leave the choice, or stay White."""

    swaps: bool = False
    added: tuple[int, ...] = ()


def propose(gomocup: Gomocup) -> list[int]:
    """Place the three stones that begin the game."""
    position = gomocup.position
    position.us = None
    position.load((number % 2, cell) for number, cell in enumerate(_opening(gomocup)))
    return [cell for _, cell in position.stones]


def take_colour(gomocup: Gomocup, request: Request, *, may_add: bool) -> Answer:
    """White is to move: a search says which colour is better. Two stones are added to the board at once."""
    seconds = gomocup.seconds(request, WHITE)
    info = weigh(gomocup, request, WHITE, seconds * WEIGHING)
    value = info.best.expected if info.best is not None else 0.5
    if may_add and abs(value - 0.5) < NEAR:
        return Answer(added=pair(gomocup, request, WHITE, seconds * (1 - WEIGHING)))
    return Answer(swaps=value < 0.5)


def _opening(gomocup: Gomocup) -> list[int]:
    """A line of the table, by chance, mirrored by chance."""
    position = gomocup.position
    generator = random.Random(gomocup.config.seed)
    opening = generator.choice(OPENINGS)
    is_mirrored = generator.random() < 0.5
    try:
        return [position.cell(*(reversed(point) if is_mirrored else point)) for point in opening]
    except GomocupError:  # a board smaller than the table
        return generator.sample(range(position.width * position.height), 3)
