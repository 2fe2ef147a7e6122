"""Two machines of a Ray cluster, both on this one: one is killed in the middle of a generation, and every unit counts once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from cluster_work import made_up, note
from fakes_of_watching import Silent
from made_up_run import MadeUp, config
from ray_cluster import Nodes, nodes

from tengen.tools.executors.base import Collected, Unit, WorkError, needed
from tengen.tools.executors.machines import Machines
from tengen.tools.match.run import store
from tengen.tools.train.run.cycle import Loop
from tengen.tools.train.run.manifest import Network
from tengen.tools.train.run.runs import opened

pytest.importorskip("ray", reason="Ray is not installed (the extra 'cluster')")
pytestmark = pytest.mark.slow


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Nodes]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with nodes(1, 2) as found:
        yield found


class Deadly(Silent):
    """Kills a machine once, when half of the games of the second generation are there."""

    def __init__(self, cluster: Nodes) -> None:
        super().__init__()
        self.cluster, self.killed, self.generation = cluster, 0, 0

    def judged(self, network: Network) -> None:
        self.generation = network.generation

    def doing(self, what: str, done: int, total: int) -> None:
        if what == "games" and self.generation == 1 and 0 < done < total and not self.killed:
            self.killed = self.cluster.kill(self.cluster.nodes[0])


def test_a_run_survives_a_machine_that_is_killed_in_the_middle_of_a_generation(cluster: Nodes, tmp_path: Path) -> None:
    from tengen.tools.executors.ray_wire import RayWire

    executor, watcher = Machines(RayWire(cluster.address), made_up), Deadly(cluster)
    try:
        with opened(tmp_path / "run", "made-up", config(**{"cycle.positions": 60})) as run:
            loop = Loop(run, MadeUp(), executor, watcher, lambda: False)
            loop.sit()
            assert loop.is_over and watcher.killed >= 2
            found, pending = run.manifest, executor.pending
    finally:
        executor.close()
    units = Counter(shard.unit for shard in found.shards)
    begun = {f"u{number:06}" for number in range(loop.plan.begun)}
    assert set(units.values()) == {1} and set(units) <= begun
    assert len(begun - set(units)) == pending, "what was begun counts, but for what was under way at the end"
    lots = Counter(lot.unit for lot in found.lots)
    assert set(lots.values()) == {1} and sum(name.startswith("gate") for name in lots) == 2 * 3
    assert len(list((tmp_path / "run" / "shards").iterdir())) == len(units)


def is_amid_a_unit(workers: list[int], marks: Path) -> bool:
    """Whether one of the processes began a unit of 1.5 s in the last 0.7 s, so that killing it now loses the unit."""
    begun = (path.name.split("-") for path in marks.iterdir())
    now = time.monotonic_ns()
    return any(int(process) in workers and now - int(when) < 700_000_000 for _, process, when in begun)


def test_a_machine_is_killed_in_the_middle_and_every_unit_counts_once(cluster: Nodes, tmp_path: Path) -> None:
    from tengen.tools.executors.ray_wire import RayWire

    network, marks = tmp_path / "network", tmp_path / "marks"
    network.write_text("weights")
    marks.mkdir()
    executor = Machines(RayWire(cluster.address), note)
    collected = Collected(executor, set())
    assert executor.workers == 3
    names = [f"u{number:02}" for number in range(14)]
    found: Counter[str] = Counter()
    try:
        for name in names:
            facts = {"network": str(network), "seconds": 1.5, "mark": str(marks)}
            collected.submit(Unit(name, "note", facts, str(tmp_path / "drafts" / name), needed(network)))
        killed, end = 0, time.monotonic() + 120
        while len(found) < len(names) and time.monotonic() < end:
            for result in collected.poll(0.2):
                assert Path(result.path).read_text() == f"{result.unit.name} weights"
                assert result.figures["process"] != os.getpid()
                found[result.unit.name] += 1
            if not killed and len(found) >= 3 and is_amid_a_unit(cluster.workers(cluster.nodes[0]), marks):
                killed = cluster.kill(cluster.nodes[0])
        assert killed >= 2, "the machine that was killed had processes that did units"
        assert found == Counter(names), "every unit counts, and once"
        begun = Counter(path.name.split("-")[0] for path in marks.iterdir())
        assert max(begun.values()) > 1, "what the killed machine was at was begun again elsewhere"
        assert executor.workers == 1 and executor.pending == 0
        late = cluster.add(4)
        while executor.workers != 5 and time.monotonic() < end:
            time.sleep(0.2)
        assert executor.workers == 5, "machines may join"
        assert late is not None
    finally:
        executor.close()


def test_a_machine_with_another_tengen_is_refused_before_anything_begins(
    cluster: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tengen.tools.executors import node
    from tengen.tools.executors.ray_wire import RayWire

    mine = replace(node.release(), sources="f" * 64)
    with (
        monkeypatch.context() as patched,
        pytest.raises(WorkError, match=r"this machine \S+ \(ffffffff\): install the same on both"),
    ):
        patched.setattr(node, "release", lambda: mine)
        RayWire(cluster.address)


def test_a_match_by_the_command_line(cluster: Nodes, tmp_path: Path) -> None:
    engines = ["--engine", "name=a", "player=rollout", "playouts=20", "--engine", "name=b", "player=random"]
    words = ["--game", "gomoku", "--size", "9", "--games", "10", "--json", "--out", str(tmp_path / "out")]
    done = subprocess.run(
        [sys.executable, "-m", "tengen.tools", "match", *engines, *words, "--executor", "ray", "--address", cluster.address],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["event"] for event in events] == ["game"] * 10 + ["end"], "nobody else writes there"
    assert sorted(event["id"] for event in events[:-1]) == [f"{pair:06}{side}" for pair in range(1, 6) for side in "ab"]
    assert len(store.read(tmp_path / "out")) == 10 and len(store.read_sessions(tmp_path / "out")) == 1
