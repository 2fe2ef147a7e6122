"""Executors do units of work: a small interface, so that processes of this machine and other machines are alike to a
run.

A unit is done at least once. What comes of it is a file with its SHA-256, and of results of one unit the first counts:
`Collected` sees to that for any executor. Units take 10 to 60 seconds, so that little is lost with a worker.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tengen.engine import atomic
from tengen.tools.arguments import sentence

ATTEMPTS = 3
"""The tries of a unit whose worker died."""


class WorkError(ValueError):
    """Work that no worker could do; the message is one sentence."""


@dataclass(frozen=True)
class Unit:
    """Work that can be told over a wire. name: unique in its run. kind: what is done. facts: of plain values. draft:
    the file to be written. files: those that the facts name, by path, with their SHA-256; another machine is sent them
    and finds its own paths in place of those. cores: how many it keeps busy."""

    name: str
    kind: str
    facts: Mapping[str, Any]
    draft: str
    files: Mapping[str, str] = field(default_factory=dict)
    cores: int = 1


@dataclass(frozen=True)
class Result:
    """The result of a unit: the file, its SHA-256, and figures about it; or why nothing came of it."""

    unit: Unit
    path: str = ""
    sha256: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""


Work = Callable[[Unit], Mapping[str, Any]]
"""Does a unit in the process of a worker: writes its draft and returns figures. Importable by its name."""


def needed(*names: str | Path) -> dict[str, str]:
    """Return the files for `Unit.files`: files, by the names that facts have, and the cards beside them. Raises
    OSError."""
    cards = [card for name in names if (card := Path(name).with_suffix(".toml")).is_file()]
    return {str(name): atomic.digest(Path(name)) for name in (*names, *cards)}


class Executor(Protocol):
    """Takes units and brings results, in any order, some perhaps twice."""

    @property
    def workers(self) -> int:
        """Units that it does at a time; machines may come and go."""

    @property
    def pending(self) -> int:
        """Units that it has not brought results of."""

    def submit(self, unit: Unit) -> None: ...
    def poll(self, seconds: float) -> list[Result]:
        """Results that are there; waits so long for the first one."""

    def close(self) -> None:
        """End it; running work is lost."""


def perform(work: Work, unit: Unit) -> Result:
    """Do a unit and say what came of it. Runs in the process of a worker."""
    try:
        figures = work(unit)
        path = Path(unit.draft)
        atomic.sync(path)
        return Result(unit, unit.draft, atomic.digest(path), figures)
    except (ValueError, OSError, RuntimeError, ImportError, MemoryError) as error:
        return Result(unit, error=sentence(error) or type(error).__name__)


class Collected:
    """The results of an executor, each unit's once. known: units whose results count already."""

    def __init__(self, executor: Executor, known: set[str]) -> None:
        self.executor = executor
        self._known = set(known)
        self._asked: set[str] = set()

    def submit(self, unit: Unit) -> bool:
        """Ask for a unit, unless it is known or was asked for."""
        if unit.name in self._known or unit.name in self._asked:
            return False
        self._asked.add(unit.name)
        self.executor.submit(unit)
        return True

    def poll(self, seconds: float) -> list[Result]:
        """The new ones. A second result of a unit is thrown away, and so is its file. Raises WorkError for a unit that
        nobody could do and for a file that is not what the worker wrote."""
        found = []
        for result in self.executor.poll(seconds):
            name = result.unit.name
            if name in self._known:
                if result.path:
                    Path(result.path).unlink(missing_ok=True)
                continue
            if result.error:
                raise WorkError(f"a worker failed: {result.error}")
            if atomic.digest(Path(result.path)) != result.sha256:
                raise WorkError(f"the result of the unit {name} came damaged")
            self._known.add(name)
            found.append(result)
        return found
