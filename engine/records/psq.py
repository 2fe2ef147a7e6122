"""Gomoku games in Piskvork's PSQ: `Piskvorky 20x20, 11:11, 0`, then `x,y,milliseconds` a move, names, an end code.

x counts columns from the left, y rows from the top, both from 1. The last number of the first line says which of the
two names moved first. Gomocup's managers add `winner,rule` after the end code.
Left out: set-ups (openings are moves), passes, moves out of turn; the player levels are kept as "levels", the end
code as "code". A format for one game; several in one file are read one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tengen.engine.games.base import BLACK, WHITE
from tengen.engine.records.base import (
    Note,
    Record,
    RecordError,
    collect,
    decode,
    excerpt,
    first_of,
    lines_of,
    refuse_changes,
)  # fmt: skip

GAME = "gomoku"
SIZES = range(5, 26)
_HEADER = re.compile(
    r"\s*Piskvorky\s+(\d{1,9})\s*x\s*(\d{1,9})\s*(?:,\s*(-?\d{1,9}:-?\d{1,9})\s*(?:,\s*([01]))?)?", re.I
)
_MOVE = re.compile(r"(-?\d{1,9})\s*,\s*(-?\d{1,9})(?:\s*,\s*(-?\d{1,12}))?")
_CODE = re.compile(r"-?\d{1,9}")
_WINNER = re.compile(r"([012])\s*,\s*([A-Za-z][\w -]{0,30})")
_MAX_LINES = 25 * 25 + 10
_NOTHING = "the file holds no PSQ game"


def loads(data: bytes | str) -> Record:
    """Read the first game. Raises RecordError with one sentence."""
    return first_of(_games(decode(data)), _NOTHING)


def loads_all(data: bytes | str) -> list[Record]:
    """Read every game. Raises RecordError with one sentence, naming the game it concerns."""
    return collect(_games(decode(data)), _NOTHING)


def dumps(record: Record) -> str:
    """Write one game. Raises RecordError for a game that PSQ cannot hold."""
    width, height = record.width, record.height
    if record.game != GAME or width not in SIZES or height not in SIZES:
        raise RecordError("PSQ holds Gomoku games from 5x5 to 25x25 only")
    refuse_changes(record, "PSQ")
    if any(record.setup or b"") or record.first != BLACK:
        raise RecordError("PSQ cannot hold a position that is set up")
    lines = [f"Piskvorky {width}x{height}, {record.properties.get('levels', '11:11')}, 0"]
    for number, (colour, move) in enumerate(record.moves):
        if colour != number % 2 or not 0 <= move < width * height:
            raise RecordError("PSQ holds games without passes only, Black first")
        seconds = record.notes[number].seconds if number < len(record.notes) else None
        row, column = divmod(move, width)
        lines.append(f"{column + 1},{row + 1},{round(1000 * (seconds or 0))}")
    if any(record.players):
        lines += [_one_line(name) or f"player-{number}" for number, name in enumerate(record.players, 1)]
    lines.append(record.properties.get("code", "0"))
    if record.result or record.rules:
        winner = {"B": 1, "W": 2}.get(record.result[:1].upper(), 0)
        lines.append(f"{winner},{record.rules or 'freestyle'}")
    return "\n".join(lines) + "\n"


def _games(text: str) -> Iterator[Record]:
    """The games of a file: each begins with its header."""
    header: re.Match[str] | None = None
    lines: list[str] = []
    for line in lines_of(text):
        found = _HEADER.match(line[:200])
        if found:
            if header is not None:
                yield _game(header, lines)
            header, lines = found, []
        elif header is None:
            if line.strip():
                raise RecordError(f"{excerpt(line.strip())} is not the first line of a PSQ game")
        elif line.strip():
            if len(lines) > _MAX_LINES:
                raise RecordError(f"the game has more than {_MAX_LINES} lines")
            lines.append(line[:200].strip())
    if header is not None:
        yield _game(header, lines)


def _game(header: re.Match[str], lines: list[str]) -> Record:
    width, height = int(header[1]), int(header[2])
    if width not in SIZES or height not in SIZES:
        raise RecordError(f"the board {header[1]}x{header[2]} is not between 5x5 and 25x25")
    moves: list[tuple[int, int]] = []
    notes: list[Note] = []
    for line in lines:
        numbers = _MOVE.fullmatch(line)
        if numbers is None:
            break
        column, row = int(numbers[1]) - 1, int(numbers[2]) - 1
        if not (0 <= column < width and 0 <= row < height):
            raise RecordError(f"{excerpt(line)} is not a move on a {width}x{height} board")
        if len(moves) == width * height:
            raise RecordError(f"there are more than {width * height} moves")
        moves.append((len(moves) % 2, row * width + column))
        notes.append(Note(None, int(numbers[3] or 0) / 1000))
    names, code, winner = _ending(lines[len(moves) :])
    facts = {"levels": header[3], "code": code}
    return Record(
        game=GAME,
        width=width,
        height=height,
        rules=winner[2].strip().lower() if winner else None,
        moves=tuple(moves),
        players=(names[WHITE], names[BLACK]) if header[4] == "1" else names,
        result=("0", "B+", "W+")[int(winner[1])] if winner else "",
        properties={key: text for key, text in facts.items() if text},
        notes=tuple(notes) if any(note.seconds for note in notes) else (),
    )


def _ending(lines: list[str]) -> tuple[tuple[str, str], str, re.Match[str] | None]:
    """((names), end code, winner and rule) of the lines after the moves; any of them may be missing."""
    rest = list(lines[:10])
    winner = _WINNER.fullmatch(rest[-1]) if rest else None
    if winner:
        rest.pop()
    code = rest.pop() if rest and _CODE.fullmatch(rest[-1]) else ""
    names = [*rest, "", ""][:2]
    return (names[0], names[1]), code, winner


def _one_line(text: str) -> str:
    """A name on one line that cannot be taken for a move."""
    return " ".join(text.replace(",", " ").split())
