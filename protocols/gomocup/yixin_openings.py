"""Opening rules as Yixin-Board asks for them: swap2 (yxswap2step1 to 3), and Soosorv's of renju (yxsoosorvstep1 to 6).

The board tells each step: swap2's by `yxboard`, Soosorv's by lines `x,y` in the order of the moves. Points are answered
as "x y". In Soosorv's rule Black's first stone is in the middle and the next two near it; the other side may swap;
White's second move comes with a number of fifth moves; the other side may swap; Black offers so many fifth moves, no
two of them alike by symmetry, and White chooses one.
"""

from __future__ import annotations

import random

from tengen.engine.games.base import BLACK, WHITE
from tengen.engine.info import Info
from tengen.engine.limits import EVERY
from tengen.protocols.gomocup.framing import GomocupError, Request, number, placed
from tengen.protocols.gomocup.handler import Gomocup
from tengen.protocols.gomocup.registry import command
from tengen.protocols.gomocup.swap2 import propose, take_colour
from tengen.protocols.gomocup.thinking import avoided, weigh

USUAL_SIZE = 15
MOST_OFFERED = 8
"""Fifth moves that are offered at most."""
FOURTHS = 4
"""Fourth moves of which the best fifth moves are looked at."""
LOOK = 0.3
"""Share of the time in which these are found."""


@command("YXSWAP2STEP1", board=False)
def swap2_first(gomocup: Gomocup, request: Request) -> str:
    """Three stones."""
    _begin(gomocup)
    return _moves(gomocup, "SWAP2", propose(gomocup))


@command("YXSWAP2STEP2")
def swap2_second(gomocup: Gomocup, request: Request) -> str:
    """Of three stones: swap, stay, or add two."""
    _check(gomocup, 3)
    answer = take_colour(gomocup, request, may_add=True)
    if answer.added:
        return _moves(gomocup, "SWAP2", answer.added, first=4)
    return f"MESSAGE SWAP2 SWAP1 {'YES' if answer.swaps else 'NO'}"


@command("YXSWAP2STEP3")
def swap2_third(gomocup: Gomocup, request: Request) -> str:
    """Of five stones: swap or stay."""
    _check(gomocup, 5)
    return f"MESSAGE SWAP2 SWAP2 {'YES' if take_colour(gomocup, request, may_add=False).swaps else 'NO'}"


@command("YXSOOSORVSTEP1", board=False)
def soosorv_first(gomocup: Gomocup, request: Request) -> str:
    """One of the 26 openings of renju, drawn."""
    _begin(gomocup)
    position = gomocup.position
    x, y = position.width // 2, position.height // 2
    dice = random.Random(gomocup.config.seed)
    second = dice.choice(_ring(1))
    third = dice.choice([one for one in (*_ring(1), *_ring(2)) if one != second])
    cells = [position.cell(x + dx, y + dy) for dx, dy in ((0, 0), second, third)]
    position.us = None
    position.load((count % 2, cell) for count, cell in enumerate(cells))
    return _moves(gomocup, "SOOSORV", cells)


@command("YXSOOSORVSTEP2", block=True)
def soosorv_second(gomocup: Gomocup, request: Request) -> str:
    """Of three stones: swap to Black or stay White."""
    _place(gomocup, request, 3)
    return f"MESSAGE SOOSORV SWAP1 {'YES' if _expected(gomocup, request) < 0.5 else 'NO'}"


@command("YXSOOSORVSTEP3", block=True)
def soosorv_third(gomocup: Gomocup, request: Request) -> str:
    """White's second move, and how many fifth moves Black has to offer, so that neither colour is better."""
    _place(gomocup, request, 3)
    position, seconds = gomocup.position, gomocup.seconds(request, WHITE)
    look = weigh(gomocup, request, WHITE, seconds * LOOK, FOURTHS, avoid=avoided(gomocup))
    found = []
    for line in look.lines[:FOURTHS]:
        position.put(WHITE, line.move)
        fifths = weigh(gomocup, request, BLACK, seconds * (1 - LOOK) / FOURTHS, MOST_OFFERED)
        position.take(line.move)
        found += [
            (abs(fifth.expected - 0.5), line.move, count) for count, fifth in enumerate(fifths.lines[:MOST_OFFERED], 1)
        ]
    if not found:
        raise GomocupError("there is no move")
    _, cell, count = min(found)
    position.put(WHITE, cell)
    return f"MESSAGE SOOSORV MOVE4 {_point(gomocup, cell)} {count}"


@command("YXSOOSORVSTEP4", block=True)
def soosorv_fourth(gomocup: Gomocup, request: Request) -> str:
    """Of four stones and a number of fifth moves: swap to White or stay Black, who gets the worst that it offers."""
    count = _number(request)
    _place(gomocup, request, 4)
    lines = _fifths(gomocup, request, count).lines
    worst = lines[min(count, len(lines)) - 1].expected if lines else 0.5
    return f"MESSAGE SOOSORV SWAP2 {'YES' if worst < 0.5 else 'NO'}"


@command("YXSOOSORVSTEP5", block=True)
def soosorv_fifth(gomocup: Gomocup, request: Request) -> str:
    """The fifth moves that Black offers."""
    count = _number(request)
    _place(gomocup, request, 4)
    state = gomocup.player.state
    cells: list[int] = []
    images: set[bytes] = set()
    for line in _fifths(gomocup, request, EVERY).lines:
        after = state.copy()
        after.play(line.move)
        image = _least_image(after.stones(), state.width, state.height)
        if image not in images and len(cells) < count:
            images.add(image)
            cells.append(line.move)
    told = [f"MESSAGE SOOSORV MOVE5 {_point(gomocup, cell)}" for cell in cells]
    return "\n".join(["MESSAGE SOOSORV MOVE5 REFRESH", *told, "MESSAGE SOOSORV MOVE5 DONE"])


@command("YXSOOSORVSTEP6", block=True)
def soosorv_sixth(gomocup: Gomocup, request: Request) -> str:
    """Choose among the fifth moves, which stand behind the first four: the one that is worst for Black."""
    position = gomocup.position
    cells = [position.cell(*placed(line)[:2]) for line in request.lines]
    if len(cells) < 5:
        raise GomocupError("there is no fifth move to choose from")
    _place(gomocup, request._replace(lines=request.lines[:4]), 4)
    offered = [cell for cell in dict.fromkeys(cells[4:]) if position.is_empty(cell)]
    if not offered:
        raise GomocupError("there is no fifth move to choose from")
    seconds = gomocup.seconds(request, BLACK)
    look = weigh(gomocup, request, BLACK, seconds, len(offered), allow=offered)
    cell = look.lines[-1].move if look.lines else offered[0]
    position.put(BLACK, cell)
    return f"MESSAGE SOOSORV MOVE5C {_point(gomocup, cell)}"


def _begin(gomocup: Gomocup) -> None:
    """The board asks for the first stones before it tells its size, if it tells one."""
    if not gomocup.has_game:
        gomocup.new_game(USUAL_SIZE, USUAL_SIZE)


def _check(gomocup: Gomocup, count: int) -> None:
    stones = len(gomocup.position.stones)
    if stones != count:
        raise GomocupError(f"this step has {count} stones on the board, not {stones}")


def _place(gomocup: Gomocup, request: Request, count: int) -> None:
    """Put so many stones on the board, Black's first. Raises GomocupError."""
    position = gomocup.position
    cells = [position.cell(*placed(line)[:2]) for line in request.lines]
    if len(set(cells)) != count or len(cells) != count:
        raise GomocupError(f"this step has {count} stones, each on a point of its own")
    position.us = None
    position.load((number % 2, cell) for number, cell in enumerate(cells))


def _number(request: Request) -> int:
    """How many fifth moves there are. Raises GomocupError."""
    count = number(request.text)
    if count is None or not 1 <= count <= EVERY:
        raise GomocupError(f"the number of fifth moves is between 1 and {EVERY}")
    return count


def _expected(gomocup: Gomocup, request: Request) -> float:
    """What White, to move, expects."""
    best = weigh(gomocup, request, WHITE, gomocup.seconds(request, WHITE)).best
    return 0.5 if best is None else best.expected


def _fifths(gomocup: Gomocup, request: Request, count: int) -> Info:
    return weigh(gomocup, request, BLACK, gomocup.seconds(request, BLACK), min(count, EVERY))


def _ring(distance: int) -> list[tuple[int, int]]:
    reach = range(-distance, distance + 1)
    return [(dx, dy) for dx in reach for dy in reach if max(abs(dx), abs(dy)) == distance]


def _least_image(stones: bytes, width: int, height: int) -> bytes:
    """The same for all turned and mirrored boards."""
    rows = [stones[row * width : (row + 1) * width] for row in range(height)]
    images = []
    for _ in range(4):
        rows = [bytes(column) for column in zip(*rows[::-1], strict=True)]
        images += [b"".join(rows), b"".join(row[::-1] for row in rows)]
    return min(images)


def _moves(gomocup: Gomocup, rule: str, cells: tuple[int, ...] | list[int], first: int = 1) -> str:
    return "\n".join(f"MESSAGE {rule} MOVE{count} {_point(gomocup, cell)}" for count, cell in enumerate(cells, first))


def _point(gomocup: Gomocup, cell: int) -> str:
    return gomocup.position.text(cell).replace(",", " ")
