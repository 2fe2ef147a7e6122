"""One engine of a match: its table, from a flag's words or from TOML, and the EngineSpec that the table means.

A table holds a command and its protocol, or `player`, one of our own, with any setting of `tengen gtp`.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tengen.engine.config import DEFAULT_SECONDS, OPTIONS, Config, ConfigError, merge, nearest
from tengen.engine.games import get_game
from tengen.engine.games.naming import level_of, rank_of
from tengen.engine.options import shown
from tengen.engine.search import make_search
from tengen.tools.executors.base import needed
from tengen.tools.match.settings.values import real, truth, whole
from tengen.tools.match.spec import PROTOCOLS, EngineSpec, TimeSpec, told_mb

_ENGINE_KEYS = (
    "name", "command", "protocol", "player", "directory", "env", "init", "option", "tc", "nodes", "depth",
    "memory_mb", "cpus", "restart", "set", "rating",
)  # fmt: skip
_PLAYER_KEYS = tuple(name for name in OPTIONS if name not in ("game", "player", "name", "version_string"))


_SPOKEN = {
    "option": ("uci", "xboard"),
    "depth": ("gomocup", "nboard", "uci", "xboard"),
    "nodes": ("gtp", "gomocup", "uci"),
    "time": ("gtp", "gomocup", "uci", "xboard"),
}
"""Settings that not every protocol has words for: the protocols that have."""


ALIASES = {"cmd": "command", "proto": "protocol", "dir": "directory"}
"""Short names of settings, as other match managers have them."""


def engine_table(words: Iterable[str]) -> dict[str, Any]:
    """The table of "name=A player=uct playouts=100 mcts.c=0.4 env.X=1 option.Hash=64 init=...". Raises ConfigError."""
    table: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise ConfigError(f"'{word}' is not of the form name=value")
        head, dot, rest = key.partition(".")
        if head in ("env", "option") and dot:
            table.setdefault(head, {})[rest] = value
        elif dot:
            table.setdefault("set", {})[key] = value
        elif key == "init":
            table.setdefault("init", []).append(value)
        else:
            table[ALIASES.get(key, key)] = value
    return table


def full(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table with whole names for short ones."""
    return {ALIASES.get(key, key): value for key, value in table.items()}


def name_of(table: Mapping[str, Any]) -> str:
    """An engine's name: its own, its player's, or that of its program."""
    program = _words(table.get("command", ""))[:1]
    return str(table.get("name") or table.get("player") or (Path(program[0]).stem if program else "") or "engine")


def engine(table: Mapping[str, Any], game: str, rules: str = "", has_clock: bool = False) -> EngineSpec:
    """One engine of its table; rules and clock are those of the match. Raises ConfigError naming it."""
    name = name_of(table)
    try:
        return _engine(name, table, game, rules, has_clock)
    except (ValueError, TypeError, AttributeError) as error:
        raise ConfigError(f"engine '{name}': {error}") from None


def _engine(name: str, table: Mapping[str, Any], game: str, rules: str, has_clock: bool) -> EngineSpec:
    is_own = "player" in table or "command" not in table
    known = (*_ENGINE_KEYS, *_PLAYER_KEYS) if is_own else (*_ENGINE_KEYS, "time")
    for key in table:
        if key not in known:
            raise ConfigError(f"unknown setting '{key}'{nearest(key, known)}")
    if "player" in table and "command" in table:
        raise ConfigError("give a player of ours or a command, not both")
    if is_own and "player" not in table:
        raise ConfigError("give a command, or a player of ours (player=uct)")
    if not is_own and table.get("set"):
        raise ConfigError(f"'{next(iter(table['set']))}' is a setting of our players; another engine is told by init=")
    conventions = get_game(game).conventions
    protocol = str(table.get("protocol") or ("gtp" if conventions.has_points else conventions.protocol))
    if protocol not in PROTOCOLS:
        raise ConfigError(
            f"'{protocol}' is no protocol{nearest(protocol, PROTOCOLS)}; choose from {', '.join(PROTOCOLS)}"
        )
    is_timed = is_own or has_clock or "tc" in table  # then nobody has to be told of `time`
    for key, speak in _SPOKEN.items():
        if key in table and protocol not in speak and not (is_timed and key == "time"):
            others = " (give a clock, tc=60)" if key == "time" else ""
            raise ConfigError(f"{key}: cannot be told over {protocol}{others}")
    command = _own_command(table, protocol, game, rules) if is_own else _words(table["command"])
    if not command:
        raise ConfigError("the command is empty")
    nodes = whole(table, "nodes", None, 1, 2**53)
    depth = whole(table, "depth", None, 1, 1000)
    time = _time(table, is_own, has_clock)
    if is_own and protocol == "uci" and not (nodes or depth or has_clock or time):
        nodes, time = _bound(table)
    return EngineSpec(
        name=name,
        command=command,
        protocol=protocol,
        directory=table.get("directory"),
        env={str(key): str(value) for key, value in table.get("env", {}).items()},
        init=tuple(map(str, table.get("init", ()))),
        options={str(key): _plain(value) for key, value in table.get("option", {}).items()},
        time=time,
        nodes=nodes,
        depth=depth,
        memory_mb=whole(table, "memory_mb", None, 1, 2**24),
        cpus=_cpus(table.get("cpus", ())),
        restart=truth("restart", table.get("restart", False)),
    )


def _own_command(table: Mapping[str, Any], protocol: str, game: str, rules: str) -> tuple[str, ...]:
    """The command line of a player of ours; one search thread unless it says otherwise, no pondering."""
    settings = {key: table[key] for key in _PLAYER_KEYS if key in table}
    kind = get_game(game)
    if protocol == "gtp" and not kind.conventions.has_komi and rules not in ("", kind.default_rules.name):
        settings.setdefault("rules", rules)  # GTP has no word for them
    if (limit := whole(table, "memory_mb", None, 1, 2**24)) is not None:
        settings.setdefault("memory", told_mb(limit))
    config = merge(Config(game=game, player=str(table["player"])), {**settings, "set": table.get("set", {})})
    if config.player not in (players := get_game(game).players):
        hint = f"{nearest(str(config.player), players)}; it has {', '.join(players)}"
        raise ConfigError(f"{game} has no player '{config.player}'{hint}")
    level_of(get_game(game), config.player, config.level)
    if config.rank is not None:
        rank_of(get_game(game), config.player, config.rank)
    make_search(get_game(game), str(config.player), config.set)  # refuses what does not fit
    words = [sys.executable, "-m", "tengen.tools", protocol]
    words += ["--game", game] if protocol == "gtp" else []
    words += ["--player", str(config.player), "--threads", str(config.threads or 1)]
    if kind.conventions.finds_networks and "net" not in settings and kind.players[str(config.player)].needs_network:
        words += ["--net", "none"]  # a match says by which network it is played
    for key in settings:
        if key == "ponder":
            words += ["--ponder"] if config.ponder else []
        elif key != "threads":
            words += [f"--{key.replace('_', '-')}", str(getattr(config, key))]
    for key, value in config.set.items():
        words += ["--set", f"{key}={shown(value)}"]
    return tuple(words)


def _time(table: Mapping[str, Any], is_own: bool, has_clock: bool) -> TimeSpec | None:
    """Its own time control. `time` is what a player of ours takes for a move while nobody sets a clock; another engine
    is told so, and held to it, by its protocol."""
    if "tc" in table:
        return TimeSpec.parse(str(table["tc"]))
    if is_own or "time" not in table:
        return None
    told = TimeSpec(movetime=real(table, "time", 0, 0.001, 1e6))  # also beside a clock: no number is refused
    return None if has_clock else told


def _bound(table: Mapping[str, Any]) -> tuple[int | None, TimeSpec | None]:
    """What a player of ours is told over UCI, where a search that is told nothing goes on until it is stopped: its
    playouts, or enough that its level or its time ends the move."""
    if "playouts" in table or "level" in table:
        return whole(table, "playouts", 2**53, 1, 2**53), None
    return None, TimeSpec(movetime=real(table, "time", DEFAULT_SECONDS, 0.001, 1e6), margin=1.0)


def threads_of(spec: EngineSpec) -> int:
    """Threads that an engine is known to search with; 1 when its settings do not say."""
    words = spec.command
    for name, value in (*zip(words, words[1:], strict=False), *spec.options.items()):
        if name.lstrip("-").lower() == "threads" and value.isdecimal():
            return int(value)
    return 1


def over(each: Mapping[str, Any], row: Mapping[str, Any]) -> dict[str, Any]:
    """An engine's table over what all have; what only players of ours know does not reach the others (`untold`)."""
    shared = {key: value for key, value in each.items() if key not in untold(each, row)}
    merged = {**shared, **row}
    for key in ("env", "option", "set"):
        if key in shared and key in row:
            merged[key] = {**shared[key], **row[key]}
    return merged


def untold(each: Mapping[str, Any], row: Mapping[str, Any]) -> list[str]:
    """Settings of all that this engine is not told, since no protocol has words for them."""
    if "command" not in row:
        return []
    return [key for key in each if key in (*_PLAYER_KEYS, "player", "set") and key != "time"]


def networks(*names: str | None) -> dict[str, str]:
    """Return the network files that other machines need: the files among settings of `net`, and their cards, with their
    SHA-256. Raises ConfigError, OSError."""
    if "auto" in names:
        raise ConfigError("net=auto may be another network on every machine of a cluster: give net=FILE")
    return needed(*sorted({str(name) for name in names if name not in (None, "none")}))


def _words(command: str | Sequence[str]) -> tuple[str, ...]:
    if not isinstance(command, str):
        return tuple(map(str, command))
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise ConfigError(f"command: {error}") from None


def _plain(value: Any) -> str:
    """An option's value as UCI writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _cpus(value: Any) -> tuple[int, ...]:
    """[0, 2] or "0-3,6"."""
    if not isinstance(value, str):
        return tuple(int(cpu) for cpu in value)
    found: list[int] = []
    for part in value.split(","):
        low, dash, high = part.strip().partition("-")
        if not low.isdecimal() or (dash and not (high.isdecimal() and int(low) <= int(high))):
            raise ConfigError(f"cpus: '{value}' is not of the form 0-3,6")
        found += range(int(low), min(int(high or low), 4095) + 1)
    return tuple(found)
