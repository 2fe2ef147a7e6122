"""Openings of SGF, PSQ, GGF, OBF and move lists (points, or offsets from the centre), by the records of the engine.

Every opening is checked by the rules; one that cannot be played is left out and told with its line. Left out: set-up
positions of Go and Gomoku, which not every protocol can be told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tengen.engine import records
from tengen.engine.games import get_game
from tengen.engine.games.base import State
from tengen.engine.records.base import Record, RecordError, lines_of
from tengen.engine.records.points import list_moves, offset_moves, point_text
from tengen.tools.match.openings.parts import Part, parts
from tengen.tools.match.openings.source import LeftOut, Tell, content, files_of, named
from tengen.tools.match.openings.start import start_state, texts_of
from tengen.tools.match.spec import GameSpec, Opening

_FACT = re.compile(r"\s*[A-Za-z][\w ]*:\s")
_OFFSETS = re.compile(r"\s*-?\d{1,3}\s*,")
Found = Iterator[tuple[int, Record | RecordError]]
"""The line of each opening and what it is, or what is wrong with it."""


def read(path: Path, game: GameSpec, plies: int | None, tell: Tell) -> list[Opening]:
    """Every opening of a file or folder that can be played. Raises ValueError where there is none."""
    found: list[Opening] = []
    left_out = LeftOut(path, tell)
    for file in files_of(path):
        with named(file):
            name, data = content(file)
        for number, (line, record) in enumerate(_records(name, data, game), 1):
            try:
                if isinstance(record, RecordError):
                    raise record
                found.append(_opening(f"{Path(name).stem} {number}", record, game, plies))
            except ValueError as error:
                left_out.add(file, line, f"opening {number}: {error}" if line else error)
    left_out.check(len(found))
    return found


def _records(name: str, data: bytes, game: GameSpec) -> Found:
    """The records of a file; bare lists of moves are read for the board of the match."""
    kind = records.format_of(name, data)
    try:
        if len(data) > records.MAX_BYTES:
            raise RecordError(f"the file is larger than {records.MAX_BYTES >> 20} MB")
        if not records.RECORDS[kind].is_text:
            yield from ((0, record) for record in records.read_all(data, kind))
            return
        text = records.decoded(data, kind).text
    except RecordError as error:
        yield 0, error
        return
    lines = [line for line in lines_of(text) if line.strip() and not line.lstrip().startswith(("#", "%", "//", ";"))]
    is_bare = kind == "text" and not any(_FACT.match(line) for line in lines) and not _position_format(game)
    for part in parts(text, "text" if is_bare else kind):
        yield from _read(part, kind, game, is_bare)


def _read(part: Part, kind: str, game: GameSpec, is_bare: bool) -> Found:
    try:
        if is_bare:
            board = Record(game.game, game.size, game.size)
            moves = (offset_moves if _OFFSETS.match(part.text) else list_moves)(board, part.text)
            found = [replace(board, moves=moves)]
        elif kind == "text":
            from tengen.engine.records import text as text_records

            found = text_records.loads_all(part.text, game.game)
        else:
            found = records.get_format(kind).loads_all(part.text)
    except RecordError as error:
        yield part.line, error
    else:
        yield from ((part.line, record) for record in found)


def _position_format(game: GameSpec) -> str | None:
    """The format that positions of the game are given in."""
    return get_game(game.game).conventions.position


def _opening(name: str, record: Record, game: GameSpec, plies: int | None) -> Opening:
    """One record as an opening. Raises ValueError with the reason why it is none for this match."""
    if record.game != game.game:
        raise ValueError(f"a game of {record.game}, not of {game.game}")
    if (record.width, record.height) != (game.size, game.size):
        raise ValueError(f"the board is {record.width}x{record.height}, not {game.size}x{game.size}")
    if record.changes:
        raise ValueError("stones are set up in mid-game")
    position = None
    if record.setup is not None and any(record.setup):
        form = _position_format(game)
        if form is None:
            raise ValueError("positions can be set up in Reversi and chess only")
        position = records.get_format(form).dumps(replace(record, moves=(), properties={})).strip()
    state = start_state(game, position)
    moves = [move for _, move in record.moves[:plies]]
    colours = [colour for colour, _ in record.moves[:plies]]
    if any(colour != (state.to_move + number) % 2 for number, colour in enumerate(colours)):
        raise ValueError("the moves do not alternate between Black and White")
    _check(state, record, moves)
    return Opening(name, texts_of(state, game.game, moves), position)


def _check(start: State, record: Record, moves: list[int]) -> None:
    """Raises ValueError for an illegal move, and where nothing is left to play."""
    state = start.copy()
    for number, move in enumerate(moves, 1):
        if state.is_terminal():
            break
        if not state.is_legal(move):
            raise ValueError(f"move {number}, {point_text(record.game, record.width, record.height, move)}, is illegal")
        state.play(move)
    if state.is_terminal():
        raise ValueError("its moves end the game; cut them with --plies" if moves else "it is no position to play from")
