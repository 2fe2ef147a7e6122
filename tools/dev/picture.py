"""`python -m tengen.tools.dev.picture FILE.svg` draws the picture of docs/gtp.md: a 9x9 game of our engine, analysed.

`draw` makes an SVG of any position and report: stones, candidate moves with win probability and visits, ownership.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from html import escape
from pathlib import Path

from tengen.engine.config import Config
from tengen.engine.games.base import Game, State
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest

CELL = 44
MARGIN = 34
OPENING = 25
OPENING_PLAYOUTS = 4_000
PLAYOUTS = 60_000
CANDIDATES = 5


def centre(state: State, cell: int) -> tuple[float, float]:
    """Return the place of a cell in the picture."""
    row, column = divmod(cell, state.width)
    return MARGIN + CELL * (column + 0.5), MARGIN + CELL * (row + 0.5)


def grid(state: State, game: Game) -> Iterator[str]:
    """The wood, the lines and the coordinates."""
    width, height = CELL * state.width, CELL * state.height
    yield f'<rect x="{MARGIN}" y="{MARGIN}" width="{width}" height="{height}" fill="#e3b76a"/>'
    right, bottom = centre(state, state.width * state.height - 1)
    for column in range(state.width):
        x, y = centre(state, column)
        yield f'<line x1="{x}" y1="{y}" x2="{x}" y2="{bottom}" stroke="#553"/>'
        letter = game.move_to_text(state, column)[0]
        for level in (MARGIN - 16, MARGIN + height + 16):
            yield f'<text x="{x}" y="{level}" font-size="15" fill="#555">{letter}</text>'
    for row in range(state.height):
        x, y = centre(state, row * state.width)
        yield f'<line x1="{x}" y1="{y}" x2="{right}" y2="{y}" stroke="#553"/>'
        for side in (MARGIN - 16, MARGIN + width + 16):
            yield f'<text x="{side}" y="{y}" font-size="15" fill="#555">{state.height - row}</text>'


def territory(state: State, info: Info) -> Iterator[str]:
    """A square on each point, the larger the surer its owner."""
    for cell, owned in enumerate(info.ownership):
        black = owned if info.to_move == 0 else -owned
        half = 11 * abs(black)
        x, y = centre(state, cell)
        fill = "#111" if black > 0 else "#fff"
        if half > 2 and not state.stones()[cell]:
            box = f'x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:.1f}" height="{2 * half:.1f}"'
            yield f'<rect {box} fill="{fill}" fill-opacity="0.55"/>'


def stones(state: State) -> Iterator[str]:
    """The stones."""
    for cell, stone in enumerate(state.stones()):
        if stone:
            x, y = centre(state, cell)
            fill = "#1a1a1a" if stone == 1 else "#fafafa"
            yield f'<circle cx="{x}" cy="{y}" r="{CELL * 0.46:.1f}" fill="{fill}" stroke="#222"/>'


def candidates(state: State, info: Info) -> Iterator[str]:
    """The best moves: win probability in percent and thousands of visits, the first one in a stronger colour."""
    for rank, line in enumerate(info.lines[:CANDIDATES]):
        if line.move == state.pass_move:
            continue
        x, y = centre(state, line.move)
        fill = "#35c4e8" if rank == 0 else "#7be0a3"
        visits = f"{line.visits / 1000:.1f}k" if line.visits >= 1000 else str(line.visits)
        yield f'<circle cx="{x}" cy="{y}" r="{CELL * 0.46:.1f}" fill="{fill}" stroke="#134"/>'
        percent = f"{100 * (line.expected):.0f}"
        yield f'<text x="{x}" y="{y - 6}" font-size="13" font-weight="bold">{percent}</text>'
        yield f'<text x="{x}" y="{y + 9}" font-size="11">{visits}</text>'


def draw(game: Game, state: State, info: Info, caption: str) -> str:
    """The whole picture as SVG text."""
    width, height = 2 * MARGIN + CELL * state.width, 2 * MARGIN + CELL * state.height
    parts = [*grid(state, game), *territory(state, info), *stones(state), *candidates(state, info)]
    style = 'font-family="sans-serif" text-anchor="middle" dominant-baseline="central"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + 24}" width="{width}" {style}>',
            f'<rect width="{width}" height="{height + 24}" fill="#fff"/>',
            *parts,
            f'<text x="{width / 2}" y="{height + 8}" font-size="13" fill="#333">{escape(caption)}</text>',
            "</svg>\n",
        ]
    )


def example() -> str:
    """The README's picture."""
    player = Player(Config(threads=1, seed=1))
    player.new_game(9)
    for number in range(OPENING):
        player.genmove(MoveRequest(number % 2, limits=Limits(playouts=OPENING_PLAYOUTS), resign=False))
    limits = Limits(playouts=PLAYOUTS)
    analysis = player.analyse(player.state.to_move, lambda info: None, 60.0, limits=limits, ownership=True)
    while analysis.is_searching:
        time.sleep(0.05)
    info = analysis.stop()
    caption = "best moves: % to win, visits · squares: who will own the point"
    picture = draw(player.game, player.state, info, caption)
    player.close()
    return picture


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(example(), "utf-8")
