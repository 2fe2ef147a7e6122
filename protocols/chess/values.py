"""Values of options from text: numbers out of bounds are clamped, never an end."""

from __future__ import annotations

import re

from tengen.engine.options import TRUTH, Option, Value
from tengen.engine.sentence import excerpt
from tengen.protocols.chess.options import EMPTY

LONGEST_TEXT = 4096
_INTEGER = re.compile(r"([+-]?)(\d+)(?:\.0*)?", re.ASCII)


class Refused(ValueError):
    """A value that is not taken; the message is one sentence."""


def value_of(option: Option, given: str | None) -> tuple[Value, str]:
    """The value, and what to tell about it: "", or a sentence where it was clamped. Raises Refused."""
    word = (given or "").strip()
    if option.kind == "number":
        return _number(option, word)
    if option.kind == "check":
        truth = TRUTH.get(word.lower())
        if truth is None:
            raise Refused(f"{option.name} is true or false, not {excerpt(word)}")
        return truth, ""
    if option.kind == "choice":
        try:
            return option.parse(word), ""
        except ValueError as error:
            raise Refused(str(error)) from None
    return _text(option, word), ""


def _number(option: Option, word: str) -> tuple[Value, str]:
    """A whole number, clamped to the bounds."""
    found = _INTEGER.fullmatch(word)
    if found is None:
        raise Refused(f"{option.name} must be {option.allowed}, not {excerpt(word)}")
    sign, digits = found.groups()
    low, high = int(option.low), int(option.high)
    size = int(digits) if len(digits) < 19 else 10**18
    value = min(max(-size if sign == "-" else size, low), high)
    is_clamped = value != (-size if sign == "-" else size)
    return value, f"{option.name} must be {option.allowed}: it is {value} now" if is_clamped else ""


def _text(option: Option, word: str) -> str:
    if word == EMPTY:
        return ""
    if len(word) > LONGEST_TEXT or not word.isprintable():
        raise Refused(f"{option.name}: the text is too long or holds what cannot be shown")
    return word
