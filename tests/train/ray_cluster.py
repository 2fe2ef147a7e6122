"""A cluster of Ray on this machine alone, for tests: nodes on addresses of the loopback, little memory, nothing told to anybody."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0", "RAY_memory_monitor_refresh_ms": "0", "RAY_DISABLE_IMPORT_WARNING": "1",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0", "PYTHONPATH": str(Path(__file__).parent),
}  # fmt: skip
"""For all processes of the cluster, which find `cluster_work` by the path."""


class Nodes:
    """A head at 127.0.0.2 and nodes at 127.0.0.3 and on; each has so many cores."""

    def __init__(self, folder: str, *cores: int) -> None:
        """folder: of Ray's own files; a short name, for sockets lie in it."""
        from ray.cluster_utils import Cluster

        head, *more = cores
        self.settings = {"object_store_memory": 80 << 20, "temp_dir": folder}
        self.cluster = Cluster(
            initialize_head=True,
            head_node_args={
                "num_cpus": head,
                "node_ip_address": "127.0.0.2",
                "include_dashboard": False,
                **self.settings,
            },
        )
        self.address = str(self.cluster.address)
        self.nodes = [self.add(count) for count in more]

    def add(self, cores: int) -> Any:
        """One more machine."""
        address = f"127.0.0.{3 + len(self.cluster.worker_nodes)}"
        return self.cluster.add_node(num_cpus=cores, node_ip_address=address, **self.settings)

    def workers(self, node: Any) -> list[int]:
        """The processes of a machine that do units."""
        return children(raylet_of(node))

    def kill(self, node: Any) -> int:
        """As when a machine loses its power: SIGKILL for all that it runs. How many of its processes did units."""
        raylet, workers = raylet_of(node), self.workers(node)
        for process in (raylet, *workers):
            os.kill(process, signal.SIGKILL)
        node.kill_all_processes(check_alive=False, allow_graceful=False)
        return len(workers)


def raylet_of(node: Any) -> int:
    """The process of Ray that starts the others of a machine."""
    return next(int(process.process.pid) for process in node.all_processes["raylet"])


def children(process: int) -> list[int]:
    """The processes that one started."""
    with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


@contextmanager
def nodes(*cores: int) -> Iterator[Nodes]:
    """A cluster with a machine for each number of cores; the first one is the head."""
    before = {name: os.environ.get(name) for name in (*QUIET, "RAY_TMPDIR")}
    with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
        os.environ.update(QUIET, RAY_TMPDIR=folder)
        (Path(folder) / "ray").mkdir()  # there Ray writes where the newest cluster is, and does not make it
        found = Nodes(folder, *cores)
        try:
            yield found
        finally:
            import ray

            ray.shutdown()
            found.cluster.shutdown()
    for name, value in before.items():
        os.environ.pop(name) if value is None else os.environ.update({name: value})
