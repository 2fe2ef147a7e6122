"""Lines of the protocol as text: a command, its argument, coordinates. Nothing here knows what a command means."""

from __future__ import annotations

import re
from typing import NamedTuple

from tengen.protocols.lines import Line

MAX_QUOTED = 40
"""Characters of somebody else's text that a reply repeats."""
_CONTROL = {code: " " for code in (*range(32), *range(127, 160))} | {0xFEFF: " "}
_COORDINATES = re.compile(r"\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*(?:,\s*(-?\d{1,9})\s*)?")


class GomocupError(Exception):
    """A command that cannot be done; the message is what follows "ERROR"."""


class Request(NamedTuple):
    """One command. name: upper case. text: the rest of its line. lines: those up to DONE, where it takes some.

    number: of the line that completed it. arrived: when it began, `time.monotonic()`.
    """

    name: str
    text: str
    number: int
    arrived: float
    lines: tuple[str, ...] = ()


def text_of(line: Line) -> str:
    """The line as text without control characters, CR included, and without blanks around it."""
    return line.data.decode("utf-8", "replace").translate(_CONTROL).strip()


def parse(line: Line, arrived: float) -> Request | None:
    """The command in a line; None for an empty one."""
    name, _, text = text_of(line).partition(" ")
    return Request(name.upper(), text.strip(), line.number, arrived) if name else None


def coordinates(text: str) -> tuple[int, int]:
    """Read `x,y`. Raises GomocupError."""
    x, y, field = placed(text)
    if field is not None:
        raise GomocupError(f"{quoted(text)} is not x,y")
    return x, y


def placed(text: str) -> tuple[int, int, int | None]:
    """Read `x,y` or `x,y,field`. Raises GomocupError."""
    match = _COORDINATES.fullmatch(text)
    if match is None:
        raise GomocupError(f"{quoted(text)} is not x,y")
    return int(match[1]), int(match[2]), None if match[3] is None else int(match[3])


def number(text: str) -> int | None:
    """Return the whole number at the beginning of `text`, fractions cut off; None without a number."""
    word = text.split(maxsplit=1)[0][:40] if text.strip() else ""
    try:
        return int(word)
    except ValueError:
        pass
    try:
        return int(float(word))
    except (ValueError, OverflowError):
        return None


def quoted(text: str) -> str:
    """Somebody else's text, short and in quotes, for a reply."""
    short = text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED] + "..."
    return f"'{short.encode('ascii', 'replace').decode()}'"
