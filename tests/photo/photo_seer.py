"""A reader of boards that is told what to see, for the tests of `tengen photo`."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cv2")
pillow = pytest.importorskip("PIL.Image")

from photo_boards import FINISHED, GO, GOMOKU, REVERSI, reading  # noqa: E402

from tengen.tools import cli  # noqa: E402
from tengen.tools.photo import pipeline  # noqa: E402
from tengen.tools.photo.geometry import Image, Lattice  # noqa: E402
from tengen.tools.photo.pipeline import Settings  # noqa: E402
from tengen.tools.photo.results import Reading  # noqa: E402
from tengen.tools.photo.warnings import Warned  # noqa: E402

Output = pytest.CaptureFixture[str]
SURE, UNSURE, OTHER, NONE, BROKEN, TWO, ENDED = 40, 80, 120, 160, 200, 240, 0
"""Shades of grey: what the fake reader sees in a picture of that shade."""


class Seer:
    """Stands in for the pipeline: sees by the shade of the picture, and remembers how it was asked."""

    def __init__(self) -> None:
        self.asked: list[Settings] = []

    def __call__(self, image: Image, settings: Settings) -> list[Reading]:
        self.asked.append(settings)
        shade = round(float(image.mean()) / 40) * 40
        if shade == BROKEN:
            raise RuntimeError("out of\nluck")
        if shade == NONE:
            return []
        sure = reading(GO, "go")
        found = {
            UNSURE: [reading(GO, "go", [(1, 2), (8, 0)])],
            OTHER: [
                replace(
                    reading(GOMOKU, "gomoku"), warnings=(Warned("the board may have another size", "board-unsure"),)
                )
            ],
            ENDED: [reading(FINISHED, "go")],
            TWO: [sure, reading(REVERSI, "reversi")][: settings.boards],
        }.get(shade, [sure])
        if settings.corners is not None:
            found = [replace(found[0], lattice=Lattice.from_corners(settings.corners, found[0].size))]
        return found


@pytest.fixture(autouse=True, name="seer")
def seer_fixture(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Seer:
    """The fake, in an empty folder with a picture of each shade."""
    fake = Seer()
    monkeypatch.setattr(pipeline, "read_picture", fake)
    monkeypatch.chdir(tmp_path)
    for name, shade in (
        ("sure", SURE),
        ("unsure", UNSURE),
        ("other", OTHER),
        ("none", NONE),
        ("two", TWO),
        ("ended", ENDED),
    ):
        save(f"{name}.jpg", shade)
    return fake


def save(name: str, shade: int, size: tuple[int, int] = (300, 240)) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    tags = pillow.Exif()
    tags[0x0132] = "2024:05:06 07:08:09"
    options = {"exif": tags} if name.endswith(("jpg", "png")) else {}
    pillow.fromarray(np.full((size[1], size[0], 3), shade, np.uint8)).save(name, **options)


def photo(*words: str) -> int:
    return cli.main(["photo", *words])


def files(folder: str = ".") -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file())


def table(path: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(Path(path).read_text("utf-8"))))
