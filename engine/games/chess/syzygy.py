"""Syzygy's endgame tables, read by python-chess: which moves of the root keep the result, and who wins in the search.

The fifty moves count: what they make a draw is one (`wdl` 1 and -1 of the tables). A table that cannot be read is left
out, which is told once (`Tablebases.news`); the others stay.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakValueDictionary

from tengen.engine.games.chess.text import fen_of

if TYPE_CHECKING:
    from tengen.engine._core import ChessState, ChessTablebases

LONGEST = 100
"""Plies without progress that a win may take."""


class SyzygyError(ValueError):
    """Folders without tables, or one that cannot be read; the message is one sentence."""


class Verdict(NamedTuple):
    """moves: those that keep the result; where it is a win, those that come nearest to it, if it is known how near they
    come. result: 1, 0, -1 for the side to move. probes: how often the tables were asked."""

    moves: tuple[int, ...]
    result: int
    probes: int


class Tablebases:
    """The tables of some folders; files are opened when they are asked. Any thread may ask."""

    def __init__(self, path: str) -> None:
        """path: folders, several separated as in PATH. Raises SyzygyError, ImportError (without python-chess)."""
        from chess import syzygy

        self._tables: Any = syzygy.Tablebase()
        self._news: list[str] = []
        self.is_open = True
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
        """Let the files go; from here on nothing is known."""
        self.is_open = False
        self._tables.close()

    def news(self) -> list[str]:
        """Return a sentence for each table that was left out since the last call."""
        news, self._news = self._news, []
        return news

    def probe(self, state: ChessState) -> Verdict | None:
        """Return the tables' verdict on a position that is not over; None if they have none."""
        if not self.is_open or 64 - state.pieces().count(0) > self.pieces or max(state.castling) >= 0:
            return None
        try:
            return self._probe(fen_of(state))
        except KeyError:  # chess.syzygy.MissingTableError
            return None
        except Exception as error:  # whatever python-chess happens upon in a damaged file
            self._leave_out(error)
            return None

    def result(self, sets: Sequence[int], is_white_to_move: bool, en_passant: int) -> int | None:
        """Return 1 where the side to move wins, 0 for a draw, -1 where it loses, after a capture or a pawn's move; None
        if no table knows. sets: of squares, a1 the lowest bit: White's, Black's, pawns, knights, bishops, rooks,
        queens, kings. en_passant: a square, -1 for none. Raises nothing."""
        if not self.is_open:
            return None
        import chess

        board = chess.Board(None)
        white, black, board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings = sets
        board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK] = white, black
        board.occupied = white | black
        board.turn = is_white_to_move
        board.ep_square = en_passant if en_passant >= 0 else None
        try:
            found = int(self._tables.probe_wdl(board))
        except KeyError:
            return None
        except Exception as error:
            self._leave_out(error)
            return None
        return (found > 1) - (found < -1)

    def _probe(self, fen: str) -> Verdict:
        import chess

        board = chess.Board(fen)
        ranks: dict[int, tuple[int, int | None]] = {}
        """Move -> how good, and how far from the next capture or pawn move, None: it is not known."""
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
                value, distance = -self._tables.probe_wdl(board), self._distance(board)
                if abs(value) == 2 and distance and distance > 1 and board.halfmove_clock + distance - 1 > LONGEST:
                    value //= 2
                ranks[dense] = (value, distance)
            board.pop()
        best = max(value for value, _ in ranks.values())
        kept = {move: distance for move, (value, distance) in ranks.items() if value == best}
        known = [distance for distance in kept.values() if distance is not None]
        nearest = min(known) if best > 0 and len(known) == len(kept) else None
        moves = tuple(move for move, distance in kept.items() if nearest is None or distance == nearest)
        return Verdict(moves, (best > 1) - (best < -1), probes)

    def _distance(self, board: Any) -> int | None:
        """Plies to the next capture or pawn's move, this one counted; None where only the results are known."""
        if board.halfmove_clock == 0:
            return 1
        try:
            return 1 + abs(int(self._tables.probe_dtz(board)))
        except KeyError:
            return None

    def _leave_out(self, error: Exception) -> None:
        """Do without the table in which an error arose; without any where none can be named."""
        why = str(error) or type(error).__name__
        table = _table_of(error.__traceback__)
        if table is None:
            self.close()
            self._news.append(f"a table cannot be read: {why}")
            return
        was_there = False
        for kind in (self._tables.wdl, self._tables.dtz):
            for name in [name for name, one in list(kind.items()) if one is table]:
                was_there |= kind.pop(name, None) is not None
        if not was_there:  # another thread was faster
            return
        file = os.path.basename(table.path)
        self._news.append(f"'{file}' is left out, since it cannot be read: {why.replace(table.path, file)}")


_open: WeakValueDictionary[str, Tablebases] = WeakValueDictionary()


def opened(path: str) -> Tablebases:
    """Return the tables of some folders, for all who ask for the same ones. Raises as Tablebases does."""
    tables = _open.get(path)
    if tables is None or not tables.is_open:
        tables = Tablebases(path)
        _open[path] = tables
    return tables


def for_search(path: str) -> ChessTablebases:
    """Return those tables as the core's search asks them. Raises as Tablebases does."""
    from tengen.engine._core import ChessTablebases

    tables = opened(path)
    return ChessTablebases(tables.result, tables.pieces)


def _table_of(trace: TracebackType | None) -> Any:
    """The table that python-chess was reading when an error arose: the innermost object with a path; None: none."""
    found = None
    while trace is not None:
        own = trace.tb_frame.f_locals.get("self")
        found = own if hasattr(own, "path") and hasattr(own, "init_mmap") else found
        trace = trace.tb_next
    return found


def _pieces(name: str) -> int:
    """ "KRPvKR" has five."""
    return len(name) - 1
