"""Where games are played: an Executor takes units of work and hands results back as they come.

A unit is the unplayed games of one pair. Units are idempotent: playing one again gives results with the same ids, of
which the first one counts. `LocalExecutor` plays them in this process, whose engines are processes of their own; an
executor for many machines offers the same three methods.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol

from tengen.tools.match.spec import GameResult, GameTask


class Unit(NamedTuple):
    """Games to be played one after the other by the same engines."""

    number: int
    tasks: tuple[GameTask, ...]


class Event(NamedTuple):
    """A game of a unit, or, without one, that all its games are played."""

    unit: Unit
    result: GameResult | None


class Executor(Protocol):
    """slots: units that are worked on at a time."""

    slots: int

    def submit(self, unit: Unit) -> None:
        """Take a unit; it waits until a slot is free."""

    async def next(self) -> Event:
        """The next event. Raises whatever the work raised."""

    async def close(self) -> None:
        """Drop what is not done and end every engine."""


Work = Callable[[int, GameTask], Awaitable[GameResult]]
"""Plays one game in the slot of that number."""


class LocalExecutor:
    """Slots in this process's event loop. close_slot ends the engines of a slot."""

    def __init__(self, slots: int, work: Work, close_slot: Callable[[int], Awaitable[None]]) -> None:
        self.slots = slots
        self._work = work
        self._close_slot = close_slot
        self._waiting: asyncio.Queue[Unit] = asyncio.Queue()
        self._events: asyncio.Queue[Event | BaseException] = asyncio.Queue()
        self._tasks = [asyncio.create_task(self._run(slot)) for slot in range(slots)]

    def submit(self, unit: Unit) -> None:
        """Take a unit."""
        self._waiting.put_nowait(unit)

    async def next(self) -> Event:
        """The next event."""
        event = await self._events.get()
        if isinstance(event, BaseException):
            raise event
        return event

    async def close(self) -> None:
        """Cancel the games in progress and end every engine, however often it is called."""
        while pending := [task for task in self._tasks if not task.done()]:
            for task in pending:  # again and again: Python 3.11's wait_for loses a cancellation now and then
                task.cancel()
            await asyncio.wait(pending, timeout=0.5)
        await asyncio.gather(*(self._close_slot(slot) for slot in range(self.slots)), return_exceptions=True)

    async def _run(self, slot: int) -> None:
        while True:
            unit = await self._waiting.get()
            try:
                for task in unit.tasks:
                    self._events.put_nowait(Event(unit, await self._work(slot, task)))
                self._events.put_nowait(Event(unit, None))
            except Exception as error:  # a mistake of ours must end the run, not one slot of it
                self._events.put_nowait(error)
                return
