"""What the files of a folder were asked for: one question, and how much of each file.

A file is done where this question was asked and no less of it. Another question in the same folder is refused, so that
nobody learns from games that are half by one network and half by another. `asked.json` holds both.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tengen.engine import atomic, files
from tengen.engine.config import ConfigError
from tengen.engine.sentence import excerpt_of

NAME = "asked.json"
LARGEST = 1 << 28
FORMAT = 1
WHOLE = 10**9
"""More than is ever asked of a file: what an older version wrote is taken as it is."""
_SHOWN = 60
_HASH = 64


class Asked:
    """What was asked for in a folder, by whoever holds its lock. question: by name, what decides what is in the files:
    settings, and of files their SHA-256."""

    def __init__(self, folder: Path, question: Mapping[str, Any]) -> None:
        """Raises ConfigError for a folder of another question, OSError."""
        self._folder, self._question = folder, json.loads(json.dumps(question))
        self._done: dict[str, int] = {}
        path = folder / NAME
        self.is_older = False
        """Whether there are files that a version before this one wrote: it did not keep what was asked."""
        if not path.exists():
            self._done = {path.name: WHOLE for path in folder.glob("*.npz")}
            self.is_older = bool(self._done)
            return
        before, self._done = _read(path)
        for name in sorted({*before, *self._question}):
            if before.get(name) != self._question.get(name):
                was, now = (_shown(table.get(name)) for table in (before, self._question))
                what = f"'{folder}' holds what another question was answered by ({name} was {was}, not {now})"
                raise ConfigError(f"{what}: choose another --out")

    def is_done(self, path: Path, count: int) -> bool:
        """Whether a file of the folder has all that is asked of it. count: games, or whatever it has many of."""
        return path.exists() and self._done.get(path.name, -1) >= count

    def keep(self, path: Path | None = None, count: int = 0) -> None:
        """Write down the question; and that a file is there of which so much was asked. Raises OSError."""
        if path is not None:
            self._done[path.name] = count
        table = {"format": FORMAT, "question": self._question, "files": self._done}
        atomic.write(self._folder / NAME, json.dumps(table, indent=1) + "\n")


def question_of(folder: Path) -> Mapping[str, Any]:
    """What was asked for in a folder; nothing where that was not kept. Raises ConfigError, OSError."""
    path = folder / NAME
    return _read(path)[0] if path.exists() else {}


def older_line(folder: Path) -> str:
    """What is told of a folder whose files an older version wrote."""
    why = f"was begun by an older tengen, which kept no {NAME}"
    return f"'{folder}' {why}: its files are taken for answers to this command"


def _read(path: Path) -> tuple[Mapping[str, Any], dict[str, int]]:
    try:
        table = json.loads(files.read(path, LARGEST))
        question, done = table["question"], table["files"]
        if table["format"] != FORMAT or not isinstance(question, dict):
            raise ValueError
        return question, {str(name): int(count) for name, count in done.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        advice = "remove it to take the files beside it as they are"
        raise ConfigError(f"'{path}' is not what tengen wrote: {advice}") from None


def _shown(value: Any) -> str:
    """A value of a question; of a hash its beginning."""
    if isinstance(value, str) and len(value) == _HASH:
        return f"{value[:12]}..."
    return "unset" if value is None else excerpt_of(value, _SHOWN)
