"""`d` and `eval`: the position and its evaluation without a search, for a person at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.engine.games.chess.text import LETTERS, fen_of

if TYPE_CHECKING:
    from tengen.engine._core import ChessState, Weights

_RULE = " +" + "---+" * 8


def board(state: ChessState) -> str:
    """The board, the FEN, the key, and how many moves there are."""
    pieces = state.pieces()
    lines = [_RULE]
    for rank in range(7, -1, -1):
        row = (" " if piece == 0 else LETTERS[piece] for piece in pieces[8 * rank : 8 * rank + 8])
        lines += [" | " + " | ".join(row) + f" | {rank + 1}", _RULE]
    lines.append("   a   b   c   d   e   f   g   h")
    ending = state.ending()
    lines += [
        " ",
        f"Fen: {fen_of(state)}",
        f"Key: {state.state_key:016X}",
        f"In check: {'yes' if state.is_check else 'no'}",
        f"Legal moves: {len(state.legal_moves())}" + (f" ({ending})" if ending else ""),
    ]
    return "\n".join(lines)


def evaluation(state: ChessState, weights: Weights | None) -> str:
    """Pawns from White's view, by a network or, without one, by the tables of piece values."""
    if state.is_check:
        return "Final evaluation: none (in check)"
    from tengen.engine._core import chess_evaluation

    value = chess_evaluation(state, weights) * (-1 if state.to_move else 1) / 100
    return f"Final evaluation: {value + 0.0:+.2f} (white side, {'network' if weights else 'tables'})"
