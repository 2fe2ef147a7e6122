"""The work of workers, by the kind of a unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tengen.tools.executors.base import Unit
from tengen.tools.train.chess import selfplay as chess_selfplay
from tengen.tools.train.chess.label import label_unit
from tengen.tools.train.gomoku import selfplay as gomoku_selfplay
from tengen.tools.train.play import engine_labels, generate, matches

KINDS = {
    "selfplay": generate.play_unit, "match": matches.play_lot, "anchor": matches.play_anchor,
    "label": label_unit, "engine-label": engine_labels.label_unit, "chess-selfplay": chess_selfplay.play_unit,
    "gomoku-selfplay": gomoku_selfplay.play_unit,
}  # fmt: skip


def work(unit: Unit) -> Mapping[str, Any]:
    """Do a unit. Runs in the process of a worker."""
    return KINDS[unit.kind](unit)
