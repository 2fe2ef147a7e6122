"""A run whose games and network are made up, so that the loop around them is tested in seconds and killed often."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tengen.tools.executors.base import Unit
from tengen.tools.executors.local import Here
from tengen.tools.train.run.manifest import Shard
from tengen.tools.train.run.runs import Run, opened
from tengen.tools.train.settings.config import RunConfig, merge

SETTINGS: dict[str, Any] = {
    "window.least": 20, "cycle.positions": 20, "cycle.reuse": 4, "training.batch": 8, "gate.games": 4, "gate.lot": 2,
    "anchor.every": 2, "anchor.games": 2, "anchor.opponent": "uct", "cycle.generations": 3,
}  # fmt: skip


def config(**changes: Any) -> RunConfig:
    return merge(RunConfig(), {**SETTINGS, **changes})


class MadeUp:
    """Implements `Learning`: its weights are a chain of digests of what it was given, its dice those of Python."""

    def __init__(self, seed: int = 1) -> None:
        self.steps = 0
        self.weights = hashlib.sha256(b"%d" % seed).hexdigest()
        self.dice = random.Random(seed)
        self.window: list[str] = []

    def hold(self, shards: Sequence[Shard]) -> None:
        self.window = [shard.unit for shard in shards]

    def step(self) -> Mapping[str, float]:
        self.steps += 1
        self.weights = hashlib.sha256((self.weights + self.dice.choice(self.window)).encode()).hexdigest()
        return {"loss": 1 / self.steps, "policy": 0.5 / self.steps}

    def judge(self) -> Mapping[str, float]:
        return {"loss": 2 / (1 + self.steps)}

    def save(self, draft: Path) -> None:
        draft.mkdir()
        (draft / "weights.json").write_text(json.dumps([self.steps, self.weights]))
        (draft / "random.json").write_text(json.dumps(self.dice.getstate()))

    def load(self, path: Path) -> None:
        self.steps, self.weights = json.loads((path / "weights.json").read_text())
        version, state, gauss = json.loads((path / "random.json").read_text())
        self.dice.setstate((version, tuple(state), gauss))

    def export(self, path: Path, facts: Mapping[str, Any]) -> None:
        path.write_text(f"{path.name} {self.weights}")
        path.with_suffix(".toml").write_text(f"steps = {facts['steps']}")

    def window_state(self) -> Mapping[str, Any]:
        return {"shards": self.window}

    def restore_window(self, state: Mapping[str, Any], shards: Sequence[Shard]) -> None:
        assert set(state["shards"]) <= {shard.unit for shard in shards}
        self.window = list(state["shards"])

    def close(self) -> None:
        pass


def work(unit: Unit) -> Mapping[str, Any]:
    """Ten positions, or scores by the seed."""
    network = Path(unit.facts["network" if unit.kind == "selfplay" else "a"]).read_bytes()
    text = f"{unit.name} {hashlib.sha256(network).hexdigest()} {unit.facts['seed']}"
    Path(unit.draft).write_text(text)
    if unit.kind == "selfplay":
        return {
            "games": 2,
            "positions": 10,
            "seconds": 0.5,
            "moves": 80,
            "black": 1.5,
            "resign_tried": 4,
            "resign_wrong": 1,
        }
    return {
        "scores": {
            str(number): random.Random(f"{text}{number}").choice((0.0, 0.5, 1.0, 1.0))
            for number in unit.facts["numbers"]
        }
    }


def sit(
    folder: Path,
    step: Callable[[str], None] = lambda name: None,
    is_ending: Callable[[], bool] = lambda: False,
    **changes: Any,
) -> Run:
    """One sitting; the run as it is then."""
    from fakes_of_watching import Silent

    from tengen.tools.train.run.cycle import Loop

    with opened(folder, "made-up", config(**changes), step) as run:
        Loop(run, MadeUp(run.config.seed), Here(work), Silent(), is_ending).sit()
        return run


def main() -> None:
    """`python made_up_run.py FOLDER STEP`: kills itself before this step of a commit, counted over all."""
    folder, deadly = Path(sys.argv[1]), int(sys.argv[2])
    count = 0

    def step(name: str) -> None:
        nonlocal count
        count += 1
        time.sleep(0.0002)
        if count == deadly:
            os.kill(os.getpid(), signal.SIGKILL)

    sit(folder, step)
    print("whole", flush=True)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    main()
