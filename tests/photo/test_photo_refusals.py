"""Pictures without a board are refused soon: what the finders without networks do is bounded."""

from __future__ import annotations

import time

import cv2
import numpy as np
import pytest
from pace import slowness

from tengen.tools.lab.photo.render import render_clutter
from tengen.tools.photo.find import extents
from tengen.tools.photo.geometry import SIZES, Image, Lattice
from tengen.tools.photo.pipeline import read_picture
from tengen.tools.photo.results import NoBoardError, PartError


def test_lines_without_promise_are_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    refined: list[Lattice] = []
    refine = extents.refine
    monkeypatch.setattr(extents, "refine", lambda image, lattice: refined.append(lattice) or refine(image, lattice))
    noise = np.random.default_rng(1).integers(0, 256, (500, 500, 3)).astype(np.uint8)
    patch = Lattice.from_corners([[100, 100], [300, 110], [310, 320], [90, 300]], 9)
    assert extents.settle(noise, patch, SIZES, "lines") == [] and len(refined) == 1


@pytest.mark.slow
@pytest.mark.timing
def test_refusals_are_bounded() -> None:
    """Pictures without a board of 0.5 to 9 megapixels, each read twice: the first time networks are loaded for it. What
    other programs slow down is read again."""
    for number in range(9):
        image = render_clutter(np.random.default_rng([505, number]), 1280 if number % 2 else 700)
        if number % 3 == 0:
            image = cv2.resize(image, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
        refusal(image)
        spent = refusal(image)
        if spent >= 2.0:
            spent = min(refusal(image), refusal(image)) / slowness()
        assert spent < 2.0, (number, spent)


def refusal(image: Image) -> float:
    """CPU seconds of a reading that finds nothing."""
    start = time.process_time()
    try:
        assert not read_picture(np.asarray(image, np.uint8))
    except (PartError, NoBoardError):  # a chess board is named
        pass
    return time.process_time() - start
