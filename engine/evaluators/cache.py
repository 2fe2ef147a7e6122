"""A cache of computed results: small files in the user's cache folder. Tengen works without them and checks them when
it reads them.

The folder is that of the variable TENGEN_CACHE ("none": nothing is kept), else `~/.cache/tengen` (`$XDG_CACHE_HOME`),
`~/Library/Caches/Tengen`, `%LOCALAPPDATA%\\Tengen\\cache`. What cannot be read or written is as good as not there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from tengen.engine import files

VARIABLE, NONE = "TENGEN_CACHE", "none"
LARGEST_FILE = 1 << 20


def folder(part: str, environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the folder of files of that kind, which need not exist yet; None: nowhere."""
    named = environment.get(VARIABLE, "")
    if named.lower() == NONE:
        return None
    try:
        return (Path(named) if named else _usual(environment)) / part
    except RuntimeError:  # a user without a home
        return None


def read(part: str, name: str) -> bytes | None:
    """Return the data kept by that name, None if it cannot be read."""
    at = folder(part)
    if at is None:
        return None
    with suppress(OSError):
        return files.read(at / name, LARGEST_FILE)
    return None


def keep(part: str, name: str, data: bytes, *, most: int) -> None:
    """Keep it, whole or not at all; of more than `most` bytes of such files the oldest go."""
    at = folder(part)
    if at is None:
        return
    fresh = at / f"{name}.{os.getpid()}"
    with suppress(OSError):
        at.mkdir(parents=True, exist_ok=True)
        fresh.write_bytes(data)
        fresh.replace(at / name)
    with suppress(OSError):
        fresh.unlink(missing_ok=True)
    trim(at, most)


def place(part: str, *, most: int) -> Path | None:
    """Return the folder of that kind for another writer, made now and trimmed; None if it cannot be written."""
    at = folder(part)
    if at is None:
        return None
    try:
        at.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    trim(at, most)
    return at if os.access(at, os.W_OK) else None


def trim(at: Path, most: int) -> None:
    """Take the oldest files away until the others have at most so many bytes."""
    found = []
    with suppress(OSError):
        for entry in os.scandir(at):
            with suppress(OSError):
                if entry.is_file(follow_symlinks=False):
                    facts = entry.stat()
                    found.append((facts.st_mtime, facts.st_size, entry.path))
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total <= most:
            return
        with suppress(OSError):
            os.unlink(path)
            total -= size


def _usual(environment: Mapping[str, str]) -> Path:
    if sys.platform == "win32":
        base = environment.get("LOCALAPPDATA")
        return Path(base, "Tengen", "cache") if base else Path.home() / "AppData" / "Local" / "Tengen" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "Tengen"
    return Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tengen"
