"""Reader of Pachi's unit-test tables (`data/go/pachi_unit/*.t` in TENGEN_SHARED; GPL, so never copied here).

A table is a list of boards, each followed by commands such as `ladder b c3 1`. `!` before a command marks a row
that Pachi itself does not pass. `)` after a stone marks the last move, whose opponent moves next.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from go_boards import board, cell

from tengen.engine._core import GoState


class Row(NamedTuple):
    """One expectation. `words`: the command's arguments; `is_optional`: Pachi does not pass it."""

    place: str
    title: str
    state: GoState
    command: str
    words: tuple[str, ...]
    is_optional: bool

    def cell(self, vertex: str) -> int:
        return cell(self.state, vertex)


def read_table(path: Path) -> list[Row]:
    """Every row of a table whose command takes a position."""
    rows: list[Row] = []
    title, size, diagram, state = "", 0, list[str](), None
    for number, raw in enumerate(path.read_text("utf-8").splitlines(), 1):
        line = raw.split("#")[0].strip()
        if raw.startswith("%"):
            title = raw[1:].strip()
        elif line.startswith("boardsize"):
            size, diagram, state = int(line.split()[1]), [], None
        elif line and line[0] in ".XO" and len(diagram) < size:
            diagram.append(line)
            if len(diagram) == size:
                state = _position(diagram)
        elif line and state is not None:
            words = line.lstrip("!").split()
            if words[0] == "ko":
                _take_ko(state, words[1])
                continue
            place = f"{path.name}:{number} {line}"
            rows.append(Row(place, title, state, words[0], tuple(words[1:]), line.startswith("!")))
    return rows


def _position(diagram: list[str]) -> GoState:
    text = "\n".join(diagram)
    last = next((text[i - 1] for i, c in enumerate(text) if c == ")"), None)
    return board(text.replace(")", " "), to_move=1 if last == "X" else 0)


def _take_ko(state: GoState, vertex: str) -> None:
    """Make the stone at `vertex` the one that has just taken a ko: put back the other stone and retake."""
    at = cell(state, vertex)
    colour = state.stones()[at] - 1
    (point,) = state.liberties_of(at)
    stones = bytearray(state.stones())
    stones[at], stones[point] = 0, 2 - colour
    state.setup(bytes(stones), colour)
    state.play(at)
    assert state.ko_point == point
