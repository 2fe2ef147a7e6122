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
from tengen.engine.records.san import move_of

BEGIN = b"[Event "
"""The beginning of a game, at the begin of a line."""
RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}
_TAG = re.compile(r'^\[(\w+)\s+"([^"]*)"\]', re.MULTILINE)
_OTHER_START = ("FEN", "SetUp", "Variant")
_COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*|\$\d+")
_VARIATION = re.compile(r"\([^()]*\)")
_NUMBER = re.compile(r"\b\d+\.+")


class Game(NamedTuple):
    """result: 1 White has won, 0, -1. moves: SAN. elo: the lower one of both players, 0 where it is not known. tags:
    all but the event."""

    result: int
    moves: list[str]
    elo: int
    tags: Mapping[str, str] = MappingProxyType({})


def lots(path: Path, size: int) -> list[tuple[int, int]]:
    """Cut a PGN file into lots of about `size` bytes: begin and end of each, with whole games. Raises OSError,
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
    """Return the same as records; moves from the first illegal one on are left out."""
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
