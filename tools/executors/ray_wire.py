"""Ray as the way to other machines: units are its tasks, files and results are objects in its store.

Ray's own second tries are switched off: what is lost comes back to `Machines`, which counts. ray is imported on use.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from tengen.engine.sentence import excerpt, printable
from tengen.tools.executors import node
from tengen.tools.executors.base import Unit, Work, WorkError
from tengen.tools.executors.machines import Lost, Machine

PORT = 6379
"""The port of `ray start --head`."""
ANSWER_SECONDS, CHECK_SECONDS = 5.0, 60.0
"""The seconds for a cluster to answer, and for a machine of it to name its release."""
LOOK_SECONDS = 2.0
"""The seconds for which the list of machines is believed."""


class RayWire:
    """A cluster that runs. One for a process at a time, as Ray has it."""

    def __init__(self, address: str) -> None:
        """address: auto, or HOST:PORT. Raises WorkError when nobody answers there or a machine has another Tengen;
        ImportError."""
        os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")  # read at the import; a Delivery tells them
        import ray

        self._ray = ray
        _connect(ray, address)
        self._do = ray.remote(max_retries=0, scheduling_strategy="SPREAD")(_do)
        self._looked, self._machines = 0.0, list[Machine]()
        try:
            self._check_releases()
        except BaseException:
            self.close()
            raise

    def machines(self) -> list[Machine]:
        now = time.monotonic()
        if now - self._looked > LOOK_SECONDS:
            self._looked = now
            self._machines = [
                Machine(row["NodeManagerHostname"], int(row["Resources"].get("CPU", 0))) for row in self._alive()
            ]
        return self._machines

    def hold(self, data: bytes) -> Any:
        return self._ray.put(data)

    def send(self, work: Work, unit: Unit, files: Mapping[str, Any]) -> Hashable:
        job: Hashable = self._do.options(num_cpus=unit.cores).remote(work, unit, files, node.release())
        return job

    def wait(self, jobs: Sequence[Hashable], seconds: float) -> list[Hashable]:
        done: list[Hashable]
        done, _ = self._ray.wait(list(jobs), num_returns=1, timeout=seconds)
        if done and len(jobs) > 1:
            done, _ = self._ray.wait(list(jobs), num_returns=len(jobs), timeout=0)
        return done

    def fetch(self, job: Hashable) -> node.Delivery:
        errors = self._ray.exceptions
        try:
            found: node.Delivery = self._ray.get(job, timeout=CHECK_SECONDS)
        except errors.RayTaskError as error:
            return node.Delivery("", error=_first(error))
        except errors.RayError as error:
            raise Lost(_first(error)) from None
        return found

    def close(self) -> None:
        self._ray.shutdown()

    def _alive(self) -> list[Mapping[str, Any]]:
        return [row for row in self._ray.nodes() if row["Alive"]]

    def _check_releases(self) -> None:
        """Raises WorkError for a machine whose Tengen is another one."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        ask = self._ray.remote(num_cpus=0, max_retries=0)(_release)
        mine = node.release()
        asked = {
            row["NodeManagerAddress"]: ask.options(
                scheduling_strategy=NodeAffinitySchedulingStrategy(row["NodeID"], soft=False)
            ).remote()
            for row in self._alive()
        }
        for host, answer in asked.items():
            try:
                theirs = self._ray.get(answer, timeout=CHECK_SECONDS)
            except self._ray.exceptions.RayError as error:
                raise WorkError(f"{host} has no tengen {mine} for the Python of its Ray ({_first(error)})") from None
            if theirs != mine:
                raise WorkError(node.differs(host, theirs, mine))


def _release() -> node.Release:
    """Of a machine, as a task of Ray's."""
    return node.release()


def _do(work: Work, unit: Unit, files: Mapping[str, Any], wanted: node.Release) -> node.Delivery:
    """A unit, as a task of Ray's. files: references, which only what is missing here is fetched by."""
    import ray

    return node.do(work, unit, lambda sha256: ray.get(files[sha256]), wanted)


def _connect(ray: Any, address: str) -> None:
    """Raises WorkError."""
    if address != "auto":
        address = checked(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        raise WorkError(f"no cluster of Ray answers at {address}: {_first(error)} {_HINT}") from None
    # Ray tells of machines that die on stdout, where this program's own lines are; there is no setting for it.
    if hasattr(ray._private.worker, "_worker_logs_enabled"):
        ray._private.worker._worker_logs_enabled = False


_HINT = "(on this machine: ray start --head, or ray start --address=HOST:6379 for the head on another one)"


def checked(address: str) -> str:
    """Return an address that answers, with its port: Ray itself waits for minutes. Raises WorkError."""
    host, colon, port = address.rpartition(":") if ":" in address else (address, ":", str(PORT))
    if not host or not port.isdecimal() or not 0 < int(port) < 65536 or "/" in host:
        raise WorkError(f"{excerpt(address, 60)} is no address of a cluster: give auto or HOST:PORT")
    try:
        socket.create_connection((host, int(port)), ANSWER_SECONDS).close()
    except OSError as error:
        why = error.strerror or "no answer"
        raise WorkError(f"no cluster of Ray answers at {host}:{port}: {why} {_HINT}") from None
    return f"{host}:{port}"


def _first(error: BaseException) -> str:
    """The first line of what Ray says, which may be pages; of a task's error, of what the task raised."""
    error = getattr(error, "cause", None) or error
    lines = str(error).strip().splitlines()
    return printable(lines[0].partition(". Please ")[0], 200) if lines else type(error).__name__
