"""A cluster that is made up: units are done in this process by what other machines do them with."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from tengen.tools.executors import node
from tengen.tools.executors.base import Unit, Work
from tengen.tools.executors.machines import Lost, Machine


class MadeUpWire:
    """Implements `Wire`: units are done when somebody waits; losses: how often each is lost before it is done."""

    def __init__(self, cores: Sequence[int] = (2, 2), losses: Mapping[str, int] | None = None) -> None:
        self.cores, self.losses = list(cores), dict(losses or {})
        self.sent: list[str] = []
        self.held: list[bytes] = []
        self.fetched: list[str] = []
        self.jobs: dict[Hashable, tuple[Work, Unit, Mapping[str, Any]]] = {}
        self.is_closed, self.wanted = False, node.release()

    def machines(self) -> list[Machine]:
        return [Machine(f"m{number}", cores) for number, cores in enumerate(self.cores)]

    def hold(self, data: bytes) -> bytes:
        self.held.append(data)
        return data

    def send(self, work: Work, unit: Unit, files: Mapping[str, Any]) -> Hashable:
        self.sent.append(unit.name)
        job = len(self.sent)
        self.jobs[job] = work, unit, files
        return job

    def wait(self, jobs: Sequence[Hashable], seconds: float) -> list[Hashable]:
        return list(jobs) if any(self.cores) else []

    def fetch(self, job: Hashable) -> node.Delivery:
        work, unit, files = self.jobs.pop(job)
        if self.losses.get(unit.name, 0):
            self.losses[unit.name] -= 1
            raise Lost("its machine is dead")

        def fetch(sha256: str) -> bytes:
            self.fetched.append(sha256)
            return bytes(files[sha256])

        return node.do(work, unit, fetch, self.wanted)

    def close(self) -> None:
        self.is_closed = True
