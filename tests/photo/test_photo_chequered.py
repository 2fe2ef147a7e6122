"""Chess boards, draughts and chequered tiles are refused by name; boards that are read are never called so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from photo_drawings import chequered
from whole_sets import portion

from tengen.tools import cli
from tengen.tools.lab.photo.render import render_scene
from tengen.tools.photo import load
from tengen.tools.photo.chequered import chequers
from tengen.tools.photo.pipeline import read_picture, reduced
from tengen.tools.photo.results import NoBoardError


@pytest.mark.parametrize(
    ("pieces", "squares", "told"),
    [("chess", 8, "chess board"), ("draughts", 8, "chess board"), ("draughts", 10, "chess board"),
     ("", 8, "chess board"), ("", 16, "tiles")],
)  # fmt: skip
def test_chequers_are_known(pieces: str, squares: int, told: str) -> None:
    for seed in range(portion(6)):
        found = chequers(chequered(seed, squares, pieces))
        assert found is not None and told in found.told, seed


@pytest.mark.parametrize(
    ("seed", "pieces"),
    [
        (0, "chess"),
        *(pytest.param(*one, marks=pytest.mark.slow) for one in ((1, "chess"), (2, "draughts"), (3, "draughts"))),
    ],
)
def test_a_chess_board_is_refused_as_one(seed: int, pieces: str) -> None:
    with pytest.raises(NoBoardError, match="this looks like a chess board"):
        read_picture(chequered(seed, 8, pieces))


def test_the_command_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "chess.png")
    cv2.imwrite(path, chequered(4))
    assert cli.main(["photo", path]) == 3
    told = capsys.readouterr().err
    assert "looks like a chess board" in told and "--window" not in told and "--corners" not in told


@pytest.mark.parametrize("style", ["photo", "reversi", "digital", "marked"])
def test_no_board_that_is_read_is_called_so(style: str) -> None:
    for number in range(portion(6)):
        made = render_scene(np.random.default_rng([771, number]), style=style, side=700)
        assert chequers(made.image) is None, number


@pytest.mark.slow
def test_no_labelled_board_is_called_so(shared: Callable[[str], Path]) -> None:
    for path in sorted(shared("photos/dev").glob("*.jpg")):
        assert chequers(reduced(load.load(path).image)[0]) is None, path.name
