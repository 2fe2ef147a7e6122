"""Many pictures: which files they are, what their results are called, the bar while they are read, summary.csv."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tengen.engine import files
from tengen.tools.live import Live, Pace, bar
from tengen.tools.photo.load import SUFFIXES
from tengen.tools.photo.one_picture import (
    FAILED,
    NO_BOARD,
    STANDARD,
    SURE,
    UNSURE,
    Outcome,
    Plan,
    guard,
    notes,
    printable,
    process,
    summary,
)
from tengen.tools.photo.position import counts, record_of
from tengen.tools.photo.results import PhotoError
from tengen.tools.photo.signatures import is_known
from tengen.tools.photo.write import FORMATS

SUMMARY = "summary.csv"
COLUMNS = (
    "file", "board", "size", "game", "black", "white", "found", "uncertain", "warnings", "seconds", "error", "output",
)  # fmt: skip
OVERLAY = ".overlay.png"
_SYSTEM = ("Thumbs.db", "desktop.ini")
Say = Callable[[str], None]


def gather(words: Sequence[str]) -> list[str]:
    """The files that the words name: as they are, and of folders everything in them and below, each once.

    Of a folder only what is ours (summary, overlays, records) and what is hidden is left out: a file that is no picture
    gets its line, too. Raises PhotoError for a folder without files.
    """
    found: list[str] = []
    for word in words:
        if word == STANDARD or not Path(word).is_dir():
            found.append(word)
            continue
        inside = list(_files_in(Path(word)))
        if not any(path.suffix.lower() in SUFFIXES or _is_picture(path) for path in inside):
            raise PhotoError(f"the folder '{word}' holds no pictures")
        found += map(str, inside)
    return list(dict.fromkeys(found))


def pictures_in(folder: Path) -> list[Path]:
    """The pictures of a folder by their extensions, not below it, in the order of their names.

    Raises PhotoError for a folder without pictures.
    """
    found = [path for path in _sorted(folder) if path.suffix.lower() in SUFFIXES and path.is_file()]
    found = [path for path in found if not path.name.endswith(OVERLAY)]
    if not found:
        raise PhotoError(f"the folder '{folder}' holds no pictures")
    return found


def _sorted(folder: Path) -> list[Path]:
    """What is in a folder by its names, hidden things left out."""
    inside = [path for path in folder.iterdir() if not path.name.startswith(".")]
    return sorted(inside, key=lambda path: _natural(path.name))


def _files_in(folder: Path) -> Iterator[Path]:
    """The files of a folder in the order of their names, then those of the folders in it; links to folders are not
    followed."""
    inside = _sorted(folder)
    stems = {path.stem for path in inside if path.suffix.lower() in SUFFIXES}
    yield from (path for path in inside if path.is_file() and not _is_ours(path, stems))
    for path in inside:
        if path.is_dir() and not path.is_symlink():
            yield from _files_in(path)


def _is_ours(path: Path, stems: Collection[str]) -> bool:
    """Whether a file looks like what a batch writes beside pictures of these names, or a system does."""
    ending = path.suffix.lower().lstrip(".")
    is_record = ending in FORMATS and re.sub(r"(-\d+|-board\d+|\(\d+\))$", "", path.stem) in stems
    return is_record or path.name.endswith(OVERLAY) or path.name in (SUMMARY, *_SYSTEM)


def _is_picture(path: Path) -> bool:
    """Whether a file begins as a picture does."""
    try:
        with open(path, "rb") as file:
            return is_known(file.read(64))
    except OSError:
        return False


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that puts "2.jpg" before "10.jpg"."""
    return [(int(part) if part.isdecimal() and part.isascii() else -1, part) for part in re.split(r"(\d+)", name)]


def names_of(sources: Sequence[str]) -> list[str]:
    """Return the names of the results of each picture: its name without extension, with it where two are the same."""
    names: list[str] = []
    taken: set[str] = set()
    for source in sources:
        path = Path("stdin" if source == STANDARD else source)
        choices = [path.stem, path.name, *(f"{path.stem}({number})" for number in range(2, len(sources) + 2))]
        name = next(choice for choice in choices if choice.lower() not in taken)
        taken.add(name.lower())
        names.append(name)
    return names


def run_all(plan: Plan, folder: Path, tell: Callable[[Outcome], bool]) -> int:
    """Read every picture of the plan into a folder, with a summary there. The exit code.

    A picture that fails does not stop the others. `tell` gets each outcome and answers whether it could tell all that
    was asked of it; a board of which it could not is one to be checked.
    """
    with files.writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    guard(folder / SUMMARY, plan.inputs)
    codes = []
    with (
        files.writing(folder / SUMMARY),
        open(folder / SUMMARY, "w", encoding="utf-8", errors="surrogateescape", newline="") as file,
        progress(len(plan.inputs)) as show,
    ):
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for source, name in zip(plan.inputs, names_of(plan.inputs), strict=True):
            outcome = _process(plan, source, name)
            table.writerows(rows_of(outcome))
            file.flush()
            show(outcome)
            is_told = tell(outcome)
            codes.append(UNSURE if outcome.code == SURE and not is_told else outcome.code)
    print(f"{_tally(codes)}; see '{folder / SUMMARY}'", file=sys.stderr)
    return code_of(codes)


def _process(plan: Plan, source: str, name: str) -> Outcome:
    try:
        return process(plan, source, name)
    except OSError as error:
        return Outcome(source, error=f"cannot write '{error.filename or name}': {error.strerror or error}")
    except ValueError as error:
        return Outcome(source, error=str(error))
    except Exception as error:  # the other pictures are worth more than this one's traceback
        return Outcome(source, error=f"unexpected {type(error).__name__}: {' '.join(str(error).split())[:200]}")


def rows_of(outcome: Outcome) -> list[list[object]]:
    """Return the rows of the summary: one for each board, or one with the reason why there is none."""
    seconds = f"{outcome.seconds:.2f}"
    if not outcome.boards:
        return [[outcome.source, *[""] * 8, seconds, outcome.error, ""]]
    rows: list[list[object]] = []
    for number, board in enumerate(outcome.boards, 1):
        reading = board.reading
        black, white = counts(record_of(reading, board.facts))
        rows.append(
            [outcome.source, number, reading.size, reading.game, black, white, f"{reading.found:.3f}",
             len(reading.uncertain), "; ".join(reading.warnings), seconds, "", board.path or ""]
        )  # fmt: skip
    return rows


def code_of(codes: Sequence[int]) -> int:
    """The exit code of a run: that of all its pictures where they agree, else UNSURE; 3 when no board was read."""
    if len(set(codes)) == 1:
        return codes[0]
    return NO_BOARD if set(codes) == {FAILED, NO_BOARD} else UNSURE


def _tally(codes: Sequence[int]) -> str:
    words = {SURE: "read", UNSURE: "to be checked", NO_BOARD: "without a board", FAILED: "failed"}
    parts = [f"{codes.count(code)} {text}" for code, text in words.items() if code in codes]
    return f"{len(codes)} picture{'s' if len(codes) > 1 else ''}: {', '.join(parts)}"


def lines_of(outcome: Outcome) -> list[str]:
    """Return the lines about a picture while a batch runs."""
    lines = [] if outcome.boards else [outcome.error]
    for board in outcome.boards:
        lines += [f"{outcome.source}: {summary(board)}", *(f"  {note}" for note in notes(board))]
    return [printable(line) for line in lines]


@contextmanager
def progress(count: int) -> Iterator[Callable[[Outcome], None]]:
    """A function that shows each outcome: a bar and what needs a look on a terminal, a line for each elsewhere."""
    done, pace = 0, Pace()
    with Live(is_patient=True) as live:

        def shown(outcome: Outcome) -> None:
            nonlocal done
            done += 1
            if not live.is_terminal:
                live.line(f"[{done}/{count}] " + "\n".join(lines_of(outcome)))
            elif outcome.code != SURE:
                live.line("\n".join(lines_of(outcome)))
            name = Path(outcome.source).name[-30:]
            live.update([f"{bar(done, count)} pictures", f"last {name}", f"{pace.left(done, count)} left"])

        live.update([f"{bar(0, count)} pictures", "? left"])
        yield shown
