"""What a run is: flags and TOML make one table, the table makes a RunSpec; the table is what run.toml freezes.

Flags have the names of the table's keys. An engine is a table of its own: a command and its protocol, or `player`, one
of our own, with any setting of `tengen gtp`.
"""

from __future__ import annotations

import shlex
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any

from tengen.engine.config import Config, ConfigError, merge, nearest
from tengen.engine.games import get_game
from tengen.engine.games.hooks import hooks_of
from tengen.tools.match.openings import ORDERS, OpeningsSpec
from tengen.tools.match.random_openings import SETTINGS, Setting
from tengen.tools.match.schedule import KINDS, pairings
from tengen.tools.match.spec import GAMES, PROTOCOLS, Adjudication, EngineSpec, GameSpec, TimeSpec
from tengen.tools.match.statistics.sprt import Sprt

CLEANUPS = ("friendly", "arbiter", "none")
_ENGINE_KEYS = (
    "name", "command", "protocol", "player", "directory", "env", "init", "option", "tc", "nodes", "depth",
    "memory_mb", "cpus", "restart", "set",
)  # fmt: skip
_PLAYER_KEYS = tuple(
    item.name for item in fields(Config) if item.name not in ("game", "player", "name", "set", "version_string")
)
KEYS = (
    "kind", "game", "size", "rules", "komi", "max_moves", "cleanup", "arbiter", "tc", "openings", "plies", "order",
    "transform", "games", "concurrency", "seed", "seeds", "sprt", "adjudication", "anchors", "each", "engine", "out",
    "json", "strict",
)  # fmt: skip
"""Everything that a table may hold."""


@dataclass(frozen=True)
class RunSpec:
    """A run. games: of each pairing, an even number. seeds: of a gauntlet. anchors: ratings that are given."""

    engines: tuple[EngineSpec, ...]
    game: GameSpec
    time: TimeSpec
    kind: str = "pair"
    openings: OpeningsSpec = OpeningsSpec()
    games: int = 100
    concurrency: int = 1
    seed: int = 1
    seeds: int = 1
    sprt: Sprt | None = None
    anchors: Mapping[str, float] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(engine.name for engine in self.engines)

    @property
    def rounds(self) -> int:
        """Pairs of each pairing."""
        return self.games // 2

    @property
    def total(self) -> int:
        """Games of the whole run."""
        return self.games * len(pairings(self.kind, len(self.engines), self.seeds))


def load(path: str | Path) -> dict[str, Any]:
    """The table of a TOML file. Raises ConfigError."""
    try:
        return tomllib.loads(Path(path).read_text("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"cannot read '{path}': {error.strerror}") from None
    except ValueError as error:
        raise ConfigError(f"'{path}' is not valid TOML: {error}") from None


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
            table[{"cmd": "command", "proto": "protocol", "dir": "directory"}.get(key, key)] = value
    return table


def spec_from(table: Mapping[str, Any]) -> RunSpec:
    """The run that a table describes. Raises ConfigError with one sentence."""
    for key in table:
        if key not in KEYS:
            raise ConfigError(f"unknown setting '{key}'{nearest(key, KEYS)}")
    try:
        return _spec_from(table)
    except ConfigError:
        raise
    except (ValueError, TypeError, AttributeError) as error:
        raise ConfigError(str(error)) from None


def _spec_from(table: Mapping[str, Any]) -> RunSpec:
    number = partial(_whole, table)
    game = _game(table)
    kind = _one_of(table, "kind", KINDS)
    each = table.get("each", {})
    engines = tuple(engine(_over(each, row), game.game, n) for n, row in enumerate(table.get("engine", ()), 1))
    for name in (names := [row.name for row in engines]):
        if names.count(name) > 1:
            raise ConfigError(f"two engines are called '{name}': give each its own name")
    spec = RunSpec(
        engines=engines,
        game=game,
        time=TimeSpec.parse(str(table["tc"])) if "tc" in table else TimeSpec(),
        kind=kind,
        openings=OpeningsSpec(
            file=table.get("openings"),
            plies=number("plies", None, 0, 1000),
            order=_one_of(table, "order", ("random", *ORDERS)),
            transform=bool(table.get("transform", False)),
        ),
        games=number("games", 100, 2, 10**7) or 100,
        concurrency=number("concurrency", 1, 1, 1024) or 1,
        seed=number("seed", 1, 0, 2**31) or 0,
        seeds=number("seeds", 1, 1, 1000) or 1,
        sprt=_sprt(table.get("sprt")),
        anchors={str(name): float(value) for name, value in table.get("anchors", {}).items()},
    )
    pairings(kind, len(engines), spec.seeds)
    if spec.games % 2:
        raise ConfigError("games: every opening is played with both colours, so the number must be even")
    for name in spec.anchors:
        if name not in names:
            raise ConfigError(f"anchors: no engine is called '{name}'{nearest(name, names)}")
    if spec.sprt is not None and kind != "pair":
        raise ConfigError("sprt: a test is between two engines, not a tournament")
    return spec


def _game(table: Mapping[str, Any]) -> GameSpec:
    game = _one_of(table, "game", GAMES)
    setting = SETTINGS.get(game, Setting())
    size, komi, rules = 0, 0.0, str(table.get("rules", ""))
    if game != "chess":
        kind = get_game(game)
        size = _whole(table, "size", setting.size or kind.default_size, 1, 99) or 0
        try:
            kind.check_size(size, size)
        except ValueError:
            raise ConfigError(f"size: there is no {game} on {size}x{size}") from None
        rules = rules or setting.rules or kind.default_rules.name
        hooks_of(kind).parse_rules(kind, rules)
        usual = kind.default_komi if setting.komi is None else setting.komi
        komi = float(table.get("komi", usual))
        if game != "go" and komi:
            raise ConfigError(f"komi: {game} has none")
    adjudication = dict(table.get("adjudication", {}))
    for key in adjudication:
        if key not in Adjudication.__dataclass_fields__:
            raise ConfigError(f"unknown setting 'adjudication.{key}'{nearest(key, Adjudication.__dataclass_fields__)}")
    cleanup = _one_of(table, "cleanup", CLEANUPS)
    arbiter = table.get("arbiter")
    if (cleanup == "arbiter") != (arbiter is not None):
        raise ConfigError("cleanup: 'arbiter' and the engine that is the arbiter belong together")
    return GameSpec(
        game=game,
        size=size,
        rules=rules,
        komi=komi,
        max_moves=_whole(table, "max_moves", 0, 0, 10**5) or 0,
        adjudication=Adjudication(**adjudication),
        cleanup=cleanup,
        arbiter=engine({"name": "arbiter", **arbiter}, game, 0) if arbiter else None,
    )


def engine(table: Mapping[str, Any], game: str, number: int) -> EngineSpec:
    """One engine of its table. Raises ConfigError naming it."""
    name = str(table.get("name") or table.get("player") or f"engine{number}")
    try:
        return _engine(name, table, game)
    except (ValueError, TypeError, AttributeError) as error:
        raise ConfigError(f"engine '{name}': {error}") from None


def _engine(name: str, table: Mapping[str, Any], game: str) -> EngineSpec:
    is_own = "player" in table or "command" not in table
    known = (*_ENGINE_KEYS, *_PLAYER_KEYS) if is_own else _ENGINE_KEYS
    for key in table:
        if key not in known:
            raise ConfigError(f"unknown setting '{key}'{nearest(key, known)}")
    if "player" in table and "command" in table:
        raise ConfigError("give a player of ours or a command, not both")
    if is_own and "player" not in table:
        raise ConfigError("give a command, or a player of ours (player=uct)")
    protocol = str(table.get("protocol") or ("gtp" if game != "chess" else "uci"))
    if protocol not in PROTOCOLS:
        raise ConfigError(
            f"'{protocol}' is no protocol{nearest(protocol, PROTOCOLS)}; choose from {', '.join(PROTOCOLS)}"
        )
    command = _own_command(table, protocol, game) if is_own else _words(table["command"])
    if not command:
        raise ConfigError("the command is empty")
    tc = table.get("tc")
    return EngineSpec(
        name=name,
        command=command,
        protocol=protocol,
        directory=table.get("directory"),
        env={str(key): str(value) for key, value in table.get("env", {}).items()},
        init=tuple(map(str, table.get("init", ()))),
        options={str(key): _plain(value) for key, value in table.get("option", {}).items()},
        time=None if tc is None else TimeSpec.parse(str(tc)),
        nodes=_whole(table, "nodes", None, 1, 2**53),
        depth=_whole(table, "depth", None, 1, 1000),
        memory_mb=_whole(table, "memory_mb", None, 1, 2**24),
        cpus=_cpus(table.get("cpus", ())),
        restart=_truth(table.get("restart", False)),
    )


def _own_command(table: Mapping[str, Any], protocol: str, game: str) -> tuple[str, ...]:
    """The command line of a player of ours; one search thread unless it says otherwise, no pondering."""
    settings = {key: table[key] for key in _PLAYER_KEYS if key in table}
    config = merge(Config(game=game, player=str(table["player"])), {**settings, "set": table.get("set", {})})
    if game in GAMES and game != "chess" and config.player not in (players := get_game(game).players):
        raise ConfigError(f"{game} has no player '{config.player}'{nearest(str(config.player), players)}")
    words = [sys.executable, "-m", "tengen.tools", protocol]
    words += ["--game", game] if protocol == "gtp" else []
    words += ["--player", str(config.player), "--threads", str(config.threads or 1)]
    for key in settings:
        if key == "ponder":
            words += ["--ponder"] if config.ponder else []
        elif key != "threads":
            words += [f"--{key.replace('_', '-')}", str(getattr(config, key))]
    for key, value in config.set.items():
        words += ["--set", f"{key}={value!r}"]
    return tuple(words)


def threads_of(spec: EngineSpec) -> int:
    """Threads that an engine is known to search with; 1 when its settings do not say."""
    words = spec.command
    for name, value in (*zip(words, words[1:], strict=False), *spec.options.items()):
        if name.lstrip("-").lower() == "threads" and value.isdecimal():
            return int(value)
    return 1


def _over(each: Mapping[str, Any], row: Mapping[str, Any]) -> dict[str, Any]:
    """An engine's table over what all have; a setting of players of ours does not reach the others."""
    is_own = "command" not in row
    shared = {key: value for key, value in each.items() if is_own or key not in (*_PLAYER_KEYS, "player", "set")}
    merged = {**shared, **row}
    for key in ("env", "option", "set"):
        if key in shared and key in row:
            merged[key] = {**shared[key], **row[key]}
    return merged


def _sprt(table: Mapping[str, Any] | None) -> Sprt | None:
    if table is None:
        return None
    for key in table:
        if key not in Sprt.__dataclass_fields__:
            raise ConfigError(f"unknown setting 'sprt.{key}'{nearest(key, Sprt.__dataclass_fields__)}")
    for key in ("elo0", "elo1"):
        if key not in table:
            raise ConfigError(f"sprt: {key} is missing")
    return Sprt(**{key: str(value) if key == "model" else float(value) for key, value in table.items()})  # type: ignore[arg-type]


def _one_of(table: Mapping[str, Any], key: str, known: Sequence[str]) -> str:
    """The value of a key, the first of `known` by default."""
    value = str(table.get(key, known[0]))
    if value not in known:
        raise ConfigError(f"{key}: '{value}' is none of {', '.join(dict.fromkeys(known))}{nearest(value, known)}")
    return value


def _whole(table: Mapping[str, Any], key: str, default: int | None, low: int, high: int) -> int | None:
    if key not in table:
        return default
    try:
        value = int(str(table[key]))
    except ValueError:
        raise ConfigError(f"{key}: '{table[key]}' is not a whole number") from None
    if not low <= value <= high:
        raise ConfigError(f"{key}: {value} is not between {low} and {high}")
    return value


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


def _truth(value: Any) -> bool:
    if str(value).lower() in ("true", "yes", "on", "1"):
        return True
    if str(value).lower() in ("false", "no", "off", "0"):
        return False
    raise ConfigError(f"restart: '{value}' is neither true nor false")


def _cpus(value: Any) -> tuple[int, ...]:
    """[0, 2] or "0-3,6"."""
    if not isinstance(value, str):
        return tuple(int(cpu) for cpu in value)
    found: list[int] = []
    for part in value.split(","):
        low, dash, high = part.strip().partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()):
            raise ConfigError(f"cpus: '{value}' is not of the form 0-3,6")
        found += range(int(low), int(high or low) + 1)
    return tuple(found)
