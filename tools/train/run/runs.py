"""A run: its folder, its lock, and its commits.

    config.toml     every setting; it may be edited between two sittings
    manifest.json   the one commit point (`manifest.py`)
    shards/         games, a file for each unit of self-play
    checkpoints/    weights, optimiser and random numbers of the learner
    networks/       a network for each generation, as engines read it
    metrics.csv     what the live line says, a row now and then
    events.jsonl    what happened, for people
    drafts/         what is being written

A file is written in drafts/, forced to the disk, renamed, and counts once the manifest names it. What the manifest
does not name is deleted when the run is opened to work on. One process works on a run at a time: it holds a lock,
which the system takes back when the process ends, however it ends.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tengen.engine import atomic, files, toml
from tengen.engine.config import ConfigError
from tengen.tools import locking
from tengen.tools.train.run import manifest
from tengen.tools.train.run.manifest import Kept, Manifest, RunError
from tengen.tools.train.settings.config import RunConfig, as_table, changed, load, merge

FOLDERS = ("shards", "checkpoints", "networks")
CONFIG, MANIFEST, METRICS, EVENTS, LOCK, DRAFTS = (
    "config.toml", "manifest.json", "metrics.csv", "events.jsonl", "lock", "drafts",
)  # fmt: skip
LARGEST_MANIFEST = 1 << 28
FIXED = ("seed", "board.name", "board.size", "model.")
"""The settings that a run keeps from its beginning: its weights are for that."""


def exists(folder: Path) -> bool:
    """Whether there is a run."""
    return (folder / MANIFEST).is_file()


def look(folder: Path) -> Manifest:
    """Return the state of a run, which another process may be changing. Raises RunError, OSError."""
    try:
        data = (folder / MANIFEST).read_bytes()
    except FileNotFoundError:
        raise RunError(f"there is no run in '{folder}'") from None
    if len(data) > LARGEST_MANIFEST:
        raise RunError("the manifest of the run is larger than any that tengen writes")
    return manifest.loads(data)


class Run:
    """A run to work on; `opened` makes it. step: see `atomic`."""

    def __init__(self, folder: Path, found: Manifest, step: atomic.Step = atomic.no_step) -> None:
        self.folder, self.manifest = folder, found
        self.token = secrets.token_hex(4)
        """The token of this sitting: in the names of its files, so that a process that outlived another sitting writes
        others."""
        self._step = step
        self._rows: list[str] = []
        self._begun, self._before = time.monotonic(), found.seconds

    @property
    def config(self) -> RunConfig:
        return merge(RunConfig(), self.manifest.config)

    @property
    def seconds(self) -> float:
        """At work, of all sittings."""
        return self._before + time.monotonic() - self._begun

    def draft(self, name: str) -> Path:
        """Return the path at which a file or a folder is to be written."""
        return self.folder / DRAFTS / f"{self.token}-{name}"

    def adopt(self, draft: Path, path: str) -> tuple[Kept, ...]:
        """Give a draft, a file or a folder of files, its place; it counts once a manifest names it. Raises OSError."""
        target = self.folder / path
        parts = sorted(one for one in draft.rglob("*") if one.is_file()) if draft.is_dir() else [draft]
        for part in parts:
            self._step(f"sync draft {path}")
            atomic.sync(part)
        atomic.move(draft, target, self._step)
        inner = [target / part.relative_to(draft) for part in parts] if target.is_dir() else [target]
        return tuple(self._kept(one) for one in inner)

    def commit(self, **changes: Any) -> None:
        """From now on this counts, with all rows of `measure` so far. Raises OSError."""
        length = self._write_rows()
        found = replace(self.manifest, **changes, seconds=round(self.seconds, 3), metrics=length)
        atomic.write(self.folder / MANIFEST, manifest.dumps(found), self._step)
        before, self.manifest = self.manifest, found
        named = {file.path for file in found.files()}
        for file in before.files():
            if file.path not in named:
                self._step(f"delete {file.path}")
                (self.folder / file.path).unlink(missing_ok=True)
                _drop_empty(self.folder / file.path)

    def measure(self, line: str) -> None:
        """A line of metrics.csv, written with the next commit."""
        self._rows.append(line)

    def event(self, what: str, **facts: object) -> None:
        """A line of the log."""
        row = {"time": time.strftime("%Y-%m-%dT%H:%M:%S"), "event": what, **facts}
        path = self.folder / EVENTS
        with files.writing(path), open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def path(self, file: Kept) -> Path:
        """Return the path of a file."""
        return self.folder / file.path

    def check(self, files: Sequence[Kept]) -> None:
        """Raise RunError for a file that is not the committed one."""
        for file in files:
            try:
                is_same = atomic.digest(self.path(file)) == file.sha256
            except OSError:
                is_same = False
            if not is_same:
                raise RunError(
                    f"'{self.path(file)}' is not what the run wrote: put it back, or begin another run by --name"
                )

    def _kept(self, path: Path) -> Kept:
        return Kept(path.relative_to(self.folder).as_posix(), atomic.digest(path), path.stat().st_size)

    def _write_rows(self) -> int:
        """Append what was measured; the bytes of the file that count then."""
        path = self.folder / METRICS
        with files.writing(path), open(path, "ab") as file:
            file.seek(0, os.SEEK_END)
            if self._rows:
                self._step("append metrics")
                file.write("".join(f"{line}\n" for line in self._rows).encode())
                file.flush()
                os.fsync(file.fileno())
                self._rows = []
            return file.tell()


@contextmanager
def opened(folder: Path, name: str, config: RunConfig, step: atomic.Step = atomic.no_step) -> Iterator[Run]:
    """Open a run to work on, made from `config` if it does not exist. Raises RunError, OSError."""
    with files.writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / LOCK, f"the run '{name}'"):
        if not exists(folder):
            _check_fresh(folder)
            atomic.write(folder / CONFIG, _toml(config), step)
            first = Manifest(name, time.strftime("%Y-%m-%dT%H:%M:%S"), as_table(config))
            atomic.write(folder / MANIFEST, manifest.dumps(first), step)
        run = Run(folder, look(folder), step)
        _tidy(run)
        yield run


def locked(path: Path, what: str) -> locking.Lock:
    """The lock of a file of a run, held while a block lasts. what: is at work. Raises RunError, OSError."""
    taken = f"{what} is at work in another process{{who}}: wait for it, or name another run by --name"
    return locking.Lock(path, taken, RunError)


def settle(
    run: Run, given: Mapping[str, Any], check: Callable[[RunConfig], object] = lambda config: None
) -> dict[str, tuple[str, str]]:
    """Take over changes in config.toml and settings on top; return the changes. Raises ConfigError, also what `check`
    raises of the whole, and then nothing has changed."""
    before = run.config
    path = run.folder / CONFIG
    after = merge(load(path, before) if path.exists() else before, given)
    check(after)
    changes = changed(before, after)
    for name in changes:
        if name.startswith(FIXED):
            old, new = changes[name]
            raise ConfigError(f"{name} of a run stays what it was ({old}, not {new}): begin another run by --name")
    if changes or not path.exists():
        atomic.write(path, _toml(after))
        run.commit(config=as_table(after))
        run.event("config", changes={name: list(pair) for name, pair in changes.items()})
    return changes


def _tidy(run: Run) -> None:
    """Delete what does not count. Raises RunError for what counts and is not there."""
    folder = run.folder
    shutil.rmtree(folder / DRAFTS, ignore_errors=True)
    for name in (*FOLDERS, DRAFTS):
        with files.writing(folder / name):
            (folder / name).mkdir(exist_ok=True)
    named = {file.path for file in run.manifest.files()}
    for path in [one for name in FOLDERS for one in sorted((folder / name).rglob("*")) if one.is_file()]:
        if path.relative_to(folder).as_posix() not in named:
            path.unlink()
            _drop_empty(path)
    for file in run.manifest.files():
        path = run.path(file)
        if not path.is_file() or path.stat().st_size != file.size:
            raise RunError(f"'{path}' is missing or cut short: put it back, or begin another run by --name")
    if (folder / METRICS).exists():  # a person may remove it: a run goes on without
        _cut(folder / METRICS, run.manifest.metrics)
    events = folder / EVENTS
    _cut(events, events.read_bytes().rfind(b"\n") + 1 if events.exists() else 0)


def _cut(path: Path, length: int) -> None:
    """Leave the first so many bytes of a file."""
    with files.writing(path), open(path, "ab") as file:
        if file.tell() < length:
            raise RunError(
                f"'{path}' is shorter than it was: put it back, or remove it to go on without what it said so far"
            )
        file.truncate(length)


def _drop_empty(path: Path) -> None:
    """Remove the folder of a file that is gone, if it was one of a checkpoint and is empty."""
    if path.parent.name not in FOLDERS:
        try:
            path.parent.rmdir()
        except OSError:
            pass


def _check_fresh(folder: Path) -> None:
    """Raises RunError for a folder with other things in it: they are not ours to delete."""
    ours = {LOCK, CONFIG, f"{CONFIG}.new", f"{MANIFEST}.new"}
    others = sorted(one.name for one in folder.iterdir() if one.name not in ours)
    if others:
        raise RunError(f"'{folder}' is no run and holds '{others[0]}': give another folder")


def _toml(config: RunConfig) -> bytes:
    return toml.dumps(as_table(config)).encode()
