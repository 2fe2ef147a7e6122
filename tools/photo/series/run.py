"""`tengen photo --series DIR|VIDEO`: frames to readings to moves to a file, and a summary on stderr."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tengen.tools.live import Live, bar
from tengen.tools.photo.edit import parse_corners, within
from tengen.tools.photo.one_picture import NO_BOARD, SURE, UNSURE, guard, printable, write
from tengen.tools.photo.pipeline import Settings, read_picture
from tengen.tools.photo.position import Facts
from tengen.tools.photo.results import PhotoError
from tengen.tools.photo.series.frames import Frame, photos, source_of
from tengen.tools.photo.series.infer import Inferred, infer
from tengen.tools.photo.series.lock import Lock, Read
from tengen.tools.photo.series.output import FORMATS, text_of, vertices
from tengen.tools.photo.series.output import record_of as game_of
from tengen.tools.photo.warnings import Warned, warning

VOTERS = 3
"""Frames by which the size is settled; they are in memory together."""
MAX_FRAMES = 20_000
_LISTED = 8
_OTHERS = ("edit", "overlay", "score", "best_move", "keep_label", "json")


@dataclass
class Gathered:
    """The results of reading the frames: the readings (size, size, 4) with their names, and what was left out."""

    frames: list[NDArray[np.float32]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    date: str | None = None
    game: str = ""


def run(values: Namespace, read: Read = read_picture) -> int:
    """Read a series as the options say. The exit code: 0, 1 with doubtful moves, 3 without a board.

    Raises PhotoError and OSError with one sentence.
    """
    for option in _OTHERS:
        if getattr(values, option, None):
            raise PhotoError(f"--{option.replace('_', '-')} is about pictures, not about a series")
    form = form_of(values)
    corners = parse_corners(values.corners) if values.corners else None
    settings = Settings(size=values.size, game=values.game, corners=corners, detector=values.detector)
    settings.sizes()
    target = None if values.output in (None, "-") else Path(values.output)
    if target is not None:
        guard(target, read_from(values.series))
        target.parent.mkdir(parents=True, exist_ok=True)  # before the frames are read: they may be many
    source = source_of(values.series)
    with progress(source.count, source.noun) as show:
        lock = Lock(read, settings)
        gathered = gather(source.frames, lock, show)
    for note in gathered.notes:
        say(note)
    if not gathered.frames:
        say(f"'{values.series}': no board was found ({count(len(gathered.skipped), source.noun)}): take them "
            "from above with all four corners in them, or give --corners and --size")  # fmt: skip
        return NO_BOARD
    inferred = infer(gathered.frames, gathered.game)
    facts = Facts(values.black, values.white, values.event, values.date or gathered.date or "", values.next,
                  values.komi, values.rules)  # fmt: skip
    text = text_of(inferred, facts, form, gathered.names)
    if target is None:
        sys.stdout.write(text)
    else:
        write(target, text.encode("utf-8", "replace"))
    for line in summary(inferred, gathered, facts, source.noun):
        say(line)
    warnings = [*lock.warnings, *doubts(inferred, gathered)]
    for one in warnings:
        say(f"warning: {one}")
    return UNSURE if inferred.doubtful or inferred.bad or warnings else SURE


def read_from(series: str) -> list[str]:
    """The files of a series: none of them is ever written."""
    path = Path(series)
    return [str(photo) for photo in photos(path)] if path.is_dir() else [series]


def doubts(inferred: Inferred, gathered: Gathered) -> Iterator[Warned]:
    """Yield warnings that the record as a whole is not the game."""
    used = len(gathered.frames)
    if len(inferred.odd) > used / 2:
        names = listed([gathered.names[frame] for frame in inferred.odd])
        yield warning("series-other-stones", frames=names)
    if len(gathered.skipped) > used:
        yield warning("series-board-lost")


def form_of(values: Namespace) -> str:
    """The format by option, else by the extension of -o, else SGF. Raises PhotoError."""
    suffix = Path(values.output or "").suffix.lower().lstrip(".")
    form = values.format or suffix or "sgf"
    if form not in FORMATS:
        raise PhotoError(f"a series is written as {', '.join(FORMATS)}, not as {form}")
    if values.output not in (None, "-") and (Path(values.output).is_dir() or values.output[-1] in "/\\"):
        raise PhotoError(f"a series becomes one file: '{values.output}' is a folder")
    return str(form)


def gather(frames: Iterator[Frame], lock: Lock, show: Callable[[str], None]) -> Gathered:
    """The readings of all frames in which the board is found. One frame is in memory at a time, VOTERS at first."""
    gathered = Gathered()
    scaled = False
    while lock.size is None:
        first = list(islice(frames, VOTERS))
        if not first:
            return gathered
        images = [frame.image for frame in first if frame.image is not None]
        if not scaled and lock.settings.corners is not None and images:
            scale = next(frame.scale for frame in first if frame.image is not None)
            lock.settings = replace(lock.settings, corners=within(lock.settings.corners, images[0], scale))
            scaled = True
        if images and lock.vote(images):
            frames = chain(first, frames)
        else:
            for frame in first:
                _skip(gathered, frame)
                show(frame.name)
    gathered.game = lock.settings.game or "go"
    for frame in islice(frames, MAX_FRAMES):
        reading = lock.read(frame.image) if frame.image is not None else None
        if reading is None:
            _skip(gathered, frame)
        else:
            gathered.frames.append(reading.probabilities)
            gathered.names.append(frame.name)
            gathered.date = gathered.date or frame.date
        show(frame.name)
    return gathered


def _skip(gathered: Gathered, frame: Frame) -> None:
    gathered.skipped.append(frame.name)
    if frame.error:
        gathered.notes.append(frame.error)


def summary(inferred: Inferred, gathered: Gathered, facts: Facts, noun: str) -> Iterator[str]:
    """Summarise the frames in a few lines."""
    total = len(gathered.frames) + len(gathered.skipped)
    parts = [count(total, noun), f"{len(gathered.frames) - len(inferred.bad)} used"]
    if gathered.skipped:
        parts.append(f"{len(gathered.skipped)} skipped, no board found ({listed(gathered.skipped)})")
    if inferred.bad:
        parts.append(f"{len(inferred.bad)} left out, they fit to no legal game "
                     f"({listed([gathered.names[frame] for frame in inferred.bad])})")  # fmt: skip
    yield ", ".join(parts)
    setup = sum(map(bool, inferred.setup or b""))
    start = f" after {count(setup, 'stone')} of the start" if setup else ""
    doubtful = f", {inferred.doubtful} of them doubtful" if inferred.doubtful else ""
    yield f"{inferred.game} {inferred.size}x{inferred.size}: {count(len(inferred.moves), 'move')}{start}{doubtful}"
    words = vertices(inferred, game_of(inferred, facts))
    doubts = [
        f"  move {number} {word}: {'; '.join(move.doubts)} ({gathered.names[move.frame]})"
        for number, (move, word) in enumerate(zip(inferred.moves, words, strict=True), 1)
        if move.doubts
    ]
    yield from doubts[:_LISTED]
    if len(doubts) > _LISTED:
        yield f"  and {len(doubts) - _LISTED} more"


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def listed(names: list[str]) -> str:
    return ", ".join(names[:_LISTED]) + (", ..." if len(names) > _LISTED else "")


@contextmanager
def progress(total: int | None, noun: str) -> Iterator[Callable[[str], None]]:
    """A function that is told of each frame that was read."""
    done = 0
    with Live(is_patient=True) as live:

        def shown(name: str) -> None:
            nonlocal done
            done += 1
            live.update([f"{bar(done, total)} {noun}s" if total else count(done, noun), f"last {name[-30:]}"])

        live.update(f"reading {noun}s")
        yield shown


def say(text: str) -> None:
    print(printable(text), file=sys.stderr, flush=True)
