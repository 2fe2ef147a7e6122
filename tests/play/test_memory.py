"""`--memory` and the limits around a process: what the trees take, what is left, and what is said when it is too little."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path

import pytest
from fakes.player import FakePlayer
from gtp_client import say

from tengen.engine.config import RESERVED_MB, Config
from tengen.engine.games.go.game import GO
from tengen.engine.memory import group_limit, room_mb
from tengen.engine.play import searches
from tengen.engine.play.searches import Searches

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits as Linux has them")
LIMITED = "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv.pop(1)) << 10,) * 2); "
LIMITED += "runpy.run_module('tengen.tools', run_name='__main__', alter_sys=True)"


def limited(kilobytes: int, words: str, lines: str) -> subprocess.CompletedProcess[str]:
    """The real process under `ulimit -v`."""
    command = [sys.executable, "-c", LIMITED, str(kilobytes), *words.split()]
    return subprocess.run(command, input=lines, capture_output=True, text=True, timeout=100, check=True)


@pytest.mark.parametrize("kilobytes", [500_000, 250_000])
@pytest.mark.parametrize("game", ["go", "gomoku", "reversi"])
def test_the_trees_fit_into_an_outer_limit(game: str, kilobytes: int) -> None:
    done = limited(
        kilobytes, f"gtp --net none --game {game} --playouts 200 --threads 2", "genmove b\ngenmove w\nquit\n"
    )
    assert re.fullmatch(r"= [A-Z]\d+\n\n= [A-Z]\d+\n\n=\n\n", done.stdout), done
    assert not done.stderr


def test_a_board_of_another_size_fits_too() -> None:
    lines = "boardsize 9\ngenmove b\nboardsize 25\ngenmove b\nboardsize 13\ngenmove b\nquit\n"
    done = limited(250_000, "gtp --net none --playouts 200 --threads 1", lines)
    assert "?" not in done.stdout and not done.stderr


def test_one_sentence_when_there_is_none() -> None:
    player = FakePlayer()
    player.fail["genmove"] = MemoryError("std::bad_alloc")
    words = "out of memory: start with a smaller --memory, or allow the process more"
    assert say("1 genmove b", "2 name", player=player) == [f"?1 {words}", "=2 Tengen"]
    assert say.stderr == f"{words}\n"


@pytest.mark.parametrize(
    ("room", "trees"), [(None, 512 - RESERVED_MB), (300.0, 300 - 48 - 8 * 3), (4000.0, 512 - RESERVED_MB), (-5.0, 8)]
)
def test_what_both_trees_get(room: float | None, trees: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "room_mb", lambda: room)
    search = Searches(GO, "uct", Config(threads=1)).main()
    (value,) = (option.default for option in search.options() if option.name == "mcts.memory_mb")
    assert value == pytest.approx(max(8.0, 0.92 * trees) if room != -5.0 else 8.0)


GROUPS = [
    ("0::/a/b\n", {"a/b/memory.max": "max", "a/memory.max": "1000"}, 1000),
    ("0::/a/b\n", {"a/b/memory.max": "500", "a/memory.max": "1000"}, 500),
    ("0::/\n", {"memory.max": "700"}, 700),
    ("4:memory:/job\n0::/\n", {"memory/job/memory.limit_in_bytes": "900", "memory/memory.limit_in_bytes": "9223372036854771712"}, 900),
    ("4:cpu:/job\n", {"memory/job/memory.limit_in_bytes": "900"}, math.inf),
    ("", {}, math.inf),
    ("nonsense\n", {}, math.inf),
]  # fmt: skip


@pytest.mark.parametrize(("listing", "files", "limit"), GROUPS)
def test_limits_of_control_groups(listing: str, files: dict[str, str], limit: float, tmp_path: Path) -> None:
    (tmp_path / "cgroup").write_text(listing)
    for name, text in files.items():
        path = tmp_path / "fs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    assert group_limit(tmp_path / "cgroup", tmp_path / "fs") == limit
    assert group_limit(tmp_path / "missing", tmp_path / "fs") == math.inf


def test_room_of_this_process() -> None:
    code = "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 30,) * 2); from tengen.engine.memory import room_mb; print(room_mb())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 500 < float(done.stdout) < 1024
    room = room_mb()
    assert room is None or room > 0


@pytest.mark.slow
def test_resident_memory_on_the_largest_board() -> None:
    """The tree of 25x25 fills until it has its share; then nothing grows."""
    command = [
        sys.executable,
        "-m",
        "tengen.tools",
        "gtp",
        "--net",
        "none",
        "--memory",
        "110",
        "--threads",
        "2",
        "--playouts",
        "20000",
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        print("boardsize 25\nclear_board\ngenmove b\ngenmove w\nfinal_score", file=process.stdin, flush=True)
        answers = [process.stdout.readline() for _ in range(10)]
        status = Path(f"/proc/{process.pid}/status").read_text()
        process.communicate("quit\n", timeout=20)
    peak = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert answers[-2].startswith("=") and peak is not None
    assert 60 << 10 < int(peak[1]) < 110 << 10
