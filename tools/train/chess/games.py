"""Games of a PGN file, fast: main lines of standard chess, moves read by the core's own legal moves.

It takes a sixth of the time of python-chess, which would take as long as the searches do. What it cannot read it leaves
out: games with another start, and what follows a move that is none.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from tengen.engine._core import ChessState
from tengen.engine.records import Record

BEGIN = b"[Event "
"""Of a game, at the begin of a line."""
RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}
_TAG = re.compile(r'^\[(\w+)\s+"([^"]*)"\]', re.MULTILINE)
_OTHER_START = ("FEN", "SetUp", "Variant")
_COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*|\$\d+")
_VARIATION = re.compile(r"\([^()]*\)")
_NUMBER = re.compile(r"\b\d+\.+")
_KINDS, _PROMOTIONS = "PNBRQK", {"N": 1, "B": 2, "R": 3, "Q": 4}
_SAN = re.compile(r"([NBRQK]?)([a-h]?)([1-8]?)x?([a-h])([1-8])(?:=?([NBRQ]))?")
_CASTLES = {"O-O": 3, "O-O-O": -4}
"""The rook's place beside the king's."""


class Game(NamedTuple):
    """result: 1 White has won, 0, -1. moves: SAN. elo: the lower one of both players, 0 where it is not known. tags:
    all but the event."""

    result: int
    moves: list[str]
    elo: int
    tags: Mapping[str, str] = MappingProxyType({})


def lots(path: Path, size: int) -> list[tuple[int, int]]:
    """Where a PGN file is cut into lots of about `size` bytes: begin and end of each, with whole games. Raises OSError,
    ValueError for a file without games."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        begin = data.find(BEGIN)
        if begin < 0:
            raise ValueError(f"'{path}' holds no PGN game: unpack it first where it is packed")
        found = []
        while begin < len(data):
            next_one = data.find(b"\n" + BEGIN, begin + size)
            end = len(data) if next_one < 0 else next_one + 1
            found.append((begin, end))
            begin = end
        return found


def games_of(data: bytes) -> Iterator[Game]:
    """The finished games of standard chess in a part of a file that begins with one."""
    for text in ("\n" + data.decode("utf-8", "replace").replace("\r", "")).split("\n[Event ")[1:]:
        tags = dict(_TAG.findall(text))
        if tags.get("Result") not in RESULTS or any(name in tags for name in _OTHER_START):
            continue
        _, _, moves = text.partition("\n\n")
        elos = [tags.get(name, "") for name in ("WhiteElo", "BlackElo")]
        elo = min(int(value) if value.isdecimal() else 0 for value in elos)
        yield Game(RESULTS[tags["Result"]], _moves(moves), elo, tags)


def records_of(data: bytes) -> Iterator[Record]:
    """The same as records; what follows a move that is none is left out."""
    for game in games_of(data):
        state, moves = ChessState(), []
        for san in game.moves:
            move = move_of(state, san)
            if move < 0:
                break
            moves.append((state.to_move, move))
            state.play(move)
        players = game.tags.get("White", ""), game.tags.get("Black", "")
        yield Record(
            "chess", 8, 8, moves=tuple(moves), players=players, result=game.tags["Result"], properties=dict(game.tags)
        )


def _moves(text: str) -> list[str]:
    if "{" in text or ";" in text or "$" in text:
        text = _COMMENT.sub(" ", text)
    while "(" in text and (shorter := _VARIATION.sub(" ", text)) != text:
        text = shorter
    words = (_NUMBER.sub(" ", text) if "." in text else text).split()
    return words[:-1] if words and words[-1] in (*RESULTS, "*") else words


def move_of(state: ChessState, san: str) -> int:
    """The legal move that a SAN names, -1 for none. Castling is king takes rook, as the core has it."""
    san = san.rstrip("+#!?")
    pieces, side = state.pieces(), 6 * state.to_move
    if san in _CASTLES:
        king = pieces.index(6 + side)
        move = king | king + _CASTLES[san] << 6
        return move if 0 <= king + _CASTLES[san] < 64 and state.is_legal(move) else -1
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
