"""Chess by python-chess: UCI text, FEN set-ups. Threefold repetition and fifty moves end a game without a claim."""

from __future__ import annotations

from tengen.engine import extras
from tengen.engine.games.base import IllegalMove
from tengen.tools.match.game.judge import DRAW, Judge, Outcome
from tengen.tools.match.spec import GameSpec, Opening, Reason

LONGEST = 600


class ChessJudge(Judge):
    """One game of chess; the first player has White."""

    def __init__(self, spec: GameSpec, opening: Opening) -> None:
        """Set the board up and play the opening. Raises ValueError, also where python-chess is missing."""
        try:
            import chess
        except ImportError as error:
            raise ValueError(extras.sentence("a match of chess", error) or str(error)) from None
        try:
            self.board = chess.Board() if opening.position is None else chess.Board(opening.position)
        except ValueError as error:
            raise ValueError(f"opening {opening.name}: {error}") from None
        if not self.board.is_valid():
            raise ValueError(f"opening {opening.name}: the position cannot be played ({self.board.status()!r})")
        self._white = chess.WHITE
        self.longest = spec.max_moves or LONGEST
        for move in opening.moves:
            try:
                self.play(move)
            except IllegalMove as error:
                raise ValueError(f"opening {opening.name}: {move} is illegal: {error}") from None

    @property
    def is_first_to_move(self) -> bool:
        return self.board.turn == self._white

    def play(self, text: str) -> str:
        try:
            move = self.board.parse_uci(text.strip().lower())
        except ValueError:
            raise IllegalMove("no legal move here") from None
        if not move:
            raise IllegalMove("the null move")
        self.board.push(move)
        self.length += 1
        return move.uci()

    def outcome(self) -> Outcome | None:
        board = self.board
        if board.is_checkmate():
            return Outcome("0-1" if self.is_first_to_move else "1-0", Reason.MATE)
        for ended, reason in (
            (board.is_stalemate, Reason.STALEMATE),
            (board.is_insufficient_material, Reason.MATERIAL),
            (board.is_fifty_moves, Reason.FIFTY),
            (lambda: board.is_repetition(3), Reason.REPETITION),
        ):
            if ended():
                return Outcome(DRAW, reason)
        return None

    def at_length(self) -> Outcome:
        return Outcome(DRAW, Reason.MAX_LENGTH, f"{self.length} plies")
