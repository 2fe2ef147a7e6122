"""A stored game, whatever its file format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


class RecordError(ValueError):
    """A file that cannot be read as a game; the message is one sentence."""


@dataclass(frozen=True)
class Record:
    """The main line of one game.

    setup: width*height bytes, row-major from the top (0 empty, 1 black, 2 white), or None for the usual start.
    to_move: who moves first after the set-up, when the file says so. moves: (colour, move) in order, as the file
    has them: nothing here checks that they are legal. komi, rules: None when the file does not say.
    players: black's and white's names. properties: other facts by the format's own key ("DT", "EV", ...).
    """

    game: str
    width: int
    height: int
    komi: float | None = None
    rules: str | None = None
    handicap: int = 0
    setup: bytes | None = None
    to_move: int | None = None
    moves: tuple[tuple[int, int], ...] = ()
    players: tuple[str, str] = ("", "")
    result: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)
