"""Files that a person or a protocol names: only regular ones are read, with a limit, and nothing is waited for.

A device may never end, a pipe may never begin, and a name may hold anything. Every refusal is an OSError whose
`strerror` is the reason in one clause and whose `filename` is the name, like those of the system itself.
Left out: files of our own (beside a module, in a folder that we made; `atomic` writes such), and what the system waits
for by itself (NFS).
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

Name = str | os.PathLike[str]
_AGAIN = "make room, then give the same command again"
_ELSEWHERE = "give a place that can be written to"
REMEDIES = {
    errno.ENOSPC: _AGAIN, errno.EDQUOT: _AGAIN, errno.EFBIG: _AGAIN, errno.EIO: "look at its disk",
    errno.EROFS: _ELSEWHERE, errno.EACCES: _ELSEWHERE, errno.EPERM: _ELSEWHERE,
}  # fmt: skip
"""Advice to a person when a file cannot be written, by the number of the error."""
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def open_regular(path: Name) -> BinaryIO:
    """A regular file, open for reading. Raises OSError for all others; a device is not even opened."""
    _check_regular(_checked(path), os.stat(path).st_mode)
    file = open(os.open(path, os.O_RDONLY | _AT_ONCE), "rb")
    try:
        _check_regular(path, os.fstat(file.fileno()).st_mode)  # it may have been changed for another
    except OSError:
        file.close()
        raise
    return file


def read(path: Name, limit: int) -> bytes:
    """The content of a regular file of at most `limit` bytes. Raises OSError."""
    with open_regular(path) as file:
        first = min(os.fstat(file.fileno()).st_size, limit) + 1  # `read` makes room for all that it is asked for
        data = file.read(first)
        if first == len(data) <= limit:  # it has grown, or the system does not know how long it is
            data += file.read(limit + 1 - first)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"it is larger than {size_text(limit)}", str(path))
    return data


def open_to_write(path: Name, *, is_appended: bool = False) -> int:
    """A descriptor for writing: a new file, an old one (emptied, or to append to), a device, or a pipe with a reader.

    Nothing is waited for, neither here nor in later writes: a full pipe raises BlockingIOError. Raises OSError.
    """
    flags = os.O_APPEND if is_appended else os.O_TRUNC
    try:
        return os.open(_checked(path), os.O_WRONLY | os.O_CREAT | flags | _AT_ONCE, 0o666)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, "nobody reads this pipe", str(path)) from None
        raise


def write(path: Name, data: bytes) -> None:
    """Write a whole file, or hand the data to a device or to the reader of a pipe. Raises OSError naming the file."""
    with writing(path):
        descriptor = open_to_write(path)
        if hasattr(os, "set_blocking"):
            os.set_blocking(descriptor, True)
        with open(descriptor, "wb") as file:
            file.write(data)


@contextmanager
def writing(path: Name) -> Iterator[None]:
    """Around what writes a file: an OSError names it, and says what a person can do (`REMEDIES`)."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, explained(error), os.fspath(path)) from None


def explained(error: OSError) -> str:
    """Why a file could not be written, and what a person can do: "No space left on device: make room, ..."."""
    text, remedy = error.strerror or str(error), REMEDIES.get(error.errno or 0, "")
    return text if not remedy or text.endswith(remedy) else f"{text}: {remedy}"


def reason(error: Exception) -> str:
    """Why a file could not be read, in one clause that follows its name."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def size_text(count: int) -> str:
    """A round number of bytes for a sentence: "16 MB", "256 kB"."""
    return f"{count >> 20} MB" if count >= 1 << 20 else f"{count >> 10} kB"


def _checked(path: Name) -> Name:
    """The name, if the system can have such a one. Raises OSError."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        raise OSError(errno.EINVAL, "it is no file name", str(path)) from None
    if "\0" in os.fspath(path):
        raise OSError(errno.EINVAL, "it is no file name: it holds a NUL", str(path))
    return path


def _check_regular(path: Name, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
