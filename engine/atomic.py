"""Files of ours that are there whole or not at all: written beside, forced to the disk, renamed.

`step` is told before each thing that a kill could come between, so that tests may kill there.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from tengen.engine import files

Step = Callable[[str], None]


def no_step(name: str) -> None:
    """Nobody watches."""


def write(path: Path, data: bytes | str, step: Step = no_step) -> None:
    """Write a file, or leave the old one as it is; text as UTF-8. Raises OSError, which names the file."""
    draft = path.with_name(path.name + ".new")
    step(f"write {path.name}")
    try:
        with files.writing(path):
            with open(draft, "wb") as file:
                file.write(data.encode("utf-8") if isinstance(data, str) else data)
                step(f"sync {path.name}")
                file.flush()
                os.fsync(file.fileno())
            move(draft, path, step)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()  # a full disk gets its room back
        raise


def move(draft: Path, path: Path, step: Step = no_step) -> None:
    """Give a file that is on the disk its name. Both are on one disk. Raises OSError."""
    step(f"rename {path.name}")
    with files.writing(path):
        os.replace(draft, path)
        step(f"sync folder of {path.name}")
        sync_folder(path.parent)


def sync(path: Path) -> None:
    """Force a file that another writer has written to the disk."""
    with files.writing(path), open(path, "rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Force names to the disk, where the system can."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def digest(path: Path) -> str:
    """SHA-256 of a file of ours. Raises OSError."""
    import hashlib  # loads OpenSSL

    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
