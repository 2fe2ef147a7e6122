"""A run is what its manifest says, wherever it was killed; one process works on it at a time."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import made_up_run
import pytest
from made_up_run import SETTINGS, MadeUp, config, sit

from tengen.engine import atomic
from tengen.engine.config import ConfigError
from tengen.tools.train.run import manifest
from tengen.tools.train.run.manifest import Kept, Manifest, RunError
from tengen.tools.train.run.runs import FOLDERS, Run, look, opened, settle
from tengen.tools.train.settings.config import RunConfig
from tengen.tools.train.show import metrics

SCRIPT = Path(made_up_run.__file__)


class Killed(Exception):
    """Stands for a kill: nothing is tidied up after it, since whoever is in the way does so only for files."""


def files_of(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix() for name in FOLDERS for path in (folder / name).rglob("*") if path.is_file()
    }


def check_whole(folder: Path) -> Manifest:
    """The run is what it committed: every file with its digest, and the learner as it was."""
    found = look(folder)
    for file in found.files():
        assert atomic.digest(folder / file.path) == file.sha256, file.path
    assert len({shard.unit for shard in found.shards}) == len(found.shards)
    assert len({lot.unit for lot in found.lots}) == len(found.lots)
    if found.checkpoint:
        learner = MadeUp()
        learner.load((folder / found.checkpoint.files[0].path).parent)
        assert learner.steps == found.checkpoint.steps
    return found


def test_a_run_makes_generations(tmp_path: Path) -> None:
    found = sit(tmp_path).manifest
    assert [network.generation for network in found.networks] == [0, 1, 2, 3]
    assert all(network.is_taken is not None for network in found.networks)
    assert found.checkpoint is not None and found.checkpoint.due == found.checkpoint.done
    assert found == check_whole(tmp_path)
    assert files_of(tmp_path) == {file.path for file in found.files()}, "nothing is left over"
    assert {lot.second for lot in found.lots} >= {"0", "uct-200"}
    assert not list((tmp_path / "drafts").iterdir())
    again = sit(tmp_path).manifest
    assert again.networks == found.networks and again.checkpoint == found.checkpoint, (
        "a run that is over stays as it is"
    )


def deadly_after(steps: int) -> Callable[[str], None]:
    """Kills before the step after so many, and before all later ones: a killed process does nothing more."""
    left = iter(range(steps))

    def step(name: str) -> None:
        if next(left, None) is None:
            raise Killed(name)

    return step


@pytest.mark.slow
@pytest.mark.parametrize("generations", [1, 3])
def test_a_run_goes_on_after_a_kill_at_any_step(tmp_path: Path, generations: int) -> None:
    """An exception stands for the kill, before each step of each commit in turn; then the run goes on to its end."""
    changes = {"cycle.generations": generations, "anchor.every": generations, "gate.games": 2}
    names: list[str] = []
    sit(tmp_path / "whole", names.append, **changes)
    assert {name.split()[0] for name in names} == {"write", "sync", "rename", "delete"}
    for deadly in range(len(names)):
        folder = tmp_path / str(deadly)
        with pytest.raises(Killed):
            sit(folder, deadly_after(deadly), **changes)
        if not (folder / "manifest.json").exists():
            continue
        before = check_whole(folder)
        after = sit(folder, **changes).manifest
        check_whole(folder)
        assert [network.generation for network in after.networks] == list(range(generations + 1))
        judged = [network for network in before.networks if network.is_taken is not None]
        assert list(after.networks[: len(judged)]) == judged, "what was committed stays"
        assert [shard.file for shard in after.shards[: len(before.shards)]] == [shard.file for shard in before.shards]
        assert files_of(folder) == {file.path for file in after.files()}


def test_a_real_kill_at_random_steps(tmp_path: Path) -> None:
    """A process is killed with SIGKILL again and again; each start goes on from what the last one committed."""
    dice, kills = random.Random(5), 0
    before: Manifest | None = None
    for _ in range(40):
        process = subprocess.run(
            [sys.executable, str(SCRIPT), str(tmp_path), str(dice.randint(3, 60))],
            capture_output=True,
            text=True,
            timeout=60,
        )
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL, process.stderr
        kills += 1
        if (tmp_path / "manifest.json").exists():
            found = check_whole(tmp_path)
            if before is not None:
                assert found.shards[: len(before.shards)] == before.shards and found.units >= before.units
            before = found
    assert process.stdout == "whole\n" and kills >= 3
    assert [network.generation for network in look(tmp_path).networks] == [0, 1, 2, 3]


def test_what_is_resumed_is_what_was_committed(tmp_path: Path) -> None:
    """A run that was ended between its steps comes to the same weights as one that was not."""
    whole = sit(tmp_path / "whole", **{"gate.games": 0, "anchor.every": 0}).manifest
    for pieces in (3, 7):
        folder = tmp_path / f"pieces{pieces}"
        for _ in range(200):
            asked = 0

            def is_ending(pieces: int = pieces) -> bool:
                nonlocal asked
                asked += 1
                return asked > pieces

            found = sit(folder, is_ending=is_ending, **{"gate.games": 0, "anchor.every": 0}).manifest
            if len(found.networks) == 4:
                break
        assert [network.file.sha256 for network in found.networks] == [
            network.file.sha256 for network in whole.networks
        ]


def test_two_processes_on_one_run_are_refused(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom made_up_run import config\n"
        "from tengen.tools.train.run.runs import opened\n"
        "with opened(Path(sys.argv[1]), 'other', config()):\n    print('taken', flush=True); sys.stdin.readline()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=SCRIPT.parent
    ) as other:  # fmt: skip
        assert other.stdout is not None and other.stdin is not None
        assert other.stdout.readline() == "taken\n"
        with (
            pytest.raises(RunError, match=rf"at work in another process \(process {other.pid}\)"),
            opened(tmp_path, "run", config()),
        ):
            pass
        other.kill()
        other.wait(10)
        with opened(tmp_path, "run", config()) as run:
            assert run.manifest.name == "other"


def test_what_does_not_count_is_deleted(tmp_path: Path) -> None:
    sit(tmp_path)
    for name in (
        "shards/u999999-dead.npz",
        "networks/0099-dead/x.bin.gz",
        "checkpoints/1-dead/weights.json",
        "drafts/x/y",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("torn")
    with open(tmp_path / "metrics.csv", "a") as file:
        file.write("torn,row")
    (tmp_path / "notes.txt").write_text("a person's own")
    with opened(tmp_path, "x", config()) as run:
        assert files_of(tmp_path) == {file.path for file in run.manifest.files()}
        assert not (tmp_path / "checkpoints" / "1-dead").exists()
        assert (tmp_path / "metrics.csv").stat().st_size == run.manifest.metrics
    assert (tmp_path / "notes.txt").read_text() == "a person's own"


@pytest.mark.parametrize("harm", ["missing", "cut", "changed"])
def test_what_counts_and_is_gone_is_named(tmp_path: Path, harm: str) -> None:
    file = tmp_path / sit(tmp_path).manifest.best.file.path
    data = file.read_bytes()
    file.unlink() if harm == "missing" else file.write_bytes(data[:-1] if harm == "cut" else data[:-1] + b"?")
    with pytest.raises(RunError, match=r"put it back"):
        sit(tmp_path)


def test_a_folder_of_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(RunError, match=r"is no run and holds 'thesis.txt'"), opened(tmp_path, "x", config()):
        pass
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_rows_count_with_their_commit(tmp_path: Path) -> None:
    with opened(tmp_path, "x", config()) as run:
        run.measure("a,b")
        run.commit()
        run.measure("1,2")
    with opened(tmp_path, "x", config()):
        assert (tmp_path / "metrics.csv").read_text() == "a,b\n"


DAMAGE = {
    "no text": (b"steps,loss\n\xff\xfe,1\n", "is damaged .*: remove it to go on without the figures so far"),
    "a row too short": (b"steps,loss\n1,2\n3\n", r"is damaged \(line 3 is no row of its 2 columns\): remove it"),
    "a row of words": (b"steps,loss\n1,two\n", r"is damaged \(line 2 is no row of its 2 columns\)"),
    "zeros": (b"steps,loss\n" + bytes(64) + b"\n", "is damaged"),
    "no names": (b"1,2\n3,4\n", r"is damaged \(line 1 does not name columns\)"),
    "names twice": (b"steps,steps\n3,4\n", r"is damaged \(line 1 does not name columns"),
    "quotes without end": (b'steps,loss\n"1,2\n3,4\n', "is damaged"),
    "a cell of a megabyte": (b"steps,loss\n1," + b"1" * (1 << 20) + b"\n", "is damaged"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_metrics_are_named_with_how_to_go_on(name: str, tmp_path: Path) -> None:
    data, said = DAMAGE[name]
    (tmp_path / "metrics.csv").write_bytes(data)
    with pytest.raises(RunError, match=rf"metrics.csv' {said}") as error:
        metrics.columns(tmp_path / "metrics.csv")
    assert "\n" not in str(error.value) and len(str(error.value)) < 400


def test_a_run_goes_on_without_its_metrics(tmp_path: Path) -> None:
    with opened(tmp_path, "x", config()) as run:
        run.measure("steps,loss")
        run.measure("1,2")
        run.commit()
    (tmp_path / "metrics.csv").write_text("steps")
    with (
        pytest.raises(RunError, match="metrics.csv' is shorter than it was: put it back, or remove it to go on"),
        opened(tmp_path, "x", config()),
    ):
        pass
    (tmp_path / "metrics.csv").unlink()
    with opened(tmp_path, "x", config()) as run:
        assert metrics.columns(tmp_path / "metrics.csv") == {}
        metrics.Metrics(run, tmp_path / "metrics.csv").row({"steps": 4.0, "loss": 0.5})
        run.commit()
    with opened(tmp_path, "x", config()):
        assert metrics.columns(tmp_path / "metrics.csv")["loss"] == [0.5]


def test_settings_of_a_run_may_be_edited(tmp_path: Path) -> None:
    with opened(tmp_path, "x", config()) as run:
        assert settle(run, {}) == {}
        text = (tmp_path / "config.toml").read_text()
        (tmp_path / "config.toml").write_text(text.replace("reuse = 4.0", "reuse = 2.5"))
        assert settle(run, {"training.rate": "0.01"}) == {
            "cycle.reuse": ("4", "2.5"),
            "training.rate": ("0.002", "0.01"),
        }
    with opened(tmp_path, "x", config()) as run:
        assert run.config.cycle.reuse == 2.5 and run.config.training.rate == 0.01
        for fixed in ("model.blocks", "seed", "board.size"):
            with pytest.raises(ConfigError, match=rf"{fixed} of a run stays what it was .*--name"):
                settle(run, {fixed: "7"})

        def refuse(after: RunConfig) -> None:
            raise ConfigError(f"{after.training.rate} is no good")

        with pytest.raises(ConfigError, match=r"0.5 is no good"):
            settle(run, {"training.rate": 0.5}, refuse)
        assert (
            run.config.training.rate == 0.01
            and "0.5" not in (tmp_path / "config.toml").read_text().partition("[training]")[2].partition("decay")[0]
        )


BAD_MANIFESTS = ["", "[]", "{}", '{"format": 1}', '{"format": 9}', '{"format": 1, "checkpoint": 3}', "[" * 100_000]


@pytest.mark.parametrize("text", BAD_MANIFESTS, ids=lambda text: text[:20])
def test_a_damaged_manifest_is_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(RunError, match=r"manifest of the run is damaged|another version"):
        look(tmp_path)


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "shards/../../x", "shards\\x", "C:x", ""])
def test_a_manifest_names_files_of_its_folder_alone(path: str) -> None:
    network = {
        "generation": 0,
        "files": [asdict(Kept(path, "", 0))],
        "steps": 0,
        "positions": 0,
        "games": 0,
        "seconds": 0,
    }
    table = json.loads(manifest.dumps(Manifest("x", "", {}))) | {"networks": [network]}
    with pytest.raises(RunError, match=r"outside of its folder"):
        manifest.loads(json.dumps(table).encode())


def test_manifests_are_read_as_they_were_written(tmp_path: Path) -> None:
    found = sit(tmp_path).manifest
    assert manifest.loads(manifest.dumps(found)) == found
    assert (
        isinstance(Run(tmp_path, found).config.gate.games, int)
        and SETTINGS["gate.games"] == Run(tmp_path, found).config.gate.games
    )


def test_a_run_is_over_by_its_games(tmp_path: Path) -> None:
    """With the first network that so many are behind; each unit is of two."""
    found = sit(tmp_path, **{"cycle.generations": 0, "cycle.games": 10, "gate.games": 0, "anchor.every": 0}).manifest
    assert [network.games >= 10 for network in found.networks].index(True) == len(found.networks) - 1 > 1
