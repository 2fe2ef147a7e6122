"""What the pipeline reports of a picture, a refusal being no board, and how much of a reading is wrong."""

from __future__ import annotations

import numpy as np

from tengen.tools.photo.geometry import Image
from tengen.tools.photo.pipeline import Settings, read_picture
from tengen.tools.photo.results import NoBoardError, PartError, Point, Reading


def read_or_refuse(image: Image, settings: Settings = Settings()) -> list[Reading]:  # noqa: B008
    """The readings; none where it refuses what seems to be a part of a board, or no board."""
    try:
        return read_picture(image, settings)
    except (PartError, NoBoardError):
        return []


def wrong(reading: Reading, labels: np.ndarray) -> int:
    """How many points are read wrongly; hidden ones do not count."""
    if reading.size != len(labels):
        return labels.size
    return int(((reading.stones != labels) & (labels != Point.HIDDEN)).sum())
