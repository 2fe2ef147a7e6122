"""From a picture to readings: finders propose lattices, the reader reads them, what agrees best is kept.

`read_picture` is the whole of it; every stage can be called alone (`find.get_finder`, `reader.read`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tengen.tools.photo import grown_lattice, stone_reader
from tengen.tools.photo.board_sides import lined
from tengen.tools.photo.chequered import chequers
from tengen.tools.photo.confidence import doubts, hide_outside, is_board, likelihood, may_be_board
from tengen.tools.photo.find import get_finder, network
from tengen.tools.photo.find.beside import further
from tengen.tools.photo.find.rectangles import counted
from tengen.tools.photo.find.rims import without_rim
from tengen.tools.photo.find.sheet import figures
from tengen.tools.photo.geometry import SIZES, Floats, Image, Lattice, Window
from tengen.tools.photo.given import given, held, of_part
from tengen.tools.photo.partial_board import Told, doubted, part_of
from tengen.tools.photo.results import Hypothesis, NoBoardError, PartError, PhotoError, Reading
from tengen.tools.photo.warnings import warning

GAMES = {"go": (9, 13, 15, 17, 19), "gomoku": (15, 19), "reversi": (8,)}
"""The sizes looked for when a game is named."""
OTHERS = ("lines", "stones")
"""Finders that are asked when the networks are not sure of any board."""
RIMMED = (15, 17)
"""Sizes of lattices whose outermost lines may be the rim of a board of two lines less."""
FINDING = 1280
"""Pixels of a picture's longer side in which boards are looked for; stones are read in all of them."""


@dataclass(frozen=True)
class Settings:
    """The user's facts about a picture.

    `corners` (4, 2) are in pixels of it, upper left of the board first; with `is_held` they are not a hand's but known,
    and stay. `window` is the part of the board that shows, or words for it: "upper-left", "right".
    """

    size: int | None = None
    game: str | None = None
    corners: Floats | None = None
    detector: str = "auto"
    boards: int = 1
    window: Window | str | None = None
    is_held: bool = False

    def sizes(self) -> tuple[int, ...]:
        """The sizes to look for. Raises PhotoError if size and game do not fit."""
        allowed = GAMES[self.game] if self.game else SIZES
        if self.size is None:
            return allowed
        if self.size not in SIZES or (self.game and (self.size == 8) != (self.game == "reversi")):
            known = ", ".join(map(str, allowed))
            kind = f"{self.game} board" if self.game else "board"
            raise PhotoError(f"a {kind} of size {self.size} cannot be read from a picture: {known} can")
        return (self.size,)


def read_picture(image: Image, settings: Settings = Settings()) -> list[Reading]:  # noqa: B008
    """Read the boards of a picture (h, w, 3), best first; an empty list without boards.

    Raises PhotoError for settings that do not fit, PartError where only a part of a board shows and nothing says which.
    """
    network.refined.cache_clear()  # of the picture before
    sizes = settings.sizes()
    is_single = settings.corners is not None or settings.window is not None or settings.boards == 1
    if not is_single and sizes != (8,) and (kept := of_sheet(image, settings)):
        return kept
    if settings.corners is not None:
        place = held if settings.is_held else given if settings.window is None else of_part
        candidates = place(image, settings.corners, sizes)
    else:
        small, factor = reduced(image)
        finder = together if settings.detector == "auto" else get_finder(settings.detector)
        candidates = [scaled(hypothesis, 1 / factor) for hypothesis in finder(small, sizes)]
    readings, refusals = read_all(image, candidates[: settings.boards + 2], settings)
    readings.sort(key=lambda reading: -reading.found)
    boards = [reading for reading in readings if is_board(reading)]
    if settings.window is not None and not boards:
        boards = readings[:1]  # the user says that there is one
    kept = apart(boards, settings.boards)
    if settings.corners is None and all(reading.lattice.cells and reading.warnings for reading in kept):
        kept = without_chequers(image, kept)  # lines that were counted are a board, whatever lies under it
    if not kept and refusals:
        raise PartError(refusals[0])
    if settings.corners is None and len(kept) < settings.boards:
        return with_others(image, kept)
    return kept


def read_all(image: Image, candidates: Sequence[Hypothesis], settings: Settings) -> tuple[list[Reading], list[str]]:
    """Read the candidates; also return sentences about parts of boards that cannot be placed."""
    readings, refusals, parted = list[Reading](), list[str](), list[Floats]()
    for hypothesis in candidates:
        if any(network.covers(hypothesis.lattice, other) for other in parted):
            continue  # the same part again
        reading = whole_or_part(image, hypothesis, settings)
        if isinstance(reading, Reading):
            readings.append(reading)
        elif reading is not None:
            refusals.append(reading)
        if isinstance(reading, Reading) and reading.window is not None:
            parted.append(reading.lattice.points()[reading.shown].mean(0, keepdims=True))
    return readings, refusals


def of_sheet(image: Image, settings: Settings) -> list[Reading]:
    """The boards of a sheet of diagrams, in reading order, the first with a warning of those that were not read.

    None where most of what looks like diagrams cannot be read.
    """
    small, factor = reduced(image)
    quads = figures(small)
    largest = max(settings.sizes())
    candidates = [Hypothesis(Lattice.from_corners(quad / factor, largest).oriented(), 0.0, "figure") for quad in quads]
    readings, _ = read_all(image, candidates[: settings.boards], settings)
    kept = apart([reading for reading in readings if is_board(reading)], settings.boards)
    missing = len(quads) - len(kept)
    if 2 * len(kept) < min(len(quads), settings.boards):
        return []  # pieces of something else
    if missing:
        more = ": --boards says how many are read" if len(quads) > settings.boards else ""
        were = "was" if missing == 1 else "were"
        told = warning("diagrams-left", missing=missing, all=len(quads), were=were, more=more)
        kept[0] = replace(kept[0], warnings=(*kept[0].warnings, told))
    return kept


def without_chequers(image: Image, readings: list[Reading]) -> list[Reading]:
    """The readings that do not lie on a chequered board. Raises NoBoardError where that leaves none."""
    small, factor = reduced(image)
    found = chequers(small)
    if found is None:
        return readings
    kept = [reading for reading in readings if not found.is_under(reading.lattice.scaled(factor))]
    if not kept:
        raise NoBoardError(found.told)
    return kept


def with_others(image: Image, readings: list[Reading]) -> list[Reading]:
    """The readings, the first with a warning where much else of the picture looks like a board."""
    small, factor = reduced(image)
    if readings and further(network.look(small), [reading.lattice.scaled(factor) for reading in readings]):
        readings[0] = replace(readings[0], warnings=(*readings[0].warnings, warning("another-board")))
    return readings


def whole_or_part(image: Image, hypothesis: Hypothesis, settings: Settings) -> Reading | str | None:
    """A proposed lattice read as all of a board or as the part that shows.

    A sentence where a part shows and cannot be placed, None where no board is.
    """
    if settings.window is None and (settings.corners is not None or hypothesis.lattice.cells):
        reading = judge(image, hypothesis, settings)
        if settings.corners is not None or reading.lattice.cells:
            return reading  # discs in squares: racks and rims beside them look as if the board went on
    if hypothesis.lattice.size in RIMMED:
        hypothesis = replace(hypothesis, lattice=without_rim(image, hypothesis.lattice, settings.sizes()))
    extent = grown_lattice.glance(image, hypothesis.lattice)
    is_sure = hypothesis.score > network.SURE and extent.may_be_whole and grown_lattice.is_shown(image, extent)
    if settings.window is None and is_sure:
        return judge(image, hypothesis, settings)
    told = Told(settings.size, settings.game, settings.window, settings.corners is not None)
    part = part_of(image, hypothesis, told)
    if part is not None and not isinstance(part, Hypothesis):
        return part
    if part is None and settings.window is not None:
        return f"the lines of the part that --window names could not be counted: {told.hint(*extent.lines)}"
    hypothesis = part or hypothesis
    if not may_be_board(hypothesis.score):
        return None
    reading = judge(image, hypothesis, settings)
    return doubted(reading, extent, told) if part is None and is_board(reading) else reading


def reduced(image: Image) -> tuple[Image, float]:
    """The picture as large as finders need it, and how much smaller that is."""
    factor = min(1.0, FINDING / max(image.shape[:2]))
    if factor == 1.0:
        return image, factor
    return np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8), factor


def scaled(hypothesis: Hypothesis, factor: float) -> Hypothesis:
    """The same in the picture made `factor` times as large."""
    return replace(hypothesis, lattice=hypothesis.lattice.scaled(factor))


def together(image: Image, sizes: Sequence[int]) -> list[Hypothesis]:
    """Return the hypotheses of the networks; if they are not certain, also their judgement of other finders'
    proposals."""
    glance = network.look(image)
    found = network.at_glance(image, glance, sizes)
    sure = [hypothesis.lattice for hypothesis in found if hypothesis.score > network.SURE]
    found += network.among(image, further(glance, sure), sizes)
    found.sort(key=lambda hypothesis: -hypothesis.score)
    if found and found[0].score > network.SURE:
        return found
    if tuple(sizes) != (8,):
        corners = counted(image, network.propose(glance))
        if corners is not None:
            return [Hypothesis(Lattice.from_corners(corners, max(sizes)).oriented(), 0.0, "counted"), *found]
    seen = (*sizes, 9) if 8 in sizes and 9 not in sizes else sizes  # they see the nine lines between eight squares
    for name in OTHERS:
        for proposal in get_finder(name)(image, seen)[:2]:
            settled = network.settle(image, proposal.lattice.corners(), sizes)
            if settled is not None:
                found.append(Hypothesis(settled.lattice.oriented(), settled.score, name))
        if any(hypothesis.score > network.SURE for hypothesis in found):
            break
    return sorted(found, key=lambda hypothesis: -hypothesis.score)


def judge(image: Image, hypothesis: Hypothesis, settings: Settings) -> Reading:
    """Read the stones on a proposed lattice and say how sure it is that it lies right."""
    lattice = hypothesis.lattice
    probabilities = stone_reader.read(image, lattice, is_real=settings.is_held)
    hide_outside(probabilities, lattice, image.shape[0], image.shape[1])
    game = settings.game or ("reversi" if lattice.size == 8 else "gomoku" if lattice.size == 15 else "go")
    reading = Reading(lattice, probabilities, likelihood(hypothesis.score, probabilities), game)
    if lattice.cells and settings.game is None and settings.size is None and not reading.stones.any():
        return judge(image, nine_lines(image, hypothesis), settings)
    return replace(reading, warnings=(*hypothesis.notes, *doubts(reading)))


def nine_lines(image: Image, hypothesis: Hypothesis) -> Hypothesis:
    """Eight squares without a disc as the nine lines around them: no Reversi board is empty, many of Go are."""
    settled = network.settle(image, hypothesis.lattice.corners(), (9,), rounds=2)
    lattice = settled.lattice if settled else lined(hypothesis.lattice)
    return Hypothesis(lattice, hypothesis.score, hypothesis.source, (*hypothesis.notes, warning("nine-lines")))


def apart(readings: list[Reading], most: int) -> list[Reading]:
    """The best readings whose boards do not overlap."""
    kept: list[Reading] = []
    for reading in readings:
        middle = reading.lattice.project(np.array([(reading.size - 1) / 2, (reading.size - 1) / 2]))
        for other in kept:
            place = other.lattice.locate(middle)
            if (place > -0.5).all() and (place < other.size - 0.5).all():
                break
        else:
            kept.append(reading)
    return kept[:most]
