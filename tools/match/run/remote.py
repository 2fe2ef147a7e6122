"""Pairs of games on other machines: a pair is a unit of work, its games come back as lines of JSON.

Every machine makes the engines of the run's table anew, so that our own players are those of its own Python; a command
must be there under the same name. Networks that are named as files are sent.
"""

from __future__ import annotations

import asyncio
import json
import platform
import tempfile
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from tengen.tools.executors import base
from tengen.tools.executors.machines import Machines, Wire
from tengen.tools.match.game.referee import play_game
from tengen.tools.match.run.machine import Session
from tengen.tools.match.run.seats import Seats
from tengen.tools.match.run.store import Store
from tengen.tools.match.run.units import Event, Unit
from tengen.tools.match.settings.engine import full, networks, over, threads_of
from tengen.tools.match.settings.table import RunSpec, run_spec
from tengen.tools.match.spec import GameResult, GameTask, Opening, Reason

POLL = 0.5
"""Seconds that results are waited for before somebody may end the run."""


class Pairs:
    """Implements `Hands` over a cluster. Machines that play are kept beside the games, each once."""

    def __init__(self, wire: Wire, store: Store, spec: RunSpec, limit: int) -> None:
        """limit: pairs at a time, 0 for as many as there are cores. Raises ConfigError for engines that are not the
        same on all machines, WorkError for those that no machine has the cores for."""
        self._store, self._table = store, store.table
        self._files = files_of(store.table)
        self._cores = max(map(threads_of, spec.engines))
        self._executor = Machines(wire, play_pair, limit)
        if not any(machine.cores >= self._cores for machine in wire.machines()):
            raise base.WorkError(f"no machine of the cluster has the {self._cores} cores that an engine searches with")
        self._limit = limit
        self._collected = base.Collected(self._executor, set())
        self._units: dict[str, Unit] = {}
        self._events: deque[Event] = deque()
        self._machines: set[str] = set()
        self._scratch = tempfile.TemporaryDirectory(prefix="tengen-match-")
        self._polling: asyncio.Future[list[base.Result]] | None = None

    @property
    def count(self) -> int:
        """Pairs at a time."""
        return self._limit or max(1, self._executor.workers // self._cores)

    def submit(self, unit: Unit) -> None:
        name = f"{unit.number:06}-{len(self._units)}"  # a game that was void comes again
        self._units[name] = unit
        facts = {"table": self._table, "tasks": [asdict(task) for task in unit.tasks]}
        draft = Path(self._scratch.name) / f"{name}.jsonl"
        self._collected.submit(base.Unit(name, "pair", facts, str(draft), self._files, self._cores))

    async def next(self) -> Event:
        """The next game, or the end of a pair. Raises WorkError."""
        while not self._events:
            loop = asyncio.get_running_loop()
            self._polling = loop.run_in_executor(None, partial(self._collected.poll, POLL))
            for result in await asyncio.shield(self._polling):
                self._take(result)
        return self._events.popleft()

    async def close(self) -> None:
        if self._polling is not None:
            await asyncio.wait([self._polling])  # it must not ask a cluster that is gone
        self._executor.close()
        self._scratch.cleanup()

    def _take(self, result: base.Result) -> None:
        unit, path = self._units[result.unit.name], Path(result.path)
        session = Session.from_json(result.figures["session"])
        if session.machine not in self._machines:
            self._machines.add(session.machine)
            self._store.begin(session)
        rows = [GameResult.from_json(json.loads(line)) for line in path.read_text("utf-8").splitlines()]
        self._events += [*(Event(unit, row) for row in rows), Event(unit, None)]
        path.unlink()


def files_of(table: Mapping[str, Any]) -> dict[str, str]:
    """The networks that the engines of a table play by. Raises ConfigError, OSError."""
    each = full(table.get("each", {}))
    rows = (*table.get("engine", ()), *filter(None, [table.get("arbiter")]))
    return networks(*(over(each, full(row)).get("net") for row in rows))


def play_pair(unit: base.Unit) -> Mapping[str, Any]:
    """Games of a pair, in the order of their tasks; figures: the machine. Runs in the process of a worker."""
    spec = run_spec(unit.facts["table"])
    results = asyncio.run(_play(spec, [_task(row) for row in unit.facts["tasks"]]))
    lines = [json.dumps(result.to_json(), ensure_ascii=False) + "\n" for result in results]
    Path(unit.draft).write_text("".join(lines), "utf-8")
    return {"session": Session.now().to_json()}


async def _play(spec: RunSpec, tasks: Sequence[GameTask]) -> list[GameResult]:
    seats, time = Seats(spec, None), (spec.time, spec.time)
    try:
        found = []
        for task in tasks:
            first, second, arbiter = await seats.take(0, (task.first, task.second))
            found.append(await play_game(task, spec.game, first, second, time, arbiter=arbiter))
        return list(_placed(found))
    finally:
        await seats.clear(0)


def _placed(results: Iterable[GameResult]) -> Iterable[GameResult]:
    """What was nobody's fault may be the machine's, so that its name is told."""
    for result in results:
        is_void = result.reason is Reason.VOID
        yield replace(result, detail=f"on {platform.node()}: {result.detail}") if is_void else result


def _task(row: Mapping[str, Any]) -> GameTask:
    opening = row["opening"]
    return GameTask(**{**row, "opening": Opening(opening["name"], tuple(opening["moves"]), opening["position"])})
