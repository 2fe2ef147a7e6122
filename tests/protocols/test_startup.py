"""A GUI writes `name` at once and takes a late answer for a dead engine: the first answer is fast, small and light."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from katago_files import file_of, network

TENGEN = [sys.executable, "-m", "tengen.tools"]
COMMAND = [*TENGEN, "gtp"]
HEAVY = ("numpy", "sgfmill", "rich", "torch", "cv2", "openvino", "chess", "gymnasium", "matplotlib", "multiprocessing")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of an engine that ran before: Python keeps what it compiled, as an installed program does, where
    a machine that runs tests may forbid it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(tmp_path_factory.mktemp("compiled"))
    first_answer(environment)
    return environment


def first_answer(
    environment: dict[str, str], words: Sequence[str] = ("gtp",), line: str = "name", begins: str = "= "
) -> tuple[float, int]:
    """Seconds until a line is answered, and the resident kilobytes then (0 where the system does not tell)."""
    start = time.perf_counter()
    with subprocess.Popen(
        [*TENGEN, *words], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(begins)
        wall = time.perf_counter() - start
        status = Path(f"/proc/{process.pid}/status")
        rows = status.read_text().splitlines() if status.exists() else []
        resident = next((int(row.split()[1]) for row in rows if row.startswith("VmRSS:")), 0)
        process.stdin.write("quit\n")
        process.stdin.close()
        assert process.wait(10) == 0
    return wall, resident


@pytest.mark.timing
def test_the_first_answer_comes_soon_and_small(installed: dict[str, str]) -> None:
    """The bound is for a quiet machine; other work on it, and on the machines beside it, stretches the time that passes.
    So the fastest run counts."""
    runs = [first_answer(installed) for _ in range(9)]
    assert min(wall for wall, _ in runs) <= 0.3 * busy()
    assert max(resident for _, resident in runs) <= 60_000


@pytest.mark.timing
def test_uci_answers_soon_and_small(installed: dict[str, str]) -> None:
    runs = [first_answer(installed, ["uci"], "uci", "id name ") for _ in range(9)]
    assert min(wall for wall, _ in runs) <= 0.3 * busy()
    ready = [first_answer(installed, ["uci"], "isready", "readyok") for _ in range(5)]
    assert min(wall for wall, _ in ready) <= 0.3 * busy()
    assert max(resident for _, resident in (*runs, *ready)) <= 60_000


@pytest.mark.timing
def test_xboard_answers_soon_and_small(installed: dict[str, str]) -> None:
    runs = [first_answer(installed, ["xboard"], "protover 2", "feature ") for _ in range(9)]
    assert min(wall for wall, _ in runs) <= 0.3 * busy()
    ready = [first_answer(installed, ["xboard"], "ping 1", "pong 1") for _ in range(5)]
    assert min(wall for wall, _ in ready) <= 0.3 * busy()
    assert max(resident for _, resident in (*runs, *ready)) <= 60_000


def busy() -> float:
    """How far other work stretches the time that passes."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)) if hasattr(os, "getloadavg") else 1.0


@pytest.mark.timing
def test_an_analysis_answers_while_its_network_loads(installed: dict[str, str], tmp_path: Path) -> None:
    net = tmp_path / "net.bin.gz"
    net.write_bytes(file_of(network(("ordinary",), 14)))
    words = ["analysis", "-model", str(net)]
    runs = [first_answer(installed, words, '{"id":"v","action":"query_version"}', '{"id":"v"') for _ in range(9)]
    assert min(wall for wall, _ in runs) <= 0.3 * busy()


@pytest.mark.timing
@pytest.mark.skipif(sys.platform == "win32", reason="no resource module")
@pytest.mark.parametrize(
    ("words", "lines"),
    [("gtp", "name\nquit\n"), ("uci", "uci\nisready\nquit\n"), ("xboard", "protover 2\nping 1\nquit\n")],
)
def test_the_first_answer_costs_little(installed: dict[str, str], words: str, lines: str) -> None:
    """The least of the runs: what else the processor does only adds to the CPU time of one."""
    import resource

    costs = []
    for _ in range(7):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [*TENGEN, words]
        subprocess.run(command, env=installed, input=lines, text=True, stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        costs.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(costs) <= 0.2


@pytest.mark.parametrize("with_network", [False, True])
def test_heavy_packages_stay_unloaded(with_network: bool, tmp_path: Path) -> None:
    net = tmp_path / "net.bin.gz"
    net.write_bytes(file_of(network(("ordinary",), 14)))
    options = ["--net", str(net)] if with_network else []  # which loads once a board is set up
    board = "" if with_network else "boardsize 9\n"
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *COMMAND[1:], *options], input=f"name\nlist_commands\n{board}quit\n",
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip().split(".")[0] for line in done.stderr.splitlines() if "|" in line}
    assert "tengen" in loaded
    assert not loaded & set(HEAVY)


def test_the_first_answer_needs_nothing_of_networks() -> None:
    """What reads and runs a network is imported by who loads one."""
    words = [sys.executable, "-X", "importtime", *COMMAND[1:]]
    done = subprocess.run(words, input="name\nquit\n", capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "|" in line}
    assert "tengen.protocols.gtp.network" in loaded
    assert not [name for name in loaded if name.startswith(("tengen.engine.evaluators.katago.", "concurrent"))]


@pytest.mark.parametrize(
    ("words", "lines"), [("uci", "uci\nisready\nquit\n"), ("xboard", "protover 2\nping 1\nquit\n")]
)
def test_heavy_packages_stay_unloaded_in_chess(words: str, lines: str) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *TENGEN[1:], words],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip().split(".")[0] for line in done.stderr.splitlines() if "|" in line}
    assert "tengen" in loaded
    assert not loaded & set(HEAVY)


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["gtp", "--help"]])
def test_help_needs_no_heavy_package(words: list[str]) -> None:
    code = (
        "import sys; from tengen.tools.cli import main; main(sys.argv[1:]);"
        f"bad = [name for name in {HEAVY!r} if name in sys.modules]; assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code, *words], check=True, stdout=subprocess.DEVNULL)
