"""Units done by other machines, over any wire: send their files, write their results, repeat lost units.

What a unit needs and what comes of it travel as bytes, so that the machines share no folder. The driver writes the
bytes of a result to the unit's draft; whoever counts it compares them with the SHA-256 of the machine that made them.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tengen.engine import atomic
from tengen.tools.executors.base import Result, Unit, Work, WorkError
from tengen.tools.executors.node import Delivery

ATTEMPTS = 5
"""The tries of a unit whose machine or process was lost: machines that are lent go more often than processes."""
PATIENCE = 60.0
"""Seconds without any machine before the driver gives up."""
BLOBS = 8
"""Files that are held ready for machines; one that is asked for again later is read again."""


class Lost(Exception):
    """The process or the machine of a unit is lost; the message says which."""


@dataclass(frozen=True)
class Machine:
    """One of a cluster."""

    name: str
    cores: int


class Wire(Protocol):
    """The way to the machines of a cluster."""

    def machines(self) -> list[Machine]:
        """Those that can be reached now."""

    def hold(self, data: bytes) -> Any:
        """Keep bytes ready for any machine; return the value for `send`."""

    def send(self, work: Work, unit: Unit, files: Mapping[str, Any]) -> Hashable:
        """Have a unit done somewhere. files: what `hold` gave, by SHA-256."""

    def wait(self, jobs: Sequence[Hashable], seconds: float) -> list[Hashable]:
        """Those of the jobs that ended, well or not; waits so long for the first one."""

    def fetch(self, job: Hashable) -> Delivery:
        """Return the result of a job that has ended. Raises Lost."""

    def close(self) -> None:
        """Leave the cluster; running work ends."""


class Machines:
    """An executor: units on all machines of a cluster, also on those that join later. limit: units at a time, 0 for as
    many as there are cores."""

    def __init__(self, wire: Wire, work: Work, limit: int = 0) -> None:
        self._wire, self._work, self._limit = wire, work, limit
        self._waiting: deque[Unit] = deque()
        self._jobs: dict[Hashable, Unit] = {}
        self._losses: dict[str, int] = {}
        self._held: OrderedDict[str, Any] = OrderedDict()
        self._seen = time.monotonic()

    @property
    def workers(self) -> int:
        cores = sum(machine.cores for machine in self._wire.machines())
        return max(1, min(cores, self._limit or cores))

    @property
    def pending(self) -> int:
        return len(self._jobs) + len(self._waiting)

    def submit(self, unit: Unit) -> None:
        self._waiting.append(unit)
        self._send()

    def poll(self, seconds: float) -> list[Result]:
        """Raises WorkError when no machine is left."""
        if not self._jobs:
            time.sleep(min(seconds, 0.05))
            return []
        done = self._wire.wait(list(self._jobs), seconds)
        if not done:
            self._check_somebody()
        found = [result for job in done if (result := self._result(job)) is not None]
        self._send()
        return found

    def close(self) -> None:
        self._waiting.clear()
        self._jobs.clear()
        self._wire.close()

    def _send(self) -> None:
        while self._waiting and not (self._limit and len(self._jobs) >= self._limit):
            unit = self._waiting.popleft()
            files = {sha256: self._hold(path, sha256) for path, sha256 in unit.files.items()}
            self._jobs[self._wire.send(self._work, unit, files)] = unit

    def _hold(self, path: str, sha256: str) -> Any:
        """A file, held ready."""
        if sha256 not in self._held:
            self._held[sha256] = self._wire.hold(Path(path).read_bytes())
            if len(self._held) > BLOBS:
                self._held.popitem(last=False)
        self._held.move_to_end(sha256)
        return self._held[sha256]

    def _result(self, job: Hashable) -> Result | None:
        """What came of it; nothing yet where it was lost and is tried again."""
        unit = self._jobs.pop(job)
        try:
            delivery = self._wire.fetch(job)
        except Lost as lost:
            return self._again(unit, str(lost))
        if delivery.error:
            return Result(unit, error=delivery.error)
        path = Path(unit.draft)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(delivery.data)
        atomic.sync(path)
        return Result(unit, unit.draft, delivery.sha256, delivery.figures)

    def _again(self, unit: Unit, why: str) -> Result | None:
        self._losses[unit.name] = self._losses.get(unit.name, 0) + 1
        if self._losses[unit.name] >= ATTEMPTS:
            return Result(unit, error=f"the unit {unit.name} was lost {ATTEMPTS} times, the last time because {why}")
        self._waiting.appendleft(unit)
        return None

    def _check_somebody(self) -> None:
        now = time.monotonic()
        if any(machine.cores for machine in self._wire.machines()):
            self._seen = now
        elif now - self._seen > PATIENCE:
            raise WorkError("no machine of the cluster is left to work: start one, and the same command goes on")
