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


def excerpt_of(value: object, length: int = 20) -> str:
    """The same of any value, whatever it is.

    >>> excerpt_of(2.5), excerpt_of(10**5000)
    ("'2.5'", 'what was given')
    """
    try:
        return excerpt(str(value), length)
    except (ValueError, RecursionError):  # an integer of thousands of digits, tables in tables in tables
        return "what was given"
