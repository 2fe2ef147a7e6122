"""Syzygy's endgame tables at the root: which moves keep the result, read by python-chess.

The fifty moves count: what they make a draw is one (`wdl` 1 and -1 of the tables). Inside the search nothing is asked.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tengen.engine.games.chess.text import fen_of

if TYPE_CHECKING:
    from tengen.engine._core import ChessState


class SyzygyError(ValueError):
    """Folders without tables, or one that cannot be read; the message is one sentence."""


class Verdict(NamedTuple):
    """moves: those that keep the result; where it is a win, those that come nearest to it. result: 1, 0, -1 for the
    side to move. probes: how often the tables were asked."""

    moves: tuple[int, ...]
    result: int
    probes: int


class Tablebases:
    """The tables of some folders; files are opened when they are asked."""

    def __init__(self, path: str) -> None:
        """path: folders, several separated as in PATH. Raises SyzygyError, ImportError (without python-chess)."""
        from chess import syzygy

        self._tables: Any = syzygy.Tablebase()
        count = 0
        for folder in filter(None, path.split(os.pathsep)):
            try:
                count += self._tables.add_directory(str(Path(folder).absolute()))
            except OSError as error:
                raise SyzygyError(f"'{folder}': {error.strerror}") from None
        if not count:
            raise SyzygyError(f"there are no tables in '{path}'")
        self.pieces: int = max(map(_pieces, self._tables.wdl), default=0)
        """The most on a board that some table knows."""

    def close(self) -> None:
        """Let the files go."""
        self._tables.close()

    def probe(self, state: ChessState) -> Verdict | None:
        """Return the tables' verdict on a position that is not over; None if they have none.

        Raises SyzygyError for a table that is damaged.
        """
        if 64 - state.pieces().count(0) > self.pieces or max(state.castling) >= 0:
            return None
        try:
            return self._probe(fen_of(state))
        except KeyError:  # chess.syzygy.MissingTableError
            return None
        except Exception as error:  # whatever python-chess happens upon in a damaged file
            raise SyzygyError(f"a table cannot be read: {error or type(error).__name__}") from error

    def _probe(self, fen: str) -> Verdict:
        import chess

        board = chess.Board(fen)
        ranks: dict[int, tuple[int, int]] = {}
        """Move -> how good, and how far from the next capture or pawn move."""
        probes = 0
        for move in board.legal_moves:
            dense = move.from_square | move.to_square << 6 | max(0, (move.promotion or 0) - 1) << 12
            board.push(move)
            if board.is_checkmate():
                ranks[dense] = (2, 0)
            elif board.is_stalemate() or board.is_insufficient_material():
                ranks[dense] = (0, 0)
            else:
                probes += 2
                value = -self._tables.probe_wdl(board)
                distance = 1 if board.halfmove_clock == 0 else 1 + abs(self._tables.probe_dtz(board))
                if abs(value) == 2 and distance > 1 and board.halfmove_clock + distance - 1 > 100:
                    value //= 2
                ranks[dense] = (value, distance)
            board.pop()
        best = max(value for value, _ in ranks.values())
        kept = {move: distance for move, (value, distance) in ranks.items() if value == best}
        nearest = min(kept.values()) if best > 0 else None
        moves = tuple(move for move, distance in kept.items() if nearest is None or distance == nearest)
        return Verdict(moves, (best > 1) - (best < -1), probes)


def _pieces(name: str) -> int:
    """ "KRPvKR" has five."""
    return len(name) - 1
