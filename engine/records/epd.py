"""Chess positions, one a line: FEN, or EPD with operations ("bm Nf3; id \"one\";", and ";D1 20" of perft files).

Operations are kept in `Record.properties` as the file has them: SAN is not looked at here, so that none of this needs
python-chess. Lines that begin with # or % are comments. Left out: moves; a game that is written becomes its last
position, as EPD where it has operations, else as FEN.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from tengen.engine.games.chess.text import START, fen_of, state_from_fen
from tengen.engine.records.base import Record, RecordError, collect, decode, excerpt, first_of, lines_of

if TYPE_CHECKING:
    from tengen.engine._core import ChessState

GAME = "chess"
_LINE = re.compile(r"\s*+(\S++\s++\S++(?:\s++(?:-|[KQA-Hkqa-h]{1,8})(?=[\s;]|\Z)\s++(?:-|[a-h][36])(?=[\s;]|\Z))?)(.*)")
_GLUED = re.compile(r"^(\S++\s++\S++\s++\S++\s++-)(?=\d)")  # "b - -1 12" for "b - - 1 12", as some files have it
_COUNTERS = re.compile(r"\s++(\d{1,4})\s++(\d{1,4})(?=[\s;]|\Z)")
_OPERATION = re.compile(r'\s*+([A-Za-z_][\w+-]{0,40})\s*+((?:"[^"]*+"|[^";])*+)(?:;|\Z)')
_OPCODE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,14}")
_NOTHING = "the file holds no chess position"
_MAX_LINE = 10_000
_MAX_OPERATIONS = 200
_PLIES, _MOVES = "hmvc", "fmvn"
"""The counters of a FEN as operations."""


def loads(data: bytes | str) -> Record:
    """Read the first position. Raises RecordError with one sentence."""
    return first_of(_positions(_text(data)), _NOTHING)


def loads_all(data: bytes | str) -> list[Record]:
    """Read every position. Raises RecordError with one sentence, naming the position it concerns."""
    return collect(_positions(_text(data)), _NOTHING)


def loads_kept(data: bytes | str) -> list[Record | RecordError]:
    """Read every position in its order; an error stands in place of a broken line. Raises RecordError where there is no
    line at all."""
    found: list[Record | RecordError] = []
    for line in _lines(_text(data)):
        try:
            found.append(_position(line))
        except RecordError as error:
            found.append(error)
    if not found:
        raise RecordError(_NOTHING)
    return found


def dumps(record: Record) -> str:
    """Write the position after the last move on one line. Raises RecordError for a game of something else."""
    if record.game != GAME:
        raise RecordError("FEN and EPD hold positions of chess only")
    from tengen.engine.records.replay import state_of

    fen = fen_of(cast("ChessState", state_of(record)))
    found = {} if record.moves else {key: text for key, text in record.properties.items() if _is_operation(key, text)}
    if not found:
        return fen + "\n"
    *fields, plies, moves = fen.split()
    counters = {} if (plies, moves) == ("0", "1") else {_PLIES: plies, _MOVES: moves}
    operations = (f"{key} {_quoted(key, text)};" for key, text in (counters | found).items())
    return " ".join([*fields, *operations]) + "\n"


def _text(data: bytes | str) -> str:
    """Without the NULs that some files of positions end their lines with."""
    return decode(data.replace("\0", "") if isinstance(data, str) else data.replace(b"\0", b""))


def _positions(text: str) -> Iterator[Record]:
    return map(_position, _lines(text))


def _lines(text: str) -> Iterator[str]:
    for line in lines_of(text):
        if not line.strip() or line.lstrip()[0] in "#%":
            continue
        if len(line) > _MAX_LINE:
            raise RecordError(f"a line is longer than {_MAX_LINE} characters")
        yield line


def _position(line: str) -> Record:
    parts = _LINE.fullmatch(_GLUED.sub(r"\1 ", line.strip()))
    if parts is None:
        raise RecordError(f"{excerpt(line.strip())} is no position: a FEN has six fields")
    fields, rest = parts[1].split(), parts[2]
    plies, moves = "0", "1"
    if counters := _COUNTERS.match(rest):
        plies, moves, rest = counters[1], counters[2], rest[counters.end() :]
    operations = _operations(rest)
    plies, moves = operations.pop(_PLIES, plies), operations.pop(_MOVES, moves)
    try:
        state = state_from_fen(" ".join([*fields, *("-", "-")[len(fields) - 2 :], plies, moves]))
    except ValueError as error:
        raise RecordError(str(error)) from None
    fen = fen_of(state)
    position = "" if fen == START else fen
    return Record(
        game=GAME,
        width=8,
        height=8,
        rules="chess960" if state.is_chess960 else None,
        position=position,
        to_move=state.to_move if position else None,
        properties=operations,
    )


def _operations(text: str) -> dict[str, str]:
    """Opcode -> its operands as they are written, without quotes around one alone."""
    found: dict[str, str] = {}
    text = text.strip()
    while text := text.lstrip("; \t"):
        operation = _OPERATION.match(text)
        if operation is None:
            raise RecordError(f"{excerpt(text)} is no operation of EPD")
        if len(found) == _MAX_OPERATIONS:
            raise RecordError(f"a position has more than {_MAX_OPERATIONS} operations")
        words = operation[2].strip()
        is_quoted = len(words) > 1 and words[0] == words[-1] == '"' and words.count('"') == 2
        found.setdefault(operation[1], words[1:-1] if is_quoted else words)
        text = text[operation.end() :]
    return found


def _quoted(key: str, text: str) -> str:
    """Names and comments are strings."""
    is_string = key == "id" or (key[0] in "cv" and key[1:].isdigit())
    return f'"{text}"' if is_string else text


def _is_operation(key: str, text: str) -> bool:
    """Whether a property can be written as it is."""
    return bool(_OPCODE.fullmatch(key)) and key.islower() and text.isprintable() and not set(';"') & set(text)
