"""Canvases for pictures: SVG, which needs nothing, and PNG by Pillow. Points in pixels from the upper left."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, Protocol

Point = tuple[float, float]
FINE = 3
"""Pixels of a PNG are drawn so many times as large, and made smaller."""


class Canvas(Protocol):
    """Colours are "#rrggbb"."""

    def line(self, points: Sequence[Point], colour: str, width: float = 1) -> None: ...
    def area(self, points: Sequence[Point], colour: str) -> None: ...
    def disc(self, at: Point, radius: float, fill: str, edge: str) -> None: ...
    def text(self, at: Point, words: str, size: float, colour: str, anchor: str = "start") -> None:
        """`at` is the left end, the middle or the right end of the base line: anchor start, middle, end."""

    def data(self) -> bytes:
        """The file."""


class Svg:
    """Implements `Canvas`."""

    def __init__(self, width: int, height: int, ground: str) -> None:
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="sans-serif">',
            f'<rect width="{width}" height="{height}" fill="{ground}"/>',
        ]

    def line(self, points: Sequence[Point], colour: str, width: float = 1) -> None:
        self._parts.append(
            f'<polyline points="{_list(points)}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
            'stroke-linejoin="round"/>'
        )

    def area(self, points: Sequence[Point], colour: str) -> None:
        self._parts.append(f'<polygon points="{_list(points)}" fill="{colour}"/>')

    def disc(self, at: Point, radius: float, fill: str, edge: str) -> None:
        self._parts.append(
            f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius:g}" fill="{fill}" stroke="{edge}" stroke-width="2"/>'
        )

    def text(self, at: Point, words: str, size: float, colour: str, anchor: str = "start") -> None:
        self._parts.append(
            f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" font-size="{size:g}" fill="{colour}" text-anchor="{anchor}">'
            f"{escape(words)}</text>"
        )

    def data(self) -> bytes:
        return "\n".join([*self._parts, "</svg>", ""]).encode("utf-8", "replace")


class Png:
    """Implements `Canvas` by Pillow. Raises ImportError without it."""

    ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}

    def __init__(self, width: int, height: int, ground: str) -> None:
        from PIL import Image, ImageDraw

        self._size = width, height
        self._image: Any = Image.new("RGB", (FINE * width, FINE * height), ground)
        self._draw: Any = ImageDraw.Draw(self._image)

    def line(self, points: Sequence[Point], colour: str, width: float = 1) -> None:
        self._draw.line(_scaled(points), fill=colour, width=round(FINE * width), joint="curve")

    def area(self, points: Sequence[Point], colour: str) -> None:
        self._draw.polygon(_scaled(points), fill=colour)

    def disc(self, at: Point, radius: float, fill: str, edge: str) -> None:
        (x, y), r = _scaled([at])[0], FINE * radius
        self._draw.ellipse((x - r, y - r, x + r, y + r), fill=fill, outline=edge, width=2 * FINE)

    def text(self, at: Point, words: str, size: float, colour: str, anchor: str = "start") -> None:
        from PIL import ImageFont

        font: Any = ImageFont.load_default(FINE * size)
        self._draw.text(_scaled([at])[0], words, fill=colour, font=font, anchor=self.ANCHORS[anchor])

    def data(self) -> bytes:
        import io

        from PIL import Image

        out = io.BytesIO()
        self._image.resize(self._size, Image.Resampling.LANCZOS).save(out, "PNG")
        return out.getvalue()


def _list(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _scaled(points: Sequence[Point]) -> list[Point]:
    return [(FINE * x, FINE * y) for x, y in points]
