"""The machine of a match: the processor, how much of it, the system. Kept with the games, shown in the report."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Self

from tengen.engine import cpu, system
from tengen.engine.version import __version__


@dataclass(frozen=True)
class Session:
    """One time that a run was begun or gone on with. start: UTC, ISO 8601. version: ours. processors: logical ones that
    the match may use. amx: whether the processor has AMX; None where it does not tell."""

    start: str
    version: str
    processor: str
    processors: int
    amx: bool | None
    system: str

    @classmethod
    def now(cls) -> Self:
        """This process on this machine."""
        features = cpu.present()
        return cls(
            start=datetime.now(UTC).isoformat(timespec="seconds"),
            version=__version__,
            processor=cpu.processor(),
            processors=len(system.processors()),
            amx=None if features is None else "amx_tile" in features,
            system=f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        )

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Read the values that `to_json` wrote. Raises KeyError, TypeError or ValueError for anything else."""
        amx = values["amx"]
        words = {name: str(values[name]) for name in ("start", "version", "processor", "system")}
        return cls(**words, processors=int(values["processors"]), amx=None if amx is None else bool(amx))

    def to_json(self) -> dict[str, Any]:
        """Values that `json` writes."""
        return asdict(self)

    @property
    def machine(self) -> str:
        """ "AMD EPYC 7B13, 4 cores, no AMX"; the cores are logical ones."""
        amx = {True: "AMX", False: "no AMX", None: "AMX unknown"}[self.amx]
        return f"{self.processor}, {self.processors} core{'s' if self.processors != 1 else ''}, {amx}"
