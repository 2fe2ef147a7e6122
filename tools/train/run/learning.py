"""The interface of learning for the loop: a network in training, its window of games, and what is kept of both.

`learn.py` is the real one, by torch; tests have one that computes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from tengen.tools.train.run.manifest import Shard

Figures = Mapping[str, float]
SETTLED = ("kl", "lr_multiplier", "epochs", "explained_variance_before", "explained_variance_after")
"""Figures of a step that goes over its batch until the policy has moved enough."""


class Learning(Protocol):
    """A network in training. Its state is what `save` writes and `window_state` says."""

    @property
    def steps(self) -> int:
        """Made so far, in all sittings."""

    def hold(self, shards: Sequence[Shard]) -> None:
        """Draw from the newest of all these games from now on, which are in the order of the manifest."""

    def step(self) -> Figures:
        """Learn from one batch: losses by name, "loss" the whole."""

    def judge(self) -> Figures:
        """The same of games that are held out; nothing while there are too few."""

    def save(self, draft: Path) -> None:
        """Write weights, optimiser and random numbers to a file or a folder."""

    def load(self, path: Path) -> None:
        """Read that back: the file, or the folder."""

    def export(self, path: Path, facts: Mapping[str, Any]) -> None:
        """Write the network as engines read it, and its card beside it. It calls itself by the name of the file. facts:
        for its card."""

    def window_state(self) -> Mapping[str, Any]:
        """Return the state of the drawing from the window, as JSON has it."""

    def restore_window(self, state: Mapping[str, Any], shards: Sequence[Shard]) -> None:
        """Draw on from there, whatever games have come since."""

    def close(self) -> None:
        """End its threads."""
