"""Values of a table, whose text comes from flags or TOML: read as the engine's options are, with their sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tengen.engine.config import ConfigError, nearest
from tengen.engine.options import check, number


def whole(table: Mapping[str, Any], key: str, default: int | None, low: int, high: int) -> int | None:
    """A whole number within bounds. Raises ValueError."""
    if key not in table:
        return default
    return int(number(key, default, low, high, "", is_whole=True).parse(table[key]))


def real(table: Mapping[str, Any], key: str, default: float, low: float, high: float) -> float:
    """A number within bounds. Raises ValueError."""
    return float(number(key, default, low, high, "").parse(table[key])) if key in table else default


def truth(key: str, value: Any) -> bool:
    """The value of a key that is true or false. Raises ValueError."""
    return bool(check(key, None, "").parse(value))


def one_of(table: Mapping[str, Any], key: str, known: Sequence[str]) -> str:
    """The value of a key, the first of `known` by default."""
    value = str(table.get(key, known[0]))
    if value not in known:
        raise ConfigError(f"{key}: '{value}' is none of {', '.join(dict.fromkeys(known))}{nearest(value, known)}")
    return value
