"""The lattice from heat maps, and the geometry under it: sizes, offsets, orientation, warps."""

from __future__ import annotations

import numpy as np
import pytest

from tengen.tools.photo.find import fit
from tengen.tools.photo.find.network import around, maxima
from tengen.tools.photo.find.views import REFINER, letterbox, look_at
from tengen.tools.photo.geometry import SIZES, Lattice, apply, inverse

SIDE = REFINER.side // REFINER.stride
LOW, HIGH = REFINER.margin * SIDE, (1 - REFINER.margin) * SIDE
SQUARE = np.array([[LOW, LOW], [HIGH, LOW], [HIGH, HIGH], [LOW, HIGH]])
NO_IDEA = np.full(len(SIZES) + 1, 1 / (len(SIZES) + 1), np.float32)


def template(places: np.ndarray, sigma: float) -> np.ndarray:
    """A map with a Gaussian around each place."""
    middle, down, across = fit.gaussians(places, sigma)
    canvas = np.zeros((SIDE + 80, SIDE + 80), np.float32)
    for (x, y), column, row in zip(np.clip(middle + 40, 4, SIDE + 75), down, across, strict=True):
        window = canvas[y - 4 : y + 5, x - 4 : x + 5]
        np.maximum(window, column[:, None] * row, out=window)
    return canvas[40:-40, 40:-40]


def maps(lattice: Lattice, rng: np.random.Generator, missing: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """What a network would answer: faint noise, and the share `missing` of the points not seen."""
    places = lattice.points().reshape(-1, 2)
    points = template(places[rng.random(len(places)) >= missing], 1.0) * 0.8 + rng.uniform(0, 0.04, (SIDE, SIDE))
    corners = template(lattice.corners(), 1.5) * 0.7
    return points.astype(np.float32), corners.astype(np.float32)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(3))
def test_a_lattice_is_found_in_its_heat(size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    lattice = Lattice.from_corners(SQUARE + rng.uniform(-8, 8, (4, 2)), size)
    found = fit.fit(*maps(lattice, rng, missing=0.2), NO_IDEA, SIZES)
    assert found is not None and found.lattice.size == size
    assert np.abs(found.lattice.corners() - lattice.corners()).max() < 0.15 * lattice.cell()


@pytest.mark.parametrize("size", (9, 13, 15, 17, 19))
@pytest.mark.parametrize("shift", ((1, 0), (0, 1), (-1, -1)))
def test_corners_off_by_a_line_are_put_right(size: int, shift: tuple[int, int]) -> None:
    rng = np.random.default_rng(5)
    inner = SQUARE * 0.8 + SIDE * 0.1
    lattice = Lattice.from_corners(inner, size)
    points, _ = maps(lattice, rng)
    wrong = lattice.shifted(*shift)
    found = fit.fit(points, template(wrong.corners(), 1.5) * 0.3, NO_IDEA, (size,))
    assert found is not None
    assert np.abs(found.lattice.corners() - lattice.corners()).max() < 0.3 * lattice.cell()


@pytest.mark.parametrize("true, guessed", ((19, 17), (17, 19), (13, 15), (15, 13), (9, 13)))
def test_a_board_is_not_taken_for_a_part_of_it_or_more(true: int, guessed: int) -> None:
    """The corners' heat lies on another size's board that shares the lattice: the points decide."""
    lattice = Lattice.from_corners(SQUARE * 0.76 + SIDE * 0.12, true)
    points, _ = maps(lattice, np.random.default_rng(2))
    off = (true - guessed) // 2
    misleading = Lattice(guessed, lattice.shifted(off, off).homography)
    found = fit.fit(points, template(misleading.corners(), 1.5) * 0.4, NO_IDEA, SIZES)
    assert found is not None and found.lattice.size == true


def test_the_fit_says_when_nothing_is_there() -> None:
    rng = np.random.default_rng(1)
    noise = rng.uniform(0, 0.05, (SIDE, SIDE)).astype(np.float32)
    nothing = fit.fit(noise, noise, NO_IDEA, SIZES)
    board = fit.fit(*maps(Lattice.from_corners(SQUARE, 13), rng), NO_IDEA, SIZES)
    assert nothing is not None and board is not None
    assert nothing.score < 0.6 < 0.9 < board.score


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("mirror", (False, True))
def test_rows_run_to_the_right(turn: int, mirror: bool) -> None:
    upright = np.array([[100.0, 40], [300, 60], [320, 260], [80, 240]])
    quad = np.roll(upright, turn, 0)[:: -1 if mirror else 1]
    assert np.allclose(Lattice.from_corners(quad, 19).oriented().corners(), upright)


@pytest.mark.parametrize("size, cells", ((19, False), (8, True)))
def test_points_and_corners_agree(size: int, cells: bool) -> None:
    quad = np.array([[10.0, 20], [200, 30], [210, 190], [5, 180]])
    lattice = Lattice.from_corners(quad, size)
    assert lattice.cells is cells
    assert np.allclose(lattice.corners(), quad, atol=1e-3)
    assert np.allclose(lattice.locate(lattice.points())[3, 5], [5, 3])
    ends = lattice.points()[[0, 0, -1, -1], [0, -1, -1, 0]]
    assert np.allclose(ends, quad, atol=1e-3) is not cells


@pytest.mark.parametrize(
    "quad",
    ([[0, 0], [1, 0], [0, 0], [0, 1]], [[0, 0], [9, 9], [9, 0], [0, 9]], [[0, 0], [1, 1], [2, 2], [3, 3]], [[0, 0]]),
)
def test_what_is_no_quadrilateral_is_refused(quad: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="corner"):
        Lattice.from_corners(quad, 19)


def test_views_put_things_where_they_say() -> None:
    lattice = Lattice.from_corners([[100, 50], [500, 60], [520, 400], [90, 420]], 19)
    seen = apply(look_at(lattice), lattice.corners())
    low, high = REFINER.margin * REFINER.side, (1 - REFINER.margin) * REFINER.side
    assert np.allclose(seen, [[low, low], [high, low], [high, high], [low, high]], atol=1e-2)
    box = letterbox(640, 480)
    assert np.allclose(apply(box, np.array([319.5, 239.5])), 159.5)
    assert np.allclose(apply(inverse(box), apply(box, np.array([7.0, 9.0]))), [7, 9])


def test_a_rectified_board_is_the_board_from_above() -> None:
    image = np.zeros((400, 400, 3), np.uint8)
    lattice = Lattice.from_corners([[60, 80], [330, 60], [350, 340], [40, 330]], 9)
    for x, y in lattice.points().reshape(-1, 2).round().astype(int):
        image[y - 2 : y + 3, x - 2 : x + 3] = 255
    flat = lattice.rectify(image, 16, 1.0)
    assert flat.shape == (161, 161, 3)
    assert all(flat[16 * row, 16 * column].min() > 200 for row in range(1, 10) for column in range(1, 10))
    assert flat[24::16, 24::16].max() == 0


def test_peaks_are_found_between_cells() -> None:
    heat = template(np.array([[20.3, 30.6], [60.0, 10.2]]), 1.3)
    heat[5, 70] = 0.03
    peaks, heights = maxima(heat)
    assert len(peaks) == 2 and heights.min() > 0.8
    assert np.allclose(peaks[np.argsort(peaks[:, 0])], [[20.3, 30.6], [60.0, 10.2]], atol=0.15)


def test_four_points_surround_their_middle() -> None:
    quad = np.array([[0.0, 0], [10, 0], [11, 9], [1, 10]])
    for order in ([0, 2, 1, 3], [3, 1, 0, 2]):
        ring = around(quad[order])
        start = int(np.argmin(ring.sum(1)))
        assert np.allclose(np.roll(ring, -start, 0), quad)
