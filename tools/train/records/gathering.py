"""Games of people and programs as shards to learn from: every record below a folder, read by many processes.

A game goes to those that are learned from, or to those that are held out to measure by: it is held out when both
players are, and left out when one of them is, so that no player of a held-out game was ever learned from. Who is held
out is decided by his name alone, the same on every machine; players without a name never are. A game with the moves of
an earlier one is left out. Files that cannot be read are counted, and the first of them named.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from tengen.engine.records import Record, RecordError, format_of, loader
from tengen.tools.jobs import Jobs
from tengen.tools.told import Told
from tengen.tools.train.data import shards
from tengen.tools.train.data.game import PlayedGame
from tengen.tools.train.data.games import Games, together
from tengen.tools.train.data.shards import ShardEntry
from tengen.tools.train.records.archives import Bad, Piece, Unit, units
from tengen.tools.train.records.from_record import Choice, Unwanted, played_game

NAMED = 20
"""Bad files that are named."""
A_SHARD = 200_000
"""Rows of a shard, at least, but for the last one."""
_NOBODY = {"", "?", "-", "black", "white", "unknown", "anonymous", "player", "player-1", "player-2"}
_UNITS_A_ROUND = 8  # and process: what waits in memory


@dataclass
class Summary:
    """A summary of the records. share: of players that are held out. left_out: reason -> games. bad: files that could
    not be read, `named` the first. told: what was not plain in those that could."""

    share: float = 0.0
    files: int = 0
    games: int = 0
    held_out: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    bad: int = 0
    named: list[Bad] = field(default_factory=list)
    told: Told = field(default_factory=Told)
    seconds: float = 0.0

    def count(self, found: Found) -> None:
        """Take in what a process found, but for its games."""
        self.files += found.files
        self.left_out += found.left_out
        for place, sentence, count in found.told.entries():
            self.told.add(place, sentence, count)
        self.bad += len(found.bad)
        self.named += found.bad[: NAMED - len(self.named)]

    def lines(self) -> list[str]:
        """Sentences for a person."""
        kept = f"{self.games} games to learn from and {self.held_out} held out"
        out = [f"{kept}, of {self.files} files in {self.seconds:.0f} s"]
        out += [f"left out: {count} games, {reason}" for reason, count in self.left_out.most_common()]
        if self.share and self.games and not self.held_out:
            out.append(f"no game is held out: too few of them are between the {self.share:.0%} of the players that are")
        out += self.told.lines()
        if self.bad:
            first = ", the first of them:" if self.bad > NAMED else ":"
            out.append(f"{self.bad} files or games could not be read{first}")
        return out + [f"  {bad.name}: {bad.reason}" for bad in self.named]


class Found(NamedTuple):
    """The records that a process found in a unit: games as arrays with their players, and what is told of the
    others."""

    games: Games | None
    players: list[tuple[str, str]]
    files: int
    left_out: Counter[str]
    bad: list[Bad]
    told: Told


class Gathered(NamedTuple):
    """Shards of games to learn from and of those that are held out."""

    train: list[ShardEntry]
    held_out: list[ShardEntry]
    summary: Summary


def gather(
    source: Path, folder: Path, choice: Choice, *, held_out: float = 0.05, processes: int = 1,
    tell: Callable[[Summary], None] = lambda summary: None,
) -> Gathered:  # fmt: skip
    """Write shards `train-0001.npz` and `held-out-0001.npz` ... to the folder.

    held_out: the share of players. tell: is called now and then. Raises OSError when the source is not there or a shard
    cannot be written.
    """
    summary, start = Summary(held_out), monotonic()
    writers = {name: _Writer(folder, name) for name in ("train", "held-out")}
    seen: set[bytes] = set()
    with Jobs(processes) as jobs:
        for found in found_in(jobs, source, choice):
            summary.count(found)
            for game, players in zip(found.games or (), found.players, strict=True):
                key = hashlib.blake2b(game.moves.tobytes() + bytes((game.width, game.height)), digest_size=10).digest()
                place = split(players, held_out)
                reason = "known already" if key in seen else "one of the players is held out" if place is None else ""
                seen.add(key)
                if reason or place is None:
                    summary.left_out[reason] += 1
                    continue
                summary.games += place == "train"
                summary.held_out += place == "held-out"
                writers[place].add(game)
            summary.seconds = monotonic() - start
            tell(summary)
    train, held = (writers[name].close() for name in ("train", "held-out"))
    summary.seconds = monotonic() - start
    return Gathered(train, held, summary)


def split(players: tuple[str, str], share: float) -> str | None:
    """Return the use of a game: "train", "held-out", or nowhere."""
    held = [is_held_out(name, share) for name in players]
    return "held-out" if all(held) else None if any(held) else "train"


def is_held_out(name: str, share: float) -> bool:
    """Whether a player is among the share that is never learned from: by a hash of the name, however it is spaced."""
    plain = " ".join(name.casefold().split())
    if plain in _NOBODY:
        return False
    number = int.from_bytes(hashlib.blake2b(plain.encode(), digest_size=8, person=b"held-out").digest(), "big")
    return number < share * 2.0**64


def read_unit(unit: Unit, choice: Choice) -> Found:
    """All games of a unit that are wanted."""
    games: list[PlayedGame] = []
    players: list[tuple[str, str]] = []
    left_out, bad, told, files = Counter[str](), list[Bad](), Told(), 0
    for piece in unit.contents():
        files += 1
        for record in _records(piece):
            if isinstance(record, Bad):
                bad.append(record)
                continue
            try:
                games.append(played_game(record, choice))
                players.append(record.players)
                for warning in record.warnings:
                    told.add(piece.name, warning)
            except Unwanted as reason:
                left_out[str(reason)] += 1
            except ValueError as error:
                bad.append(Bad(piece.name, str(error)))
    return Found(together(games) if games else None, players, files, left_out, bad, told)


def found_in(jobs: Jobs, source: Path, choice: Choice) -> Iterator[Found]:
    """What is in the units, in their order, a few at a time."""
    waiting = units(source)
    while some := list(islice(waiting, _UNITS_A_ROUND * jobs.count)):
        done = dict(jobs.run(_numbered, [(number, unit, choice) for number, unit in enumerate(some)]))
        yield from (done[number] for number in range(len(some)))


def _numbered(number: int, unit: Unit, choice: Choice) -> tuple[int, Found]:
    return number, read_unit(unit, choice)


def _records(piece: Piece | Bad) -> Iterable[Record | Bad]:
    """The games of a file. Where one of GGF is bad, the others of it are read all the same."""
    if isinstance(piece, Bad):
        return [piece]
    if piece.name.lower().endswith(".pgn"):
        from tengen.tools.train.records.pgn import records_of

        return records_of(piece.data)
    name = format_of(piece.name, piece.data)
    try:
        form = loader(name, piece.path or b"")
        return form.loads_all(piece.data)
    except RecordError as error:
        lines = piece.data.splitlines() if name == "ggf" else []
        if len(lines) < 2:
            return [Bad(piece.name, str(error))]
    out: list[Record | Bad] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            out += _records(Piece(f"{piece.name} line {number}.ggf", line))
    return out


class _Writer:
    """Shards of one kind, one after the other."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._games: list[PlayedGame] = []
        self._rows = 0
        self._entries: list[ShardEntry] = []

    def add(self, game: PlayedGame) -> None:
        self._games.append(game)
        self._rows += len(game.moves)
        if self._rows >= A_SHARD:
            self._write()

    def close(self) -> list[ShardEntry]:
        if self._games:
            self._write()
        return self._entries

    def _write(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{self._name}-{len(self._entries) + 1:04}.npz"
        self._entries.append(shards.write(path, self._games))
        self._games, self._rows = [], 0
