"""Configuration: one frozen value, read from TOML and from options; an option beats the file beats the default.

This module checks names, types and ranges. Whether a game, a player or a rule set exists is asked of the
registries when the player is built, and reported with the same kind of sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tengen.engine import system
from tengen.engine.files import Name, reason
from tengen.engine.options import Option, Value, check, choice, number, text
from tengen.engine.sentence import excerpt, excerpt_of

DEFAULT_SECONDS = 5.0
"""Time for a move when neither a clock nor an option bounds it."""
DEVICES = ("cpu", "gpu", "npu")
PRECISIONS = ("auto", "f32", "bf16", "int8")
RESERVED_MB = 64
"""The part of `Config.memory` that the process needs before any search."""


class ConfigError(ValueError):
    """A setting that cannot be used; the message is one sentence that names it."""


@dataclass(frozen=True)
class Config:
    """Every setting of a player.

    player: a name of `Game.players`; None is the game's default. rules: a named rule set; None is the default.
    playouts: simulations per move. visits: the same, with those that an earlier search made of the position.
    time: seconds per move; with none of these, DEFAULT_SECONDS.
    threads: None is the physical cores less one, at least 1. memory: MB for the process.
    seed: None is unpredictable. temperature: 0 plays the best move. level: one of its player's (`games.players`);
    rank: the same by a rank of people.
    resign: the win probability below which the player gives up; 0 never. ponder: think in the opponent's time.
    net: a network that plays the game: a file (ONNX, or KataGo's for Go), "auto" (one of KataGo's that is found on this
    machine) or "none". precision: what it computes in, one of PRECISIONS. device: what computes it, one of DEVICES.
    human_net: a network of KataGo's that imitates people, beside the one that plays. human_profile: whom human networks
    imitate (`evaluators/katago/profiles.py`), None: nobody. human: how moves are chosen by it (`human_choice.py`).
    book: an opening book (`engine/games/book.py`), "shipped" (tengen's own) or "none". book_margin: how much less than
    the best a move of it may be worth to be played, in the game's unit.
    name, version_string: what a protocol answers instead of the product's own. file_root: the folder for every path
    that arrives by protocol. log: a file for a copy of the conversation.
    analysis_seconds: an analysis that nobody ends stops searching after this time. set: search options by full name,
    as they were given; the search knows their kinds.
    """

    game: str = "go"
    player: str | None = None
    playouts: int | None = None
    visits: int | None = None
    time: float | None = None
    threads: int | None = None
    memory: int = 512
    seed: int | None = None
    temperature: float | None = None
    resign: float = 0.05
    ponder: bool = False
    rules: str | None = None
    level: int | None = None
    rank: str | None = None
    net: str = "none"
    precision: str = "auto"
    device: str = "cpu"
    human_net: str | None = None
    human_profile: str | None = None
    book: str = "none"
    book_margin: float = 0.5
    name: str | None = None
    version_string: str | None = None
    file_root: str | None = None
    log: str | None = None
    analysis_seconds: float = 600.0
    human: Mapping[str, Value] = field(default_factory=dict)
    set: Mapping[str, Value] = field(default_factory=dict)


OPTIONS = {
    option.name: option
    for option in (
        text("game", Config.game, "the game that is played"),
        text("player", None, "who plays"),
        number("level", None, 1, 100, "strength for people, 1 the weakest; full strength without it", is_whole=True),
        text("rank", None, "the rank of people that a network plays at in Go, as 5k or 2d; full strength without it"),
        number("playouts", None, 1, 2**40, "playouts for a move", is_whole=True),
        number("visits", None, 1, 2**40, "visits of the position at most, earlier ones counted", is_whole=True),
        number("time", None, 0.001, 1e6, "seconds for a move while the protocol has set no clock"),
        number("threads", None, 1, 256, "search threads (physical cores - 1)", is_whole=True),
        number("memory", Config.memory, 16, 2**20, "memory of the process", is_whole=True),
        number("seed", None, 0, 2**53, "random seed; with one thread and --playouts the moves repeat", is_whole=True),
        number("temperature", None, 0, 100, "variety of the moves; 0 plays the best one always (policy: 1)"),
        number("resign", Config.resign, 0, 1, "resign below this win probability; 0 is never"),
        check("ponder", Config.ponder, "think in the opponent's time"),
        text("rules", None, "the rules of the game"),
        text("net", Config.net, "a network to play by: a file, the name of a shipped one, none, or auto"),
        choice("precision", Config.precision, PRECISIONS, "what the network computes in"),
        choice("device", Config.device, DEVICES, "what computes the network"),
        text("human_net", None, "KataGo's network of people to choose moves by, beside the one that plays: a file"),
        text("human_profile", None, "whom a network of people imitates, as rank_5k or proyear_1950"),
        text("book", Config.book, "an opening book to play from: a file, shipped, or none"),
        number("book_margin", Config.book_margin, 0, 64, "how much less than the best a move of the book may be worth"),
        text("name", None, "what `name` answers (some GUIs choose their dialect by it)"),
        text("version_string", None, "what `version` answers"),
        text("file_root", None, "folder that loadsgf and printsgf may use (the current one)"),
        text("log", None, "write the conversation to a file"),
        number("analysis_seconds", Config.analysis_seconds, 0.1, 1e6, "when an analysis that nobody ends stops"),
    )
}
"""Every setting but `set`, whose names are the search's own, and `human`, whose names are KataGo's: its kind, its
bounds and what it does.

What some of them mean in a game, with the names that it has, says `engine/games/help_texts.py`.
"""
_FILES = {"book", "file_root", "human_net", "log", "net"}
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")  # controls, ends of lines, halves of a pair
_LONGEST_TEXT = 4096
_SHOWN = 60  # characters of a wrong value that a message repeats


def nearest(word: str, known: Iterable[str]) -> str:
    """Return " (did you mean 'x'?)" for the nearest of `known`, or "" when none is near."""
    from difflib import get_close_matches

    close = get_close_matches(word, sorted(known), n=1, cutoff=0.5)
    return f" (did you mean '{close[0]}'?)" if close else ""


def merge(base: Config, values: Mapping[str, Any], source: str = "option") -> Config:
    """Return `base` with `values` over it; None means "not given". Values may be text, as from a command line.

    Raises ConfigError naming an unknown key with the nearest right one, or the value that does not fit.
    """
    known = {*OPTIONS, "human", "set"}
    changes: dict[str, Any] = {}
    for key, value in values.items():
        plain = key.replace("-", "_")
        if plain not in known:
            raise ConfigError(f"unknown {source} {excerpt(key, _SHOWN)}{nearest(plain, known)}")
        if value is None:
            continue
        if plain == "set":
            changes[plain] = {**base.set, **_settings(value)}
        elif plain == "human":
            changes[plain] = {**base.human, **_human(value)}
        else:
            changes[plain] = _convert(OPTIONS[plain], value)
    return replace(base, **changes)


def load(path: Name, base: Config | None = None) -> Config:
    """Read a TOML file over `base`. Raises ConfigError when it cannot be read or holds a wrong setting."""
    from tengen.engine import toml

    try:
        values = toml.read(path)
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read the configuration file '{path}': {reason(error)}") from error
    return merge(base or Config(), values, source=f"key in '{path}':")


def parse_setting(text: str) -> tuple[str, str]:
    """Split "mcts.c=1.4" into its name and value. Raises ConfigError."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise ConfigError(f"{excerpt(text, _SHOWN)} is not of the form name=value")
    return name.strip(), value.strip()


def default_threads() -> int:
    """Physical cores that this process may use, less one, at least 1."""
    cores = set()
    for cpu in system.processors():
        try:
            with open(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list", encoding="ascii") as file:
                cores.add(file.read())
        except (OSError, UnicodeDecodeError):
            cores.add(str(cpu))
    return max(1, len(cores) - 1)


def _settings(values: object) -> dict[str, Value]:
    """Flatten nested TOML tables: {"mcts": {"c": 1}} is {"mcts.c": 1}."""
    if not isinstance(values, Mapping):
        raise ConfigError(f"set: {excerpt_of(values, _SHOWN)} is not a table of settings")
    flat: dict[str, Value] = {}
    for key, item in values.items():
        if isinstance(item, Mapping):
            flat.update({f"{key}.{name}": value for name, value in _settings(item).items()})
        else:
            flat[str(key)] = _setting(str(key), item)
    return flat


def _human(value: object) -> dict[str, Value]:
    """How moves are chosen by a human network, by KataGo's names."""
    from tengen.engine.human_choice import NAMED

    if not isinstance(value, Mapping):
        raise ConfigError(f"human: {excerpt_of(value, _SHOWN)} is not a table of settings")
    for name in value:
        if name not in NAMED:
            raise ConfigError(f"human: unknown setting {excerpt(str(name), _SHOWN)}{nearest(str(name), NAMED)}")
    return {name: _convert(NAMED[name].option, one) for name, one in value.items()}


def _setting(key: str, value: object) -> Value:
    if not isinstance(value, bool | int | float | str):
        raise ConfigError(f"set: {excerpt(key, _SHOWN)} is neither a number nor true, false or a text")
    return _text(excerpt(key, _SHOWN), value) if isinstance(value, str) else value


def _convert(option: Option, value: object) -> Value:
    """What `value` means for a setting."""
    try:
        found = option.parse(value)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    return _text(option.name, found) if isinstance(found, str) else found


def _text(key: str, text: str) -> str:
    """A text that can be shown on a line, or the name of a file. A name of a file may hold all but NUL."""
    if "\0" in text or (key not in _FILES and _UNSEEN.search(text)):
        raise ConfigError(f"{key}: {excerpt(text, _SHOWN)} holds a character that cannot be shown")
    if len(text) > _LONGEST_TEXT:
        raise ConfigError(f"{key}: the text is longer than {_LONGEST_TEXT} characters")
    return text
