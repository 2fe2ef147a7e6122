"""What a report says of held-out positions, apart by phase, rules and size."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from katago_files import file_of, network
from played_games import V7, record

from tengen.tools.train.data import shards
from tengen.tools.train.data.game import PlayedGame, Taught
from tengen.tools.train.data.games import together
from tengen.tools.train.data.rows import Batch, View, rows_of
from tengen.tools.train.run.learn import split
from tengen.tools.train.run.manifest import RECORD, Kept, Manifest, Network, Shard
from tengen.tools.train.settings.config import RunConfig, as_table, merge
from tengen.tools.train.show import apart

VIEW = View(V7)


def taught(size: int, rules: str, moves: list[int], first: int = 0, blind: int = 0) -> PlayedGame:
    """A game whose every position from `first` on was labelled: half of the policy for the move that came, half for
    another; 0.75 won, a lead of 3, every point Black's."""
    n = len(moves)
    targets = np.array([[move, (move + 1) % (size * size)] for move in moves], np.int16).ravel()
    marks = np.zeros(n, np.bool_)
    marks[first : first + blind] = True
    plies = np.arange(first, n, dtype=np.int32)
    owners = np.full((len(plies), size * size), 100, np.int8)
    weights = np.array([0.0] * first + [1.0] * (n - first), np.float32)
    return replace(
        record(moves, size=(size, size), rules=rules), first=first, weights=weights,
        values=np.tile(np.array([0.75, 0.0, 3.0], np.float32), (n, 1)), target_offsets=np.arange(0, 2 * n + 1, 2, dtype=np.int32),
        target_moves=targets, target_shares=np.full(2 * n, 0.5, np.float32), owners=None, margin=math.inf,
        taught=Taught(plies, {"taught_owners": owners}, marks),
    )  # fmt: skip


GAMES = together([
    taught(5, "chinese", [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 1, 3]),
    taught(7, "japanese", [0, 3, 6, 49, 9], first=3, blind=1),
])  # fmt: skip


def test_groups_are_phases_rules_and_sizes() -> None:
    picks = rows_of(GAMES)
    found = list(apart.groups(picks))
    phases = [one["phase"] for one in found]
    assert phases == ["opening"] * 4 + ["middle game"] * 9 + ["ending"] * 2 + ["set up", "after a pass"]
    assert {(one["rules"], one["size"]) for one in found} == {("chinese", "5x5"), ("japanese", "7x7")}


def right(batch: Batch) -> apart.Said:
    """Says what the teacher said."""
    count = len(batch.planes)
    return apart.Said(batch.policy, batch.found, batch.found_score, batch.owners.reshape(count, -1))


def test_who_says_the_same_has_no_divergence() -> None:
    rows = list(apart.measured(right, VIEW, GAMES, 1))
    table = apart.table(iter(rows))
    assert [row[:3] for row in table] == [
        ("all", "", "17"), ("phase", "set up", "1"), ("phase", "opening", "4"), ("phase", "middle game", "9"),
        ("phase", "ending", "2"), ("phase", "after a pass", "1"), ("rules", "chinese", "15"), ("rules", "japanese", "2"),
        ("size", "5x5", "15"), ("size", "7x7", "2"),
    ]  # fmt: skip
    entropy = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))
    for row in table:
        assert [float(cell) for cell in row[3:]] == pytest.approx([math.log(2), 0, entropy, 0, 0, 0], abs=1e-3)
        assert len(row) == len(apart.COLUMNS)


def test_figures_by_numbers() -> None:
    """Even chances, a lead that is off by 2, owners of nobody."""

    def even(batch: Batch) -> apart.Said:
        n, moves = batch.policy.shape
        third = np.full((n, 3), 1 / 3, np.float32)
        policy = np.full((n, moves), 1 / moves, np.float32)
        return apart.Said(policy, third, batch.found_score + 2, np.zeros_like(batch.owners).reshape(n, -1))

    rows = {names["size"]: one for names, one in apart.measured(even, VIEW, GAMES, 1)}
    entropy = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))
    wanted = [math.log(26), math.log(26) - math.log(2), math.log(3), math.log(3) - entropy, 2, 1]
    assert rows["5x5"].tolist() == pytest.approx(wanted, rel=1e-4)
    assert len(list(apart.measured(even, VIEW, GAMES, 1, most=5))) == 5


def test_labels_and_games_of_people_are_both_held_out() -> None:
    labelled = [Shard(Kept(f"shards/{number}.npz", "", 0), f"u{number}", 0, 2, 17) for number in range(8)]
    people = [
        Shard(Kept(f"shards/r{number}.npz", "", 0), f"r{number}", RECORD, 2, 17, {"held_out": float(number == 1)})
        for number in range(3)
    ]
    for shards_of_both in ((*labelled, *people), (*people, *labelled)):
        learned, held = split(shards_of_both, 0.25)
        assert {shard.unit for shard in held} == {"u2", "u6", "r1"} and len(learned) == 8
    assert split(people, 0.0)[1] == [people[1]]


def test_a_run_is_measured_by_its_held_out_files(tmp_path: Path) -> None:
    """By its newest network; a run without a teacher, or with nothing held out, has no table."""
    pytest.importorskip("openvino")
    (tmp_path / "networks").mkdir()
    (tmp_path / "shards").mkdir()
    (tmp_path / "networks" / "n.bin.gz").write_bytes(file_of(network(("ordinary",), 14)))
    held = []
    for number in range(3):
        shards.write(tmp_path / "shards" / f"{number}.npz", GAMES if number == 2 else GAMES.part(0, 1))
        held.append(Shard(Kept(f"shards/{number}.npz", "", 0), f"u{number}", 0, 2, 17))
    file = (Kept("networks/n.bin.gz", "", 0),)
    networks = tuple(Network(number, file, number, 0, 0, 0.0, True) for number in range(2))
    config = merge(RunConfig(), {"teacher.file": "teacher.bin.gz", "window.held_out": 0.33})
    found = Manifest("run", "", as_table(config), tuple(held), networks)
    rows = apart.apart(tmp_path, found)
    assert rows[0][:3] == ("all", "", "17") and all(math.isfinite(float(cell)) for row in rows for cell in row[3:])
    for other in (
        replace(found, networks=networks[:1]),
        replace(found, config=as_table(merge(config, {"teacher.file": ""}))),
        replace(found, config=as_table(merge(config, {"window.held_out": 0.0}))),
    ):
        assert apart.apart(tmp_path, other) == []
