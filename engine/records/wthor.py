"""Othello games in WTHOR (the French federation's base: WTH_1999.wtb): games by number, names in two files beside it.

A header of 16 bytes (number of games, year, size, empty cells of the theoretical score), then 68 bytes a game: numbers
of tournament, black and white player, Black's discs, Black's discs with best play, up to 60 moves (10 * row + column).
All numbers are little-endian. Names: WTHOR.JOU or WTH.JOU (20 bytes each), WTHOR.TRN or WTH.TRN (26); without them a
player is "12". Passes are not stored: they are put in by the rules. The winner has the empty cells.
Read only. Left out: boards of other sizes than 8x8, bases of solitaires.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tengen.engine.records import othello
from tengen.engine.records.base import MAX_BYTES, Record, RecordError, collect, first_of

HEADER, GAME, PLAYER, TOURNAMENT = 16, 68, 20, 26
"""Bytes of the header and of the entries of the three kinds of files."""
_SIZE = 8
_NOTHING = "the file holds no WTHOR game"


class Names(NamedTuple):
    """Names by number; of none the number stands for itself."""

    players: tuple[str, ...] = ()
    tournaments: tuple[str, ...] = ()


class Base(NamedTuple):
    """The format, with the names that belong to a file."""

    names: Names = Names()

    def loads(self, data: bytes | str) -> Record:
        """Read the first game. Raises RecordError with one sentence."""
        return first_of(_games(data, self.names), _NOTHING)

    def loads_all(self, data: bytes | str) -> list[Record]:
        """Read every game. Raises RecordError with one sentence, naming the game it concerns."""
        return collect(_games(data, self.names), _NOTHING)

    def dumps(self, record: Record) -> str:
        """Raises RecordError: a base has numbers for players, which a game has not."""
        raise RecordError("WTHOR is read only: write GGF, SGF or text")


loads, loads_all, dumps = Base().loads, Base().loads_all, Base().dumps


def names_beside(path: str | Path) -> Names:
    """The names for a base: of the files in its folder whose extensions are JOU and TRN. None are no mistake."""
    from tengen.engine import files

    found: dict[str, tuple[str, ...]] = {}
    for extension, length in ((".jou", PLAYER), (".trn", TOURNAMENT)):
        beside = _with_extension(Path(path).absolute().parent, extension)
        try:
            found[extension] = _names(files.read(beside, MAX_BYTES), length) if beside else ()
        except OSError as error:
            raise RecordError(f"cannot read '{beside}': {error.strerror}") from None
    return Names(found[".jou"], found[".trn"])


def _with_extension(folder: Path, extension: str) -> Path | None:
    """A file of names: WTHOR.* before others."""
    try:
        fitting = [path for path in folder.iterdir() if path.suffix.lower() == extension]
    except OSError:
        return None
    return min(fitting, key=lambda path: (not path.stem.lower().startswith("wth"), path.name), default=None)


def _names(data: bytes, length: int) -> tuple[str, ...]:
    entries = (data[start : start + length] for start in range(HEADER, len(data) - length + 1, length))
    texts = (entry.partition(b"\0")[0].decode("cp1252", "replace") for entry in entries)
    return tuple(" ".join(text.split()) for text in texts)


def _games(data: bytes | str, names: Names) -> Iterator[Record]:
    """The games of a base. Raises RecordError."""
    if isinstance(data, str):
        raise RecordError("WTHOR is no text")
    if len(data) > MAX_BYTES:
        raise RecordError(f"the file is larger than {MAX_BYTES >> 20} MB")
    if len(data) < HEADER:
        raise RecordError("the file is too short for a WTHOR base")
    count, _, year, size, kind, empties = struct.unpack_from("<IHHBBB", data, 4)
    if size not in (0, _SIZE) or kind:
        raise RecordError("the base holds no games on 8x8" if size not in (0, _SIZE) else "the base holds solitaires")
    if len(data) < HEADER + GAME * count:
        raise RecordError(f"the file ends early: it should hold {count} games and has {(len(data) - HEADER) // GAME}")
    for number in range(count):
        yield _game(data[HEADER + GAME * number : HEADER + GAME * (number + 1)], names, year, empties)


def _game(entry: bytes, names: Names, year: int, empties: int) -> Record:
    tournament, black, white, discs, theoretical = struct.unpack_from("<HHHBB", entry)
    facts = {
        "EV": _name(names.tournaments, tournament),
        "DT": str(year) if year else "",
        "TH": f"{2 * theoretical - 64:+d} at {empties} empty" if empties else "",
    }
    return Record(
        game=othello.GAME,
        width=_SIZE,
        height=_SIZE,
        moves=_moves(entry[8:]),
        players=(_name(names.players, black), _name(names.players, white)),
        result=_result(discs),
        properties={key: text for key, text in facts.items() if text},
    )


def _moves(cells: bytes) -> tuple[tuple[int, int], ...]:
    """(colour, move) with the passes. Raises RecordError."""
    from tengen.engine.records.points import by_rules

    moves: list[tuple[int | None, int]] = []
    for cell in cells.partition(b"\0")[0]:
        row, column = divmod(cell, 10)
        if not (1 <= row <= _SIZE and 1 <= column <= _SIZE):
            raise RecordError(f"move {len(moves) + 1} ({cell}) is not on the board")
        moves.append((None, (row - 1) * _SIZE + column - 1))
    return by_rules(Record(othello.GAME, _SIZE, _SIZE), moves)


def _name(names: tuple[str, ...], number: int) -> str:
    return names[number] if number < len(names) and names[number] else str(number)


def _result(discs: int) -> str:
    """The result from the number of Black's discs; empty cells count for the winner."""
    if discs > _SIZE * _SIZE:
        return ""
    lead = 2 * discs - _SIZE * _SIZE
    return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead)}"
