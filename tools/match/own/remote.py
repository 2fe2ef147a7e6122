"""Games of our own players on other machines: a lot of them is a unit of work, which comes back as lines of JSON."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tengen.engine.config import Config
from tengen.tools.executors.base import Collected, Unit
from tengen.tools.executors.machines import Machines, Wire
from tengen.tools.match.own.game import Played, as_json, from_json
from tengen.tools.match.own.match import Hands, Task, lots, play_lot
from tengen.tools.match.own.sides import Match
from tengen.tools.match.settings.engine import networks

POLL = 0.5


@contextmanager
def by_machines(wire: Wire) -> Iterator[Hands]:
    """The machines of a cluster, as many lots at a time as they have cores for."""
    executor = Machines(wire, play_unit)
    with tempfile.TemporaryDirectory(prefix="tengen-match-") as scratch:

        def played(match: Match, tasks: Sequence[Task], together: int) -> Iterator[Played]:
            collected, count = Collected(executor, set()), 0
            files, cores = networks(match.a.net, match.b.net), cores_of(match)
            for part in lots(tasks, together):
                facts = {"match": asdict(match), "tasks": part, "together": together}
                draft = Path(scratch) / f"{part[0][0]:07}.jsonl"
                count += collected.submit(Unit(draft.stem, "own", facts, str(draft), files, cores))
            while count:
                for result in collected.poll(POLL):
                    count -= 1
                    path = Path(result.path)
                    yield from (from_json(json.loads(line)) for line in path.read_text("utf-8").splitlines())
                    path.unlink()

        try:
            yield played
        finally:
            executor.close()


def cores_of(match: Match) -> int:
    """Count the cores that a game uses; the sides take turns."""
    return max(side.threads or 1 for side in (match.a, match.b))


def play_unit(unit: Unit) -> Mapping[str, Any]:
    """Games into lines. Runs in the process of a worker."""
    facts = unit.facts
    sides = {name: Config(**facts["match"][name]) for name in ("a", "b")}
    tasks = [(number, tuple(opening)) for number, opening in facts["tasks"]]
    games = play_lot(Match(**{**facts["match"], **sides}), tasks, facts["together"])
    Path(unit.draft).write_text("".join(f"{json.dumps(as_json(game))}\n" for game in games), "utf-8")
    return {"games": len(games)}
