"""A position that was read as a file: SGF with its doubts as mark-up, text, GTP commands, PSQ, OBF, JSON.

The formats of `engine/records` do the writing; here is what they leave out: SGF's mark-up and comment, the commands
that set a position up in an engine (`set_position`: Tengen and KataGo), and JSON with every confidence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sgfmill import sgf_grammar

from tengen.engine import records
from tengen.engine.games import get_game
from tengen.engine.games.base import BLACK, WHITE
from tengen.engine.records import Record, RecordError
from tengen.engine.records.replay import start_of
from tengen.engine.version import __version__
from tengen.tools.photo.load import Picture
from tengen.tools.photo.position import NAMES, Facts, counts, doubts, listed, part_text, record_of, vertex
from tengen.tools.photo.results import PhotoError, Point, Reading

if TYPE_CHECKING:
    from tengen.tools.photo.territory import Territory

_SGF_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LISTED = 30  # uncertain points in a comment; the marks and JSON have all


class Page(NamedTuple):
    """The input of a format: the reading, its record, the picture it was read from, and whose is what if asked."""

    reading: Reading
    record: Record
    picture: Picture
    territory: Territory | None = None


def text_of(reading: Reading, form: str, facts: Facts, picture: Picture, territory: Territory | None = None) -> str:
    """The position in a format of FORMATS. Raises PhotoError with one sentence when the format cannot hold it."""
    try:
        return FORMATS[form](Page(reading, record_of(reading, facts), picture, territory))
    except RecordError as error:
        raise PhotoError(f"{error}: choose another --format") from None


def sgf(page: Page) -> str:
    """FF[4] with the stones as AB and AW, uncertain points as squares (SQ), territory, and a comment about them."""
    tree = sgf_grammar.parse_sgf_game(records.get_format("sgf").dumps(page.record).encode())
    root = tree.sequence[0]
    root["AP"] = [f"Tengen:{__version__}".encode()]
    marked = {"SQ": page.reading.uncertain}
    if page.territory is not None:
        marked |= {key: _owned(page.territory, owner) for key, owner in (("TB", Point.BLACK), ("TW", Point.WHITE))}
    for key, points in marked.items():
        if points:
            root[key] = [(_SGF_LETTERS[column] + _SGF_LETTERS[row]).encode() for row, column in points]
    root["C"] = [sgf_grammar.escape_text(_comment(page).encode("utf-8", "replace"))]
    return bytes(sgf_grammar.serialise_game_tree(tree)).decode("utf-8")


def _owned(territory: Territory, owner: Point) -> tuple[tuple[int, int], ...]:
    """(row, column) of one side's territory, dead stones of the other side included."""
    found = np.argwhere((territory.owner == owner) & (territory.stones != owner)).tolist()
    return tuple((row, column) for row, column in found)


def text(page: Page) -> str:
    """Facts and rows of ". X O" as the records' text format has them, doubts as comments below."""
    notes = [f"# {line}" for line in _comment(page).splitlines()]
    return records.get_format("text").dumps(page.record) + "\n".join(notes) + "\n"


def gtp(page: Page) -> str:
    """The commands that set the position up. GoGui's `gogui-setup_player` is there only when White is to move.

    Raises RecordError for an empty Reversi board: there `clear_board` puts the first four discs down.
    """
    record = page.record
    if record.game == "reversi" and not any(counts(record)):
        raise RecordError("GTP has no commands for a Reversi board without discs")
    game, state = get_game(record.game), start_of(replace(record, setup=None))  # GTP leaves the letter I out in Gomoku
    stones = [
        f"{'BW'[stone - 1]} {game.move_to_text(state, cell)}" for cell, stone in enumerate(record.setup or b"") if stone
    ]
    lines = [f"boardsize {record.width}", "clear_board"]
    lines += [f"komi {record.komi:g}"] if record.komi is not None else []
    lines += [f"set_position {' '.join(stones)}"] if stones else []
    lines += ["gogui-setup_player w"] if record.to_move == WHITE else []
    return "\n".join(lines) + "\n"


def psq(page: Page) -> str:
    """Moves in turn, row by row: PSQ has no set-ups, and the order cannot be seen. Raises RecordError."""
    record = page.record
    black, white = counts(record)
    if record.game != "gomoku":
        raise RecordError("PSQ holds Gomoku only")
    if black - white not in (0, 1):
        raise RecordError(f"PSQ holds moves in turn, which {black} black and {white} white stones are not")
    stones = record.setup or b""
    cells = {colour: [cell for cell, stone in enumerate(stones) if stone == colour + 1] for colour in (BLACK, WHITE)}
    moves = tuple((turn % 2, cells[turn % 2][turn // 2]) for turn in range(black + white))
    return records.get_format("psq").dumps(replace(record, setup=None, to_move=None, moves=moves))


def obf(page: Page) -> str:
    """One line of 64 squares and the side to move. Raises RecordError for another game than Reversi."""
    return records.get_format("obf").dumps(page.record)


def as_json(page: Page) -> str:
    """One object: `described`. Letters of a file's name that are none in UTF-8 are question marks."""
    return json.dumps(described(*page), ensure_ascii=False).encode("utf-8", "replace").decode() + "\n"


FORMATS: Mapping[str, Callable[[Page], str]] = {
    "sgf": sgf,
    "txt": text,
    "gtp": gtp,
    "psq": psq,
    "obf": obf,
    "json": as_json,
}
"""Name, which is the extension too -> the writer. Each raises RecordError for what it cannot hold."""


def described(reading: Reading, record: Record, picture: Picture, territory: Territory | None = None) -> dict[str, Any]:
    """Return the facts about a board for JSON. `corners` are pixels of the file, upright; lists of points begin at the
    top left."""
    black, white = counts(record)
    return {
        "file": picture.name,
        "taken": picture.taken.isoformat() if picture.taken else None,
        "game": reading.game,
        "size": reading.size,
        "next": None if record.to_move is None else NAMES[1 + record.to_move],
        "black": black,
        "white": white,
        "window": None if reading.window is None else part_text(reading),
        "rows": ["".join(".XO?"[stone] for stone in row) for row in _shown(reading)],
        "confidence": np.round(reading.confidence.astype(float), 4).tolist(),
        "corners": np.round(reading.lattice.scaled(1 / picture.scale).corners(), 1).tolist(),
        "found": round(reading.found, 4),
        "uncertain": [_doubt(reading, row, column) for row, column in reading.uncertain],
        "edited": sorted(vertex(reading, row, column) for row, column in reading.edits),
        "warnings": [str(warning) for warning in reading.warnings],
        "warning_codes": [warning.code for warning in reading.warnings],
        "score": None if territory is None else _score(reading, territory),
    }


def _shown(reading: Reading) -> NDArray[np.int8]:
    """The stones, and what lies beyond the part that the picture shows as hidden."""
    return np.where(reading.shown, reading.stones, Point.HIDDEN).astype(np.int8)


def _score(reading: Reading, territory: Territory) -> dict[str, Any]:
    """The proposal of --score: margin as SGF has it, a point of each dead group."""
    return {
        "margin": territory.margin,
        "rules": territory.rules.name,
        "komi": territory.komi,
        "dead": [vertex(reading, *group[0]) for group in territory.dead],
        "owner": ["".join(".XO"[owner] for owner in row) for row in territory.owner],
    }


def _doubt(reading: Reading, row: int, column: int) -> dict[str, Any]:
    """An uncertain point and the probability of each thing that it may hold."""
    shares = {
        name: round(float(reading.probabilities[row, column, kind]), 4) for kind, name in zip(Point, NAMES, strict=True)
    }
    read = NAMES[reading.stones[row, column]]
    return {"point": vertex(reading, row, column), "row": row, "column": column, "read": read, "probability": shares}


def _comment(page: Page) -> str:
    """What a reader of the file should know, in lines."""
    lines = [f"Read from '{page.picture.name}' by Tengen {__version__}."]
    lines += [f"Warning: {warning}" for warning in page.reading.warnings]
    if page.reading.uncertain:
        lines.append(f"Uncertain points: {listed(doubts(page.reading), _LISTED)}.")
    if page.territory is not None:
        lines.append(f"Proposed score: {page.territory.margin}.")
    return "\n".join("".join(letter if letter.isprintable() else "?" for letter in line) for line in lines)
