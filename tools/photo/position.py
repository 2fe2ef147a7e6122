"""A reading as a position of its game: the record that the formats hold, points as text, checks by the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tengen.engine.games.base import BLACK, WHITE
from tengen.engine.records import Record, RecordError
from tengen.engine.records.points import point, point_text
from tengen.engine.records.replay import start_of
from tengen.tools.photo.geometry import Window
from tengen.tools.photo.groups import breathless
from tengen.tools.photo.results import Point, Reading
from tengen.tools.photo.warnings import Warned, warning

NAMES = ("empty", "black", "white", "hidden")
"""The states of a point, in words, by `Point`."""


@dataclass(frozen=True)
class Facts:
    """Facts about the game that the user or the camera knows. next: 0 black, 1 white, None unknown. date: as SGF's
    DT."""

    black: str = ""
    white: str = ""
    event: str = ""
    date: str = ""
    next: int | None = None
    komi: float | None = None
    rules: str | None = None


def record_of(reading: Reading, facts: Facts) -> Record:
    """The position as a set-up without moves; who moves next is what the facts say, else what the game tells."""
    size = reading.size
    properties = {"DT": facts.date, "EV": facts.event}
    record = Record(
        game=reading.game,
        width=size,
        height=size,
        komi=facts.komi if reading.game == "go" else None,
        rules=facts.rules,
        setup=reading.stones.tobytes(),
        to_move=facts.next,
        players=(facts.black, facts.white),
        properties={key: text for key, text in properties.items() if text},
    )
    return record if facts.next is not None else replace(record, to_move=next_player(record))


def next_player(record: Record) -> int | None:
    """Return the side to move by the number of stones, or None: Go tells nothing, in Gomoku the colours alternate.

    Reversi: Black after an even number of discs, unless that side cannot move and the other can. Passes before that
    are not seen.
    """
    black, white = counts(record)
    if record.game == "gomoku":
        return {0: BLACK, 1: WHITE}.get(black - white)
    if record.game != "reversi":
        return None
    side = (black + white) % 2
    return 1 - side if _must_pass(record, side) and not _must_pass(record, 1 - side) else side


def _must_pass(record: Record, side: int) -> bool:
    try:
        state = start_of(replace(record, to_move=side))
    except RecordError:
        return False
    return state.is_terminal() or state.is_legal(state.pass_move)


def counts(record: Record) -> tuple[int, int]:
    """Black and white stones of the set-up."""
    stones = record.setup or b""
    return stones.count(Point.BLACK), stones.count(Point.WHITE)


def vertex(reading: Reading, row: int, column: int) -> str:
    """A point as the game's players write it: Go `Q4`, Gomoku `h8`, Reversi `f5` with a1 at the top left."""
    return point_text(reading.game, reading.size, reading.size, row * reading.size + column)


def point_of(reading: Reading, text: str) -> tuple[int, int]:
    """(row, column) of a point as `vertex` writes it, any case. Raises RecordError."""
    cells = reading.size * reading.size
    move = point(reading.game, reading.size, reading.size, text)
    if move >= cells:
        raise RecordError(f"'{text}' is not a point")
    return divmod(move, reading.size)


def part_text(reading: Reading) -> str:
    """The part of the board that was read, by its lower left and upper right points: "A9-L19"."""
    shown = reading.window or Window.whole(reading.size)
    return f"{vertex(reading, shown.bottom, shown.left)}-{vertex(reading, shown.top, shown.right)}"


def doubts(reading: Reading) -> list[str]:
    """The uncertain points in words, the least certain first: "Q4 white 83 %"."""
    stones, confidence = reading.stones, reading.confidence
    return [
        f"{vertex(reading, *spot)} {NAMES[stones[spot]]} {min(99, int(100 * confidence[spot]))} %"
        for spot in reading.uncertain
    ]


def listed(words: list[str], most: int) -> str:
    """The first words of a list, and how many more there are."""
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more


def checked(reading: Reading) -> Reading:
    """The reading with a warning for what cannot be a position of the game, or hardly one."""
    found = _oddity(reading)
    if found is None or found in reading.warnings:
        return reading
    return replace(reading, warnings=(*reading.warnings, found))


def _oddity(reading: Reading) -> Warned | None:
    record = record_of(reading, Facts(next=BLACK))
    if not any(counts(record)):
        return warning("no-stone")
    middle = slice(reading.size // 2 - 1, reading.size // 2 + 1)
    black, white = counts(record)
    if reading.game == "gomoku" and not -1 <= black - white <= 1:
        return warning("colours-uneven", black=black, white=white)
    if reading.game == "reversi" and not reading.stones[middle, middle].all():
        return warning("middle-empty")
    try:
        start_of(record)
    except RecordError as error:
        stuck = breathless(reading.stones) if reading.game == "go" else []
        if stuck:
            named = [vertex(reading, *group.spots[0]) for group in stuck]
            return warning("no-liberties", groups=listed(named, 6))
        return warning("rules-broken", game=reading.game, reason=str(error).rpartition(": ")[2])
    return None
