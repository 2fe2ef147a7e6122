"""Openings of SGF, PSQ, GGF, OBF and move lists (points, or offsets from the centre), by the records of the engine.

Every opening is checked by the rules; one that cannot be played is an error that names it. Left out: set-up positions
of Go and Gomoku, which not every protocol can be told.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from tengen.engine.games import get_game
from tengen.engine.records import format_of, get_format, read_all
from tengen.engine.records.base import Record, RecordError, decode, lines_of
from tengen.engine.records.points import list_moves, offset_moves
from tengen.tools.match.openings.drawn import is_playable
from tengen.tools.match.openings.source import content, files_of, named
from tengen.tools.match.openings.start import start_state, texts_of
from tengen.tools.match.spec import GameSpec, Opening

_FACT = re.compile(r"\s*[A-Za-z][\w ]*:\s")
_OFFSETS = re.compile(r"\s*-?\d{1,3}\s*,")


def read(path: Path, game: GameSpec, plies: int | None) -> list[Opening]:
    """Every opening of a file or folder."""
    found: list[Opening] = []
    for file in files_of(path):
        with named(file):
            found += _openings_of(*content(file), game, plies)
    if not found:
        raise ValueError(f"there are no openings in '{path}'")
    return found


def _openings_of(name: str, data: bytes, game: GameSpec, plies: int | None) -> list[Opening]:
    stem = Path(name).stem
    found = []
    for number, record in enumerate(_records(name, data, game), 1):
        try:
            found.append(_opening(f"{stem} {number}", record, game, plies))
        except ValueError as error:
            raise ValueError(f"opening {number}: {error}") from None
    return found


def _records(name: str, data: bytes, game: GameSpec) -> list[Record]:
    """The records of a file; bare lists of moves are read for the board of the match."""
    kind = format_of(name, data)
    text = decode(data) if kind == "text" else ""
    lines = [line for line in lines_of(text) if line.strip() and not line.lstrip().startswith(("#", "%", "//", ";"))]
    if kind != "text" or any(_FACT.match(line) for line in lines) or _position_format(game):
        return read_all(data, kind)
    board = Record(game.game, game.size, game.size)
    found = []
    for number, line in enumerate(lines, 1):
        try:
            moves = (offset_moves if _OFFSETS.match(line) else list_moves)(board, line)
        except RecordError as error:
            raise RecordError(f"line {number}: {error}") from None
        found.append(replace(board, moves=moves))
    return found


def _position_format(game: GameSpec) -> str | None:
    """The format that positions of the game are given in."""
    return get_game(game.game).conventions.position


def _opening(name: str, record: Record, game: GameSpec, plies: int | None) -> Opening:
    """One record as an opening. Raises ValueError with the reason why it is none for this match."""
    if record.game != game.game:
        raise ValueError(f"a game of {record.game}, not of {game.game}")
    if (record.width, record.height) != (game.size, game.size):
        raise ValueError(f"the board is {record.width}x{record.height}, not {game.size}x{game.size}")
    position = None
    if record.setup is not None and any(record.setup):
        form = _position_format(game)
        if form is None:
            raise ValueError("positions can be set up in Reversi and chess only")
        position = get_format(form).dumps(replace(record, moves=(), properties={})).strip()
    state = start_state(game, position)
    moves = [move for _, move in record.moves[:plies]]
    colours = [colour for colour, _ in record.moves[:plies]]
    if any(colour != (state.to_move + number) % 2 for number, colour in enumerate(colours)):
        raise ValueError("the moves do not alternate between Black and White")
    if not is_playable(state, moves):
        raise ValueError("a move is illegal or ends the game")
    return Opening(name, texts_of(state, game.game, moves), position)
