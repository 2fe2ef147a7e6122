"""Chess positions as FEN, without python-chess: X-FEN and Shredder-FEN castling, counters that may be missing.

Squares are a1 = 0, b1 = 1, ... h8 = 63. Pieces are the core's: 1 to 6 White's P N B R Q K, 7 to 12 Black's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.engine.sentence import excerpt

if TYPE_CHECKING:
    from tengen.engine._core import ChessState

LETTERS = ".PNBRQKpnbrqk"
"""A piece's letter by its number."""
FILES = "abcdefgh"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MOST_PLIES = 9999
"""The largest of a FEN's counters."""

ROOK, KING = 4, 6
_OF_BLACK = 6
"""Between the number of a white piece and that of the black one."""
_NONE = -1


def square_text(square: int) -> str:
    """ "e4"."""
    return FILES[square & 7] + str((square >> 3) + 1)


def square_of(text: str) -> int:
    """Return the square of "e4", in lower case; -1 for another text."""
    if len(text) != 2 or text[0] not in FILES or text[1] not in "12345678":
        return _NONE
    return FILES.index(text[0]) + 8 * (int(text[1]) - 1)


def state_from_fen(fen: str, is_chess960: bool | None = None) -> ChessState:
    """The position of a FEN of two to six fields. Raises ValueError with one sentence for what is wrong.

    Castling may be "KQkq", X-FEN's or Shredder-FEN's; rights without such a rook, and an en passant square where
    nothing can be captured, are left out. is_chess960: how castling is written; False also leaves out rights of kings
    and rooks that do not stand as in standard chess; None: as the FEN has it, which is Chess960 where it names files or
    has such rights.
    """
    from tengen.engine._core import ChessState

    fields = fen.split()
    if not 2 <= len(fields) <= 6:
        raise ValueError(f"a FEN has six fields, not {len(fields)}")
    board, side, castling, passant, halfmove, fullmove = (*fields, *("w", "-", "-", "0", "1")[len(fields) - 1 :])
    pieces = pieces_of(board)
    if side.lower() not in ("w", "b"):
        raise ValueError(f"the side to move of the FEN is {excerpt(side)}, neither w nor b")
    rooks = _rights(castling, pieces)
    square = _NONE if passant == "-" else square_of(passant.lower())
    if passant != "-" and (square < 0 or square >> 3 not in (2, 5)):
        raise ValueError(f"the en passant square of the FEN is {excerpt(passant)}, not one of the third or sixth rank")
    if is_chess960 is None:
        is_chess960 = any(letter not in "KQkq-" for letter in castling) or rooks != _standard(rooks, pieces)
    if not is_chess960:
        rooks = _standard(rooks, pieces)
    state = ChessState()
    counters = _counter(halfmove, "plies without progress"), max(1, _counter(fullmove, "moves"))
    state.setup(pieces, "wb".index(side.lower()), rooks, square, *counters, is_chess960)
    return state


def fen_of(state: ChessState) -> str:
    """The position as X-FEN, which is FEN for standard chess; an en passant square only where it can be captured on."""
    pieces = state.pieces()
    passant = square_text(state.en_passant) if state.en_passant >= 0 else "-"
    side = "wb"[state.to_move]
    return f"{board_of(pieces)} {side} {_castling(state)} {passant} {state.halfmove} {state.fullmove}"


def pieces_of(board: str) -> bytes:
    """64 pieces, a1 first, of a FEN's first field. Raises ValueError with one sentence."""
    ranks = board.split("/")
    if len(ranks) != 8:
        raise ValueError(f"the board of the FEN has {len(ranks)} ranks instead of 8")
    pieces = bytearray()
    for number, rank in enumerate(reversed(ranks), 1):
        row = bytearray()
        for letter in rank:
            if letter in "12345678":
                row.extend(bytes(int(letter)))
            elif letter != "." and letter in LETTERS:
                row.append(LETTERS.index(letter))
            else:
                raise ValueError(f"the board of the FEN has {excerpt(letter)}, which is no piece")
            if len(row) > 8:
                break
        if len(row) != 8:
            more = "more" if len(row) > 8 else "fewer"
            raise ValueError(f"rank {number} of the FEN has {more} than 8 squares")
        pieces += row
    return bytes(pieces)


def board_of(pieces: bytes) -> str:
    """The first field of a FEN."""
    ranks = []
    for rank in range(7, -1, -1):
        text = "".join(LETTERS[piece] for piece in pieces[8 * rank : 8 * rank + 8])
        for empties in range(8, 0, -1):
            text = text.replace("." * empties, str(empties))
        ranks.append(text)
    return "/".join(ranks)


def outermost(pieces: bytes, colour: int, is_kingside: bool) -> int:
    """The square of the own rook that is farthest from the king on that side of it, both on the first rank; or -1."""
    first = 56 * colour
    rank = pieces[first : first + 8]
    own = colour * _OF_BLACK
    king = rank.find(KING + own)
    found = rank.rfind(ROOK + own) if is_kingside else rank.find(ROOK + own)
    is_there = king >= 0 and found >= 0 and (found > king) == is_kingside
    return first + found if is_there else _NONE


def _rights(text: str, pieces: bytes) -> tuple[int, int, int, int]:
    """The rooks that may castle: White's on the king's and on the queen's side, then Black's; -1 for none."""
    rooks = [_NONE] * 4
    if text == "-":
        return rooks[0], rooks[1], rooks[2], rooks[3]
    if len(text) > 8:
        raise ValueError(f"the castling rights of the FEN are {excerpt(text)}")
    for letter in text:
        colour = int(letter.islower())
        kind = letter.lower()
        if kind in ("k", "q"):
            square = outermost(pieces, colour, kind == "k")
        elif kind in FILES:
            square = 56 * colour + FILES.index(kind)
        else:
            raise ValueError(f"the castling rights of the FEN are {excerpt(text)}")
        king = pieces.find(KING + colour * _OF_BLACK)
        if square >= 0 and pieces[square] == ROOK + colour * _OF_BLACK and king >> 3 == square >> 3:
            rooks[2 * colour + (square < king)] = square
    return rooks[0], rooks[1], rooks[2], rooks[3]


def _standard(rooks: tuple[int, int, int, int], pieces: bytes) -> tuple[int, int, int, int]:
    """Those of the rooks that may castle which stand, with their king, as in standard chess; -1 for the others."""
    usual = (7, 0, 63, 56)
    first, second, third, fourth = (
        rook if rook == usual[at] and pieces[4 + 56 * (at >> 1)] == KING + _OF_BLACK * (at >> 1) else _NONE
        for at, rook in enumerate(rooks)
    )
    return first, second, third, fourth


def _castling(state: ChessState) -> str:
    """ "KQkq": letters where the rook is the outermost one, else its file."""
    pieces, text = state.pieces(), ""
    for at, rook in enumerate(state.castling):
        if rook < 0:
            continue
        colour, is_queenside = divmod(at, 2)
        letter = "kq"[is_queenside] if rook == outermost(pieces, colour, not is_queenside) else FILES[rook & 7]
        text += letter if colour else letter.upper()
    return text or "-"


def _counter(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise ValueError(f"the count of {what} of the FEN is {excerpt(text)}, not a number up to {MOST_PLIES}")
    return int(text)
