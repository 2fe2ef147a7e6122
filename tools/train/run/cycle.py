"""The loop of a run: games, steps, a network, games against the one before, again.

Everything follows from the manifest, so a run that was ended anywhere goes on here: a network that was not judged is
judged, steps that are due are made, else games are gathered. Workers play on while the network learns (one fewer, if
there are several) and while it is judged; what they play then counts for the next generation.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from tengen.tools.executors.base import Collected, Executor, Result, Unit
from tengen.tools.train.run.learning import Figures, Learning
from tengen.tools.train.run.manifest import Checkpoint, Kept, Lot, Network, Shard, learned_from
from tengen.tools.train.run.plan import Plan
from tengen.tools.train.run.runs import Run
from tengen.tools.train.run.strength import scores_of
from tengen.tools.train.settings.config import RunConfig

POLL = 0.2
"""Seconds that results are waited for before the clock and the user's wish to stop are looked at."""


_FOREIGN = re.compile(r"[^A-Za-z0-9._-]")  # what stays out of the names of networks


class Watcher(Protocol):
    """An observer of the events of a run."""

    def doing(self, what: str, done: int, total: int) -> None:
        """Take the progress of the run."""

    def games(self, shard: Shard, path: Path) -> None:
        """New games count."""

    def learned(self, figures: Figures, steps: int) -> None:
        """A step was made."""

    def judged(self, network: Network) -> None:
        """A network was taken, or not."""

    def anchored(self, network: Network, opponent: str, score: float, games: int) -> None:
        """A match against a program that does not learn is over."""


class Stopped(Exception):
    """The sitting is over: the user or the clock ended it, and finished work counts."""


class Loop:
    """One sitting of a run."""

    def __init__(
        self, run: Run, learning: Learning, executor: Executor, watcher: Watcher, is_ending: Callable[[], bool],
        board: str = "",
    ) -> None:  # fmt: skip
        """board: the file for pictures of games, where somebody watches."""
        self.run, self.learning, self.watcher = run, learning, watcher
        self.config: RunConfig = run.config
        self.plan = Plan(run, self.config, board)
        self._is_ending = is_ending
        self._is_learning, self._matches = False, 0
        found = run.manifest
        self._executor = executor
        self._units = Collected(executor, {shard.unit for shard in found.shards} | {lot.unit for lot in found.lots})
        self._playing: set[str] = set()
        self._committed = time.monotonic()

    def sit(self) -> None:
        """Work until the run is over or the user ends it. Raises what a worker could not do."""
        self._restore()
        try:
            if not self.run.manifest.networks:
                self._publish(0, is_taken=True)
            while not self.is_over:
                self._generation()
            self._anchor(self.run.manifest.networks[-1])
        except Stopped:
            self.run.commit()

    @property
    def is_over(self) -> bool:
        """Whether there are as many networks, or games behind the newest, as were wished for."""
        newest, cycle = self.run.manifest.networks[-1], self.config.cycle
        pairs = (newest.generation, cycle.generations), (newest.games, cycle.games)
        return newest.is_taken is not None and any(wished and done >= wished for done, wished in pairs)

    def _generation(self) -> None:
        """What is due next."""
        found = self.run.manifest
        newest = found.networks[-1]
        if newest.is_taken is None:
            self._judge(newest)
            return
        self._anchor(newest)
        checkpoint = self.run.manifest.checkpoint
        assert checkpoint is not None
        if checkpoint.generation == newest.generation:
            self._gather()
        self._learn()
        self._publish(newest.generation + 1, is_taken=None if self.config.gate.games else True)

    def _restore(self) -> None:
        """Bring the learning where the manifest says that it is."""
        found = self.run.manifest
        checkpoint = found.checkpoint
        if checkpoint is None:
            return
        self.run.check([*checkpoint.files, found.best.file])
        self.learning.load(_place(self.run, checkpoint.files))
        if checkpoint.window:
            self.learning.restore_window(checkpoint.window, found.shards)

    def _gather(self) -> None:
        """Find what to learn from, records or new games; then so many steps are due."""
        due = self.config.records.steps if self._has_records else self._wait_for_games()
        found = self.run.manifest
        assert found.checkpoint is not None
        self.learning.hold(learned_from(found.shards, self._has_records))
        begun = replace(
            found.checkpoint, window=self.learning.window_state(), due=due, done=0, positions=found.positions,
            generation=found.networks[-1].generation + 1,
        )  # fmt: skip
        self.run.commit(checkpoint=begun)

    def _wait_for_games(self) -> int:
        """Until there are enough new ones; the steps to make by them."""
        assert self.run.manifest.checkpoint is not None
        learned, cycle = self.run.manifest.checkpoint.positions, self.config.cycle
        wanted = cycle.positions if learned else max(cycle.positions, self.config.window.least)
        wanted = 1 if self._inherits and not learned else wanted
        while (new := self.run.manifest.positions - learned) < wanted:
            self.watcher.doing("games", new, wanted)
            self._pump(POLL)
        steps = max(1, round(new * cycle.reuse / self.config.training.batch))
        return min(steps, cycle.steps or steps)

    @property
    def _has_records(self) -> bool:
        """Whether the next generation learns from records: the first ones do, or all."""
        found, first = self.run.manifest, self.config.records.generations
        is_first = not first or len(found.networks) <= first
        return is_first and any(shard.is_record for shard in found.shards)

    @property
    def _has_better(self) -> bool:
        """Whether there is better to learn from than what the network of now would play."""
        return self._has_records or (self._inherits and self.run.manifest.networks[-1].generation == 0)

    @property
    def _inherits(self) -> bool:
        """Whether the run began with games of another one."""
        return any(shard.is_inherited for shard in self.run.manifest.shards)

    def _learn(self) -> None:
        """Make the steps that are due."""
        checkpoint = self.run.manifest.checkpoint
        assert checkpoint is not None
        self._is_learning, done = True, checkpoint.done
        try:
            while done < checkpoint.due:
                self.watcher.doing("steps", done, checkpoint.due)
                figures = self.learning.step()
                done += 1
                self.watcher.learned(figures, self.learning.steps)
                if time.monotonic() - self._committed > self.config.cycle.commit_seconds:
                    self._keep(done)
                self._pump(0)
        finally:
            self._is_learning = False
            self._keep(done)

    def _keep(self, done: int, **more: Any) -> None:
        """Commit what was learned."""
        before = self.run.manifest.checkpoint or Checkpoint((), 0)
        steps = self.learning.steps
        if before.files and before.steps == steps and not more:
            return
        draft = self.run.draft(f"checkpoint-{steps}")
        self.learning.save(draft)
        files = self.run.adopt(draft, f"checkpoints/{steps:08}-{self.run.token}")
        window = self.learning.window_state() if done else before.window
        self.run.commit(checkpoint=replace(before, files=files, steps=steps, window=window, done=done), **more)
        self._committed = time.monotonic()

    def _publish(self, generation: int, is_taken: bool | None) -> None:
        """Write the network as engines read it; with the checkpoint, if there is none, it counts at once."""
        found = self.run.manifest
        checkpoint = found.checkpoint or Checkpoint((), 0)
        name = f"{_FOREIGN.sub('-', found.name)}-g{generation:04}"
        figures = dict(self.learning.judge()) if generation else {}
        steps = self.learning.steps
        facts = {"run": found.name, "positions": checkpoint.positions, "games": found.games, "steps": steps}
        draft = self.run.draft(f"network-{generation:04}")
        draft.mkdir()
        self.learning.export(draft / f"{name}{self.plan.ending}", facts)
        files = self.run.adopt(draft, f"networks/{generation:04}-{self.run.token}")
        network = Network(
            generation, files, steps, checkpoint.positions, found.games, round(self.run.seconds, 1), is_taken, figures
        )
        networks = (*self.run.manifest.networks, network)
        if found.checkpoint is None:
            self._keep(0, networks=networks)
        else:
            self.run.commit(networks=networks)
        if is_taken:
            self.watcher.judged(network)

    def _judge(self, network: Network) -> None:
        """Play it against the best so far; the better half of the points takes it."""
        best = self.run.manifest.best
        units = self.plan.gate(network, best)
        scores = self._play_match(units, f"match of {network.generation} and {best.generation}")
        points = sum(scores.values())
        judged = replace(network, is_taken=points >= self.config.gate.score * len(scores))
        self.run.commit(networks=(*self.run.manifest.networks[:-1], judged))
        self.run.event("judged", generation=network.generation, points=points, games=len(scores), taken=judged.is_taken)
        self.watcher.judged(judged)

    def _anchor(self, network: Network) -> None:
        """Every so many networks, play against a program that does not learn."""
        units = self.plan.anchor(network)
        if not units or not self._missing(units):
            return
        opponent = str(units[0].facts["second"])
        scores = self._play_match(units, f"match of {network.generation} and {opponent}")
        self.watcher.anchored(network, opponent, sum(scores.values()), len(scores))

    def _play_match(self, units: Sequence[Unit], what: str) -> dict[int, float]:
        """The scores of all games, by number."""
        for unit in units:
            self._units.submit(unit)
        while missing := self._missing(units):
            self._matches = len(missing)
            self.watcher.doing(what, len(units) - len(missing), len(units))
            self._pump(POLL)
        self._matches = 0
        names = {unit.name for unit in units}
        return scores_of([lot for lot in self.run.manifest.lots if lot.unit in names])

    def _missing(self, units: Sequence[Unit]) -> set[str]:
        return {unit.name for unit in units} - {lot.unit for lot in self.run.manifest.lots}

    def _pump(self, seconds: float) -> None:
        """Let the workers work on, and take in what they bring. Raises Stopped when the sitting is to end."""
        if self._is_ending():
            raise Stopped
        self._fill()
        results = self._units.poll(seconds)
        shards = [self._shard(result) for result in results if result.unit.kind == "selfplay"]
        lots = [self._lot(result) for result in results if result.unit.kind != "selfplay"]
        if not results:
            return
        found = self.run.manifest
        self.run.commit(shards=(*found.shards, *shards), lots=(*found.lots, *lots), units=self.plan.begun)
        for shard in shards:
            self.watcher.games(shard, self.run.path(shard.file))

    def _fill(self) -> None:
        """Give self-play the workers that are left beside the learning and matches; matches do not wait for games."""
        free = 0 if self._has_better else self._executor.workers - self._is_learning - self._matches
        while len(self._playing) < free:
            unit = self.plan.selfplay(self.run.manifest.best)
            self._units.submit(unit)
            self._playing.add(unit.name)

    def _shard(self, result: Result) -> Shard:
        unit, figures = result.unit, dict(result.figures)
        self._playing.discard(unit.name)
        (file,) = self.run.adopt(Path(result.path), f"shards/{unit.name}-{self.run.token}.npz")
        games, positions = int(figures.pop("games")), int(figures.pop("positions"))
        return Shard(file, unit.name, int(unit.facts["generation"]), games, positions, figures)

    def _lot(self, result: Result) -> Lot:
        """Scores are all that is kept of a match."""
        facts = result.unit.facts
        Path(result.path).unlink(missing_ok=True)
        return Lot(result.unit.name, int(facts["first"]), str(facts["second"]), result.figures["scores"])


def _place(run: Run, files: Sequence[Kept]) -> Path:
    """The file of a checkpoint, or its folder."""
    first = Path(files[0].path)
    return run.folder / (first if len(first.parts) == 2 else Path(*first.parts[:2]))
