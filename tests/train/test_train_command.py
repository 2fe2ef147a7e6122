"""The commands: what they say, what they refuse, and a whole run of a small game by the real command line."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from checkout import needs_openvino
from katago_files import file_of, network
from made_up_run import sit

from tengen.engine import atomic
from tengen.engine.evaluators.backends.cards import card_path, read_card
from tengen.engine.evaluators.katago.reading import read_model
from tengen.nets.cards import write_card
from tengen.tools import cli
from tengen.tools.arguments import Parser
from tengen.tools.train.commands import train
from tengen.tools.train.commands.export import entitle
from tengen.tools.train.run.places import all_runs, existing, folder_of, runs_folder
from tengen.tools.train.run.runs import look
from tengen.tools.train.settings.config import merge

CARD: dict[str, Any] = {
    "purpose": "tests", "licence": "MIT", "training": {"data": "none", "command": "tengen train"},
    "input": {"shape": [0, 22, 0, 0], "channels": [], "normalisation": "none"}, "outputs": {},
}  # fmt: skip
TINY = [
    "--set", "model.blocks=1", "--set", "model.channels=8", "--set", "model.pooling=0", "--set", "model.head=8",
    "--set", "search.visits=6", "--set", "search.cheap_visits=2", "--set", "selfplay.slots=8", "--set", "selfplay.batch=8",
    "--set", "selfplay.unit_games=4", "--set", "selfplay.precision=f32", "--set", "window.least=60",
    "--set", "cycle.positions=60", "--set", "cycle.reuse=8", "--set", "training.batch=16", "--set", "gate.games=4",
    "--set", "gate.lot=2", "--set", "gate.visits=4", "--set", "anchor.every=2", "--set", "anchor.games=2",
    "--set", "anchor.playouts=5", "--set", "anchor.visits=2", "--set", "window.held_out=0.3",
]  # fmt: skip


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder of data."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))
    return runs_folder()


REFUSED = [
    (["train", "goo"], r"no preset is for 'goo' (did you mean 'go'?)"),
    (["train", "lst"], "no preset is for 'lst'"),
    (["train", "report", "go-9"], "there is no run 'go-9'; there is none yet: 'tengen train go' begins one"),
    (["train", "report"], "'tengen train report' takes the name of a run"),
    (["train", "list", "all"], "'tengen train list' takes nothing more, so 'all' is too much"),
    (["train", "go", "--preset", "go-9-gp"], "there is no preset 'go-9-gp'"),
    (["train", "go", "--set", "training.rate=fast"], "training.rate must be a number"),
    (["train", "go", "--set", "serch.visits=3"], "unknown setting 'serch.visits'"),
    (["train", "go", "--set", "search.visit=3"], "unknown setting 'search.visit' (did you mean 'visits'?)"),
    (["train", "go", "--name", "../x"], "'../x' cannot be the name of a run"),
    (["train", "go", "--minutes", "0"], "--minutes: 0 is not between 0.01"),
    (["train", "gomoku", "--preset", "go-9-laptop"], "the preset go-9-laptop is for go, not for 'gomoku'"),
    (["train", "go", "--address", "10.0.0.1"], "--address is the cluster of --executor ray: give both"),
    (["train", "go", "--executor", "rya"], "there is no executor 'rya' (did you mean 'ray'?): give processes or ray"),
    (["train", "go", "--executor", "ray", "--watch"], "--watch shows games of this machine"),
    (["train", "reversi", "--size", "6"], "board.size: reversi is not played on 6x6"),
    (["train", "gomoku", "--set", "board.rules=freestile"], "board.rules: "),
    (["train", "go", "--set", "model.kind=katag"], "there is no model.kind 'katag' (did you mean 'katago'?)"),
    (["train", "go", "--set", "model.features=go-v2"], "model.features: this build has no feature set 'go-v2' of 'go'"),
    (
        ["train", "gomoku", "--set", "board.size=8,10"],
        "a network of the kind residual is for boards of one size, not '8,10'",
    ),
    (["selfplay", "go-9"], "nothing would be kept: give --out DIR, --sgf DIR or both"),
    (["selfplay", "go-9", "--sgf", "x"], "there is no run 'go-9'"),
    (["export", "go-9", "-o", "x.bin.gz"], "there is no run 'go-9'"),
    (
        ["export", "go-9", "--title", "two words", "-o", "x.bin.gz"],
        "--title: expected up to 64 letters, digits, '.', '_' and '-'",
    ),
]


@pytest.mark.parametrize(
    ("words", "sentence"), REFUSED, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_what_is_wrong_is_one_sentence(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(words) == 2
    said = capsys.readouterr().err
    assert sentence in said and said.count("\n") == 1
    assert not home.exists(), "nothing was begun"


def test_a_missing_torch_is_one_sentence(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert cli.main(["train", "go"]) == 2
    said = capsys.readouterr().err
    assert "tengen train needs the package torch" in said and "[train]" in said and said.count("\n") == 1
    assert not home.exists()


def test_what_is_given_goes_over_the_preset_even_where_it_is_the_default(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text("[model]\nblocks = 6\n[gate]\ngames = 8\n")
    parser = Parser(prog="train")
    train.configure(parser)
    values = parser.parse_strictly(
        ["go", "--config", str(path), "--set", "gate.games=10", "--size", "13", "--workers", "3"]
    )
    given = train.explicit(values)
    assert given == {"model.blocks": 6, "gate.games": "10", "board.size": "13", "selfplay.workers": 3}
    name, base = train.config_of("go", values)
    config = merge(base, given)
    assert (name, config.model.blocks, config.gate.games, config.board.sizes) == ("go-13", 6, 10, (13,))


def test_a_run_begins_with_a_network_and_then_goes_on_with_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    needs_openvino()
    torch = pytest.importorskip("torch")
    from tengen.engine.evaluators.backends.features import feature_set
    from tengen.nets.katago_export import export_katago
    from tengen.nets.models import build
    from tengen.nets.spec import ModelSpec

    begin, folder = tmp_path / "begin.bin.gz", tmp_path / "run"
    torch.manual_seed(5)
    spec = ModelSpec(kind="katago", blocks=1, channels=6, pooling=0, head=8)  # fewer channels than the run has
    export_katago(build(spec, feature_set("go", "katago-v7")), begin, {**CARD, "name": "begin"})
    words = ["train", "go", "--size", "5", *TINY, "--dir", str(folder), "--workers", "1", "--minutes", "0.01"]
    assert cli.main([*words, "--from-network", str(tmp_path / "none.bin.gz")]) == 2, "the folder is made all the same"
    assert "none.bin.gz" in capsys.readouterr().err
    assert cli.main([*words, "--from-network", str(begin)]) == 0
    assert "begins with the weights of" in capsys.readouterr().err
    first = folder / look(folder).networks[0].file.path
    assert "it began with the weights of begin.bin.gz" in card_path(first).read_text("utf-8")
    theirs, mine = (read_model(path).trunk.conv.weights for path in (begin, first))
    assert (mine[..., :6] == theirs).all()
    assert cli.main([*words, "--from-network", str(tmp_path / "none.bin.gz")]) == 0
    assert "goes on with its own network" in capsys.readouterr().err


def test_runs_are_found_by_name_and_by_folder(home: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        sit(home / name)
    assert [path.name for path in all_runs()] == ["one", "two"]
    assert existing("one") == home / "one" and existing(str(home / "two")) == home / "two"
    assert folder_of(None, None, "go-9") == ("go-9", home / "go-9")
    assert folder_of(None, str(tmp_path / "elsewhere")) == ("elsewhere", tmp_path / "elsewhere")
    with pytest.raises(ValueError, match=r"there is no run 'three'; there are one, two"):
        existing("three")


def test_the_list_shows_runs_and_presets(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sit(home / "one")
    (home / "bad").mkdir()
    (home / "bad" / "manifest.json").write_text("{")
    assert cli.main(["train", "list"]) == 0
    said = capsys.readouterr().out
    assert "one  go    9     3" in said and "the manifest of the run is damaged" in said and "go-9-laptop" in said


def test_a_network_is_taken_out_of_a_run(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = sit(home / "one").manifest
    assert cli.main(["export", "one", "-o", str(tmp_path / "best.bin.gz")]) == 0
    assert atomic.digest(tmp_path / "best.bin.gz") == found.best.file.sha256 and (tmp_path / "best.toml").exists()
    assert cli.main(["export", "one", "--generation", "0", "-o", str(tmp_path)]) == 0
    assert (tmp_path / "made-up-g0000.bin.gz").exists() and "generation 0" in capsys.readouterr().out
    for words, sentence in (
        (["--generation", "9", "-o", "x.bin.gz"], "there is no generation 9; the newest is 3"),
        (["-o", "x.onnx"], "ends in .bin.gz, and 'x.onnx' does not"),
    ):
        assert cli.main(["export", "one", *words]) == 2
        assert sentence in capsys.readouterr().err


def test_a_network_has_the_title_that_it_is_given(tmp_path: Path) -> None:
    model = network(("ordinary",), 8)
    for name, data in (("a.bin.gz", file_of(model)), ("b.onnx", b"not looked at")):
        (tmp_path / name).write_bytes(data)
        write_card(tmp_path / name, {**CARD, "name": "go-9-g0007"})
        entitle(tmp_path / name, "my-own")
        card = read_card(card_path(tmp_path / name))
        assert (card.name, card.sha256) == ("my-own", atomic.digest(tmp_path / name)) and card.command == CARD[
            "training"
        ]["command"]
    renamed = read_model(tmp_path / "a.bin.gz")
    assert renamed.header == replace(model.header, name="my-own")
    assert file_of(replace(renamed, header=model.header)) == file_of(model), "nothing else has changed"


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tengen.tools", "train", "go", "--size", "5", "--dir", str(folder), "--workers", "1", *TINY, *words],
        stderr=subprocess.PIPE, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip


def said_by(process: subprocess.Popen[str]) -> str:
    return process.communicate(timeout=300)[1]


def check_whole(folder: Path) -> None:
    for file in look(folder).files():
        assert atomic.digest(folder / file.path) == file.sha256, file.path


@pytest.mark.slow
def test_a_whole_run_of_go_on_5x5(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs_openvino()
    pytest.importorskip("torch")
    folder = tmp_path / "run"
    process = start(folder, "--generations", "2", "--watch")
    said = said_by(process)
    assert process.returncode == 0, said
    assert "a new run, run, in" in said and "the run is over" in said
    found = look(folder)
    assert [network.generation for network in found.networks] == [0, 1, 2]
    assert found.networks[2].figures["loss"] > 0, "it was judged on held-out games"
    check_whole(folder)
    assert cli.main(["train", "report", str(folder)]) == 0
    text = (folder / "report.html").read_text("utf-8")
    assert text.count("<img") >= 5 and "Value calibration" in text
    assert (
        cli.main(
            [
                "selfplay",
                str(folder),
                "--games",
                "3",
                "--workers",
                "1",
                "--sgf",
                str(tmp_path / "sgf"),
                "--out",
                str(tmp_path / "npz"),
            ]
        )
        == 0
    )
    assert len(list((tmp_path / "sgf").glob("*.sgf"))) == 3 and len(list((tmp_path / "npz").glob("*.npz"))) == 1
    assert "3 games" in capsys.readouterr().out
    assert "(;" in next((tmp_path / "sgf").iterdir()).read_text("utf-8")


@pytest.mark.slow
def test_ctrl_c_ends_cleanly_and_the_same_command_goes_on(tmp_path: Path) -> None:
    needs_openvino()
    pytest.importorskip("torch")
    process = start(tmp_path / "run")
    while not (tmp_path / "run" / "manifest.json").exists() or not look(tmp_path / "run").shards:
        assert process.poll() is None
        time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    said = said_by(process)
    assert process.returncode == 130 and "the same command goes on" in said and "Traceback" not in said
    check_whole(tmp_path / "run")
    before = look(tmp_path / "run")
    process = start(tmp_path / "run", "--minutes", "0.05")
    said = said_by(process)
    assert process.returncode == 0 and "going on with run" in said
    assert look(tmp_path / "run").shards[: len(before.shards)] == before.shards


@pytest.mark.slow
def test_ten_random_kills_lose_nothing_that_was_committed(tmp_path: Path) -> None:
    """kill -9 at random moments: weights, optimiser, random numbers and manifest are those that were committed."""
    from tengen.nets import checkpoint

    needs_openvino()
    pytest.importorskip("torch")
    folder, dice, shards = tmp_path / "run", random.Random(3), 0
    for _ in range(10):
        process = start(folder)
        time.sleep(dice.uniform(4, 16))
        process.kill()
        said_by(process)
        if not (folder / "manifest.json").exists():
            continue
        check_whole(folder)
        found = look(folder)
        assert len(found.shards) >= shards, "no shard that counted is gone"
        shards = len(found.shards)
        if found.checkpoint:
            arrays, facts = checkpoint.load((folder / found.checkpoint.files[0].path).parent)
            assert (
                facts["steps"] == found.checkpoint.steps
                and facts["random"]
                and any(name.startswith("model.") for name in arrays)
            )
    process = start(folder, "--generations", f"{1 + look(folder).networks[-1].generation}")
    said = said_by(process)
    assert process.returncode == 0, said
    check_whole(folder)
    units = [shard.unit for shard in look(folder).shards]
    assert len(set(units)) == len(units) and json.loads((folder / "manifest.json").read_text())["format"] == 1
