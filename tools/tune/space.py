"""What is tuned: numeric options of a search, chosen by name, each on a scale from 0 to 1.

A step on the scale is meant to matter alike everywhere: an option whose default lies near the low end of a wide range
(an exploration constant of 0.4 in 0..10) is scaled by its logarithm, any other linearly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from tengen.engine.config import nearest
from tengen.engine.search.base import Option

RESOURCES = ("threads", "memory_mb", "seed")
"""Options (the last part of their names) that make no player better."""
WIDE = 5.0
"""A range this many times the distance of the default from its low end is scaled by the logarithm."""
OFFSET = 1 / 20
"""Of that distance: where the logarithmic scale begins, so that it reaches the low end."""
DIGITS = 4
"""Significant digits of a value."""


class Parameter(NamedTuple):
    """One option in the run. offset: None for a linear scale, else what is added before the logarithm."""

    name: str
    start: float
    low: float
    high: float
    offset: float | None = None

    def unit(self, value: float) -> float:
        """Where `value` lies on the scale, within [0, 1]."""
        value = min(self.high, max(self.low, value))
        if self.offset is None:
            return (value - self.low) / (self.high - self.low)
        return math.log1p((value - self.low) / self.offset) / math.log1p((self.high - self.low) / self.offset)

    def value(self, unit: float) -> float:
        """The value at a place of the scale, within the range, rounded to DIGITS of what differs along the scale."""
        unit = min(1.0, max(0.0, unit))
        if self.offset is None:
            distance = unit * (self.high - self.low)
            size = self.high - self.low
        else:
            distance = self.offset * math.expm1(unit * math.log1p((self.high - self.low) / self.offset))
            size = distance + self.offset
        value = round(self.low + distance, DIGITS - 1 - math.floor(math.log10(size)))
        return min(self.high, max(self.low, value))


def choose(options: Sequence[Option], patterns: Sequence[str], start: Mapping[str, float]) -> list[Parameter]:
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
        useful = [option for option in found if option.name.rpartition(".")[2] not in RESOURCES]
        if not useful:
            raise ValueError(f"'{name}' is nothing to tune: it is a resource, no knowledge")
        for option in useful:
            ranges[option.name] = _range(text, option) if equals else ranges.get(option.name, (option.low, option.high))
    return [_parameter(option, *ranges[option.name], start) for option in options if option.name in ranges]


def _range(text: str, option: Option) -> tuple[float, float]:
    low, colon, high = text.partition(":")
    try:
        pair = float(low), float(high if colon else "?")
    except ValueError:
        raise ValueError(f"{option.name}: '{text}' is not a range low:high") from None
    if not option.low <= pair[0] < pair[1] <= option.high:
        raise ValueError(f"{option.name}: the range {text} is not within {option.low:g}:{option.high:g}")
    return pair


def _parameter(option: Option, low: float, high: float, start: Mapping[str, float]) -> Parameter:
    value = start.get(option.name, option.default)
    if not low <= value <= high:
        raise ValueError(f"{option.name}: the start {value:g} is not within {low:g}:{high:g}")
    if not low < high:
        raise ValueError(f"{option.name} has one value only")
    distance = option.default - low
    if distance < 0 or high - low <= WIDE * distance:
        return Parameter(option.name, value, low, high)
    return Parameter(option.name, value, low, high, OFFSET * distance or (high - low) / 1000)
