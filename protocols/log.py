"""A copy of the conversation in a file (`--log`), which must never hold up or spoil the conversation itself."""

from __future__ import annotations

import os
import stat
from types import TracebackType

from tengen.engine import files


class Log:
    """Appends marked lines, each at once. Use as a context manager."""

    def __init__(self, path: str) -> None:
        """Raises OSError when it cannot be written: also a pipe without a reader, and the protocol's own output."""
        self._descriptor = files.open_to_write(path, is_appended=True)
        if _is_output(self._descriptor):
            os.close(self._descriptor)
            raise OSError(None, "it is the protocol's own output", path)

    def __enter__(self) -> Log:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)

    def note(self, mark: str, text: str) -> None:
        """Append the lines of a text. From any thread. Raises OSError, also where a pipe's reader does not keep up."""
        lines = text.splitlines() or [""]
        data = memoryview("".join(f"{mark} {line}\n" for line in lines).encode("utf-8", "replace"))
        while data:
            data = data[os.write(self._descriptor, data) :]


def _is_output(descriptor: int) -> bool:
    """Whether what is written there arrives with the protocol's reader: the same pipe, socket or file, no terminal."""
    try:
        own, output = os.fstat(descriptor), os.fstat(1)
    except OSError:  # started without stdout
        return False
    return os.path.samestat(own, output) and not stat.S_ISCHR(own.st_mode)
