"""`tengen net`: what it lists, checks and measures, and one sentence for what cannot be."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from katago_files import file_of, network

from tengen.engine import cpu
from tengen.engine.evaluators.katago.finding import Place, find_networks
from tengen.nets.weights import FOLDER
from tengen.tools.net.measuring import NO_BF16, advice

Net = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A user's folder with a network, one of people, and a torn one."""
    folder = tmp_path / ".katrain"
    folder.mkdir()
    (folder / "tiny.bin.gz").write_bytes(file_of(network(("ordinary", "pooling"), 14)))
    (folder / "human.bin.gz").write_bytes(file_of(network(("ordinary",), 15, has_metadata=True)))
    (folder / "torn.bin.gz").write_bytes(b"torn")
    return tmp_path


@pytest.fixture
def net(home: Path, called: Net, monkeypatch: pytest.MonkeyPatch) -> Net:
    """Calls the command for that user, with nothing on the path and those networks alone."""
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("TENGEN_NETWORKS", str(home / ".katrain"))
    return called


def test_list(net: Net, tengen: Net, home: Path) -> None:
    done = tengen("net", "list")
    assert (done.returncode, done.stderr) == (0, "")
    (row,) = [line for line in done.stdout.splitlines() if line.startswith("9x9 13x13 19x19  ")]
    path = home / ".katrain" / "tiny.bin.gz"
    cells = re.split(r"  +", row)
    assert cells[1:5] == ["tiny-net", "14", "2x8", f"{path.stat().st_size / 1e6:.1f} MB"]
    assert cells[5] == hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    assert cells[6] == f"{Path('~') / '.katrain' / 'tiny.bin.gz'} (Tengen)"
    assert "human.bin.gz: it imitates people and has to be told of them" in done.stdout
    assert "torn.bin.gz: the network 'torn.bin.gz' cannot be used: it does not begin with" in done.stdout
    assert "--rank 25k to 3d plays by tengen-go-people where no network is named: 0.6 MB, " in done.stdout


def test_list_of_nothing_says_where_it_looked(net: Net, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (home / ".katrain").iterdir():
        path.unlink()
    done = net("net", "list")  # an empty folder hides nothing of Tengen's
    assert done.returncode == 0 and "(Tengen itself)" in done.stdout and ".katrain" not in done.stdout
    monkeypatch.setenv("TENGEN_NETWORKS", "")
    done = net("net", "list")
    assert done.returncode == 0 and done.stdout.startswith("No network was found. Looked in:\n")
    assert "'tengen net get' fetches one" in done.stdout
    done = net("net", "check")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "tengen: no network was found on this machine ('tengen net get' fetches one)\n"


def _said(errors: str) -> list[str]:
    """Lines on stderr besides those of progress, which come where something takes ten seconds."""
    return [
        line
        for line in errors.splitlines()
        if not line.startswith(("reading ", "running it ", "comparing ", "loading ", "measuring "))
    ]


@pytest.mark.parametrize("file", ["", pytest.param(".katrain/tiny.bin.gz", marks=pytest.mark.slow)])
def test_check(file: str, net: Net, home: Path) -> None:
    done = net("net", "check", *([str(home / file)] if file else []))
    assert (done.returncode, _said(done.stderr)) == (0, [])
    first, second, third, *_ = done.stdout.splitlines()
    assert re.fullmatch(r"ok      tiny-net, version 14, 2x8 blocks, 0\.\d MB, sha256 [0-9a-f]{64}", first)
    assert cpu.processor() in second and second.startswith("ok      runs on ")
    assert re.match("ok      (bf16 differs from f32 by policy 0[.]|int8 differs from f32 by policy 0[.]|f32: )", third)


# The file in place of a network -> what is said.
WRONG = {
    "human.bin.gz": "the network 'tiny-net' imitates people and has to be told of the players",
    "torn.bin.gz": "the network 'torn.bin.gz' cannot be used: it does not begin with a name and a version",
    "none.bin.gz": "cannot read the network 'none.bin.gz': No such file or directory",
}


def test_a_network_of_people_is_checked_with_players(net: Net, home: Path) -> None:
    done = net("net", "check", str(home / ".katrain" / "human.bin.gz"))
    assert done.returncode == 0 and done.stdout.startswith("ok      tiny-net, version 15, 1x8 blocks"), done.stderr


@pytest.mark.parametrize(
    ("action", "name"),
    [(action, name) for action in ("check", "bench") for name in WRONG if (action, name) != ("check", "human.bin.gz")],
)
def test_what_cannot_be_used_is_one_sentence(action: str, name: str, net: Net, home: Path) -> None:
    done = net("net", action, str(home / ".katrain" / name))
    assert done.returncode == 2 and done.stderr.startswith(f"tengen: {WRONG[name]}") and done.stderr.count("\n") == 1


def test_bench(net: Net) -> None:
    done = net("net", "bench", "--sizes", "5,9", "--batches", "2,1,2", "--seconds", "0.01")
    assert (done.returncode, _said(done.stderr)) == (0, [])
    assert cpu.processor() in done.stdout and "batch 1    batch 2\n" in done.stdout
    rows = re.findall(r"^(5x5|9x9) +(f32|bf16|int8) +([\d,]+) +([\d,]+)$", done.stdout, re.MULTILINE)
    assert [row[:2] for row in rows][:2] == [("5x5", "f32"), ("9x9", "f32")]
    assert "5x5: up to " in done.stdout and "9x9: up to " in done.stdout


@pytest.mark.slow
def test_bench_of_the_search(net: Net) -> None:
    done = net("net", "bench", "--search", "--sizes", "5", "--batches", "4", "--seconds", "0.02")
    assert (done.returncode, _said(done.stderr)) == (0, [])
    rows = re.findall(r"^5x5 +(f32|bf16|int8) +4 +([\d,]+) +([\d,]+) +(\d+)%$", done.stdout, re.MULTILINE)
    assert rows and rows[0][0] == "f32"
    for _, own, visits, share in rows:
        assert abs(int(visits.replace(",", "")) / int(own.replace(",", "")) - int(share) / 100) < 0.02


def test_back_ends_by_name(net: Net) -> None:
    done = net("net", "check", "--backend", "openvin")
    assert done.returncode == 2 and "unknown back end 'openvin'" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [("--sizes", "1"), ("--sizes", "9,x"), ("--batches", "0"), ("--seconds", "0")])
def test_numbers_that_are_none(words: tuple[str, ...], net: Net) -> None:
    done = net("net", "bench", *words)
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith(f"tengen net: {words[0]}: ")


def test_advice_follows_the_rate() -> None:
    assert advice({19: (1200.0, "bf16"), 9: (5000.0, "bf16")}) == [
        "9x9: up to 5,000 visits in a CPU-second (bf16); a second a move is plenty.",
        "19x19: up to 1,200 visits in a CPU-second (bf16); a second a move is plenty.",
    ]
    assert "give it 3 seconds a move, or so many threads" in advice({19: (100.0, "f32")})[0]
    assert advice({19: (8.0, "f32")})[1:] == [NO_BF16] and "slow here" in advice({19: (8.0, "f32")})[0]


def test_doctor_has_a_line(net: Net, home: Path) -> None:
    done = net("doctor", "--playouts", "20", "--threads", "1", "--seed", "1", "--game", "gomoku")
    shipped = len(find_networks([Place("", FOLDER)]))
    taken = f"--net auto takes tiny-net ({home / '.katrain' / 'tiny.bin.gz'}) on 9x9 13x13 19x19"
    assert f"ok      networks: {3 + shipped} found, {taken}" in done.stdout
    for path in (home / ".katrain").glob("t*"):
        path.unlink()
    done = net("doctor", "--playouts", "20", "--threads", "1", "--seed", "1", "--game", "gomoku")
    chosen = [
        rf"tengen-go-9-{name} \([^)]*\) on {boards}" for name, boards in (("taught", "9x9"), ("19", "13x13 19x19"))
    ]
    assert re.search(
        rf"^ok      networks: {1 + shipped} found, --net auto takes {' and '.join(chosen)}$", done.stdout, re.M
    )
    sizes = {"taught": "9x9", "19": "7x7, 9x9, 11x11, 13x13, 15x15, 17x17 and 19x19"}
    for name, boards in sizes.items():
        assert f"tengen-go-9-{name}.bin.gz was taught boards of {boards}, a komi of -65 to 65, " in done.stdout
    assert done.stdout.count("elsewhere its figures are guesses") == 2


def test_doctor_hands_the_network_on_by_its_whole_path(net: Net, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home / ".katrain")
    done = net("doctor", "--playouts", "20", "--threads", "1", "--seed", "1", "--net", "tiny.bin.gz")
    assert done.returncode == 0, done.stdout
    assert f"gtp --playouts 20 --threads 1 --seed 1 --net {home / '.katrain' / 'tiny.bin.gz'}" in done.stdout
    assert (
        "gomocup --net" not in done.stdout
        and "--game gomoku --playouts 20 --threads 1 --seed 1 --net" not in done.stdout
    )
    done = net("doctor", "--game", "go", "--net", "none.bin.gz")
    assert done.returncode == 1 and "cannot read the network 'none.bin.gz'" in done.stdout


@pytest.mark.slow
def test_check_against_a_reference(net: Net, home: Path, shared: Callable[[str], Path]) -> None:
    """Each precision has a line with its means: another network is far from the reference in all, itself in none."""
    reference = home / "raw.json"
    rows = json.loads(shared("data/go/katago/raw_nn.json").read_text())
    reference.write_text(json.dumps([row for row in rows if row["size"] == 9][:4]))
    for file, code, word in (
        (home / ".katrain" / "tiny.bin.gz", 1, "far"),
        (shared("data/go/katago/g170-b6c96.bin.gz"), 0, "ok "),
    ):
        done = net("net", "check", str(file), "--reference", str(reference))
        assert (done.returncode, _said(done.stderr)) == (code, []), done.stderr
        for line in done.stdout.splitlines():
            assert re.fullmatch(
                r"(ok |far) +(f32|bf16|int8): policy [\d.]+ \(KL.*\), win rate .* %\), same best move in \d of 4|--  .*",
                line,
            ), line
        assert done.stdout.startswith(word)


@pytest.mark.parametrize("content", ["", "[]", "[1]", "{}", '[{"moves": []}]', "[" * 5000])
def test_references_that_are_none(content: str, net: Net, home: Path) -> None:
    (home / "raw.json").write_text(content)
    done = net("net", "check", "--reference", str(home / "raw.json"))
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
    assert "raw.json" in done.stderr and "is no list of positions with KataGo's answers" in done.stderr
