"""A game of self-play as a diagram for the terminal: one that goes on, as a worker leaves it in a file."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence
from pathlib import Path

from tengen.engine.records.diagram import rows_text
from tengen.engine.search.selfplay import Start

EVERY = 3.0
"""Seconds from one picture of a worker to its next."""


class Window:
    """The file in which a worker shows a game that goes on: a file of text, written whole."""

    def __init__(self, path: str, generation: int) -> None:
        self._path, self._generation = path, generation
        self._shown = time.monotonic()

    def show(self, start: Start, moves: Sequence[int]) -> None:
        """The game now, unless one was shown just before."""
        if time.monotonic() - self._shown < EVERY:
            return
        self._shown = time.monotonic()
        draft = Path(f"{self._path}.{os.getpid()}")
        with contextlib.suppress(OSError):  # a picture is not worth a unit of work
            draft.write_text(diagram(start, moves, f"a game of generation {self._generation}"), "utf-8")
            os.replace(draft, self._path)


def diagram(start: Start, moves: Sequence[int], title: str) -> str:
    """The board after these moves, the last one in brackets."""
    state = start.state.copy()
    for move in moves:
        state.play(move)
    rows = [f" {row}" for row in rows_text(bytes(state.stones()), state.width)]
    if moves and moves[-1] < state.cells:
        row, column = divmod(moves[-1], state.width)
        rows[row] = marked(rows[row], column)
    return "\n".join([f"{title}, move {len(moves)}", *(f" {row}" for row in rows)])


def marked(row: str, column: int) -> str:
    """A row of a diagram, which begins with a blank, with one cell in brackets."""
    at = 2 * column
    return f"{row[:at]}({row[at + 1]}){row[at + 3 :]}"
