"""Lattices and grids that move to the heat around their points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tengen.tools.photo.find.heat import Map, snapped
from tengen.tools.photo.find.rectangles import Grid
from tengen.tools.photo.geometry import Floats, Lattice, translation

SQUARE = np.array([[20, 20], [100, 20], [100, 100], [20, 100]], float)


def heat_at(places: Floats) -> Map:
    """A map (120, 120) with a Gaussian of height 1 at each of the places."""
    down, across = np.mgrid[:120, :120]
    maps = [np.exp(-((across - x) ** 2 + (down - y) ** 2) / 2) for x, y in places.reshape(-1, 2)]
    return np.sum(maps, axis=0).astype(np.float32)


@pytest.mark.parametrize("shift", [(0.0, 0.0), (2.0, -1.5), (-2.5, 2.0)])
def test_a_lattice_moves_to_its_heat(shift: tuple[float, float]) -> None:
    right = Lattice.from_corners(SQUARE, 9)
    start = replace(right, homography=translation(*shift) @ right.homography)
    found = snapped(heat_at(right.points()), start, Lattice.cell)
    assert np.abs(found.points() - right.points()).max() < 0.1 and (found.size, found.cells) == (9, False)


def test_a_grid_of_other_numbers_of_columns_and_rows_moves_too() -> None:
    right = Grid(7, 5, np.array([[12.0, 0, 20], [0, 14.0, 30], [0, 0, 1]]), score=0.5)
    start = replace(right, homography=translation(2.0, 2.0) @ right.homography)
    found = snapped(heat_at(right.points()), start, Grid.pitch, samples=32_000)
    assert np.abs(found.points() - right.points()).max() < 0.1 and (found.columns, found.rows) == (7, 5)


@pytest.mark.parametrize("points, furthest", [(7, 100.0), (81, 0.5)])
def test_what_shows_too_little_or_is_too_far_stays(points: int, furthest: float) -> None:
    """Eight points must show, and no corner may move further than is allowed."""
    right = Lattice.from_corners(SQUARE, 9)
    start = replace(right, homography=translation(2.0, 0.0) @ right.homography)
    heat = heat_at(right.points().reshape(-1, 2)[:points])
    assert snapped(heat, start, Lattice.cell, furthest=furthest) is start
