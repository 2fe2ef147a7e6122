"""The space of tuning: numeric options of a search, chosen by name, each on a scale from 0 to 1.

A step on the scale is meant to matter alike everywhere: an option whose default lies near the low end of a wide range
(an exploration constant of 0.4 in 0..10) is scaled by its logarithm, one whose default lies near the zero of a range on
both sides of it (a weight of 0.1 in -10..10) by the inverse of the hyperbolic sine, any other linearly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from tengen.engine.config import nearest
from tengen.engine.options import Option, Value
from tengen.engine.search import is_resource

WIDE = 5.0
"""A range this many times the distance of the default from its low end (from zero) is no linear scale."""
OFFSET = 1 / 20
"""The offset of the logarithmic scale, as a share of that distance: where the logarithmic scale begins, so that it
reaches the low end."""
LEAST_OFFSET = 1 / 200
"""The least offset, as a share of the range: the least value around zero that the other scale tells apart from zero."""
DIGITS = 4
"""Significant digits of a value."""


class Parameter(NamedTuple):
    """One option in the run. offset: None for a linear scale, else the value from which steps grow with the value.
    is_whole: its values have no fractions."""

    name: str
    start: float
    low: float
    high: float
    offset: float | None = None
    is_whole: bool = False

    def unit(self, value: float) -> float:
        """Return the place of `value` on the scale, within [0, 1]."""
        low, high = self._bent(self.low), self._bent(self.high)
        return (self._bent(min(self.high, max(self.low, value))) - low) / (high - low)

    def value(self, unit: float) -> float:
        """The value at a place of the scale, within the range, rounded to DIGITS of what differs along the scale."""
        low, high = self._bent(self.low), self._bent(self.high)
        bent = low + min(1.0, max(0.0, unit)) * (high - low)
        if self.offset is None:
            value, size = bent, self.high - self.low
        elif self.low < 0:
            value = self.offset * math.sinh(bent)
            size = abs(value) + self.offset
        else:
            value = self.low + self.offset * math.expm1(bent)
            size = value - self.low + self.offset
        digits = DIGITS - 1 - math.floor(math.log10(size))
        return min(self.high, max(self.low, round(value, min(0, digits) if self.is_whole else digits)))

    def _bent(self, value: float) -> float:
        """The value on the scale before it is brought to [0, 1]."""
        if self.offset is None:
            return value
        return math.asinh(value / self.offset) if self.low < 0 else math.log1p((value - self.low) / self.offset)


def choose(options: Sequence[Option], patterns: Sequence[str], start: Mapping[str, Value]) -> list[Parameter]:
    """The parameters that "name" or "mcts.*" or "mcts.c=0.1:3" (a range) choose, in the order of the options.

    options: of the player as it is by default, which decides the scales. start: the values to begin with.
    Raises ValueError with one sentence: nothing matches, a range or a start outside the option's.
    """
    ranges: dict[str, tuple[float, float]] = {}
    for pattern in patterns:
        name, equals, text = (part.strip() for part in pattern.partition("="))
        found = [option for option in options if fnmatchcase(option.name, name)]
        if not found:
            raise ValueError(f"no option is called '{name}'{nearest(name, [option.name for option in options])}")
        useful = [option for option in found if _is_knowledge(option)]
        if not useful:
            what = "a resource, no knowledge" if any(option.kind == "number" for option in found) else "no number"
            raise ValueError(f"'{name}' is nothing to tune: it is {what}")
        for option in useful:
            ranges[option.name] = _range(text, option) if equals else ranges.get(option.name, (option.low, option.high))
    return [_parameter(option, *ranges[option.name], start) for option in options if option.name in ranges]


def _is_knowledge(option: Option) -> bool:
    return option.kind == "number" and not is_resource(option)


def _range(text: str, option: Option) -> tuple[float, float]:
    low, colon, high = text.partition(":")
    try:
        pair = float(low), float(high if colon else "?")
    except ValueError:
        raise ValueError(f"{option.name}: '{text}' is not a range low:high") from None
    if not option.low <= pair[0] < pair[1] <= option.high:
        raise ValueError(f"{option.name}: the range {text} is not within {option.low:g}:{option.high:g}")
    if option.is_whole:
        pair = float(math.ceil(pair[0])), float(math.floor(pair[1]))
        if not pair[0] < pair[1]:
            raise ValueError(f"{option.name}: the range {text} holds no whole numbers to choose from")
    return pair


def _parameter(option: Option, low: float, high: float, start: Mapping[str, Value]) -> Parameter:
    default = option.default
    value = start.get(option.name, default)
    assert isinstance(default, int | float) and isinstance(value, int | float), "numbers alone are chosen"
    if not low <= value <= high:
        raise ValueError(f"{option.name}: the start {value:g} is not within {low:g}:{high:g}")
    if not low < high:
        raise ValueError(f"{option.name} has one value only")
    return Parameter(option.name, value, low, high, _offset(default, low, high), option.is_whole)


def _offset(default: float, low: float, high: float) -> float | None:
    """The bend of the scale of a range, None for a linear one."""
    width = high - low
    if low < 0 < high:
        return max(abs(default), LEAST_OFFSET * width) if width > 2 * WIDE * abs(default) else None
    distance = default - low
    if low < 0 or distance < 0 or width <= WIDE * distance:
        return None
    return OFFSET * distance or width / 1000
