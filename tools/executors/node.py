"""The work of another machine: it has the same Tengen, fetches the files that a unit names, does it and hands back
bytes.

Files are kept in the user's folder of data by what is in them, so that a network is fetched once for a machine and not
once for a unit; the newest few stay.
"""

from __future__ import annotations

import hashlib
import os
import platform
import secrets
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tengen.engine import atomic
from tengen.engine.evaluators.katago.finding import data_folder
from tengen.engine.version import __version__
from tengen.tools.executors.base import Unit, Work, perform

PARTS = ("engine", "nets", "protocols", "tools")
KEPT = 16
"""Folders of files that a machine keeps."""

Fetch = Callable[[str], bytes]
"""The bytes of a file, by its SHA-256."""


@dataclass(frozen=True)
class Release:
    """The release of Tengen on a machine. sources: hash of the Python files of a wheel; checkouts of one version may
    differ."""

    version: str
    sources: str

    def __str__(self) -> str:
        return f"{self.version} ({self.sources[:8]})"


@dataclass(frozen=True)
class Delivery:
    """The result of a unit on another machine: `Result` without the unit, and the bytes of its file."""

    machine: str
    data: bytes = b""
    sha256: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""


@cache
def release() -> Release:
    """Return the release of this process."""
    found = hashlib.sha256()
    for part in PARTS:
        spec = find_spec(f"tengen.{part}")
        assert spec is not None and spec.origin is not None
        root = Path(spec.origin).parent
        for path in sorted(path for path in root.rglob("*.py") if not path.is_relative_to(root / "lab")):
            found.update(f"{part}/{path.relative_to(root).as_posix()}\n".encode() + path.read_bytes())
    return Release(__version__, found.hexdigest())


def do(work: Work, unit: Unit, fetch: Fetch, wanted: Release) -> Delivery:
    """Do a unit whose driver has that release."""
    machine = platform.node()
    if (mine := release()) != wanted:
        return Delivery(machine, error=differs(machine, mine, wanted))
    with tempfile.TemporaryDirectory(prefix="tengen-unit-") as scratch:
        try:
            here = relocated(unit.facts, places(unit.files, fetch, cache_folder()))
        except OSError as error:
            return Delivery(machine, error=f"{machine}: {error}")
        draft = Path(scratch) / Path(unit.draft).name
        result = perform(work, replace(unit, facts=here, draft=str(draft), files={}))
        if result.error:
            return Delivery(machine, error=f"{machine}: {result.error}")
        return Delivery(machine, draft.read_bytes(), result.sha256, result.figures)


def differs(machine: str, theirs: Release, ours: Release) -> str:
    """Return the sentence about a machine with another Tengen."""
    return f"{machine} has tengen {theirs}, this machine {ours}: install the same on both"


def cache_folder() -> Path:
    """Return the folder in which this machine keeps files."""
    return data_folder(Path.home(), os.environ) / "cluster"


def places(files: Mapping[str, str], fetch: Fetch, kept: Path) -> dict[str, str]:
    """Return the places of the files on this machine, by the driver's names. Files of one folder lie in one folder
    here, too, so that a network finds its card. Raises OSError."""
    folders: dict[Path, list[str]] = {}
    for name in sorted(files):
        folders.setdefault(Path(name).parent, []).append(name)
    found: dict[str, str] = {}
    for names in folders.values():
        label = hashlib.sha256("".join(f"{files[name]} {Path(name).name}\n" for name in names).encode()).hexdigest()
        for name in names:
            path = kept / label / Path(name).name
            _place(path, files[name], fetch)
            found[name] = str(path)
        os.utime(kept / label)
    if found:
        _prune(kept)
    return found


def _place(path: Path, sha256: str, fetch: Fetch) -> None:
    """Have a file; another process of this machine may be at it, too."""
    if path.is_file() and atomic.digest(path) == sha256:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{secrets.token_hex(8)}")
    draft.write_bytes(fetch(sha256))
    if atomic.digest(draft) != sha256:
        draft.unlink()
        raise OSError(f"the file '{path.name}' came damaged")
    os.replace(draft, path)


def _prune(kept: Path) -> None:
    """Leave the folders that were used last."""
    folders = sorted(kept.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)


def relocated(value: Any, names: Mapping[str, str]) -> Any:
    """Plain values with some texts replaced by others."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, Mapping):
        return {key: relocated(one, names) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [relocated(one, names) for one in value]
    return value
