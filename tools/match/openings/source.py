"""The files that openings are read from: one, all of a folder, the first one in a ZIP."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tengen.engine import files

LARGEST = 512 << 20
"""Bytes of a file of openings."""
MOST_TOLD = 10
"""Openings that are named when they are left out; the others are counted."""

Tell = Callable[[str], None]
"""Hears a sentence about what is left out."""


class LeftOut:
    """The openings of a file or folder that cannot be played: each is told with its file and line."""

    def __init__(self, path: Path, tell: Tell) -> None:
        self._path, self._tell = path, tell
        self._first = ""
        self._count = 0

    def add(self, file: Path, line: int, reason: object) -> None:
        """One more. line: from 1; 0 where the whole file is none."""
        where = f"'{file}', line {line}: {reason}" if line else f"'{file}': {reason}"
        self._first = self._first or where
        self._count += 1
        if self._count <= MOST_TOLD:
            self._tell(f"an opening is left out: {where}")

    def check(self, found: int) -> None:
        """At the end: tell how many more there are. Raises ValueError where no opening is left."""
        if not found:
            reason = f" that can be played: {self._first}" if self._first else ""
            raise ValueError(f"there are no openings in '{self._path}'{reason}")
        if self._count > MOST_TOLD:
            self._tell(f"{self._count - MOST_TOLD} more openings are left out")


def files_of(path: Path) -> list[Path]:
    """The file, or all files of a folder in the order of their names."""
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))


@contextmanager
def named(file: Path) -> Iterator[None]:
    """Name the file that an error concerns."""
    try:
        yield
    except OSError as error:
        raise ValueError(f"cannot read the openings '{file}': {error.strerror}") from None
    except (ValueError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"openings '{file}': {error}") from None


def content(file: Path) -> tuple[str, bytes]:
    """Name and bytes of a file; of the first one in a ZIP."""
    if file.suffix.lower() != ".zip":
        return file.name, files.read(file, LARGEST)
    with files.open_regular(file) as opened, zipfile.ZipFile(opened) as archive:
        inner = next((part for part in archive.infolist() if not part.is_dir()), None)
        if inner is None:
            raise ValueError("the archive is empty")
        with archive.open(inner) as unpacked:
            data = unpacked.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise ValueError(f"'{inner.filename}' is larger than {files.size_text(LARGEST)}")
        return inner.filename, data
