"""Writing TOML: plain values, lists of them, tables and lists of tables, as `tomllib` reads them back."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def dumps(table: Mapping[str, Any], path: str = "") -> str:
    """The text of a table; None is left out. Raises TypeError for a value that TOML has not."""
    plain = [f"{_key(key)} = {_value(value)}" for key, value in table.items() if not _is_nested(value)]
    parts = ["\n".join(plain) + "\n"] if plain else []
    for key, value in table.items():
        name = f"{path}{_key(key)}"
        if isinstance(value, Mapping):
            parts.append(f"[{name}]\n{dumps(value, name + '.')}")
        elif _is_nested(value) and value is not None:
            parts += [f"[[{name}]]\n{dumps(item, name + '.')}" for item in value]
    return "\n".join(parts)


def _is_nested(value: Any) -> bool:
    """Whether a value is written after the plain ones; None is written nowhere."""
    is_tables = isinstance(value, list | tuple) and bool(value) and all(isinstance(item, Mapping) for item in value)
    return value is None or isinstance(value, Mapping) or is_tables


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    raise TypeError(f"TOML has no {type(value).__name__}")


def _text(text: str) -> str:
    """A basic string: JSON's escapes are TOML's, but for DEL and surrogates."""
    whole = text.encode("utf-8", "replace").decode()
    return json.dumps(whole, ensure_ascii=False).replace("\x7f", "\\u007f")
