"""Options: settings that can be changed from outside: an option is a number, a check, a choice or a text, and knows
what fits it.

These are the kinds that protocols tell of (UCI's spin, check, combo and string; GoGui's [bool], [list/...], [string]),
so a front end lists the options of any player and takes their values as text.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Literal, NamedTuple

from tengen.engine.sentence import excerpt_of

Value = bool | int | float | str
Kind = Literal["number", "check", "choice", "text"]
TRUTH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
"""The words for the values of a check, in any case."""
_SHOWN = 60  # characters of a wrong value that a sentence repeats
_LONG = 1e18  # from here on a bound is shown as a power of ten


class Option(NamedTuple):
    """One setting; `number`, `check`, `choice` and `text` make it.

    default: None where leaving it out means something else than any value; of a search, its present value.
    low, high: of a number, both included. is_whole: of a number without fractions. choices: the words of a choice.
    """

    name: str
    kind: Kind
    default: Value | None
    doc: str
    low: float = -math.inf
    high: float = math.inf
    is_whole: bool = False
    choices: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """Describe the allowed values in words: "a whole number from 1 to 256"."""
        return _ALLOWED[self.kind](self)

    def parse(self, value: object) -> Value:
        """Convert a value, which may be text: whole numbers to ints, other numbers to floats.

        Raises ValueError with one sentence for what does not fit.
        """
        found = _READERS[self.kind](self, value)
        if found is None:
            given = shown(value) if isinstance(value, bool) else value
            raise ValueError(f"{self.name} must be {self.allowed}, not {excerpt_of(given, _SHOWN)}")
        return found


def number(name: str, default: float | None, low: float, high: float, doc: str, is_whole: bool = False) -> Option:
    """An option that is a number within bounds."""
    whole = default is not None and is_whole
    return Option(name, "number", int(default) if whole else default, doc, low, high, is_whole)  # type: ignore[arg-type]


def check(name: str, default: bool | None, doc: str) -> Option:
    """An option that is true or false."""
    return Option(name, "check", default, doc)


def choice(name: str, default: str | None, choices: tuple[str, ...], doc: str) -> Option:
    """An option that is one of some words."""
    return Option(name, "choice", default, doc, choices=choices)


def text(name: str, default: str | None, doc: str) -> Option:
    """An option that is any text, or the name of a file."""
    return Option(name, "text", default, doc)


def shown(value: Value | None) -> str:
    """A value of an option as a person writes it; "" for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else _plain(value)


def _number(option: Option, value: object) -> Value | None:
    """A finite number within the bounds; a boolean is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(found) or not option.low <= found <= option.high:
        return None
    if not option.is_whole:
        return found
    return int(found) if found == int(found) else None


def _check(option: Option, value: object) -> Value | None:
    if isinstance(value, bool):
        return value
    is_word = isinstance(value, str) or (isinstance(value, int | float) and value in (0, 1))
    return TRUTH.get(str(value).strip().lower().removesuffix(".0")) if is_word else None


def _choice(option: Option, value: object) -> Value | None:
    """The word as it is listed, whatever its case."""
    word = str(value).strip().lower() if isinstance(value, str | int) and not isinstance(value, bool) else None
    return next((known for known in option.choices if known.lower() == word), None)


def _text(option: Option, value: object) -> Value | None:
    return str(value) if isinstance(value, str | os.PathLike) else None


def _range(option: Option) -> str:
    """The bounds of a number; one that is infinite is none."""
    kind = "a whole number" if option.is_whole else "a number"
    low = f" from {_plain(option.low)}" if math.isfinite(option.low) else ""
    high = f" to {_plain(option.high)}" if math.isfinite(option.high) else ""
    return kind + low + high


def _plain(value: float) -> str:
    """A number without a power of ten, where that is short."""
    return str(int(value)) if abs(value) < _LONG and value == int(value) else f"{value:g}"


_READERS: dict[Kind, Callable[[Option, object], Value | None]] = {
    "number": _number,
    "check": _check,
    "choice": _choice,
    "text": _text,
}
_ALLOWED: dict[Kind, Callable[[Option], str]] = {
    "number": _range,
    "check": lambda option: "true or false",
    "choice": lambda option: f"one of {', '.join(option.choices)}",
    "text": lambda option: "text",
}
