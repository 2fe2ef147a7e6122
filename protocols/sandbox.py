"""Files whose names arrive by protocol: only regular files below one folder, of bounded size.

Every path is resolved, symbolic links included, before it is compared with the folder.
"""

from __future__ import annotations

import os
from pathlib import Path

from tengen.engine import files

MAX_BYTES = 16 << 20


class FileRefused(ValueError):
    """The name is not acceptable; the message is the reason in one clause."""


class Sandbox:
    """The folder that a protocol may read and write (`--file-root`)."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = Path(os.path.realpath(root))

    def path(self, name: str) -> Path:
        """Resolve `name`, relative to the root or absolute. Raises FileRefused when it leads out of the root."""
        try:
            path = Path(os.path.realpath(self.root / name))
        except (OSError, ValueError) as error:
            raise FileRefused("not a file name") from error
        if not name or (os.name == "nt" and _is_device(name)):
            raise FileRefused("not a file name")
        if path == self.root or self.root not in path.parents:
            raise FileRefused("the file is outside the folder given by --file-root")
        return path

    def read(self, name: str) -> bytes:
        """The content of a regular file of at most MAX_BYTES. Raises FileRefused, OSError."""
        return files.read(self.path(name), MAX_BYTES)

    def write(self, name: str, data: bytes, suffixes: tuple[str, ...]) -> None:
        """Write a file whose name ends like one of `suffixes`; an existing one is replaced.

        Raises FileRefused, OSError.
        """
        path = self.path(name)
        if path.exists() and (not path.is_file() or path.suffix.lower() not in suffixes):
            raise FileRefused(f"it exists and is no {' or '.join(suffixes)} file")
        if path.suffix.lower() not in suffixes:
            raise FileRefused(f"its name does not end in {' or '.join(suffixes)}")
        files.write(path, data)


def _is_device(name: str) -> bool:
    """Windows: names that are devices in every folder, and alternate streams."""
    stem = Path(name).name.split(".")[0].rstrip().upper()
    return stem in {"CON", "PRN", "AUX", "NUL"} or stem[:3] in {"COM", "LPT"} or ":" in name[2:]
