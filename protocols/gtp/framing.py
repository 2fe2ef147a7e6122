"""The outer form of GTP 2 (draft 2, sections 2.4-2.6): preprocessing, ids, responses.

Added to the draft: a byte order mark is dropped, and a line too long to be kept is answered with an error.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tengen.engine.sentence import printable
from tengen.protocols.lines import Line

MAX_ID = 2**31 - 1
_DROPPED = bytes(byte for byte in (*range(32), 127) if byte != 9)
_INTERRUPT = re.compile(rb"\s*#\s*interrupt\s*\Z")
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")


class GtpError(ValueError):
    """A refusal; the message is the text of the `?` response."""


class Request(NamedTuple):
    """One command. `id`: its digits as they came, or "". `rest`: everything behind the name, blanks kept."""

    id: str
    name: str
    rest: str
    overlong: bool = False

    @property
    def words(self) -> list[str]:
        """The arguments."""
        return [word for word in self.rest.split(" ") if word]


def parse(line: Line) -> Request | None:
    """Read one line; None when nothing is to be answered (blank, comment)."""
    data = line.data.translate(None, _DROPPED).replace(b"\t", b" ").partition(b"#")[0]
    text = data.decode("utf-8", "replace").lstrip("\ufeff").strip(" ")
    if not text:
        return None
    first, _, rest = text.partition(" ")
    if not is_id(first):
        return Request("", first, rest.strip(" "), line.overlong)
    name, _, rest = rest.lstrip(" ").partition(" ")
    return Request(first, name, rest.strip(" "), line.overlong)


def is_id(word: str) -> bool:
    """Whether `word` is a command id: 0 to 2^31 - 1 in ASCII digits."""
    return word.isascii() and word.isdigit() and len(word) <= 20 and int(word) <= MAX_ID


def is_interrupt(line: Line) -> bool:
    """Whether the line is GoGui's comment that ends a running genmove."""
    return _INTERRUPT.match(line.data) is not None


def response(mark: str, request_id: str, text: str) -> str:
    """A whole response: `mark` is "=" or "?". Blank lines inside `text`, which would end it early, are removed."""
    text = _BLANK_LINES.sub("\n", text).rstrip()
    return f"{mark}{request_id}{' ' if text else ''}{text}\n\n"


def quoted(text: str) -> str:
    """User text for an error message: one line, printable, short."""
    return f"'{printable(text)}'" if len(text) <= 60 else f"'{printable(text, 57)}...'"
