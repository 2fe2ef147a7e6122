"""One process at a time: a lock that the system takes back when the process ends, however it ends.

A run that keeps files locks one of them, or a file beside it, before it reads what is there.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from tengen.engine import files, system

NAME = "lock"
"""The name of the lock file of a folder."""


class LockError(ValueError):
    """Another process is at work there, or there are no locks; the message is one sentence."""


class Lock:
    """A lock that is held until `close`."""

    def __init__(
        self, path: Path, taken: str, kind: type[ValueError] = LockError, protects: Path | None = None
    ) -> None:
        """path: the lock file, made where it is not there. taken: the sentence while another process has it, with
        `{who}` for " (process 12)". protects: what a person knows by name, the lock file by default. Raises `kind`,
        OSError naming what it protects."""
        while True:
            with files.writing(protects or path):
                self._file: BinaryIO = open(path, "ab+")
            try:
                is_taken = system.take_lock(self._file.fileno())
            except OSError as error:
                self._file.close()
                raise kind(f"'{path}' cannot be locked ({error.strerror}): choose another disk") from None
            if not is_taken:
                raise kind(taken.replace("{who}", _owner(self._file)))
            if _is_still_there(self._file, path):  # its last owner may have removed it just before
                break
            self._file.close()
        self._path = path
        with contextlib.suppress(OSError):  # a full disk: then it does not say who has it
            self._file.truncate(0)
            os.write(self._file.fileno(), f"{os.getpid()}\n".encode())

    def __enter__(self) -> Lock:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self, is_removed: bool = False) -> None:
        """Let go of it. is_removed: the file goes, too."""
        if is_removed and not self._file.closed:
            with contextlib.suppress(OSError):
                os.unlink(self._path)
        self._file.close()


@contextmanager
def beside(path: Path, what: str) -> Iterator[None]:
    """Hold the lock of one file, NAME.lock beside it, which is gone afterwards. what: is done with it, as "grows".
    Raises LockError, OSError."""
    taken = f"another process{{who}} {what} '{path}': wait for it, or choose another file"
    lock = Lock(path.with_name(f"{path.name}.{NAME}"), taken, protects=path)
    try:
        yield
    finally:
        lock.close(is_removed=True)


@contextmanager
def within(folder: Path, what: str) -> Iterator[None]:
    """Hold the lock of a folder, which is made; its lock file is gone afterwards. what: is done there, as
    "writes games to". Raises LockError,
    OSError."""
    with files.writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    taken = f"another process{{who}} {what} '{folder}': wait for it, or choose another folder"
    lock = Lock(folder / NAME, taken, protects=folder)
    try:
        yield
    finally:
        lock.close(is_removed=True)


def _owner(file: BinaryIO) -> str:
    """Who has the lock, as far as it says so."""
    with file, contextlib.suppress(OSError):
        file.seek(0)
        number = file.read(20).strip()
        return f" (process {number.decode()})" if number.isdigit() else ""
    return ""


def _is_still_there(file: BinaryIO, path: Path) -> bool:
    """Whether the name is that of the open file."""
    if os.name == "nt":  # open files are not removed there
        return True
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False
