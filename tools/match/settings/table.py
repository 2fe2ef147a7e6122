"""The table of a run: flags and TOML make one table, the table makes a RunSpec; the table is what run.toml freezes.

Flags have the names of the table's keys. An engine is a table of its own (engine.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tengen.engine import files, toml
from tengen.engine.config import ConfigError, nearest
from tengen.engine.games import GAMES, get_game
from tengen.engine.games.naming import rules_named
from tengen.tools.match.adjudication import settings_of
from tengen.tools.match.openings.choice import ORDERS, OpeningsSpec
from tengen.tools.match.settings.engine import engine, full, over
from tengen.tools.match.settings.schedule import KINDS, STRIDE, pairings
from tengen.tools.match.settings.values import one_of, real, truth, whole
from tengen.tools.match.spec import EngineSpec, GameSpec, TimeSpec
from tengen.tools.match.statistics.sprt import Sprt

RATE = "rate"
"""A gauntlet of the engines without a rating against those that have one."""
CLEANUPS = ("friendly", "arbiter", "none")
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
        return toml.read(path)
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read '{path}': {files.reason(error)}") from None


def run_spec(table: Mapping[str, Any], is_check: bool = False) -> RunSpec:
    """The run that a table describes. is_check: any number of engines will do, since nobody plays anybody.

    Raises ConfigError with one sentence.
    """
    for key in table:
        if key not in KEYS:
            raise ConfigError(f"unknown setting '{key}'{nearest(key, KEYS)}")
    try:
        return _spec_from(table, is_check)
    except ConfigError:
        raise
    except (ValueError, TypeError, AttributeError) as error:
        raise ConfigError(str(error)) from None


def rated(engines: Sequence[Mapping[str, Any]], is_check: bool = False) -> dict[str, Any]:
    """The part of a table that makes a gauntlet of engines without `rating` against those with it.

    Raises ConfigError where there are none of either; is_check: any number will do.
    """
    unknown = [row for row in engines if "rating" not in row]
    known = [row for row in engines if "rating" in row]
    if not is_check and not known:
        raise ConfigError("no engine has a known rating: give rating=ELO to each opponent")
    if not is_check and not unknown:
        raise ConfigError("every engine has a rating: the one that is to be rated gets no rating=")
    return {"kind": "gauntlet", "seeds": max(1, len(unknown)), "engine": [*unknown, *known]}


def defaults(spec: RunSpec) -> dict[str, Any]:
    """Return the defaults on which the games of a run depend: a later release may have other defaults."""
    chosen: dict[str, Any] = {"game": spec.game.game, "seed": spec.seed, "order": spec.openings.order}
    chosen |= {"size": spec.game.size, "rules": spec.game.rules}
    if get_game(spec.game.game).conventions.has_komi:
        chosen |= {"komi": spec.game.komi, "cleanup": spec.game.cleanup}
    return chosen


def _spec_from(table: Mapping[str, Any], is_check: bool) -> RunSpec:
    number = partial(whole, table)
    game = _game(table)
    kind = one_of(table, "kind", KINDS)
    each, rows = full(table.get("each", {})), [full(row) for row in table.get("engine", ())]
    engines = tuple(engine(over(each, row), game.game, game.rules, "tc" in table) for row in rows)
    names = [row.name for row in engines]
    known = {name: real(row, "rating", 0, -1e5, 1e5) for name, row in zip(names, rows, strict=True) if "rating" in row}
    given = table.get("anchors", {})
    for name in (called := [*names, *([game.arbiter.name] if game.arbiter else [])]):
        if called.count(name) > 1:
            raise ConfigError(f"two engines are called '{name}': give each its own name")
    spec = RunSpec(
        engines=engines,
        game=game,
        time=TimeSpec.parse(str(table["tc"])) if "tc" in table else TimeSpec(),
        kind=kind,
        openings=OpeningsSpec(
            file=table.get("openings"),
            plies=number("plies", None, 0, 1000),
            order=one_of(table, "order", ("random", *ORDERS)),
            transform=truth("transform", table.get("transform", False)),
        ),
        games=number("games", 100, 2, 10**7) or 100,
        concurrency=number("concurrency", 1, 1, 1024) or 1,
        seed=number("seed", 1, 0, 2**31) or 0,
        seeds=number("seeds", 1, 1, 1000) or 1,
        sprt=_sprt(table.get("sprt")),
        anchors=known | {str(name): real(given, name, 0, -1e5, 1e5) for name in given},
    )
    if not is_check or not engines:
        pairings(kind, len(engines), spec.seeds)
    if spec.games % 2:
        raise ConfigError("games: every opening is played with both colours, so the number must be even")
    for name in spec.anchors:
        if name not in names:
            raise ConfigError(f"anchors: no engine is called '{name}'{nearest(name, names)}")
    if spec.sprt is not None and kind != "pair":
        raise ConfigError("sprt: a test is between two engines, not a tournament")
    if spec.openings.transform and spec.openings.file is None:
        raise ConfigError("transform: the random openings have no images; give --openings FILE")
    if "seeds" in table and kind != "gauntlet":
        raise ConfigError("seeds: only a gauntlet has them")
    if len(engines) > 2 and spec.rounds >= STRIDE:
        raise ConfigError(f"games: a tournament has fewer than {2 * STRIDE} of each pairing")
    return spec


def _game(table: Mapping[str, Any]) -> GameSpec:
    game = one_of(table, "game", tuple(GAMES))
    kind = get_game(game)
    setting = kind.conventions.match
    size = whole(table, "size", setting.size or kind.default_size, 1, 99) or 0
    try:
        kind.check_size(size, size)
    except ValueError:
        raise ConfigError(f"size: there is no {game} on {size}x{size}") from None
    rules = str(table.get("rules", "")) or setting.rules or kind.default_rules.name
    rules_named(kind, rules)
    usual = kind.default_komi if setting.komi is None else setting.komi
    komi = real(table, "komi", usual, -1e4, 1e4)
    if not kind.conventions.has_komi and komi:
        raise ConfigError(f"komi: {game} has none")
    cleanup = one_of(table, "cleanup", CLEANUPS)
    arbiter = table.get("arbiter")
    if not kind.conventions.is_agreed and ("cleanup" in table or arbiter is not None):
        raise ConfigError(f"cleanup: {game} has no dead stones")
    if (cleanup == "arbiter") != (arbiter is not None):
        raise ConfigError("cleanup: 'arbiter' and the engine that is the arbiter belong together")
    return GameSpec(
        game=game,
        size=size,
        rules=rules,
        komi=komi,
        max_moves=whole(table, "max_moves", 0, 0, 10**5) or 0,
        adjudication=settings_of(table.get("adjudication", {})),
        cleanup=cleanup,
        arbiter=engine({"name": "arbiter", **arbiter}, game) if arbiter else None,
    )


def _sprt(table: Mapping[str, Any] | None) -> Sprt | None:
    if table is None:
        return None
    for key in table:
        if key not in Sprt.__dataclass_fields__:
            raise ConfigError(f"unknown setting 'sprt.{key}'{nearest(key, Sprt.__dataclass_fields__)}")
    for key in ("elo0", "elo1"):
        if key not in table:
            raise ConfigError(f"sprt: {key} is missing")
    numbers = {key: real(table, key, 0, -2000, 2000) for key in table if key != "model"}
    return Sprt(**numbers, **({"model": str(table["model"])} if "model" in table else {}))  # type: ignore[arg-type]
