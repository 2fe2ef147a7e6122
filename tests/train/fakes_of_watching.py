"""A watcher that keeps what it is told."""

from __future__ import annotations

from pathlib import Path

from tengen.tools.train.run.learning import Figures
from tengen.tools.train.run.manifest import Network, Shard


class Silent:
    """Implements `Watcher`."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def doing(self, what: str, done: int, total: int) -> None:
        self.told.append(what)

    def games(self, shard: Shard, path: Path) -> None:
        assert path.is_file()
        self.told.append(f"shard {shard.unit}")

    def learned(self, figures: Figures, steps: int) -> None:
        assert figures["loss"] > 0

    def judged(self, network: Network) -> None:
        self.told.append(f"network {network.generation}")

    def anchored(self, network: Network, opponent: str, score: float, games: int) -> None:
        self.told.append(f"anchor {opponent}")
