"""Text of users, files and other programs, made fit for a sentence: one line, printable, not long."""

from __future__ import annotations


def printable(text: str, length: int = 1000) -> str:
    """The beginning of a text on one line; what cannot be printed is "?".

    >>> printable("a\\x1b[31m\\n", 4)
    'a?[3'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in text[:length])


def excerpt(text: str, length: int = 20) -> str:
    """The same in quotes, with dots where something is left out.

    >>> excerpt("one\\ntwo"), excerpt("abc", 2)
    ("'one?two'", "'ab...'")
    """
    return f"'{printable(text, length)}{'...' if len(text) > length else ''}'"
