"""Compare a network with its teacher on held-out games: overall, and by phase, rules and board size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy import float32
from numpy.typing import NDArray

from tengen.engine.evaluators.network import probabilities
from tengen.tools.train.data.games import Games, join
from tengen.tools.train.data.rows import Batch, View, encode, rows_of, sees_history
from tengen.tools.train.data.window import Picks
from tengen.tools.train.play.evaluators import load_go
from tengen.tools.train.run.learn import split
from tengen.tools.train.run.manifest import Manifest
from tengen.tools.train.settings.config import RunConfig, merge

if TYPE_CHECKING:
    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator

Floats = NDArray[float32]
MOST = 1024
"""Positions that are looked at, drawn from all that are held out."""
FILES = 64
"""Held-out files that are read, the newest."""
A_BATCH = 32
LEAST = 1e-12
OPENING, MIDDLE = 0.15, 0.5
"""A phase ends when so many moves were made, as a share of the points of the board."""
PHASES = ("set up", "opening", "middle game", "ending", "after a pass")
COLUMNS = (
    "positions of", "", "count", "policy loss", "policy divergence", "value loss", "value divergence", "lead error",
    "owner error",
)  # fmt: skip


class Said(NamedTuple):
    """The answers of a network for n rows: policy n x moves and value n x 3 (win, no result, loss), sums 1; lead n;
    owners n x cells, -1 to 1."""

    policy: Floats
    value: Floats
    lead: Floats
    owners: Floats


Answer = Callable[[Batch], Said]


def apart(folder: Path, found: Manifest) -> list[tuple[str, ...]]:
    """Return rows for `COLUMNS` for the newest network of a run with a teacher; none for other runs, or if no file is
    held out. Raises ShardError, OSError."""
    from tengen.tools.train.data import shards

    config = merge(RunConfig(), found.config)
    learned = [network for network in found.networks if network.generation]
    if not config.teacher.file or not learned:
        return []
    held = [shard for shard in split(found.shards, config.window.held_out)[1] if not shard.is_record]
    parts = [shards.read_named(folder / shard.file.path) for shard in held[-FILES:]]
    if not parts:
        return []
    network = load_go(str(folder / learned[-1].file.path), "f32", batch=A_BATCH)
    try:
        return table(measured(lambda batch: asked(network, batch), View(network.features), join(parts), config.seed))
    finally:
        network.close()


def asked(network: KataGoEvaluator, batch: Batch) -> Said:
    """Return a network's answers for a batch."""
    assert batch.numbers is not None
    found = network.submit(batch.planes, batch.numbers, optimism=0.0).wait()
    assert found.scores is not None
    owners = found.extras["ownership"].reshape(len(batch.planes), -1)
    return Said(probabilities(found.policies), found.values, found.scores, owners)


def measured(
    answer: Answer, view: View, games: Games, seed: int, most: int = MOST
) -> Iterator[tuple[Mapping[str, str], Floats]]:
    """Yield for each position its groups, by kind of group, and its figures; NaN: unknown."""
    picks = rows_of(games)
    count = len(picks.plies)
    chosen = np.sort(np.random.default_rng(seed).permutation(count)[:most])
    boards = (games.columns["width"].astype(np.int64) << 8 | games.columns["height"])[picks.numbers]
    for board in np.unique(boards):
        rows = [int(row) for row in chosen if boards[row] == board]
        for start in range(0, len(rows), A_BATCH):
            part = picks.at(rows[start : start + A_BATCH])
            batch = encode(view, part, np.zeros(len(part.plies), np.int32), sees_history(part))
            yield from zip(groups(part), figures(batch, answer(batch)), strict=True)


def groups(picks: Picks) -> Iterator[Mapping[str, str]]:
    """Yield phase, rules and size of each position."""
    games, numbers, plies = picks
    columns, sees = games.columns, sees_history(picks)
    for number, ply, is_seen in zip(numbers.tolist(), plies.tolist(), sees, strict=True):
        width, height = int(columns["width"][number]), int(columns["height"][number])
        at, done = int(games.starts[number]) + ply, ply / (width * height)
        if not is_seen:
            phase = PHASES[0]
        elif ply > int(columns["first"][number]) and int(columns["moves"][at - 1]) == width * height:
            phase = PHASES[4]
        else:
            phase = PHASES[1 if done < OPENING else 2 if done < MIDDLE else 3]
        yield {"phase": phase, "rules": games.rules[columns["rule"][number]], "size": f"{width}x{height}"}


def figures(batch: Batch, said: Said) -> Floats:
    """Return n x 6: loss (cross entropy) and divergence (Kullback-Leibler, the loss less the teacher's own entropy) of
    policy and value, in nats, and the mean distances of the lead, in points, and of the owners, -1 to 1."""
    pairs = ((batch.policy, said.policy), (batch.found, said.value))
    columns: list[NDArray[float32]] = []
    for wanted, told in pairs:
        loss = -(wanted * np.log(np.maximum(told, LEAST))).sum(1)
        entropy = -(wanted * np.log(np.maximum(wanted, LEAST))).sum(1)
        columns += [loss, loss - entropy]
    columns.append(np.abs(said.lead - batch.found_score))
    columns.append(np.abs(said.owners - batch.owners.reshape(len(said.owners), -1)).mean(1))
    return np.stack(columns, 1).astype(np.float32)


def table(rows: Iterator[tuple[Mapping[str, str], Floats]]) -> list[tuple[str, ...]]:
    """Return means by group, in the order of kinds: all, phases, rules, sizes."""
    found: dict[tuple[str, str], list[Floats]] = {}
    for names, one in rows:
        for key in (("all", ""), *names.items()):
            found.setdefault(key, []).append(one)
    kinds = ("all", "phase", "rules", "size")

    def place(key: tuple[str, str]) -> tuple[int, int, str]:
        kind, name = key
        order = PHASES.index(name) if kind == "phase" else int(name.partition("x")[0]) if kind == "size" else 0
        return kinds.index(kind), order, name

    return [_row(key, found[key]) for key in sorted(found, key=place)]


def _row(key: tuple[str, str], rows: Sequence[Floats]) -> tuple[str, ...]:
    means = [_mean(column) for column in np.stack(rows, 1)]
    return (*key, str(len(rows)), *(f"{mean:.3f}" if np.isfinite(mean) else "" for mean in means))


def _mean(values: Floats) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else float("nan")
