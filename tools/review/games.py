"""Read the games of a file for a review: records of any format, SGF with all that it holds besides."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

from tengen.engine import records
from tengen.engine.games import get_game
from tengen.engine.games.parts import load
from tengen.engine.records import Record, RecordError, pgn, sgf
from tengen.engine.records.sgf_tree import GameTree
from tengen.tools.review.position import Kind
from tengen.tools.told import Told


class Numbers(NamedTuple):
    """The numbers of the wanted games, from 1. last: None for all from the first one on."""

    first: int = 1
    last: int | None = 1


@dataclass(frozen=True)
class Subject:
    """A game to review: its number in the file, the format's name, and the game as it is: of SGF its tree, of PGN its
    text."""

    number: int
    form: str
    record: Record
    kept: GameTree | None = None
    text: str = ""

    def tree(self) -> GameTree:
        """The game to write into. Raises RecordError for one that SGF cannot hold."""
        return self.kept or GameTree(sgf.dumps(self.record))


def subjects(path: str, wanted: Numbers, rules: str | None = None) -> list[Subject]:
    """The games of a file, or of stdin for "-", each up to its first illegal move; rules: in place of the file's.

    Raises RecordError with one sentence.
    """
    found = _subjects(path, wanted)
    return [replace(subject, record=_legal(subject, len(found) > 1, rules)) for subject in found]


def kind_of(game: str) -> Kind | None:
    """Return the kind of review of games of that name; None: they are not."""
    review = get_game(game).parts.review
    return cast(Kind, load(review)) if review else None


def said_of(found: list[Subject]) -> list[str]:
    """Return the messages about unclear places in the games, each once."""
    told = Told()
    for subject in found:
        for warning in subject.record.warnings:
            told.add(f"game {subject.number}" if len(found) > 1 else "", warning)
    return told.lines()


def _legal(subject: Subject, is_one_of_many: bool, rules: str | None) -> Record:
    kind = kind_of(subject.record.game)
    try:
        return kind.legal(subject.record, rules) if kind else subject.record
    except RecordError as error:
        raise RecordError(f"game {subject.number}: {error}" if is_one_of_many else str(error)) from None


def _subjects(path: str, wanted: Numbers) -> list[Subject]:
    data = _content(path)
    form = records.format_of("" if path == "-" else path, data)
    if form == "sgf":
        return list(_trees(data, wanted))
    if form == "pgn":
        return list(_pgn(data, wanted))
    found = records.loader(form, b"" if path == "-" else path).loads_all(data)
    last = _last(wanted, len(found))
    return [Subject(number, form, found[number - 1]) for number in range(wanted.first, last + 1)]


def _pgn(data: bytes, wanted: Numbers) -> Iterator[Subject]:
    found = pgn.parts(data)
    for number in range(wanted.first, _last(wanted, len(found)) + 1):
        record, text = found[number - 1]
        if isinstance(record, RecordError):
            raise RecordError(f"game {number}: {record}" if len(found) > 1 else str(record))
        yield Subject(number, "pgn", record, text=text)


def _trees(data: bytes, wanted: Numbers) -> Iterator[Subject]:
    first = GameTree(data, wanted.first)
    yield Subject(wanted.first, "sgf", first.record, first)
    for number in range(wanted.first + 1, _last(wanted, first.games) + 1):
        tree = GameTree(data, number)
        yield Subject(number, "sgf", tree.record, tree)


def _last(wanted: Numbers, count: int) -> int:
    """The number of the last game. Raises RecordError for one that the file has not."""
    last = count if wanted.last is None else wanted.last
    missing = wanted.first if wanted.first > count else last
    if missing > count:
        raise RecordError(f"there is no game {missing}: the file holds {count}")
    return last


def _content(path: str) -> bytes:
    if path != "-":
        return records.content_of(path)
    if sys.stdin is None:
        raise RecordError("stdin is closed")
    return sys.stdin.buffer.read(records.MAX_BYTES + 1)
