"""One game of a PGN file as it is, to write into: its comments and signs stay, its side lines as far as they are legal.

python-chess alone would go on behind an illegal move of a side line as if the game stood there.
"""

from __future__ import annotations

import io
from typing import Any, NamedTuple

from tengen.engine.records import pgn
from tengen.engine.records.base import Record, excerpt


class Kept(NamedTuple):
    """A game as a `chess.pgn.Game` with the main line of the record; and the omitted parts, as a sentence or ""."""

    game: Any
    left_out: str


def read(text: str, record: Record) -> Kept:
    """The game of a text, of which `record` was read. Of a side line the moves from an illegal one on are left out.

    Raises RecordError for a record that PGN cannot hold.
    """
    lib = pgn.python_chess()
    builder = _builder(lib)
    found: Any = lib.pgn.read_game(io.StringIO(text), Visitor=builder) if text else None
    if found is None:
        return Kept(pgn.game_of(record), "")
    moves = [pgn.dense(node.parent.board(), node.move) for node in found.game.mainline()]
    if moves != [move for _, move in record.moves]:
        return Kept(pgn.game_of(record), "the side lines and comments are left out: they cannot be told from the game")
    return Kept(found.game, _sentence(found.left_out))


def _sentence(left_out: list[str]) -> str:
    if not left_out:
        return ""
    if len(left_out) == 1:
        return f"a side line is left out from {left_out[0]} on, which is illegal there"
    return f"{len(left_out)} side lines are left out from an illegal move on, the first one from {left_out[0]} on"


def _builder(lib: Any) -> Any:
    """What makes a game of what python-chess tells, as a class that it makes one of."""

    class Building(lib.pgn.GameBuilder):  # type: ignore[misc]
        """_lines: of the main line and each side line that is open whether its moves are taken; None: it is skipped
        with the line that it belongs to. A null move stands for what is not taken, so that python-chess goes on."""

        def begin_game(self) -> None:
            super().begin_game()
            self._lines: list[bool | None] = [True]
            self.left_out: list[str] = []

        def begin_variation(self) -> Any:
            if not self._lines[-1] or self.variation_stack[-1].parent is None:
                self._lines.append(None)
                return lib.pgn.SKIP
            self._lines.append(True)
            return super().begin_variation()

        def end_variation(self) -> None:
            if self._lines.pop() is not None:
                super().end_variation()
                self.starting_comment, self.in_variation = "", True

        def parse_san(self, board: Any, san: str) -> Any:
            if self._lines[-1]:
                try:
                    return board.parse_san(san)
                except ValueError:
                    if len(self._lines) == 1:
                        raise
                    self._lines[-1], self.starting_comment = False, ""
                    number = f"{board.fullmove_number}{'.' if board.turn else '...'}"
                    self.left_out.append(f"{number} {excerpt(san)[1:-1]}")
            return lib.Move.null()

        def visit_move(self, board: Any, move: Any) -> None:
            if self._lines[-1]:
                super().visit_move(board, move)

        def visit_comment(self, comment: str) -> None:
            if self._lines[-1]:
                super().visit_comment(comment)

        def visit_nag(self, nag: int) -> None:
            if self._lines[-1]:
                super().visit_nag(nag)

        def handle_error(self, error: Exception) -> None:
            """Note an error of the main line; `record` decides whether it counts."""

        def result(self) -> Any:
            return self

    return Building
