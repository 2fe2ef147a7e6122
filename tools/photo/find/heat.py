"""Reading the heat maps of the refiner: values at places, and points that move to the heat around them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf, sqrt
from typing import Protocol, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.geometry import Floats, counting, is_convex

Map = NDArray[np.float32]
_LEAST = 0.05
"""Heat below this is noise."""
_STRONG = 0.6
"""The heat around a point that shows."""
_FEWEST = 8
"""Points that must show."""
_FURTHEST = 8
"""Cells around a point that are looked at, at most."""


class Laid(Protocol):
    """Points laid over a map by a homography from (column, row): a lattice, or a grid."""

    @property
    def homography(self) -> Floats: ...
    def points(self) -> Floats: ...
    def corners(self) -> Floats: ...


T = TypeVar("T", bound=Laid)


def sample(heat: Map, places: Floats) -> NDArray[np.float64]:
    """The values (k,) of a map at places (k, 2), linear between its cells, 0 outside."""
    flat = cv2.remap(
        heat, places[None, :, 0].astype(np.float32), places[None, :, 1].astype(np.float32), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT, borderValue=0,
    )  # fmt: skip
    return np.asarray(flat[0], np.float64)


def snapped(heat: Map, laid: T, pitch: Callable[[T], float], *, samples: float = inf, furthest: float = inf) -> T:
    """`laid` moved to the middles of the heat around its points, weighted by that heat; as it is where little shows.

    laid: a frozen dataclass; `pitch` is the distance of its neighbouring points. At most `samples` places are looked at
    at a time, and no corner moves further than `furthest` in one of the two rounds.
    """
    for _ in range(2):
        distance = pitch(laid)
        most = min(_FURTHEST, sqrt(samples / len(laid.points().reshape(-1, 2))) / 2 - 1)
        homography = _to_heat(heat, laid.points(), distance, int(np.clip(round(0.4 * distance), 2, most)))
        if homography is None:
            return laid
        moved: T = replace(laid, homography=homography)  # type: ignore[type-var]
        if not is_convex(moved.corners()) or np.abs(moved.corners() - laid.corners()).max() > furthest:
            return laid
        laid = moved
    return laid


def _to_heat(heat: Map, points: Floats, pitch: float, reach: int) -> Floats | None:
    """The homography (3, 3) from (column, row) to the heat within `reach` of points (rows, columns, 2), or None."""
    rows, columns = points.shape[:2]
    places = points.reshape(-1, 2)
    offsets = counting(2 * reach + 1, 2 * reach + 1).reshape(-1, 2) - reach
    around = places[:, None] + offsets
    found = np.maximum(sample(heat, around.reshape(-1, 2)).reshape(around.shape[:2]) - _LEAST, 0)
    weight = found.sum(1)
    strong = weight > _STRONG
    if strong.sum() < _FEWEST:
        return None
    middles = places + (found[..., None] * offsets).sum(1) / np.maximum(weight, 1e-6)[:, None]
    board = counting(columns, rows).reshape(-1, 2)
    homography, _ = cv2.findHomography(board[strong], middles[strong], cv2.RANSAC, 0.3 * pitch)
    return None if homography is None else np.asarray(homography, float)
