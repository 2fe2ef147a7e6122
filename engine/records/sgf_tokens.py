"""What `sgf_scan` finds in a file: tokens, and repairs by their places."""

from __future__ import annotations

from typing import NamedTuple


class Token(NamedTuple):
    """kind: "(", ")", ";", "name" or "value". at: where it begins, of a value what is in its brackets. depth: of open
    parentheses after it. name: of a value its property."""

    kind: str
    text: bytes
    at: int
    depth: int
    name: str = ""


class Repair(NamedTuple):
    """A repair at a place of the file."""

    at: int
    what: str
