"""Photos of boards on the page: read, corrected by clicks, read again between corners, written. Kept in memory alone.

A photo is forgotten when somebody deletes it, when it was not used for a while, or when there are too many.
"""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from tengen.engine.games import get_game
from tengen.tools.photo import load
from tengen.tools.photo.advice import best_move, score, to_play
from tengen.tools.photo.edit import edited, parse_window, within
from tengen.tools.photo.geometry import Floats
from tengen.tools.photo.load import Picture
from tengen.tools.photo.pipeline import GAMES, Settings, read_picture
from tengen.tools.photo.position import Facts, checked, record_of, vertex
from tengen.tools.photo.request import BOARDS
from tengen.tools.photo.results import NoBoardError, PhotoError, Point, Reading
from tengen.tools.photo.write import FORMATS, described, text_of
from tengen.tools.web.request_body import Refused

MOST = 6
"""Photos that are held at the same time."""
SECONDS = 1800.0
"""After which a photo that nobody uses is forgotten."""
SHOWN = 1600
"""Pixels of the long side of the picture that the page shows."""
MISSING = "no board was found: drag the four corners onto those of the board, the upper left one first"
MARGIN = 0.15
"""Where corners begin that nobody found, in shares of the picture."""


@dataclass
class Photo:
    """A picture and what was read from it. readings: one for each board; empty where none was found."""

    name: str
    picture: Picture
    jpeg: bytes
    readings: list[Reading] = field(default_factory=list)
    error: str = ""
    used: float = field(default_factory=time.monotonic)


class Photos:
    """All photos of the page. One at a time is read; the others wait."""

    def __init__(self) -> None:
        self._photos: dict[str, Photo] = {}
        self._lock, self._reading = threading.Lock(), threading.Lock()

    def add(self, data: bytes, name: str, wish: dict[str, str]) -> dict[str, Any]:
        """Read a picture. Raises PhotoError for a file that is none."""
        with self._reading:
            picture = load.load(data, name)
            photo = Photo(name, picture, _jpeg(picture))
            self._read(photo, settings_of(wish))
        key = secrets.token_urlsafe(9)
        with self._lock:
            self._photos[key] = photo
            now = time.monotonic()
            ordered = sorted(self._photos, key=lambda known: self._photos[known].used)
            for known in ordered:
                if len(self._photos) > MOST or now - self._photos[known].used > SECONDS:
                    del self._photos[known]
        return self.shown(key, 0)

    def find(self, key: str) -> Photo:
        """Raises Refused for one that is not held."""
        with self._lock:
            photo = self._photos.get(key)
            if photo is None:
                raise Refused(404, "that photo is no longer held: drop it again")
            photo.used = time.monotonic()
            return photo

    def forget(self, key: str) -> None:
        with self._lock:
            self._photos.pop(key, None)

    def read_again(self, key: str, wish: dict[str, str], corners: list[list[float]] | None) -> dict[str, Any]:
        """Read it again with what somebody says of it. corners: shares of width and height. Raises PhotoError."""
        photo = self.find(key)
        settings = settings_of(wish)
        with self._reading:
            if corners is not None:
                height, width = photo.picture.image.shape[:2]
                pixels: Floats = np.array(corners, np.float64) * [width, height] - 0.5
                file_pixels = (pixels + 0.5) / photo.picture.scale - 0.5
                placed = within(file_pixels, photo.picture.image, photo.picture.scale)
                settings = replace(settings, corners=placed, boards=1)
            self._read(photo, settings)
        return self.shown(key, 0)

    def set_point(self, key: str, board: int, row: int, column: int, stone: int) -> dict[str, Any]:
        """A person says what a point holds. Raises PhotoError."""
        photo = self.find(key)
        reading = _board(photo, board)
        if not (row < reading.size and column < reading.size):
            raise PhotoError("there is no such point")
        named = vertex(reading, row, column)
        photo.readings[board] = checked(edited(reading, {named: Point(stone)}))
        return self.shown(key, board)

    def text(self, key: str, board: int, form: str, next_player: int | None) -> str:
        """The position in a format, as `tengen photo` writes it. Raises PhotoError."""
        if form not in FORMATS:
            raise PhotoError("there is no such format")
        photo = self.find(key)
        return text_of(_board(photo, board), form, facts_of(photo, next_player), photo.picture)

    def record(self, key: str, board: int, next_player: int | None) -> Any:
        """The position to play on from, with a side to move. Raises PhotoError."""
        photo = self.find(key)
        return to_play(record_of(_board(photo, board), facts_of(photo, next_player)))[0]

    def advice(self, key: str, board: int, what: str, next_player: int | None) -> str:
        """The score of a finished game, or the best move, in words. Raises PhotoError."""
        photo = self.find(key)
        with self._reading:
            said = score if what == "score" else best_move
            return said(_board(photo, board), facts_of(photo, next_player)).replace("--next says better", "say who")

    def shown(self, key: str, board: int) -> dict[str, Any]:
        """What the page draws of a photo: places are shares of the picture's width and height."""
        photo = self.find(key)
        height, width = photo.picture.image.shape[:2]
        values: dict[str, Any] = {
            "id": key, "name": photo.name, "width": width, "height": height, "error": photo.error,
            "boards": len(photo.readings), "board": board, "reading": None,
            "corners": [[MARGIN, MARGIN], [1 - MARGIN, MARGIN], [1 - MARGIN, 1 - MARGIN], [MARGIN, 1 - MARGIN]],
        }  # fmt: skip
        if photo.readings:
            reading = _board(photo, board)
            frame = np.array([width, height])
            values["reading"] = described(reading, record_of(reading, Facts()), photo.picture)
            values["points"] = np.round((reading.lattice.points() + 0.5) / frame, 5).tolist()
            values["corners"] = np.round((reading.lattice.corners() + 0.5) / frame, 5).tolist()
            values["formats"] = _formats(reading)
        return values

    def _read(self, photo: Photo, settings: Settings) -> None:
        """Read the boards; what is wrong with the picture is told with it."""
        photo.readings, photo.error = [], ""
        try:
            photo.readings = [checked(reading) for reading in read_picture(photo.picture.image, settings)]
            photo.error = "" if photo.readings else MISSING
        except NoBoardError as error:
            photo.error = _for_the_page(str(error))
        except (cv2.error, MemoryError):
            photo.error = "the picture could not be read"


def settings_of(wish: dict[str, str]) -> Settings:
    """What somebody says of a picture: game, size, the part of the board that shows. Raises PhotoError."""
    game, size, part = wish.get("game") or None, wish.get("size") or "", wish.get("part") or ""
    if game not in (None, *GAMES) or not (size.isascii() and size.isdigit() or not size) or len(size) > 2:
        raise PhotoError("such a board cannot be read")
    number = int(size) if size else None
    window = parse_window(part, number, game) if part else None
    settings = Settings(size=number, game=game, window=window, boards=BOARDS)
    settings.sizes()
    return settings


def facts_of(photo: Photo, next_player: int | None) -> Facts:
    """What is known of the game."""
    return Facts(date=photo.picture.date or "", next=next_player)


def _board(photo: Photo, board: int) -> Reading:
    if not board < len(photo.readings):
        raise PhotoError(photo.error or "there is no such board")
    return photo.readings[board]


def _formats(reading: Reading) -> list[str]:
    conventions = get_game(reading.game).conventions
    own = [form for form in (conventions.record, conventions.position) if form in FORMATS and form != "sgf"]
    return ["sgf", *map(str, own), "txt", "json"]


def _for_the_page(sentence: str) -> str:
    """A sentence of the command in the page's words."""
    for option, word in (("--size", "lines"), ("--window", "part"), ("--corners", "corners")):
        sentence = sentence.replace(option, word)
    return sentence


def _jpeg(picture: Picture) -> bytes:
    """The picture as the page shows it: pixels alone, nothing that the camera noted. Raises PhotoError."""
    image = picture.image
    factor = SHOWN / max(image.shape[:2])
    if factor < 1:
        image = np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    is_made, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 85])
    if not is_made:
        raise PhotoError("the picture cannot be shown")
    return data.tobytes()
