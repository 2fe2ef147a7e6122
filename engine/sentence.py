"""Text of users, files and other programs, made fit for a sentence: one line, printable, not long."""

from __future__ import annotations

import re
from unicodedata import category, east_asian_width

_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What terminals and viewers obey: C0 without the tab, DEL, C1, line separators, changes of direction."""


def printable(text: str, length: int = 1000) -> str:
    """The beginning of a text on one line; what cannot be printed is "?".

    >>> printable("a\\x1b[31m\\n", 4)
    'a?[3'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in text[:length])


def harmless(text: str) -> str:
    """A text with "?" for what a terminal would obey; anything else stays, tabs too.

    >>> harmless("\\x1b[2Ja\\tb\\x9b1m")
    '?[2Ja\\tb?1m'
    """
    return text if text.isprintable() else _CONTROL.sub("?", text)


def excerpt(text: str, length: int = 20) -> str:
    """The same in quotes, with dots where something is left out.

    >>> excerpt("one\\ntwo"), excerpt("abc", 2)
    ("'one?two'", "'ab...'")
    """
    return f"'{printable(text, length)}{'...' if len(text) > length else ''}'"


def excerpt_of(value: object, length: int = 20) -> str:
    """The same of any value, whatever it is.

    >>> excerpt_of(2.5), excerpt_of(10**5000)
    ("'2.5'", 'what was given')
    """
    try:
        return excerpt(str(value), length)
    except (ValueError, RecursionError):  # an integer of thousands of digits, tables in tables in tables
        return "what was given"


def columns(text: str) -> int:
    """Count the columns of a terminal that a printable text takes: ideographs two each, combining marks none.

    >>> columns("abc"), columns("\u56f2\u7881"), columns("e\u0301")
    (3, 4, 1)
    """
    return sum(0 if category(letter) in ("Mn", "Me") else 1 + (east_asian_width(letter) in "WF") for letter in text)


def fitted(text: str, width: int) -> str:
    """The text, or its beginning with dots, in so many columns of a terminal.

    >>> fitted("abcdefgh", 8), fitted("abcdefgh", 7), fitted("\u56f2\u7881\u56f2\u7881", 6)
    ('abcdefgh', 'abcd...', '\u56f2...')
    """
    if columns(text) <= width:
        return text
    end = len(text)
    while end and columns(text[:end]) > width - 3:
        end -= 1
    return text[:end] + "..."
