"""Files that options name: only below the one folder that protocols may use; and the copy of the conversation."""

from __future__ import annotations

import os

from tengen.engine.games.book import SHIPPED
from tengen.engine.options import Option
from tengen.engine.sentence import excerpt
from tengen.protocols.chess.options import AUTO, NONE
from tengen.protocols.chess.values import Refused
from tengen.protocols.log import Log
from tengen.protocols.sandbox import FileRefused, Sandbox
from tengen.protocols.session import Session

LOG_ENDINGS = (".log", ".txt")
"""The endings of existing files that may be written to."""
WORDS = {"EvalFile": (AUTO, NONE), "Book File": (SHIPPED,)}
"""What an option takes beside files."""


def path_of(option: Option, value: str, root: str) -> str:
    """The path, or the folders, that a text option names below `root`. Raises Refused.

    What is no name (nothing, the words of WORDS) stays, as does the default: the command line may name any.
    """
    name = option.name
    if not value or value == option.default:
        return value
    if value.lower() in WORDS.get(name, ()):
        return value.lower()
    box = Sandbox(root)
    try:
        if name == "SyzygyPath":
            return _folders(box, value)
        path = box.path(value)
    except FileRefused as error:
        raise Refused(f"{name}: {error}") from None
    if name != "Debug Log File" and not path.is_file():
        raise Refused(f"{name}: there is no file {excerpt(str(path), 200)}")
    return str(path)


def _folders(box: Sandbox, value: str) -> str:
    folders = [str(box.path(folder)) for folder in value.split(os.pathsep) if folder]
    missing = next((folder for folder in folders if not os.path.isdir(folder)), None)
    if missing is not None:
        raise Refused(f"SyzygyPath: there is no folder {excerpt(missing, 200)}")
    return os.pathsep.join(folders)


class TalkLog:
    """The file of the option Debug Log File."""

    def __init__(self) -> None:
        self._log: Log | None = None

    def open(self, session: Session, path: str) -> None:
        """Copy the conversation to another file, "": to none. Raises Refused."""
        self.close(session)
        if not path:
            return
        if os.path.exists(path) and not path.lower().endswith(LOG_ENDINGS):
            raise Refused(f"Debug Log File: it exists and is no {' or '.join(LOG_ENDINGS)} file")
        try:
            self._log = Log(path)
        except OSError as error:
            raise Refused(f"Debug Log File: {error.strerror}") from None
        session.log_to(self._log)

    def close(self, session: Session) -> None:
        """End the copy."""
        log, self._log = self._log, None
        if log is not None:
            session.log_to(None)
            log.__exit__(None, None, None)
