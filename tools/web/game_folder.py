"""The folder of games: each game of the page is kept there as it goes on, and files that were dropped on the page."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any

from tengen.engine import atomic, records
from tengen.engine.records import Record
from tengen.engine.sentence import printable

MOST_LISTED = 200
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._ -]{0,80}\.(?:sgf|pgn)")


class GameFolder:
    """Files of games in one folder, which is made when the first is written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def new_name(self, game: str) -> str:
        """A name that no file has: date, time and game, without the extension."""
        stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-{game}"
        number, name = 1, stem
        while any((self._folder / (name + end)).exists() for end in (".sgf", ".pgn")):
            number += 1
            name = f"{stem}-{number}"
        return name

    def write(self, name: str, record: Record, extension: str) -> None:
        """Keep a game whole, or leave what was kept before. Raises RecordError, OSError."""
        text = records.dump_all([record], extension[1:])
        self._folder.mkdir(parents=True, exist_ok=True)
        atomic.write(self._folder / (name + extension), text)

    def listed(self) -> list[dict[str, Any]]:
        """The newest games: name, size in bytes, when."""
        try:
            paths = [path for path in self._folder.iterdir() if _NAME.fullmatch(path.name) and path.is_file()]
        except OSError:
            return []
        rows = [(path.stat().st_mtime, path.name) for path in paths]
        return [
            {"name": name, "when": datetime.fromtimestamp(when).isoformat(" ", "minutes")}
            for when, name in sorted(rows, reverse=True)[:MOST_LISTED]
        ]

    def read(self, name: str) -> Record:
        """A game by its name. Raises RecordError, also for a name that is none of the folder's."""
        return records.read(self._path(name))

    def delete(self, name: str) -> None:
        """Delete a game. Raises RecordError, OSError."""
        self._path(name).unlink()

    def _path(self, name: str) -> Path:
        path = self._folder / name
        if not _NAME.fullmatch(name) or not path.is_file():
            raise records.RecordError(f"there is no game '{printable(name, 60)}'")
        return path
