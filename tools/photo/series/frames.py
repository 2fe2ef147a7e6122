"""The frames of a series, one at a time: photos of a folder in order, or the still moments of a video.

A video is looked at a few times a second, small and blurred. Where nothing moves and something has changed since the
last frame that was taken, one is taken, and a second one a little later, since one reading may err; where something
moves all the time, one now and then.
Left out: sound, the videos' own rotation beyond what OpenCV's reader does, live cameras.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.geometry import Image
from tengen.tools.photo.load import SUFFIXES, load
from tengen.tools.photo.results import PhotoError

LONGEST = 2000
"""Pixels of the long side of a frame; a series looks at many."""
LOOKS = 4.0
"""The looks at a video in a second."""
GLANCE = 320
"""Pixels of the long side of what is compared."""
STEP = 14
"""Levels of grey that a pixel must change by."""
MOVING = 0.004
"""Share of the pixels that change between two looks when something moves: a hand, not the noise."""
CHANGED = 0.0003
"""Share that a stone changes at least."""
AGAIN, IDLE, OVERDUE = 1.0, 20.0, 4.0
"""Seconds: until the second frame of a still moment, between frames of one where nothing changes, and without any."""


class Frame(NamedTuple):
    """One picture of the series; `error` is the reason if it cannot be read. scale: its pixels for one of the file."""

    name: str
    image: Image | None
    date: str | None = None
    scale: float = 1.0
    error: str = ""


@dataclass(frozen=True)
class Source:
    """A source of frames: their origin, their number (None: not known before), and what they are called."""

    frames: Iterator[Frame]
    count: int | None
    noun: str


def source_of(name: str) -> Source:
    """The frames of a folder or a video. Raises PhotoError with one sentence when there are none."""
    path = Path(name)
    if path.is_dir():
        paths = photos(path)
        return Source(map(_photo, paths), len(paths), "photo")
    if not path.is_file():
        raise PhotoError(f"'{name}' is no folder of photos and no video" if path.exists() else f"there is no '{name}'")
    if path.suffix.lower() in SUFFIXES - {".gif"}:
        raise PhotoError(f"'{name}' is one picture: --series takes a folder of them, or a video")
    return Source(stills(path), None, "still moment")


def photos(folder: Path) -> list[Path]:
    """The photos of a folder by the time they were taken, or by name unless all of them know it. Raises PhotoError."""
    from tengen.tools.photo.batch import pictures_in

    paths = pictures_in(folder)
    times = [taken(path) for path in paths]
    known = [time for time in times if time is not None]
    if len(set(known)) < len(paths):
        return paths
    return [path for _, path in sorted(zip(known, paths, strict=True), key=lambda pair: pair[0])]


def taken(path: Path) -> datetime | None:
    """Return the time of a photo by its EXIF, with parts of a second if it has them; None without a time."""
    from PIL import Image as Pillow

    try:
        with Pillow.open(path) as opened:
            tags = opened.getexif().get_ifd(0x8769)  # the camera's
        time = datetime.strptime(str(tags[0x9003]).strip("\0 ")[:19], "%Y:%m:%d %H:%M:%S")
        parts = "".join(filter(str.isdecimal, str(tags.get(0x9291, ""))))[:6]
        return time.replace(microsecond=int(parts.ljust(6, "0")))
    except Exception:  # tags are written by everybody; Pillow raises what it likes
        return None


def _photo(path: Path) -> Frame:
    try:
        picture = load(path, longest=LONGEST)
    except PhotoError as error:
        return Frame(path.name, None, error=str(error))
    return Frame(path.name, picture.image, picture.date, picture.scale)


def stills(path: Path) -> Iterator[Frame]:
    """The frames of a video worth reading. Raises PhotoError when it cannot be decoded."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # quiet: what is wrong is said below, in a sentence
    video = cv2.VideoCapture(str(path))
    try:
        rate = video.get(cv2.CAP_PROP_FPS)
        rate = rate if math.isfinite(rate) and 1 <= rate <= 1000 else 25.0
        stride, number, watch = max(1, round(rate / LOOKS)), -1, Watch()
        while video.grab():
            number += 1
            if number % stride:
                continue
            is_read, image = video.retrieve()
            if is_read and image is not None and watch.wants(np.asarray(image, np.uint8), number / rate):
                yield _frame(np.asarray(image, np.uint8), number / rate)
        if number < 0:
            raise PhotoError(f"'{path}' is no video that can be read: MP4, MOV, AVI and WebM mostly can")
    finally:
        video.release()


def _frame(image: Image, seconds: float) -> Frame:
    scale = min(1.0, LONGEST / max(image.shape[:2]))
    if scale < 1:
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    minutes, rest = divmod(seconds, 60)
    return Frame(f"{int(minutes)}:{rest:04.1f}", image, None, scale)


class Watch:
    """Says of each look at a video whether the frame is worth reading."""

    def __init__(self) -> None:
        self._last: NDArray[np.float32] | None = None
        self._read: NDArray[np.float32] | None = None
        self._when = self._since = -math.inf
        self._is_twice = True

    def wants(self, image: Image, now: float) -> bool:
        """Whether to read this frame, at `now` seconds."""
        glance, last = _glance(image), self._last
        self._last = glance
        is_still = last is not None and last.shape == glance.shape and _share(last, glance) < MOVING
        if not is_still:
            self._since = math.inf
            if last is not None and now - self._when < OVERDUE:
                return False
            return last is not None and self._take(glance, now, False)
        self._since = min(self._since, now)
        if self._read is None or self._read.shape != glance.shape or _share(self._read, glance) > CHANGED:
            return self._take(glance, now, False)
        if not self._is_twice and now - self._when >= AGAIN:
            return self._take(glance, now, True)
        return now - self._when >= IDLE and self._take(glance, now, True)

    def _take(self, glance: NDArray[np.float32], now: float, is_twice: bool) -> bool:
        self._read, self._when, self._is_twice = glance, now, is_twice
        return True


def _glance(image: Image) -> NDArray[np.float32]:
    """The picture small, grey and blurred."""
    factor = GLANCE / max(image.shape[:2])
    small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 1.0), np.float32)


def _share(before: NDArray[np.float32], after: NDArray[np.float32]) -> float:
    """The share of the pixels that differ, a change of the exposure as a whole aside."""
    difference = after - before
    return float((np.abs(difference - np.median(difference)) > STEP).mean())
