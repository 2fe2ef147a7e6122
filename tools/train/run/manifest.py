"""The state of a run as one value: the manifest names every file that counts, with its SHA-256.

It is the one commit point: what it does not name never happened.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

FORMAT = 1
RECORD = -1
"""The generation of a shard of records."""
CARD = ".toml"
"""The ending of the file of a network's card."""


class RunError(ValueError):
    """A run that cannot be gone on with or looked at; the message is one sentence."""


@dataclass(frozen=True)
class Kept:
    """A file: its path from the run's folder, with slashes."""

    path: str
    sha256: str
    size: int


@dataclass(frozen=True)
class Shard:
    """Games of a unit of work. network: the generation that played, RECORD for people's. positions: those that are
    learned from. figures: what else is known (games resigned, seconds, ...; `held_out` of records, `inherited`: 1)."""

    file: Kept
    unit: str
    network: int
    games: int
    positions: int
    figures: Mapping[str, float] = field(default_factory=dict)

    @property
    def is_record(self) -> bool:
        """Whether people played, not a network of the run."""
        return self.network == RECORD

    @property
    def is_inherited(self) -> bool:
        """Whether a network of another run played; `network` is a generation of that one."""
        return bool(self.figures.get("inherited"))


def learned_from(shards: Sequence[Shard], by_records: bool) -> list[Shard]:
    """Return the shards of a generation: records, and with them the games of another run; or all but records."""
    return [shard for shard in shards if shard.is_record == by_records or (by_records and shard.is_inherited)]


@dataclass(frozen=True)
class Network:
    """A generation; 0 is random. files: what engines read, and its card. is_taken: whether it played from then on; None
    while that is not known. steps, positions, games, seconds: what was behind it. figures: losses on held-out games and
    the like."""

    generation: int
    files: tuple[Kept, ...]
    steps: int
    positions: int
    games: int
    seconds: float
    is_taken: bool | None = None
    figures: Mapping[str, float] = field(default_factory=dict)

    @property
    def file(self) -> Kept:
        """The file that engines read."""
        return next(file for file in self.files if not file.path.endswith(CARD))


@dataclass(frozen=True)
class Lot:
    """Games of a match. first: a generation; second: another one, or the anchor's name. scores: of `first`, by the
    number of the game; 2n and 2n + 1 share an opening."""

    unit: str
    first: int
    second: str
    scores: Mapping[str, float]


@dataclass(frozen=True)
class Checkpoint:
    """The state of the learning. files: weights, optimiser and random numbers. window: the state of its drawing. due:
    steps of the generation in progress, of which `done` were made; positions: all that there were when it began;
    generation: that of the network to come of it."""

    files: tuple[Kept, ...]
    steps: int
    window: Mapping[str, Any] = field(default_factory=dict)
    due: int = 0
    done: int = 0
    positions: int = 0
    generation: int = 0


@dataclass(frozen=True)
class Manifest:
    """The whole. config: as `config.as_table` has it. seconds: at work, of all sittings. metrics: bytes of metrics.csv
    that count. units: how many units of self-play were begun."""

    name: str
    created: str
    config: Mapping[str, Any]
    shards: tuple[Shard, ...] = ()
    networks: tuple[Network, ...] = ()
    lots: tuple[Lot, ...] = ()
    checkpoint: Checkpoint | None = None
    seconds: float = 0.0
    metrics: int = 0
    units: int = 0

    @property
    def best(self) -> Network:
        """The network that plays: the newest that was taken."""
        return next(network for network in reversed(self.networks) if network.is_taken)

    @property
    def positions(self) -> int:
        """Count all positions of self-play that were made to learn from."""
        return sum(shard.positions for shard in self.shards if not shard.is_record)

    @property
    def games(self) -> int:
        """Count the games of self-play."""
        return sum(shard.games for shard in self.shards if not shard.is_record)

    def files(self) -> list[Kept]:
        """All that are named."""
        checkpoint = self.checkpoint.files if self.checkpoint else ()
        networks = [file for network in self.networks for file in network.files]
        return [*checkpoint, *(shard.file for shard in self.shards), *networks]


def dumps(manifest: Manifest) -> bytes:
    """Its text."""
    return json.dumps({"format": FORMAT, **asdict(manifest)}, indent=1, allow_nan=False).encode() + b"\n"


def loads(data: bytes) -> Manifest:
    """The manifest of a text. Raises RunError for what is none of ours."""
    try:
        table = json.loads(data)
        if table.pop("format") != FORMAT:
            raise RunError("the run was made by another version of tengen")
        checkpoint = table.pop("checkpoint")
        return Manifest(
            shards=tuple(Shard(Kept(**_checked(row.pop("file"))), **row) for row in table.pop("shards")),
            networks=tuple(_network(row) for row in table.pop("networks")),
            lots=tuple(Lot(**row) for row in table.pop("lots")),
            checkpoint=checkpoint and _checkpoint(checkpoint),
            **{key: table[key] for key in _PLAIN},
        )
    except RunError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise RunError(f"the manifest of the run is damaged ({type(error).__name__})") from None


def _checkpoint(table: dict[str, Any]) -> Checkpoint:
    return Checkpoint(files=_files(table), **table)


def _network(table: dict[str, Any]) -> Network:
    return Network(files=_files(table), **table)


def _files(table: dict[str, Any]) -> tuple[Kept, ...]:
    """The files of a part, taken out of its table."""
    return tuple(Kept(**_checked(row)) for row in table.pop("files"))


def _checked(row: dict[str, Any]) -> dict[str, Any]:
    """A file within the folder of the run. Raises RunError for another one."""
    parts = str(row["path"]).split("/")
    if any(part in ("", ".", "..") or "\\" in part or ":" in part for part in parts):
        raise RunError("the manifest of the run names a file outside of its folder")
    return row


_PLAIN = tuple(one.name for one in fields(Manifest) if one.name not in ("shards", "networks", "lots", "checkpoint"))
