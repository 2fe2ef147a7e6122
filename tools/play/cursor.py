"""A move chosen by a cursor: one press where moves are points, two where pieces move."""

from __future__ import annotations

from tengen.tools.play.board import cells_of_move, points_of
from tengen.tools.play.table import Table


class BoardCursor:
    """The cursor of a table, and the piece that it holds."""

    def __init__(self, table: Table) -> None:
        state = table.live.state
        self._table = table
        self.cell: int | None = state.height // 2 * state.width + state.width // 2
        self.held: int | None = None

    @property
    def text(self) -> str:
        """The point under the cursor as people write it."""
        state = self._table.live.state
        return points_of(self._table.game).text(self.cell or 0, state.width, state.height)

    def step(self, rows: int, columns: int) -> None:
        """Move the cursor, not over the edge."""
        state = self._table.live.state
        row, column = divmod(self.cell or 0, state.width)
        row, column = min(max(row + rows, 0), state.height - 1), min(max(column + columns, 0), state.width - 1)
        self.cell = row * state.width + column

    def press(self) -> str:
        """Choose the point under the cursor: the text of a move, "" where a piece was taken up or put back."""
        if self._table.game.conventions.has_points:
            return self.text
        starts = {cells[0]: cells for cells in self._moves()}
        if self.held is None or (self.cell in starts and self.cell != self.held):
            self.held = self.cell if self.cell in starts else None
            return ""
        state, points = self._table.live.state, points_of(self._table.game)
        held, self.held = self.held, None
        if held == self.cell:
            return ""
        text = points.text(held, state.width, state.height) + self.text
        legal = {self._table.game.move_to_text(state, move) for move in state.legal_moves()}
        return text if text in legal or text + "q" not in legal else text + "q"

    def _moves(self) -> list[tuple[int, ...]]:
        state = self._table.live.state
        return [cells_of_move(self._table.game, state, move) for move in state.legal_moves()]
