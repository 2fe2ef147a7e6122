"""The folder of an examined engine, and the files that it wrote outside of it."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path


class Scratch:
    """A folder for the engine inside two more, in which only a fault writes."""

    def __init__(self) -> None:
        self.top = Path(tempfile.mkdtemp(prefix="compliance-")).resolve()
        self.inside = self.top / "outer" / "engine"
        self.inside.mkdir(parents=True)
        self._known = self._outside()

    def _outside(self) -> dict[Path, tuple[int, int]]:
        found = {}
        for folder, folders, files in os.walk(self.top):
            if Path(folder) == self.inside:
                folders.clear()
                continue
            for name in files:
                path = Path(folder) / name
                status = path.lstat()
                found[path] = (status.st_size, status.st_mtime_ns)
        return found

    def put(self, path: str, data: bytes) -> None:
        """Write a file, its path seen from the engine's folder, before the engine is asked about it."""
        (self.inside / path).write_bytes(data)
        self._known = self._outside()

    def escaped(self) -> list[str]:
        """Files outside the engine's folder, seen from it, that are new or changed since the last call."""
        now = self._outside()
        differing = [path for path, status in now.items() if self._known.get(path) != status]
        changed = [os.path.relpath(path, self.inside) for path in differing]
        changed += [os.path.relpath(path, self.inside) for path in self._known if path not in now]
        self._known = now
        return sorted(changed)

    def remove(self) -> None:
        """Delete all of it."""
        shutil.rmtree(self.top, ignore_errors=True)
