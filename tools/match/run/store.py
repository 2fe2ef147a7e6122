"""The folder of a run: its settings, every game as it ends, and a lock against a second writer.

    run.toml       the run as it was first asked for; it only grows (more games, more engines)
    openings.jsonl the openings in the order of the rounds, as the games were played with
    games.jsonl    one GameResult a line, on the disk before the next game is counted; void games too
    games/         the same games in their own formats      logs/   what the engines wrote to stderr
    lock           held while somebody writes; the kernel lets go of it when the writer dies

A writer that was killed leaves at most a torn last line, which the next one cuts off and readers pass over.
"""

from __future__ import annotations

import contextlib
import json
import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from tengen.engine import atomic, files, toml
from tengen.engine import games as known
from tengen.tools.locking import Lock
from tengen.tools.match import notation
from tengen.tools.match.run.machine import Session
from tengen.tools.match.spec import FAULTS, GameResult, Opening, Reason

RUN, OPENINGS, GAMES, LOCK, FILES, LOGS = "run.toml", "openings.jsonl", "games.jsonl", "lock", "games", "logs"
SESSIONS = "sessions.jsonl"
GROWING = ("games", "engine")
"""Keys of run.toml that a later run may raise or lengthen."""
LARGEST, LARGEST_RUN = 1 << 30, 16 << 20
"""Bytes that are read of a file of a run, and of run.toml."""
FREE = ("concurrency", "json", "strict")
"""Keys that a later run may change: they decide how the games are played, not which."""


class StoreError(ValueError):
    """A folder that cannot be used; the message is one sentence."""


class Store:
    """One run folder, open for writing. Use as a context manager; `results` are the games of earlier runs."""

    def __init__(self, folder: str | Path, table: Mapping[str, Any]) -> None:
        """Create the folder or open it again. Raises StoreError when another writer has it, or when it holds a
        different run; OSError."""
        self.folder = Path(folder)
        _check_free(self.folder)
        for part in (self.folder, self.folder / FILES, self.folder / LOGS):
            with files.writing(part):
                part.mkdir(parents=True, exist_ok=True)
        self._lock = _take(self.folder)
        self._file: BinaryIO | None = None
        try:
            self.table = _frozen(self.folder, table)
            self.results = read(self.folder)
            self._file = _open_whole(self.folder / GAMES)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folder."""
        if self._file is not None:
            with contextlib.suppress(OSError):  # what could not be written was told when it was
                self._file.close()
            self._file = None
        self._lock.close()

    def add(self, result: GameResult) -> None:
        """Append a game; it is on the disk when this returns. Raises OSError."""
        assert self._file is not None, "the store is closed"
        line = json.dumps(result.to_json(), ensure_ascii=False, separators=(",", ":")) + "\n"
        with files.writing(self.folder / GAMES):
            self._file.write(line.encode("utf-8", "replace"))
            self._file.flush()
            os.fsync(self._file.fileno())
        self.results.append(result)

    def begin(self, session: Session) -> None:
        """Keep when and on what machine games are played from now on. Raises OSError."""
        path = self.folder / SESSIONS
        with files.writing(path), open(path, "a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(session.to_json(), ensure_ascii=False) + "\n")

    def freeze(self, openings: Sequence[Opening]) -> None:
        """Keep the openings; a run that grows may add some. Raises StoreError when earlier ones have changed."""
        before = read_openings(self.folder)
        if list(openings[: len(before)]) != before[: len(openings)]:
            raise StoreError(f"the openings are not those that the games in '{self.folder}' began with")
        if len(openings) > len(before):
            rows = ({"name": row.name, "moves": row.moves, "position": row.position} for row in openings)
            text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            atomic.write(self.folder / OPENINGS, text.encode())


@dataclass
class Counted:
    """The games that count, and what does not; takes one result after the other.

    duplicates: games of the same players, colours, opening and moves as an earlier one. Games that ended by a fault are
    no duplicates: a crash that happens twice happened twice. void: results that were nobody's.
    """

    games: list[GameResult] = field(default_factory=list)
    duplicates: list[GameResult] = field(default_factory=list)
    void: int = 0
    _ids: set[str] = field(default_factory=set)
    _seen: set[tuple[str, str, str]] = field(default_factory=set)

    def add(self, result: GameResult) -> bool:
        """Sort a result in. Whether it counts; a replay of a recorded game does not."""
        if result.reason is Reason.VOID or result.id in self._ids:
            self.void += result.reason is Reason.VOID
            return False
        self._ids.add(result.id)
        key = (result.first, result.second, result.hash)
        if result.hash and result.reason not in FAULTS:
            if key in self._seen:
                self.duplicates.append(result)
                return False
            self._seen.add(key)
        self.games.append(result)
        return True

    def has(self, game: str) -> bool:
        """Whether the game of this id is recorded."""
        return game in self._ids


def read(folder: str | Path) -> list[GameResult]:
    """All whole lines of games.jsonl, in order; none when there is no such file. Raises StoreError naming the line."""
    path = Path(folder) / GAMES
    if not path.exists():
        return []
    data = files.read(path, LARGEST)
    lines = data[: data.rfind(b"\n") + 1].split(b"\n")[:-1]
    results = []
    for number, line in enumerate(lines, 1):
        try:
            results.append(GameResult.from_json(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise StoreError(f"line {number} of '{path}' is no game: {type(error).__name__} {error}") from None
    return [notation.renewed(row) for row in results] if _has_own_letters(Path(folder)) else results


def read_openings(folder: str | Path) -> list[Opening]:
    """The openings of a run, by round: round n has number (n - 1) modulo their count. Raises StoreError."""
    path = Path(folder) / OPENINGS
    if not path.exists():
        return []
    try:
        rows = [json.loads(line) for line in files.read(path, LARGEST).split(b"\n") if line]
        found = [Opening(row["name"], tuple(row["moves"]), row["position"]) for row in rows]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"cannot read '{path}': {files.reason(error)}") from None
    return [notation.renewed_opening(row) for row in found] if _has_own_letters(Path(folder)) else found


def read_sessions(folder: str | Path) -> list[Session]:
    """Read the times and machines of the games, as far as they were kept."""
    found: list[Session] = []
    with contextlib.suppress(OSError, ValueError):
        for line in files.read(Path(folder) / SESSIONS, LARGEST).split(b"\n"):
            with contextlib.suppress(ValueError, KeyError, TypeError):
                found.append(Session.from_json(json.loads(line)))
    return found


def _has_own_letters(folder: Path) -> bool:
    if not (folder / RUN).exists():
        return False
    game = read_table(folder).get("game")
    return game in known.GAMES and notation.has_own_letters(game)


def read_table(folder: str | Path) -> dict[str, Any]:
    """Return the content of run.toml. Raises StoreError."""
    path = Path(folder) / RUN
    try:
        return toml.read(path, LARGEST_RUN)
    except FileNotFoundError:
        raise StoreError(f"'{folder}' is no folder of a match: it has no {RUN}") from None
    except (OSError, ValueError) as error:
        raise StoreError(f"cannot read '{path}': {files.reason(error)}") from None


def counted(results: Iterable[GameResult]) -> Counted:
    """Sort all results of a run."""
    found = Counted()
    for result in results:
        found.add(result)
    return found


def _take(folder: Path) -> Lock:
    """Lock the folder for this process. Raises StoreError when another one has it, OSError."""
    return Lock(folder / LOCK, f"another process is running the match in '{folder}'{{who}}", StoreError)


def _frozen(folder: Path, table: Mapping[str, Any]) -> dict[str, Any]:
    """Write run.toml, or check that it asks for the same games, and let it grow. Raises StoreError."""
    path = folder / RUN
    wanted = tomllib.loads(toml.dumps(table))
    if path.exists():
        before = read_table(folder)
        _check_same(folder, before, wanted)
        wanted["engine"] = _engines(folder, before.get("engine", []), wanted.get("engine", []))
        if before.get("games", 0) > wanted.get("games", 0):
            wanted["games"] = before["games"]
        if wanted == before:
            return wanted
    elif (folder / GAMES).exists() and (folder / GAMES).stat().st_size:
        raise StoreError(f"'{folder}' holds games but no {RUN}: choose another folder")
    atomic.write(path, toml.dumps(wanted).encode())
    return wanted


def _check_free(folder: Path) -> None:
    """Raises StoreError when a folder that is no run's holds what a run would write over."""
    if (folder / RUN).exists():
        return
    for name in (OPENINGS, SESSIONS, FILES, LOGS, "report.html", "crosstable.csv"):
        part = folder / name
        if part.is_file() or (part.is_dir() and any(part.iterdir())):
            raise StoreError(f"'{folder}' holds '{name}' but no {RUN}: choose another folder")


def _check_same(folder: Path, before: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    for key in sorted({*before, *wanted} - {*GROWING, *FREE}):
        if before.get(key) != wanted.get(key):
            raise StoreError(
                f"'{folder}' holds another match ({key} is {before.get(key)!r}, not {wanted.get(key)!r}): "
                "choose another --out"
            )


def _engines(folder: Path, before: Sequence[dict[str, Any]], wanted: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The folder's engines, then the new ones; their order decides the numbers of the games. Raises StoreError."""
    known = {row["name"]: row for row in before}
    for row in wanted:
        if known.get(row["name"], row) != row:
            raise StoreError(f"'{folder}' holds another match (engine '{row['name']}' differs): choose another --out")
    return [*before, *(row for row in wanted if row["name"] not in known)]


def _open_whole(path: Path) -> BinaryIO:
    """Open for appending, without a torn last line."""
    with files.writing(path):
        file = open(path, "ab+")
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
    return file
