"""What is reached on rendered pictures that nothing was trained on: screenshots with marks, boards across a room, boards that touch."""

from __future__ import annotations

import numpy as np
import pytest
from photo_reader import read_or_refuse
from whole_sets import EVERY, some_of

from tengen.tools.lab.photo.render import Scene, render_scene
from tengen.tools.photo.geometry import Lattice
from tengen.tools.photo.pipeline import Settings
from tengen.tools.photo.results import Point


def unseen(style: str, seed: int, number: int) -> Scene:
    return render_scene(np.random.default_rng([seed, number, 0]), style=style)


def is_same(found: Lattice, true: Lattice) -> bool:
    """Whether both have their corners within half a cell, wherever they begin to count."""
    if found.size != true.size:
        return False
    away = np.linalg.norm(found.corners()[:, None] - true.corners()[None], axis=-1).min(0)
    return bool((away < 0.5 * true.cell()).all())


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "of_all", "of_some"), [(9120, 140, 26), (9141, 130, 27), (9142, 130, 27)])
def test_marks_on_screenshots_are_no_stones(seed: int, of_all: int, of_some: int) -> None:
    """Each is right or warned of. 9120 was looked at while the networks learned, 9141 and 9142 only when all was done."""
    right = warned = 0
    silent = []
    for number in some_of(200):
        made = unseen("marked", seed, number)
        readings = read_or_refuse(made.image)
        same = bool(readings) and readings[0].size == len(made.labels)
        if same and not ((readings[0].stones != made.labels) & (made.labels != Point.HIDDEN)).any():
            right += 1
        elif not readings or readings[0].warnings:
            warned += 1
        else:
            silent.append(number)
    print(f"{right} right, {warned} warned of, silently wrong {silent}")
    assert not silent and right >= (of_all if EVERY == 1 else of_some)


@pytest.mark.slow
def test_boards_across_a_room_are_found() -> None:
    """Flat or small ones; the aim, 15 of 20, is not reached."""
    found = 0
    for number in range(20):
        made = unseen("far", 9121, number)
        readings = read_or_refuse(made.image, Settings(boards=1 + len(made.others)))
        found += any(is_same(reading.lattice, made.lattice) for reading in readings)
    assert found >= 9


@pytest.mark.slow
def test_boards_that_touch_are_told_apart() -> None:
    """One of both is found of most pairs; that both are is rare yet."""
    apart = one = merged = 0
    for number in range(20):
        made = unseen("pair", 9122, number)
        boards = (made.lattice, *made.others)
        readings = read_or_refuse(made.image, Settings(boards=2))
        held = [any(is_same(reading.lattice, board) for reading in readings) for board in boards]
        apart, one = apart + all(held), one + any(held)
        merged += any(not any(is_same(reading.lattice, board) for board in boards) for reading in readings)
    assert apart >= 1 and one >= 10 and merged <= 5
