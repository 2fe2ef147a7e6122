"""Configuration: one frozen value, read from TOML and from options; an option beats the file beats the default.

This module checks names, types and ranges. Whether a game, a player or a rule set exists is asked of the
registries when the player is built, and reported with the same kind of sentence.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from tengen.engine.files import Name, reason
from tengen.engine.sentence import excerpt, printable

DEFAULT_SECONDS = 5.0
"""Time for a move when neither a clock nor an option bounds it."""
RESERVED_MB = 64
"""Of `Config.memory`: what the process needs before any search."""


class ConfigError(ValueError):
    """A setting that cannot be used; the message is one sentence that names it."""


@dataclass(frozen=True)
class Config:
    """Every setting of a player.

    player: a name of `Game.players`; None is the game's default. rules: a named rule set; None is the default.
    playouts: simulations per move. time: seconds per move; with neither, DEFAULT_SECONDS.
    threads: None is the physical cores less one, at least 1. memory: MB for the process.
    seed: None is unpredictable. temperature: 0 plays the best move. level: 1..10, see `tengen.engine.play.levels`.
    resign: the win probability below which the player gives up; 0 never. ponder: think in the opponent's time.
    name, version_string: what a protocol answers instead of the product's own. file_root: the folder for every
    path that arrives by protocol. log: a file for a copy of the conversation.
    analysis_seconds: an analysis that nobody ends stops searching after this time. set: search options by full name.
    """

    game: str = "go"
    player: str | None = None
    playouts: int | None = None
    time: float | None = None
    threads: int | None = None
    memory: int = 512
    seed: int | None = None
    temperature: float | None = None
    resign: float = 0.05
    ponder: bool = False
    rules: str | None = None
    level: int | None = None
    name: str | None = None
    version_string: str | None = None
    file_root: str | None = None
    log: str | None = None
    analysis_seconds: float = 600.0
    set: Mapping[str, float] = field(default_factory=dict)


_INTEGERS = {
    "playouts": (1, 2**40),
    "threads": (1, 256),
    "memory": (16, 2**20),
    "seed": (0, 2**53),
    "level": (1, 10),
}
_NUMBERS = {
    "time": (0.001, 1e6),
    "temperature": (0.0, 100.0),
    "resign": (0.0, 1.0),
    "analysis_seconds": (0.1, 1e6),
}
_FLAGS = {"ponder"}
_FILES = {"file_root", "log"}
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")  # controls, ends of lines, halves of a pair
_LONGEST_TEXT = 4096
_LONG = 1e15  # from here on a number is shown as a power of ten
_SHOWN = 60  # characters of a wrong value that a message repeats
_TRUTH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def nearest(word: str, known: Iterable[str]) -> str:
    """Return " (did you mean 'x'?)" for the nearest of `known`, or "" when none is near."""
    from difflib import get_close_matches

    close = get_close_matches(word, sorted(known), n=1, cutoff=0.5)
    return f" (did you mean '{close[0]}'?)" if close else ""


def merge(base: Config, values: Mapping[str, Any], source: str = "option") -> Config:
    """Return `base` with `values` over it; None means "not given". Values may be text, as from a command line.

    Raises ConfigError naming an unknown key with the nearest right one, or the value that does not fit.
    """
    known = {item.name for item in fields(Config)}
    changes: dict[str, Any] = {}
    for key, value in values.items():
        plain = key.replace("-", "_")
        if plain not in known:
            raise ConfigError(f"unknown {source} {excerpt(key, _SHOWN)}{nearest(plain, known)}")
        if value is None:
            continue
        changes[plain] = {**base.set, **_settings(value)} if plain == "set" else _convert(plain, value)
    return replace(base, **changes)


def load(path: Name, base: Config | None = None) -> Config:
    """Read a TOML file over `base`. Raises ConfigError when it cannot be read or holds a wrong setting."""
    from tengen.engine import toml

    try:
        values = toml.read(path)
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read the configuration file '{path}': {reason(error)}") from error
    return merge(base or Config(), values, source=f"key in '{path}':")


def parse_setting(text: str) -> tuple[str, float]:
    """Split "mcts.c=1.4" into its name and number. Raises ConfigError."""
    name, equals, number = text.partition("=")
    if not equals or not name.strip():
        raise ConfigError(f"{excerpt(text, _SHOWN)} is not of the form name=number")
    return name.strip(), _number(name.strip(), number)


def default_threads() -> int:
    """Physical cores that this process may use, less one, at least 1."""
    cores = set()
    available = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    for cpu in available:
        try:
            with open(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list", encoding="ascii") as file:
                cores.add(file.read())
        except (OSError, UnicodeDecodeError):
            cores.add(str(cpu))
    return max(1, len(cores) - 1)


def _settings(value: object) -> dict[str, float]:
    """Flatten nested TOML tables: {"mcts": {"c": 1}} is {"mcts.c": 1.0}."""
    if not isinstance(value, Mapping):
        raise ConfigError(f"set: {_shown(value)} is not a table of numbers")
    flat: dict[str, float] = {}
    for key, item in value.items():
        if isinstance(item, Mapping):
            flat.update({f"{key}.{name}": number for name, number in _settings(item).items()})
        else:
            flat[str(key)] = _number(str(key), item)
    return flat


def _convert(key: str, value: object) -> object:
    """Give `value` the type of the field `key`, checking its range."""
    if key in _INTEGERS:
        number = _number(key, value)
        if number != int(number):
            raise ConfigError(f"{key}: {_shown(value)} is not an integer")
        return _in_range(key, int(number), *_INTEGERS[key])
    if key in _NUMBERS:
        return _in_range(key, _number(key, value), *_NUMBERS[key])
    if key in _FLAGS:
        truth = value if isinstance(value, bool) else _TRUTH.get(str(value).strip().lower())
        if truth is None:
            raise ConfigError(f"{key}: {_shown(value)} is neither true nor false")
        return truth
    if not isinstance(value, str | os.PathLike):
        raise ConfigError(f"{key}: {_shown(value)} is not text")
    return _text(key, str(value))


def _text(key: str, text: str) -> str:
    """A text that can be shown on a line, or the name of a file. A name of a file may hold all but NUL."""
    if "\0" in text or (key not in _FILES and _UNSEEN.search(text)):
        raise ConfigError(f"{key}: {excerpt(text, _SHOWN)} holds a character that cannot be shown")
    if len(text) > _LONGEST_TEXT:
        raise ConfigError(f"{key}: the text is longer than {_LONGEST_TEXT} characters")
    return text


def _number(key: str, value: object) -> float:
    """Read a finite number; a boolean is not one."""
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError
        number = float(value)
    except (ValueError, OverflowError):
        raise ConfigError(f"{_name(key)}: {_shown(value)} is not a number") from None
    if number - number != 0.0:
        raise ConfigError(f"{_name(key)}: {_shown(value)} is not a finite number")
    return number


def _in_range(key: str, value: float, low: float, high: float) -> float:
    if not low <= value <= high:
        shown = f"{value:g}" if abs(value) > _LONG else value
        raise ConfigError(f"{key}: {shown} is not between {low} and {high}")
    return value


def _shown(value: object) -> str:
    """A value that does not fit, in quotes: one line, and short whatever it is."""
    try:
        return excerpt(str(value), _SHOWN)
    except (ValueError, RecursionError):  # an integer of thousands of digits, tables in tables in tables
        return "its value"


def _name(key: str) -> str:
    return printable(key, _SHOWN)
