"""One picture from file to files: load, read, correct, check, write: what `tengen photo` does to each."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import cv2

from tengen.engine import files
from tengen.tools.photo import load
from tengen.tools.photo.edit import edited, keep_label, label_files, within
from tengen.tools.photo.geometry import Floats, Image
from tengen.tools.photo.load import Picture
from tengen.tools.photo.overlay import check_picture
from tengen.tools.photo.pipeline import Settings
from tengen.tools.photo.position import Facts, checked, counts, doubts, listed, record_of
from tengen.tools.photo.results import NoBoardError, PartError, PhotoError, Point, Reading
from tengen.tools.photo.write import text_of

if TYPE_CHECKING:
    from tengen.tools.photo.territory import Territory

STANDARD = "-"
SURE, UNSURE, FAILED, NO_BOARD = range(4)
"""The outcomes of a picture; the exit codes of `tengen photo`."""
PICTURES = (".png", ".jpg", ".jpeg", ".webp")
"""Extensions of the overlays that are written; any other name is a folder."""
Reader = Callable[[Image, Settings], list[Reading]]
Judge = Callable[[Reading, Facts], "Territory | None"]
_LISTED = 12


@dataclass(frozen=True)
class Plan:
    """The plan for every picture. `target`, `overlay`: a file, a folder (`*_folder`), or None.

    corners: pixels of the file, upright. inputs: every picture of the run, none of which is ever written. judge: says
    whose is what on a board.
    """

    read: Reader
    settings: Settings
    facts: Facts
    form: str
    inputs: tuple[str, ...]
    target: Path | None = None
    is_folder: bool = False
    overlay: Path | None = None
    is_overlay_folder: bool = False
    label: Path | None = None
    corners: Floats | None = None
    changes: Mapping[str, Point] | None = None
    judge: Judge | None = None


@dataclass(frozen=True)
class Board:
    """One board of a picture, its text in the plan's format, and where that and its overlay were written."""

    reading: Reading
    facts: Facts
    text: str
    territory: Territory | None = None
    path: Path | None = None
    overlay: Path | None = None

    @property
    def is_sure(self) -> bool:
        return not self.reading.warnings and not self.reading.uncertain


@dataclass(frozen=True)
class Outcome:
    """The outcome of one picture; `error` is a sentence when it has no boards."""

    source: str
    picture: Picture | None = None
    boards: tuple[Board, ...] = ()
    seconds: float = 0.0
    error: str = ""
    is_missing: bool = False

    @property
    def code(self) -> int:
        if not self.boards:
            return NO_BOARD if self.is_missing else FAILED
        return SURE if all(board.is_sure for board in self.boards) else UNSURE


def process(plan: Plan, source: str, name: str) -> Outcome:
    """Read a picture and write what the plan says; `name` begins the files that go into a folder.

    Nothing is raised for a picture that cannot be read or has no board, nor for a result that cannot be written: the
    outcome says so.
    """
    begin = time.monotonic()
    try:
        picture = opened(source)
        readings = _read(plan, picture)
        if not readings:
            return Outcome(source, picture, (), time.monotonic() - begin, missing(source), True)
        facts = replace(plan.facts, date=plan.facts.date or picture.date or "")
        boards = [_board(plan, reading, facts, picture) for reading in readings]
        written = tuple(_write(plan, picture, board, number, name) for number, board in enumerate(boards, 1))
    except NoBoardError as error:
        whole = "whole " if isinstance(error, PartError) else ""
        sentence = f"no {whole}board was found in '{'stdin' if source == STANDARD else source}': {error}"
        return Outcome(source, seconds=time.monotonic() - begin, error=sentence, is_missing=True)
    except PhotoError as error:
        return Outcome(source, seconds=time.monotonic() - begin, error=str(error))
    except (cv2.error, MemoryError) as error:
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        sentence = f"'{source}' could not be read ({reason})"
        return Outcome(source, seconds=time.monotonic() - begin, error=sentence)
    return Outcome(source, picture, written, time.monotonic() - begin)


def opened(source: str) -> Picture:
    """The picture of a file, or of stdin. Raises PhotoError."""
    if source != STANDARD:
        return load.load(source)
    if sys.stdin is None:
        raise PhotoError("stdin is closed")
    return load.load(sys.stdin.buffer.read(load.MAX_BYTES + 1), "stdin")


def missing(source: str) -> str:
    """Return advice when no board was found."""
    name = "stdin" if source == STANDARD else source
    return (
        f"no board was found in '{name}': take it from above with all four corners in the picture, "
        "or say where they are with --corners x,y,x,y,x,y,x,y"
    )


def _read(plan: Plan, picture: Picture) -> list[Reading]:
    """The boards of a picture, corrected and checked."""
    settings = plan.settings
    if plan.corners is not None:
        settings = replace(settings, corners=within(plan.corners, picture.image, picture.scale))
    readings = plan.read(picture.image, settings)
    if plan.changes:
        readings = [edited(reading, plan.changes) for reading in readings]
    return [checked(reading) for reading in readings]


def _board(plan: Plan, reading: Reading, facts: Facts, picture: Picture) -> Board:
    """One board with its text. Raises PhotoError for a format that cannot hold it."""
    judged = plan.judge(reading, facts) if plan.judge else None
    return Board(reading, facts, text_of(reading, plan.form, facts, picture, judged), judged)


def _write(plan: Plan, picture: Picture, board: Board, number: int, name: str) -> Board:
    """Write one board; further boards of a picture have their number in their names."""
    others = {Path(source).stem.lower() for source in plan.inputs}
    path = place(plan.target, plan.is_folder, name, f".{plan.form}", number, others)
    drawing = place(plan.overlay, plan.is_overlay_folder, name, ".overlay.png", number, others)
    for made in filter(None, (path, drawing)):
        guard(made, plan.inputs)
    if plan.label is not None:
        label_files(plan.label, name)  # refused before anything is written
    if path is not None:
        write(path, board.text.encode("utf-8", "surrogateescape"))
    if drawing is not None:
        write(drawing, encoded(drawing, check_picture(picture.image, board.reading, picture.name, board.territory)))
    if plan.label is not None:
        keep_label(board.reading, picture, plan.label, name)
    return replace(board, path=path, overlay=drawing)


def place(
    target: Path | None, is_folder: bool, name: str, ending: str, number: int, others: Collection[str] = ()
) -> Path | None:
    """Return the path of the board with that number (from 1) of a picture; the first one has the name that was asked
    for.

    `others` are the names, in small letters, of the results of the other pictures in that folder.
    """
    if target is None:
        return None
    path = target / f"{name}{ending}" if is_folder else target
    if number == 1:
        return path
    if not is_folder:
        return path.with_name(f"{path.stem}-{number}{path.suffix}")
    further = f"{name}-{number}" if f"{name}-{number}".lower() not in others else f"{name}-board{number}"
    return target / f"{further}{ending}"


def guard(path: Path, inputs: Iterable[str]) -> None:
    """Raises PhotoError when writing `path` would destroy a picture that is read."""
    if not path.exists():
        return
    for source in inputs:
        if source != STANDARD and Path(source).exists() and path.samefile(source):
            raise PhotoError(f"'{path}' is a picture that is read: it is not overwritten")


def write(path: Path, content: bytes) -> None:
    """Write a result, its folder too. Raises PhotoError with one sentence that names the file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise PhotoError(f"cannot write '{path}': {files.explained(error)}") from None


def encoded(path: Path, image: Image) -> bytes:
    """A picture in the format of the file's extension. Raises PhotoError."""
    is_made, data = cv2.imencode(path.suffix.lower(), image)
    if not is_made:
        raise PhotoError(f"'{path}' cannot be written as {path.suffix[1:].upper()}")
    return data.tobytes()


def printable(text: str) -> str:
    """A line as it may be shown on a terminal: the name of a file may hold an escape sequence or the end of a line."""
    return "".join(letter if letter.isprintable() or letter == "\t" else "?" for letter in text)


def summary(board: Board) -> str:
    """A board in a line: "go 19x19, 34 black, 29 white, 2 points uncertain"."""
    reading = board.reading
    black, white = counts(record_of(reading, board.facts))
    words = [f"{reading.game} {reading.size}x{reading.size}", f"{black} black", f"{white} white"]
    number = len(reading.uncertain)
    words += [f"{number} point{'s' if number > 1 else ''} uncertain"] if number else []
    return ", ".join(words)


def notes(board: Board) -> list[str]:
    """Return the lines that a person must check: warnings and uncertain points."""
    lines = [f"warning: {warning}" for warning in board.reading.warnings]
    if board.reading.uncertain:
        lines.append(f"uncertain: {listed(doubts(board.reading), _LISTED)}")
    return lines
