"""Every hyper-parameter of a run: one TOML file, read over a preset, which is such a file, and written again.

A table is a section of the file (`sections.py`), a field is a key of it. `--set section.key=value` writes over the
file, the file over the preset, the preset over the defaults. The options of self-play's search are the core's own, in
the table `search`: what they are and what fits them is asked of the core when a run begins (`search.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from tengen.engine import files, toml
from tengen.engine.config import ConfigError, nearest
from tengen.engine.options import Option, Value, number, shown, text
from tengen.engine.sentence import excerpt
from tengen.nets.recipe import LossWeights
from tengen.tools.train.settings.sections import (
    SECTIONS,
    Anchor,
    Board,
    Cycle,
    Gate,
    ModelConfig,
    Records,
    SelfPlay,
    Settling,
    Teacher,
    Training,
    Window,
)  # fmt: skip


@dataclass(frozen=True)
class RunConfig:
    """A run. search: options of self-play's search as they were given; the core has the others. about: one line."""

    about: str = ""
    seed: int = 1
    board: Board = Board()
    selfplay: SelfPlay = SelfPlay()
    search: Mapping[str, Value] = field(default_factory=dict)
    teacher: Teacher = Teacher()
    window: Window = Window()
    records: Records = Records()
    model: ModelConfig = ModelConfig()
    training: Training = Training()
    kl: Settling = Settling()
    losses: LossWeights = LossWeights()
    cycle: Cycle = Cycle()
    gate: Gate = Gate()
    anchor: Anchor = Anchor()


ABOUT = text("about", "", "what the run is for")
SEED = number("seed", 1, 0, 2**31, "seed of the weights, the games and the order of rows", is_whole=True)


def options() -> dict[str, Option]:
    """Every key by its full name, "board.size", but those of `search`."""
    found = {"about": ABOUT, "seed": SEED}
    for section, kind in SECTIONS.items():
        for key in fields(kind):
            name = f"{section}.{key.name}"
            found[name] = key.metadata["option"]._replace(name=name)
    return found


def merge(base: RunConfig, table: Mapping[str, Any], source: str = "setting") -> RunConfig:
    """`base` with a table over it, whose keys may be dotted. Raises ConfigError naming what is wrong."""
    known = options()
    search = dict(base.search)
    changes: dict[str, dict[str, Value]] = {}
    for name, value in _flat(table).items():
        if name.startswith("search."):
            search[name.removeprefix("search.")] = _plain(name, value)
            continue
        if name not in known:
            raise ConfigError(f"unknown {source} {excerpt(name, 60)}{_nearest(name, known)}")
        try:
            found = known[name].parse(str(value) if known[name].kind == "text" else value)
        except ValueError as error:
            raise ConfigError(str(error)) from None
        section, _, key = name.rpartition(".")
        changes.setdefault(section, {})[key] = found
    parts: dict[str, Any] = {**changes.pop("", {})}
    parts |= {section: replace(getattr(base, section), **values) for section, values in changes.items()}
    return checked(replace(base, search=search, **parts))


def load(path: files.Name, base: RunConfig | None = None) -> RunConfig:
    """Read a file over `base`. Raises ConfigError."""
    return merge(base or RunConfig(), read(path), source=f"key in '{path}':")


def read(path: files.Name, others: Collection[str] = ()) -> dict[str, Any]:
    """Read the settings of a file, by full names, and `others` that it may have beside. Raises ConfigError for a file
    that is none, or has a wrong setting."""
    try:
        table = toml.read(path)
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read the configuration '{path}': {files.reason(error)}") from None
    found = _flat(table)
    known = {name: value for name, value in found.items() if name not in others}
    merge(RunConfig(), known, source=f"key in '{path}':")
    return found


def as_table(config: RunConfig) -> dict[str, Any]:
    """All of it, as `merge` reads it back."""
    table: dict[str, Any] = {"about": config.about, "seed": config.seed}
    for section, kind in SECTIONS.items():
        value = getattr(config, section)
        table[section] = {key.name: getattr(value, key.name) for key in fields(kind)}
    return {**table, "search": dict(config.search)}


def changed(before: RunConfig, after: RunConfig) -> dict[str, tuple[str, str]]:
    """The keys whose values differ, as text."""
    old, new = _flat(as_table(before)), _flat(as_table(after))
    names = [*old, *(name for name in new if name not in old)]
    return {
        name: (shown(old.get(name)), shown(new.get(name)))
        for name in names if old.get(name) != new.get(name)
    }  # fmt: skip


def checked(config: RunConfig) -> RunConfig:
    """The configuration, if its values fit each other. Raises ConfigError."""
    assert config.board.sizes
    counts = {"gate.games": config.gate.games, "gate.lot": config.gate.lot, "anchor.games": config.anchor.games}
    for name, games in counts.items():
        if games % 2:
            raise ConfigError(f"{name} must be even, since every opening is played with both colours, not {games}")
    if 0 < config.window.maximum < config.window.minimum:
        raise ConfigError(f"window.maximum ({config.window.maximum}) is less than minimum ({config.window.minimum})")
    return config


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            found.update(_flat(value, f"{prefix}{key}."))
        else:
            found[f"{prefix}{key}"] = value
    return found


def _plain(name: str, value: object) -> Value:
    if not isinstance(value, bool | int | float | str):
        raise ConfigError(f"{excerpt(name, 60)} is neither a number nor true, false or a text")
    return value


def _nearest(name: str, known: Mapping[str, Option]) -> str:
    """A hint: the same key of another table, or one that is spelled alike."""
    last = name.rpartition(".")[2]
    alike = [other for other in known if other.rpartition(".")[2] == last]
    return f" (did you mean '{alike[0]}'?)" if alike and name not in known else nearest(name, known)
