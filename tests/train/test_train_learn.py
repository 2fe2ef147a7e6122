"""The network of a run in torch: it goes on bit for bit from what was kept, and held-out games stay out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from played_games import searched

from tengen.tools.train.data import shards
from tengen.tools.train.run.learn import TorchLearning, split
from tengen.tools.train.run.manifest import RECORD, Kept, Shard
from tengen.tools.train.settings.config import RunConfig, merge

TINY: dict[str, Any] = {
    "model.blocks": 1, "model.channels": 8, "model.pooling": 0, "model.head": 8, "model.hidden": 8, "training.batch": 8,
    "window.held_out": 0.34, "training.rate": 0.01, "training.precision": "f32",
}  # fmt: skip


def config(**changes: Any) -> RunConfig:
    return merge(RunConfig(), {**TINY, **changes})


def kept(folder: Path, count: int) -> list[Shard]:
    """Files of games of a run."""
    found = []
    (folder / "shards").mkdir(exist_ok=True)
    for number in range(count):
        path = folder / "shards" / f"u{number}.npz"
        entry = shards.write(path, [searched(2 * number), searched(2 * number + 1)])
        file = Kept(f"shards/{path.name}", entry.sha256, path.stat().st_size)
        found.append(Shard(file, f"u{number}", 0, entry.games, entry.rows))
    return found


def test_a_learning_goes_on_bit_for_bit(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    some = kept(tmp_path, 6)
    first = TorchLearning(config(), tmp_path)
    first.hold(some[:5])
    for _ in range(3):
        first.step()
    first.save(tmp_path / "kept")
    state, judged = first.window_state(), first.judge()
    wanted = [first.step() for _ in range(3)]
    second = TorchLearning(config(seed=9), tmp_path)  # another beginning, which is forgotten
    second.close()
    second = TorchLearning(config(), tmp_path)
    second.load(tmp_path / "kept")
    second.restore_window(state, some)
    assert second.steps == 3 and second.judge() == judged and judged["loss"] > 0
    assert [second.step() for _ in range(3)] == wanted
    for learning in (first, second):
        learning.save(tmp_path / f"end{id(learning)}")
        learning.close()
    ends = [sorted(path.name for path in folder.iterdir()) for folder in tmp_path.glob("end*")]
    assert ends[0] == ends[1], "files are named by their hashes"


def test_a_learning_that_begins_with_a_file_plays_by_it_at_once(tmp_path: Path) -> None:
    """Its average, which plays, begins there too; what follows is learned."""
    pytest.importorskip("torch")
    from tengen.engine.evaluators.katago.reading import read_model

    def exported(learning: TorchLearning, name: str) -> Any:
        learning.export(tmp_path / f"{name}.bin.gz", {"steps": 0, "run": "r", "games": 0, "positions": 0})
        return read_model(tmp_path / f"{name}.bin.gz").trunk.conv.weights

    first, second = (TorchLearning(config(seed=seed), tmp_path) for seed in (1, 2))
    wanted = exported(first, "first")
    assert (exported(second, "second") != wanted).any()
    second.begin_with(tmp_path / "first.bin.gz")
    assert (exported(second, "second") == wanted).all()
    second.hold(kept(tmp_path, 3))
    second.step()
    assert (exported(second, "second") != wanted).any()
    for learning in (first, second):
        learning.close()


def test_a_card_names_all_that_was_learned_from(tmp_path: Path) -> None:
    """People and a teacher; the teacher says what komi and rules it was about."""
    pytest.importorskip("torch")
    begun = {"training.begin": "folder/before.bin.gz", "teacher.file": "strong.bin.gz"}
    learning = TorchLearning(config(**begun), tmp_path)
    shards = kept(tmp_path, 3)
    learning.hold([replace(shards[0], network=RECORD), *shards[1:]])
    learning.export(tmp_path / "net.bin.gz", {"games": 4, "positions": 20, "steps": 7, "run": "x"})
    learning.close()
    card = (tmp_path / "net.toml").read_text("utf-8")
    assert (
        f"labels of the teacher strong.bin.gz: 4 games, 20 positions; games of people: {shards[0].games} games, "
        f"{shards[0].positions} positions; it began with the weights of before.bin.gz, 7 steps" in card
    )
    assert "komi = [-65" in card


def test_records_that_are_held_out_are_judged_after_a_restart_too(tmp_path: Path) -> None:
    """They stand behind all others; the next generation's games come later, records do not."""
    pytest.importorskip("torch")
    records = [
        replace(shard, network=RECORD, figures={"held_out": float(number == 3)})
        for number, shard in enumerate(kept(tmp_path, 4))
    ]
    first = TorchLearning(config(), tmp_path)
    first.hold(records)
    first.step()
    first.save(tmp_path / "kept")
    second = TorchLearning(config(), tmp_path)
    second.load(tmp_path / "kept")
    second.restore_window(first.window_state(), records)
    judged = first.judge()
    assert judged["loss"] > 0 and second.judge() == judged
    first.close()
    second.close()


def test_the_weights_follow_from_the_seed(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    names = []
    for seed in (1, 1, 2):
        learning = TorchLearning(config(seed=seed), tmp_path)
        learning.export(tmp_path / f"{len(names)}" / "net.bin.gz", {"games": 0, "positions": 0, "steps": 0, "run": "x"})
        names.append((tmp_path / f"{len(names)}" / "net.bin.gz").read_bytes())
        learning.close()
    assert names[0] == names[1] != names[2]
    assert 'purpose = "plays go on 9"' in (tmp_path / "0" / "net.toml").read_text("utf-8")


@pytest.mark.parametrize(("share", "count", "held"), [
    (0.0, 10, []),
    (0.5, 6, [1, 3, 5]),
    (0.34, 9, [2, 5, 8]),
    (0.1, 25, [2, 12, 22]),
])  # fmt: skip
def test_some_files_are_held_out(share: float, count: int, held: list[int]) -> None:
    some = [Shard(Kept(f"shards/{number}", "", 0), f"u{number}", 0, 1, 1) for number in range(count)]
    learned, out = split(some, share)
    assert out == [some[number] for number in held] and sorted([*learned, *out], key=some.index) == some


def test_of_records_those_of_players_are_held_out() -> None:
    some = [Shard(Kept(f"shards/{n}", "", 0), f"r{n}", RECORD, 1, 1, {"held_out": float(n == 3)}) for n in range(4)]
    assert split(some, 0.5) == (some[:3], some[3:])
