"""Othello positions in OBF, one a line: 64 cells from a1, the side to move, then `; MOVE:+score` for known scores.

Cells: X, x, *, b black; O, o, w white; -, . and _ empty. Text after % or # is a comment. Scores keep the file's order
in `Record.properties`, the move (or "--" for a pass) as the key; text that is no score is kept under "comment".
Left out: moves. A game that is written becomes its last position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tengen.engine.records import othello
from tengen.engine.records.base import Record, RecordError, collect, decode, excerpt, first_of, lines_of

_BLACK, _WHITE, _EMPTY = "Xx*bB@#", "OowW", "-._"
_LINE = re.compile(r"\s*+(\S{64})\s++([^;]*+);?+(.*)")
_SCORE = re.compile(r"\s*([a-hA-H][1-8]|--|pa|PA)\s*:\s*([+-]?\d{1,4}(?:\.\d{0,4})?)\s*")
_NOTHING = "the file holds no OBF position"
_MAX_LINE = 10_000


def loads(data: bytes | str) -> Record:
    """Read the first position. Raises RecordError with one sentence."""
    return first_of(_positions(decode(data)), _NOTHING)


def loads_all(data: bytes | str) -> list[Record]:
    """Read every position. Raises RecordError with one sentence, naming the position it concerns."""
    return collect(_positions(decode(data)), _NOTHING)


def dumps(record: Record) -> str:
    """Write the position after the last move on one line. Raises RecordError for a game that OBF cannot hold."""
    if (record.game, record.width, record.height) != (othello.GAME, 8, 8):
        raise RecordError("OBF holds 8x8 Othello positions only")
    cells, to_move = _last_position(record)
    board = "".join("-XO"[cell] for cell in cells)
    scores = [] if record.moves else [f"{key}:{text}" for key, text in record.properties.items()]
    line = "; ".join([f"{board} {'XO'[to_move]}", *(score for score in scores if _SCORE.fullmatch(score))])
    return line + ";\n"


def _positions(text: str) -> Iterator[Record]:
    for line in lines_of(text):
        content = re.sub(r"[%#].*", "", line[: _MAX_LINE + 1]) if line[:1] not in "%#" else ""
        if not content.strip():
            continue
        if len(content) > _MAX_LINE:
            raise RecordError(f"a line is longer than {_MAX_LINE} characters")
        yield _position(content)


def _position(line: str) -> Record:
    parts = _LINE.fullmatch(line.rstrip())
    if parts is None:
        raise RecordError(f"{excerpt(line.strip())} is not 64 cells and a side")
    cells = othello.cells_from(parts[1], _BLACK, _WHITE, _EMPTY)
    setup, to_move = othello.start_of(cells, othello.side(parts[2].strip(), _BLACK, _WHITE), 8)
    scores: dict[str, str] = {}
    for item in filter(str.strip, parts[3].split(";")):
        score = _SCORE.fullmatch(item)
        key, value = (score[1], score[2]) if score else ("comment", item.strip())
        scores.setdefault(key, value)
    return Record(game=othello.GAME, width=8, height=8, setup=setup, to_move=to_move, properties=scores)


def _last_position(record: Record) -> tuple[bytes, int]:
    """(cells, side to move) after the moves."""
    if record.moves:
        from tengen.engine.records.replay import state_of

        state = state_of(record)
        return state.stones(), state.to_move
    cells = othello.usual_start(8) if record.setup is None else record.setup
    if len(cells) != 64:
        raise RecordError(f"the set-up has {len(cells)} cells instead of 64")
    return cells, record.first
