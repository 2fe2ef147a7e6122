"""The laboratory of people's moves: a network learns to expect them, and what it says otherwise stays."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from played_games import moves_of, record  # noqa: E402

from tengen.engine.evaluators.katago.reading import read_model  # noqa: E402
from tengen.nets.katago_export import export_katago  # noqa: E402
from tengen.nets.models import KataGoNet  # noqa: E402
from tengen.nets.spec import ModelSpec  # noqa: E402
from tengen.tools.lab.people import __main__ as command  # noqa: E402
from tengen.tools.lab.people import elsewhere, learning  # noqa: E402
from tengen.tools.train.data import shards  # noqa: E402

MEASURED = re.compile(r"top-1 ([0-9.]+)% of (\d+), log loss ([0-9.]+)")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A network, games of people who all play the same moves, and other games."""
    torch.manual_seed(3)
    export_katago(KataGoNet(ModelSpec(blocks=1, channels=8)), tmp_path / "network.bin.gz", {})
    for name in ("people", "others"):
        (tmp_path / name).mkdir()
    line = range(2 * 19, 2 * 19 + 12)  # always beside the last move
    for name, count in (("train-0001", 24), ("held-out-0001", 6)):
        shards.write(tmp_path / "people" / f"{name}.npz", [record(line, size=(19, 19), rules="japanese")] * count)
    others = [record(moves_of("go", 9, 9, "chinese", 40, seed), size=(9, 9)) for seed in range(4)]
    shards.write(tmp_path / "others" / "0001.npz", others)
    for name in ("small", "damaged"):
        (tmp_path / name).mkdir()
    shards.write(tmp_path / "small" / "0001.npz", [record(moves_of("go", 5, 5, "chinese", 8, 1), size=(5, 5))])
    (tmp_path / "damaged" / "0001.npz").write_bytes(b"no shard")
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> list[re.Match[str]]:
    monkeypatch.setattr(sys, "argv", ["people", *words])
    assert command.main() == 0
    return list(MEASURED.finditer(capsys.readouterr().out))


def learns(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, out: Path, *more: str
) -> None:
    """A run makes moves of people likelier, and its file says what it said at its end."""
    monkeypatch.setattr(learning, "RISE", 10)
    monkeypatch.setattr(elsewhere, "POINTS", 4 * 81)
    people, others = str(folder / "people"), str(folder / "others")
    found = told(
        capsys, monkeypatch, str(folder / "network.bin.gz"), "--games", people, "--elsewhere", others, "--out", str(out),
        "--steps", "60", "--batch", "16", "--measured", "256", "--rate", "0.02", *more,
    )  # fmt: skip
    before, after = (float(one[3]) for one in (found[0], found[-1]))
    assert int(found[0][2]) == 256 and after < before - 0.5
    again = told(capsys, monkeypatch, str(out), "--games", people, "--measured", "256")
    assert float(again[0][3]) == pytest.approx(after, abs=0.05)


def test_moves_of_people_are_learned(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = folder / "new.bin.gz"
    learns(folder, capsys, monkeypatch, out)
    assert len(read_model(out).trunk.blocks) == 1


def test_a_tail_learns_them_and_the_network_stays(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    network, out = folder / "network.bin.gz", folder / "people.tail.gz"
    learns(folder, capsys, monkeypatch, out, "--tail", "1", "--share", "1")
    base, whole = read_model(network).trunk, read_model(out).trunk
    assert len(whole.blocks) == 2 and (whole.conv.weights == base.conv.weights).all()
    assert (whole.blocks[0].norm.mean == base.blocks[0].norm.mean).all()
    assert len(out.read_bytes()) < len(network.read_bytes())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["--games", "people", "--tail", "1", "--out", "new.bin.gz", "--elsewhere", "others"],
            "is called NAME.tail.gz",
        ),
        (["--games", "others"], "has no file held-out-*.npz"),
        (
            ["--games", "people", "--out", "new.bin.gz"],
            "there is no file of games in the folders that --elsewhere names",
        ),
        (["--games", "people", "--out", "new.bin.gz", "--elsewhere", "small"], "on no board from 7x7 to 19x19"),
        (["--games", "people", "--out", "new.bin.gz", "--elsewhere", "damaged"], "people: "),
    ],
)
def test_what_is_missing_is_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str], says: str
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["people", "network.bin.gz", *words])
    assert command.main() == 1
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1
