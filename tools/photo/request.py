"""Requests about pictures, by a command line or by another program: words and numbers, nothing looked at yet."""

from __future__ import annotations

from dataclasses import dataclass

BOARDS = 4
"""Boards of a picture that are read at most, where nobody says another number."""


@dataclass(frozen=True)
class Request:
    """A request about pictures, with the names and values of the options of `tengen photo`.

    pictures: files, folders, or - for stdin. output, overlay, keep_label: where results go, None for nowhere.
    format: None for that of `output`. corners, window, edit: as a person writes them. next: 0 Black, 1 White.
    """

    pictures: tuple[str, ...]
    output: str | None = None
    format: str | None = None
    overlay: str | None = None
    size: int | None = None
    game: str | None = None
    corners: str | None = None
    window: str | None = None
    edit: str | None = None
    next: int | None = None
    black: str = ""
    white: str = ""
    event: str = ""
    date: str | None = None
    detector: str = "auto"
    boards: int = BOARDS
    score: bool = False
    rules: str | None = None
    komi: float | None = None
    keep_label: str | None = None
