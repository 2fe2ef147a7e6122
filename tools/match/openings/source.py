"""The files that openings are read from: one, all of a folder, the first one in a ZIP."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tengen.engine import files

LARGEST = 512 << 20
"""Bytes of a file of openings."""


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
