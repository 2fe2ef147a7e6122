"""Boards as text for the Go tests: `X` black, `O` white, `.` empty, one row a line from the top."""

from __future__ import annotations

from typing import Any

from tengen.engine._core import GoState

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
STONES = {".": 0, "X": 1, "O": 2}


def stones_of(diagram: str) -> tuple[int, int, bytes]:
    """Width, height and stones of a diagram; blanks between the points are optional."""
    rows = [[STONES[c] for c in line if c in STONES] for line in diagram.strip().splitlines()]
    assert len({len(row) for row in rows}) == 1, diagram
    return len(rows[0]), len(rows), bytes(stone for row in rows for stone in row)


def board(diagram: str, to_move: int = 0, **rules: Any) -> GoState:
    """The position in a diagram."""
    width, height, stones = stones_of(diagram)
    state = GoState(width, height, **rules)
    state.setup(stones, to_move)
    return state


def cell(state: GoState, vertex: str) -> int:
    """The cell of a vertex such as `c3`; `pass` is the pass."""
    if vertex.lower() == "pass":
        return state.pass_move
    column, row = LETTERS.index(vertex[0].upper()), state.height - int(vertex[1:])
    assert 0 <= column < state.width and 0 <= row < state.height, vertex
    return row * state.width + column


def show(state: GoState) -> str:
    """The stones as a diagram without blanks."""
    text = "".join(".XO"[stone] for stone in state.stones())
    return "\n".join(text[i : i + state.width] for i in range(0, len(text), state.width))


def mask(state: GoState, marks: bytes, mark: str = "1") -> str:
    """A mask of 0/1 as a diagram of `.` and `mark`."""
    text = "".join(mark if m else "." for m in marks)
    return "\n".join(text[i : i + state.width] for i in range(0, len(text), state.width))


def symmetries(state: GoState) -> int:
    return 8 if state.width == state.height else 4


def moved_cell(state: GoState, point: int, symmetry: int) -> int:
    """Where a symmetry takes a cell, found by setting up a single stone."""
    single = GoState(state.width, state.height)
    single.play(point)
    return single.transform(symmetry).stones().index(1)
