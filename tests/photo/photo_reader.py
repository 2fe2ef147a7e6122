"""What the pipeline reports of a picture, a refusal being no board."""

from __future__ import annotations

from tengen.tools.photo.geometry import Image
from tengen.tools.photo.pipeline import Settings, read_picture
from tengen.tools.photo.reading import PartError, Reading


def read_or_refuse(image: Image, settings: Settings = Settings()) -> list[Reading]:  # noqa: B008
    """The readings; none where it refuses what seems to be a part of a board."""
    try:
        return read_picture(image, settings)
    except PartError:
        return []
