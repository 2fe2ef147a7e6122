"""Work for tests of clusters: importable by its name, also by the processes of Ray."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import made_up_run

from tengen.tools.executors.base import Unit


def note(unit: Unit) -> Mapping[str, Any]:
    """Writes its name and what is in the file that it needs; may fail, take its time, or die with its process."""
    facts = unit.facts
    if facts.get("fails"):
        raise ValueError(facts["fails"])
    if facts.get("mark"):
        with open(Path(facts["mark"]) / f"{unit.name}-{os.getpid()}-{time.monotonic_ns()}", "w") as file:
            file.write(str(os.getppid()))
    time.sleep(facts.get("seconds", 0))
    network = Path(facts["network"]).read_text() if facts.get("network") else ""
    Path(unit.draft).write_text(f"{unit.name} {network}")
    return {"process": os.getpid(), "parent": os.getppid(), "network": facts.get("network", "")}


def made_up(unit: Unit) -> Mapping[str, Any]:
    """What a run is made up of, but not at once."""
    time.sleep(0.7)
    return made_up_run.work(unit)
