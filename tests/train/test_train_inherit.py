"""A run that begins with the games of another one."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from fakes_of_watching import Silent
from made_up_run import MadeUp, config, sit, work

from tengen.engine import atomic
from tengen.tools.executors.local import Here
from tengen.tools.live import Live
from tengen.tools.train.run.cycle import Loop
from tengen.tools.train.run.inherit import take_over
from tengen.tools.train.run.manifest import RECORD, Kept, Manifest, RunError, Shard
from tengen.tools.train.run.runs import look, opened


def begun(folder: Path, source: Path, **changes: Any) -> Manifest:
    with opened(folder, "new", config(**changes)) as run:
        take_over(run, source, Live(io.StringIO()))
    return look(folder)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    sit(tmp_path / "old")
    return tmp_path / "old"


def test_it_begins_with_the_newest_games(tmp_path: Path, source: Path) -> None:
    theirs = look(source).shards
    assert len(theirs) > 4
    found = begun(tmp_path / "new", source, **{"window.minimum": 30, "window.beta": 0})
    assert [shard.unit for shard in found.shards] == [f"inherited-{shard.unit}" for shard in theirs[-3:]], (
        "ten positions each"
    )
    assert [shard.file.sha256 for shard in found.shards] == [shard.file.sha256 for shard in theirs[-3:]]
    assert all(shard.is_inherited and not shard.is_record for shard in found.shards)
    assert all(atomic.digest(tmp_path / "new" / shard.file.path) == shard.file.sha256 for shard in found.shards)
    assert begun(tmp_path / "new", source) == found, "once"
    assert len(begun(tmp_path / "all", source, **{"window.minimum": 10**6}).shards) == len(theirs)


@pytest.mark.parametrize("least", [20, 10**6])
def test_the_first_network_learns_from_them_alone(tmp_path: Path, source: Path, least: int) -> None:
    """However few they are; then the run plays its own games."""
    changes = {"window.least": least, "window.minimum": 40, "window.beta": 0, "cycle.generations": 2, "gate.games": 0}
    inherited = begun(tmp_path / "new", source, **changes)
    found = sit(tmp_path / "new", **changes).manifest
    first, second = found.networks[1:3]
    assert first.games == inherited.games and first.steps == round(inherited.positions * 4 / 8)
    assert second.games > first.games and found.shards[: len(inherited.shards)] == inherited.shards
    assert all(shard.network >= 1 for shard in found.shards if not shard.is_inherited), (
        "a random network played nothing"
    )


def test_it_goes_on_if_the_first_network_is_not_taken(tmp_path: Path, source: Path) -> None:
    changes = {"cycle.generations": 2, "gate.score": 1.0, "gate.games": 20}
    begun(tmp_path / "new", source, **changes)
    found = sit(tmp_path / "new", **changes).manifest
    assert [network.is_taken for network in found.networks] == [True, False, False] and found.networks[
        2
    ].games > found.networks[1].games


@pytest.mark.parametrize("are_records_first", [False, True])
def test_beside_records(tmp_path: Path, source: Path, are_records_first: bool) -> None:
    """Both are learned from as long as records are; then all but the records. Nobody plays before."""
    changes = {"records.generations": 1, "records.steps": 5, "cycle.generations": 2, "gate.games": 0, "anchor.every": 0}
    held: list[list[str]] = []

    class Noting(MadeUp):
        def hold(self, shards: Sequence[Shard]) -> None:
            super().hold(shards)
            held.append([shard.unit for shard in shards])

    with opened(tmp_path / "new", "new", config(**changes)) as run:
        for is_records in (are_records_first, not are_records_first):
            if is_records:
                run.commit(
                    shards=(*run.manifest.shards, Shard(Kept("shards/people.npz", "", 3), "records-1", RECORD, 9, 300))
                )
                (tmp_path / "new" / "shards" / "people.npz").write_text("abc")
            else:
                take_over(run, source, Live(io.StringIO()))
        inherited = [shard.unit for shard in run.manifest.shards if shard.is_inherited]
        Loop(run, Noting(), Here(work), Silent(), lambda: False).sit()
        assert [network.steps for network in run.manifest.networks][:2] == [0, 5]
        own = [shard.unit for shard in run.manifest.shards if not shard.is_inherited and not shard.is_record]
    assert sorted(held[0]) == sorted([*inherited, "records-1"]) and own
    assert held[1] == [*inherited, *own[: len(held[1]) - len(inherited)]]


def test_what_cannot_be_taken_over(tmp_path: Path, source: Path) -> None:
    with pytest.raises(
        RunError, match="the run 'made-up' is one of go on 9, the new one of go on 13,19: its games are of no use to it"
    ):
        begun(tmp_path / "size", source, **{"board.size": "13,19"})
    with pytest.raises(
        RunError, match="the run 'made-up' is one of go on 9, the new one of gomoku on 9: its games are"
    ):
        begun(tmp_path / "game", source, **{"board.name": "gomoku"})
    assert begun(tmp_path / "more", source, **{"board.size": "9,19"}).games
    with pytest.raises(RunError, match="the run has begun without those games: begin another one by --name"):
        begun(source, source)
    with pytest.raises(RunError, match="there is no run in"):
        begun(tmp_path / "none", tmp_path / "nowhere")
    with opened(tmp_path / "empty", "empty", config()):
        pass
    with pytest.raises(RunError, match="the run 'empty' has no games of its own yet"):
        begun(tmp_path / "new", tmp_path / "empty")
    path = source / look(source).shards[-1].file.path
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(RunError, match="is not what its run wrote"):
        begun(tmp_path / "damaged", source)
    path.unlink()
    with pytest.raises(RunError, match="cannot read .*: No such file or directory"):
        begun(tmp_path / "gone", source)
    assert not look(tmp_path / "damaged").shards and not look(tmp_path / "gone").shards
