"""The flags that say who does the work: `--executor ray --address HOST:PORT`."""

from __future__ import annotations

from argparse import SUPPRESS, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tengen.engine import system
from tengen.engine.config import ConfigError, nearest
from tengen.engine.sentence import excerpt
from tengen.tools.arguments import Parser

if TYPE_CHECKING:
    from tengen.tools.executors.base import Executor, Work
    from tengen.tools.executors.machines import Wire

PROCESSES, RAY = "processes", "ray"
FLAGS = ("executor", "address")


def configure(parser: Parser) -> None:
    """Declare the flags; one that is not given leaves no trace in the parsed values."""
    add = parser.add_argument
    add("--executor", default=SUPPRESS, metavar="WHO", help="who does the work: processes of this machine, or ray")
    add("--address", default=SUPPRESS, metavar="HOST:PORT", help="the cluster of --executor ray (auto: this machine's)")


def is_elsewhere(values: Namespace) -> bool:
    """Whether other machines were asked for."""
    return getattr(values, "executor", PROCESSES) != PROCESSES


def words(values: Namespace) -> list[str]:
    """The flags as they were given, for a line that goes on with the same."""
    given = ((f"--{flag}", getattr(values, flag)) for flag in FLAGS if hasattr(values, flag))
    return [word for pair in given for word in pair]


@contextmanager
def reached(values: Namespace) -> Iterator[Wire | None]:
    """The way to the cluster that was asked for; None for processes of this machine. Raises ConfigError for flags that
    mean nothing, WorkError when nobody answers, ImportError."""
    wished, address = getattr(values, "executor", PROCESSES), getattr(values, "address", None)
    if wished not in (PROCESSES, RAY):
        hint = nearest(wished, (PROCESSES, RAY))
        raise ConfigError(f"there is no executor {excerpt(wished, 60)}{hint}: give processes or ray")
    if wished == PROCESSES:
        if address is not None:
            raise ConfigError("--address is the cluster of --executor ray: give both")
        yield None
        return
    from tengen.tools.executors.ray_wire import RayWire

    wire = RayWire("auto" if address is None else address)
    try:
        yield wire
    finally:
        wire.close()


def executor_of(wire: Wire | None, work: Work, workers: int) -> Executor:
    """Return the executor of units: the machines of a cluster, or processes of this one. workers: at a time, 0 for all
    cores."""
    if wire is None:
        from tengen.tools.executors.local import Processes

        return Processes(work, workers or cores())
    from tengen.tools.executors.machines import Machines

    return Machines(wire, work, workers)


def just_enough(wire: Wire | None, work: Work, workers: int | None, units: int) -> Executor:
    """`executor_of` for so many units. workers: None for all cores; one that is alone works in this process."""
    count = min(workers or (0 if wire else cores()), units)
    if wire is None and count == 1:
        from tengen.tools.executors.local import Here

        return Here(work)
    return executor_of(wire, work, count)


def cores() -> int:
    """Count the cores of this machine that this process may use."""
    return len(system.processors())
