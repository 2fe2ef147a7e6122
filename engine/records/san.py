"""Moves of chess as SAN names them ("Nbd7", "exd8=Q+", "O-O"), read by the core's own legal moves: no python-chess.

Read leniently: the signs of a capture, of check and of mate, and what a move needs not be told apart by, may be there
or missing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tengen.engine._core import ChessState

_KINDS, _PROMOTIONS = "PNBRQK", {"N": 1, "B": 2, "R": 3, "Q": 4}
_SAN = re.compile(r"([NBRQK]?)([a-h]?)([1-8]?)x?([a-h])([1-8])(?:=?([NBRQ]))?")
_CASTLES = {"O-O": 1, "0-0": 1, "O-O-O": -1, "0-0-0": -1}
"""On which side of the king its rook stands."""
_SIGNS = "+#!?"


def move_of(state: ChessState, san: str) -> int:
    """The legal move that a SAN names, -1 for none or several. Castling is king takes rook, as the core has it."""
    san = san.rstrip(_SIGNS)
    pieces, side = state.pieces(), 6 * state.to_move
    if san in _CASTLES:
        return _castling(state, pieces.index(6 + side), pieces, _CASTLES[san])
    found = _SAN.fullmatch(san)
    if found is None:
        return -1
    kind, file, rank, to_file, to_rank, promotion = found.groups()
    wanted = (_KINDS.index(kind) if kind else 0) + 1 + side
    end = (ord(to_file) - 97 + 8 * (ord(to_rank) - 49)) << 6 | _PROMOTIONS.get(promotion, 0) << 12
    fitting = [move for move in state.legal_moves() if move & ~63 == end and pieces[move & 63] == wanted]
    if len(fitting) > 1 and file:
        fitting = [move for move in fitting if move & 7 == ord(file) - 97]
    if len(fitting) > 1 and rank:
        fitting = [move for move in fitting if move >> 3 & 7 == ord(rank) - 49]
    return fitting[0] if len(fitting) == 1 else -1


def _castling(state: ChessState, king: int, pieces: bytes, side: int) -> int:
    own = pieces[king] - 2  # a rook of that colour
    for move in state.legal_moves():
        rook = move >> 6
        if move & 63 == king and rook < 64 and pieces[rook] == own and (rook - king) * side > 0:
            return move
    return -1


def text_of(state: ChessState, move: int) -> str:
    """A legal move as SAN: "Nbd7", "exd8=Q+", "O-O"."""
    pieces, start, end = state.pieces(), move & 63, move >> 6 & 63
    kind = _KINDS[(pieces[start] - 1) % 6]
    if kind == "K" and pieces[end] == pieces[start] - 2:  # the king takes its own rook
        text = "O-O" if end > start else "O-O-O"
    elif kind == "P":
        file = "abcdefgh"[start & 7] + "x" if start & 7 != end & 7 else ""
        text = file + _square(end) + ("=" + "PNBRQ"[move >> 12] if move >> 12 else "")
    else:
        text = kind + _told_apart(state, pieces, move) + ("x" if pieces[end] else "") + _square(end)
    after = state.copy()
    after.play(move)
    if after.is_terminal():
        return text + ("#" if after.ending() == "checkmate" else "")
    return text + ("+" if after.is_check else "")


def _told_apart(state: ChessState, pieces: bytes, move: int) -> str:
    """What is written of where a piece comes from: nothing, its file, its rank, or both."""
    start = move & 63
    same = [
        other & 63
        for other in state.legal_moves()
        if other >> 6 == move >> 6 and pieces[other & 63] == pieces[start] and other & 63 != start
    ]
    if not same:
        return ""
    square = _square(start)
    if all(other & 7 != start & 7 for other in same):
        return square[0]
    return square[1] if all(other >> 3 != start >> 3 for other in same) else square


def _square(square: int) -> str:
    return "abcdefgh"[square & 7] + str((square >> 3) + 1)
