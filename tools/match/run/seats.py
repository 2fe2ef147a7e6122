"""The engines of a run: who sits in which slot, and where each one's log is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from tengen.tools.match.drivers import make_driver
from tengen.tools.match.drivers.base import Driver
from tengen.tools.match.settings.table import RunSpec


class Seats:
    """The engines of every slot: two sit, and are kept from game to game; a third one takes the place of one."""

    def __init__(self, spec: RunSpec, logs: Path | None) -> None:
        self._specs = {engine.name: engine for engine in spec.engines}
        self._arbiter = spec.game.arbiter
        self._logs = logs
        self._files = file_names([*self._specs, *([self._arbiter.name] if self._arbiter else [])])
        self._seated: dict[int, dict[str, Driver]] = {}
        self._arbiters: dict[int, Driver] = {}

    async def take(self, slot: int, names: tuple[str, str]) -> tuple[Driver, Driver, Driver | None]:
        """The drivers of two engines, and the arbiter's."""
        seated = self._seated.setdefault(slot, {})
        for name in [name for name in seated if name not in names]:
            await _leave(seated.pop(name))
        for name in names:
            if name not in seated:
                seated[name] = make_driver(self._specs[name], self._log(name, slot))
        if self._arbiter is not None and slot not in self._arbiters:
            self._arbiters[slot] = make_driver(self._arbiter, self._log(self._arbiter.name, slot))
        return seated[names[0]], seated[names[1]], self._arbiters.get(slot)

    async def clear(self, slot: int) -> None:
        """End the engines of a slot."""
        for driver in self._seated.pop(slot, {}).values():
            await _leave(driver)
        if slot in self._arbiters:
            await _leave(self._arbiters.pop(slot))

    def _log(self, name: str, slot: int) -> Path | None:
        return None if self._logs is None else self._logs / f"{self._files[name]}-{slot + 1}.log"


def safe_name(name: str) -> str:
    """A name as part of a file's."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip(".")[:60] or "engine"


def file_names(names: Iterable[str]) -> dict[str, str]:
    """Every name as part of a file's, none twice, also where letters of a file's name are few or cases are one."""
    found: dict[str, str] = {}
    for number, name in enumerate(dict.fromkeys(names), 1):
        plain = shown = safe_name(name)
        while shown.lower() in map(str.lower, found.values()):
            shown, number = f"{plain}.{number}", number + 1
        found[name] = shown
    return found


async def _leave(driver: Driver) -> None:
    if driver.is_running:
        await driver.quit()
    else:
        await driver.kill()
