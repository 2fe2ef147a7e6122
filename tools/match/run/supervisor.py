"""Runs a match: hands out pairs, records every game, replays void ones, stops when the test or the schedule is done.

Nothing is kept in memory only: a supervisor that is killed goes on from the folder with what was in progress.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from enum import Enum
from typing import Protocol

from tengen.tools.jobs import Slots
from tengen.tools.match.drivers.base import Driver
from tengen.tools.match.run import files
from tengen.tools.match.run.seats import Seats
from tengen.tools.match.run.standing import Standing, standing
from tengen.tools.match.run.store import FILES as GAME_FILES
from tengen.tools.match.run.store import LOGS, Store
from tengen.tools.match.run.units import Hands, Unit, game_by_game
from tengen.tools.match.settings.schedule import pairs
from tengen.tools.match.settings.table import RunSpec
from tengen.tools.match.spec import GameResult, GameTask, Opening, Reason

MAX_VOID = 2
"""Void results of one game in a row that are played again; one more ends the run."""
Play = Callable[[GameTask, Driver, Driver, Driver | None], Awaitable[GameResult]]
"""Plays one game between two engines, which it starts where they do not run; the third is the arbiter, if any."""


class Ending(Enum):
    """Why a run ended."""

    DONE = "done"
    SPRT = "sprt"
    VOID = "void"
    INTERRUPTED = "interrupted"


class Reporter(Protocol):
    """A listener to the progress of a run."""

    def begin(self, standing: Standing) -> None: ...
    def game(self, result: GameResult, standing: Standing) -> None: ...
    def end(self, ending: Ending, standing: Standing) -> None: ...


class Supervisor:
    """One run of one folder."""

    def __init__(self, spec: RunSpec, store: Store, openings: list[Opening], reporter: Reporter) -> None:
        self.spec = spec
        self.store = store
        self.openings = openings
        self.reporter = reporter
        self.standing = standing(store.results)
        self._void: Counter[str] = Counter()

    async def run(self, slots: Hands) -> Ending:
        """Play the missing games. The hands are closed when this returns or is cancelled."""
        self.reporter.begin(self.standing)
        self._complete()
        try:
            ending = await self._play(slots)
        except asyncio.CancelledError:
            self.reporter.end(Ending.INTERRUPTED, self.standing)
            raise
        finally:
            await slots.close()
        self.reporter.end(ending, self.standing)
        return ending

    def missing(self) -> Iterator[Unit]:
        """The games that are not recorded, pair by pair."""
        done = self.standing.counted
        spec = self.spec
        for pair in pairs(spec.kind, spec.names, spec.rounds, self.openings, spec.seed, spec.seeds):
            tasks = tuple(task for task in pair.tasks if not done.has(task.id))
            if tasks:
                yield Unit(pair.number, tasks)

    async def _play(self, slots: Hands) -> Ending:
        if self._is_decided():
            return Ending.SPRT
        waiting = self.missing()
        running = 0
        while True:
            while running < slots.count and (unit := next(waiting, None)) is not None:
                slots.submit(unit)
                running += 1
            if running == 0:
                return Ending.DONE
            event = await slots.next()
            if event.result is None:
                running -= 1
                continue
            again = await self._record(event.unit, event.result)
            if again is not None:
                if self._void[event.result.id] > MAX_VOID:
                    return Ending.VOID
                slots.submit(again)
                running += 1
            elif self._is_decided():
                return Ending.SPRT

    async def _record(self, unit: Unit, result: GameResult) -> Unit | None:
        """Put a game on the disk, then count it. What has to be played again, if it was void."""
        task = next(task for task in unit.tasks if task.id == result.id)
        await asyncio.to_thread(self._write, result, task.opening)  # a slow disk must not delay the clocks
        self.standing.add(result)
        self.reporter.game(result, self.standing)
        if result.reason is not Reason.VOID:
            self._void.pop(result.id, None)
            return None
        self._void[result.id] += 1
        return Unit(unit.number, (task,))

    def _write(self, result: GameResult, opening: Opening) -> None:
        self.store.add(result)
        if result.reason is not Reason.VOID:
            self._write_file(result, opening)

    def _complete(self) -> None:
        """Write the files of games that were recorded just before a kill."""
        found = (*self.standing.games, *self.standing.counted.duplicates)
        for result, opening in files.missing(self.store.folder / GAME_FILES, found, self.spec.game, self.openings):
            self._write_file(result, opening)

    def _write_file(self, result: GameResult, opening: Opening) -> None:
        try:
            files.write(self.store.folder / GAME_FILES, result, self.spec.game, opening)
        except ValueError as error:  # a move that is none ended the game; games.jsonl has it
            print(f"{result.id} has no file of its own: {error}", file=sys.stderr)

    def _is_decided(self) -> bool:
        test = self.spec.sprt
        return test is not None and bool(test.verdict(self.standing.score(*self.spec.names).pentanomial))


async def supervise(
    spec: RunSpec, store: Store, openings: list[Opening], reporter: Reporter, play: Play, hands: Hands | None = None
) -> Ending:  # fmt: skip
    """Run a match in this process, or by other hands. SIGINT and SIGTERM end it in order."""
    seats = Seats(spec, store.folder / LOGS)

    async def work(slot: int, task: GameTask) -> GameResult:
        return await play(task, *await seats.take(slot, (task.first, task.second)))

    this = asyncio.current_task()
    assert this is not None
    is_stopped = False

    def stop() -> None:
        nonlocal is_stopped
        if not is_stopped:  # one more would cancel the end of the engines
            is_stopped = True
            this.cancel()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop)
        except (NotImplementedError, RuntimeError):
            pass  # Windows: the interpreter raises KeyboardInterrupt
    slots = hands or Slots(spec.concurrency, game_by_game(work), seats.clear)
    try:
        return await Supervisor(spec, store, openings, reporter).run(slots)
    except asyncio.CancelledError:
        if is_stopped:
            return Ending.INTERRUPTED
        raise
