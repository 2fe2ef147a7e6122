"""TOML: files of users read within bounds, and tables written as `tomllib` reads them back.

`tomllib` is quadratic in the parts of a dotted key and recursive in brackets: neither is needed in any file of ours.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from tengen.engine import files

MAX_BYTES = 256 << 10
"""The most bytes of a file that a person writes: a configuration of some lines, a match of some hundred engines."""
MAX_PARTS = 16
"""The most parts of a dotted key; ours have three."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")
# Possessive, and begun at no part of a word or a quotation, so that a hostile file costs one pass.
_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_DOTTED = re.compile(rf"(?<![A-Za-z0-9_\\-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MAX_PARTS}}}")


def read(path: files.Name, limit: int = MAX_BYTES) -> dict[str, Any]:
    """The table of a file. Raises OSError, and ValueError with one clause (see `files.reason`)."""
    try:
        text = files.read(path, limit).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("it is not valid TOML: it is no text in UTF-8") from None
    return loads(text)


def loads(text: str) -> dict[str, Any]:
    """The table of a text. Raises ValueError as `read`."""
    import tomllib

    if _DOTTED.search(text):
        raise ValueError(f"it has a key of more than {MAX_PARTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError as error:  # also plain ones, of numbers with too many digits
        raise ValueError(f"it is not valid TOML: {error}") from None


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
    import json  # who only reads has no need of it

    whole = text.encode("utf-8", "replace").decode()
    return json.dumps(whole, ensure_ascii=False).replace("\x7f", "\\u007f")
