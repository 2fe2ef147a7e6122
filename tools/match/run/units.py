"""The work that a run hands out: units of games, and the events that come of them.

A unit is the unplayed games of one pair. Units are idempotent: playing one again gives results with the same ids, of
which the first one counts.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
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


class Hands(Protocol):
    """The players of units: `jobs.Slots` of this machine, or a cluster (`remote.py`)."""

    @property
    def count(self) -> int:
        """Units at a time."""

    def submit(self, unit: Unit) -> None: ...
    async def next(self) -> Event:
        """The next event of any unit. Raises what nobody could help."""

    async def close(self) -> None:
        """End running units; may be called again."""


PlayOne = Callable[[int, GameTask], Awaitable[GameResult]]
"""Plays one game in the slot of that number."""


def game_by_game(play: PlayOne) -> Callable[[int, Unit], AsyncIterator[Event]]:
    """The work of a slot: every game of a unit is an event, and its end."""

    async def work(slot: int, unit: Unit) -> AsyncIterator[Event]:
        for task in unit.tasks:
            yield Event(unit, await play(slot, task))
        yield Event(unit, None)

    return work
