"""The ratings of players as inputs of networks, in the numbers of a batch (feature set chess-v1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from tengen.engine._core import FeatureSet

NAMES = OWN, ENEMY, KNOWN = "rating", "enemy_rating", "rated"
MIDDLE, SCALE = 2000.0, 400.0
"""Elo that is told as 0, and what is told as 1 above it."""
LOWEST, HIGHEST = 600.0, 3200.0
"""The bounds of ratings; those beyond them are clamped."""


def are_seen_by(features: FeatureSet) -> bool:
    """Whether networks of a set are told ratings."""
    return KNOWN in features.globals


def tell(features: FeatureSet, numbers: NDArray[float32], own: Any, enemy: Any) -> None:
    """Write ratings (Elo; a number, or n of them; NaN: unknown) of the side to move and of the other into the numbers
    (n x globals) of a batch. Where one of them is unknown, nothing is told of both."""
    import numpy as np

    places: Sequence[int] = [features.globals.index(name) for name in NAMES]
    known = np.isfinite(own) & np.isfinite(enemy)
    for place, elo in zip(places, (own, enemy), strict=False):
        told = (np.clip(elo, LOWEST, HIGHEST) - MIDDLE) / SCALE
        numbers[:, place] = np.where(known, told, 0.0)
    numbers[:, places[2]] = known
