"""Files of records below a folder, also within archives, cut into units of work that a process can read by itself.

Read: .sgf, .psq, .ggf, .wtb, .pgn, each also as .gz, .bz2 or .xz; members of .zip; .tar, also packed. Nothing is
unpacked to the disk, and no file larger than MAX_BYTES is read. A file of GGF has one game a line, in one of PGN each
game begins with the tag [Event]: these may be as large as they want. The collection of Tygem's games is read as it
comes (`tygem.py`). Left out: archives in archives, .7z, .rar.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from tengen.engine import files
from tengen.engine.records import MAX_BYTES
from tengen.tools.train.records import tygem

RECORDS = (".sgf", ".psq", ".ggf", ".wtb", ".pgn")
_PACKED: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_TARS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_FOREIGN = (".7z", ".rar")
_A_UNIT, _A_PIECE = 256, 1 << 20
"""Files, and bytes of a large one, that are read at a time."""
_GAMES = {".ggf": re.compile(rb"\s*(?:\d{1,4}\s*)?\(\s*;"), ".pgn": re.compile(rb"\[Event ")}
"""How a game begins in a file that is read some lines at a time."""
_DAMAGE = (
    OSError, EOFError, ValueError, RuntimeError, NotImplementedError, zipfile.BadZipFile, tarfile.TarError, zlib.error,
    lzma.LZMAError,
)  # fmt: skip


@dataclass(frozen=True)
class Bad:
    """A file that could not be read, and why, in one clause."""

    name: str
    reason: str


@dataclass(frozen=True)
class Piece:
    """The content of a file; `path` where it lies in a folder, beside what belongs to it."""

    name: str
    data: bytes
    path: str | None = None


@dataclass(frozen=True)
class FileUnit:
    """Files as they lie in folders."""

    paths: tuple[str, ...]

    def contents(self) -> Iterator[Piece | Bad]:
        for path in self.paths:
            try:
                with _unpacked(Path(path)) as file:
                    yield _piece(_bare(path), file, path)
            except _DAMAGE as error:
                yield Bad(path, _reason(error))


@dataclass(frozen=True)
class ZipUnit:
    """Some members of a .zip, by their numbers."""

    path: str
    members: tuple[int, ...]

    def contents(self) -> Iterator[Piece | Bad]:
        for number in self.members:
            name = self.path
            try:
                archive = _zip(self.path)
                info = archive.infolist()[number]
                name = f"{self.path}/{info.filename}"
                with archive.open(info) as file:
                    yield _piece(name, file)
            except _DAMAGE as error:
                yield Bad(name, _reason(error))


@dataclass(frozen=True)
class DataUnit:
    """The data that had to be read to find records."""

    pieces: tuple[Piece | Bad, ...]

    def contents(self) -> Iterator[Piece | Bad]:
        return iter(self.pieces)


Unit = FileUnit | ZipUnit | DataUnit


def units(source: Path) -> Iterator[Unit]:
    """The work to be done for a file or all files below a folder, in the order of their names."""
    paths: list[str] = []
    for path in walk(source):
        name = path.name.lower()
        if _bare(name).endswith(tuple(_GAMES)):
            yield from _in_units(_lines(path, _GAMES[os.path.splitext(_bare(name))[1]]))
        elif name.endswith(RECORDS) or _bare(name).endswith(RECORDS):
            paths.append(str(path))
            if len(paths) == _A_UNIT:
                yield FileUnit(tuple(paths))
                paths.clear()
        elif tygem.is_month(path):
            yield from _in_units(_tygem_pieces(path))
        elif name.endswith(".zip"):
            yield from _zip_units(path)
        elif name.endswith(_TARS):
            yield from _in_units(_tar_pieces(path))
        elif name.endswith(_FOREIGN):
            yield DataUnit((Bad(str(path), f"archives of {path.suffix[1:]} are not read: unpack it"),))
    if paths:
        yield FileUnit(tuple(paths))


def walk(source: Path) -> Iterator[Path]:
    """A file, or all files below a folder by their names. Raises OSError when it is not there."""
    os.stat(source)
    if not source.is_dir():
        yield source
    for folder, folders, names in os.walk(source):
        folders.sort()
        for name in sorted(names):
            yield Path(folder, name)


def _zip_units(path: Path) -> Iterator[Unit]:
    try:
        infos = _zip(str(path)).infolist()
    except _DAMAGE as error:
        yield DataUnit((Bad(str(path), _reason(error)),))
        return
    inner = [info.filename for info in infos if info.filename.lower().endswith((".zip", *_TARS, *_FOREIGN))]
    if inner:
        reason = "an archive within an archive: unpack the outer one"
        yield DataUnit(tuple(Bad(f"{path}/{name}", reason) for name in inner))
    numbers = [number for number, info in enumerate(infos) if info.filename.lower().endswith(RECORDS)]
    for start in range(0, len(numbers), _A_UNIT):
        yield ZipUnit(str(path), tuple(numbers[start : start + _A_UNIT]))


@lru_cache(maxsize=2)
def _zip(path: str) -> zipfile.ZipFile:
    """An archive that is open: its list of members may be long."""
    return zipfile.ZipFile(files.open_regular(path))


def _tar_pieces(path: Path) -> Iterator[Piece | Bad]:
    """A stream from its beginning to its end."""
    try:
        with files.open_regular(path) as file, tarfile.open(fileobj=file, mode="r|*") as archive:
            for member in archive:
                name = f"{path}/{member.name}"
                content = archive.extractfile(member) if member.isfile() else None
                if content is not None and name.lower().endswith(RECORDS):
                    try:
                        yield _piece(name, content)
                    except OSError as error:
                        yield Bad(name, _reason(error))
    except _DAMAGE as error:
        yield Bad(str(path), _reason(error))


def _tygem_pieces(path: Path) -> Iterator[Piece | Bad]:
    try:
        for name, data in tygem.games(path):
            yield Piece(name, data)
    except (*_DAMAGE, IndexError) as error:
        yield Bad(str(path), _reason(error))


def _lines(path: Path, begin: re.Pattern[bytes]) -> Iterator[Piece | Bad]:
    """A file of many games whose first lines are like `begin`, some of them at a time."""
    try:
        with _unpacked(path) as file:
            lines: list[bytes] = []
            size = 0
            while line := file.readline(MAX_BYTES):
                if size > _A_PIECE and begin.match(line):
                    yield Piece(_bare(str(path)), b"".join(lines))
                    lines, size = [], 0
                if size > MAX_BYTES:
                    raise ValueError("a game in it does not end")
                lines.append(line)
                size += len(line)
            yield Piece(_bare(str(path)), b"".join(lines))
    except _DAMAGE as error:
        yield Bad(str(path), _reason(error))


def _in_units(pieces: Iterable[Piece | Bad]) -> Iterator[DataUnit]:
    """Pieces, as many at a time as are small enough together."""
    waiting: list[Piece | Bad] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece.data) if isinstance(piece, Piece) else 0
        if len(waiting) == _A_UNIT or size > _A_PIECE:
            yield DataUnit(tuple(waiting))
            waiting, size = [], 0
    if waiting:
        yield DataUnit(tuple(waiting))


def _piece(name: str, file: IO[bytes], path: str | None = None) -> Piece:
    data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError(f"it is larger than {files.size_text(MAX_BYTES)}")
    return Piece(name, data, path)


def _unpacked(path: Path) -> IO[bytes]:
    opened = files.open_regular(path)
    unpack = _PACKED.get(path.suffix.lower())
    return unpack(opened) if unpack else opened


def _bare(name: str) -> str:
    """The name without the ending that says that it is packed."""
    stem, ending = os.path.splitext(name)
    return stem if ending.lower() in _PACKED else name


def _reason(error: Exception) -> str:
    return files.reason(error) or type(error).__name__
