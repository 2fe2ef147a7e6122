"""The progress of a run on the screen: the live line, lines that stay, metrics.csv, a board now and then."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from tengen.engine.config import ConfigError
from tengen.tools.live import Live, clock
from tengen.tools.train.run.learning import SETTLED, Figures
from tengen.tools.train.run.manifest import Network, Shard
from tengen.tools.train.run.runs import Run
from tengen.tools.train.run.strength import Standing, standings, verdict
from tengen.tools.train.show.metrics import LEAD, Metrics

EVERY = 20
"""Steps from one row of metrics.csv to the next; batches that are gone over several times have a row each."""
BOARD_EVERY = 15.0
"""Seconds from one board to the next, at least."""


class Progress:
    """Implements `Watcher`. minutes: of this sitting, for the time that is left."""

    def __init__(self, run: Run, live: Live, minutes: float | None = None, is_watched: bool = False) -> None:
        self._run, self._live, self._minutes, self._is_watched = run, live, minutes, is_watched
        self._metrics = Metrics(run, run.folder / "metrics.csv")
        self._begun = self._shown = time.monotonic()
        self._games = self._positions = 0
        self._steps = run.manifest.checkpoint.steps if run.manifest.checkpoint else 0
        self._recent: dict[str, float] = {}
        self._held: dict[str, float] = {}
        self._what = ""
        self._standing = self._best()
        self._held |= run.manifest.networks[-1].figures if run.manifest.networks else {}

    def doing(self, what: str, done: int, total: int) -> None:
        self._what = f"{what} {done}/{total}"
        if self._is_watched and time.monotonic() - self._shown > BOARD_EVERY:
            self._show_board()
        self._live.update(self.parts())

    def games(self, shard: Shard, path: Path) -> None:
        self._games += shard.games
        self._positions += shard.positions

    def learned(self, figures: Figures, steps: int) -> None:
        keep, self._steps = 0.95, steps
        for name, value in figures.items():
            share = 0.0 if name in SETTLED else keep  # those are of one batch
            self._recent[name] = share * self._recent.get(name, value) + (1 - share) * value
        is_settled = "kl" in figures
        if is_settled:
            self._live.line(batch_line(figures, steps))
        if is_settled or steps % EVERY == 0:
            self._row({**self._recent, **{f"held_{name}": None for name in self._recent}})

    def judged(self, network: Network) -> None:
        found = standings(self._run.manifest)
        match = next((row for row in found if row.generation == network.generation), None)
        self._held = dict(network.figures)
        self._standing = self._best()
        self._live.line(self._verdict(network, match))
        if network.generation:
            self._row({**self._recent, **{f"held_{name}": self._held.get(name) for name in self._recent}})

    def anchored(self, network: Network, opponent: str, score: float, games: int) -> None:
        self._live.line(f"generation {network.generation} against {opponent}: {score:g} of {games}")

    def _show_board(self) -> None:
        """The newest picture that a worker left; each is shown once."""
        self._shown = time.monotonic()
        path = board_path(self._run)
        try:
            text = path.read_text("utf-8")
            path.unlink()
        except OSError:
            return
        self._live.line(text)

    def parts(self) -> list[str]:
        """Return the parts of the line: the place, games/s, positions/s, losses, Elo so far, time left."""
        found, spent = self._run.manifest, max(1e-9, time.monotonic() - self._begun)
        newest = found.networks[-1].generation if found.networks else 0
        parts = [f"generation {newest}", self._what]
        parts.append(f"{self._games / spent:.2f} games/s {self._positions / spent:.0f} positions/s")
        parts += [f"{name} {value:.3f}" for name, value in list(self._recent.items())[:6]]
        if self._standing is not None and self._standing.generation:
            parts.append(f"Elo {self._standing.elo.as_text()}")
        parts.append(self._left(newest))
        return parts

    def _left(self, newest: int) -> str:
        """Time left of the sitting, or of the run."""
        spent = time.monotonic() - self._begun
        if self._minutes is not None:
            return f"{clock(max(0.0, 60 * self._minutes - spent))} left"
        cycle = self._run.config.cycle
        pairs = (newest, cycle.generations), (self._run.manifest.games, cycle.games)
        done = max((done / wished for done, wished in pairs if wished), default=0.0)
        if done:
            return f"about {clock(self._run.seconds * max(0.0, 1 / done - 1))} left"
        return f"{clock(self._run.seconds)} so far"

    def _verdict(self, network: Network, match: Standing | None) -> str:
        text = f"generation {network.generation} after {clock(network.seconds)}"
        if network.generation == 0:
            return f"{text}: nothing learned yet"
        text += f", {network.games} games, {network.positions} positions"
        if match is not None and match.match is not None:
            text += f": {match.match.score.value:.0%} against {match.opponent}, Elo {match.elo.as_text()}"
        if network.figures:
            text += ", on held-out games " + " ".join(f"{name} {value:.3f}" for name, value in network.figures.items())
        if network.is_taken:
            return text
        return f"{text}; taken: {verdict(self._run.manifest, network, match.match if match else None)}"

    def _best(self) -> Standing | None:
        found = standings(self._run.manifest)
        taken = {network.generation for network in self._run.manifest.networks if network.is_taken}
        return next((row for row in reversed(found) if row.generation in taken), None)

    def _row(self, figures: Mapping[str, float | None]) -> None:
        found, spent = self._run.manifest, max(1e-9, time.monotonic() - self._begun)
        elo = self._standing.elo if self._standing else (None, None, None)
        lead = (
            self._run.seconds, found.networks[-1].generation if found.networks else 0,
            self._steps, found.games, found.positions, self._games / spent, self._positions / spent, *elo,
        )  # fmt: skip
        self._metrics.row({**dict(zip(LEAD, lead, strict=True)), **figures})


def batch_line(figures: Figures, steps: int) -> str:
    """Return the line of a batch that is repeated until the policy has moved enough."""
    names = ("loss", "entropy", *SETTLED)
    return f"batch {steps}: " + ", ".join(f"{name} {figures[name]:.4g}" for name in names if name in figures)


def board_path(run: Run) -> Path:
    """Return the path at which workers leave pictures of games, if somebody watches."""
    return run.draft("board.txt")


def ending(minutes: float | None, is_wished: Callable[[], bool]) -> Callable[[], bool]:
    """Whether the sitting is over: by its minutes, or by the user. Raises ConfigError for no time."""
    if minutes is not None and minutes <= 0:
        raise ConfigError("minutes must be more than 0")
    end = None if minutes is None else time.monotonic() + 60 * minutes
    return lambda: is_wished() or (end is not None and time.monotonic() >= end)
