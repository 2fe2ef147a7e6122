"""A whole run of many games with two scripted engines: every planted fault is told by its name, over the real command."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from match_games import FAKE
from whole_sets import portion

from tengen.tools.match.run import store

GAMES = 2 * portion(100)

# What the engine does, and how its game ends.
FAULTS = {
    "illegal": "illegal", "crash": "crash", "hang": "stall", "late": "time", "garbage": "illegal", "noise": "score",
    "refuse": "void", "name": "score",
}  # fmt: skip
# Each start takes the next fault, writes down which, and becomes the engine.
CYCLE = """
import os, sys
log, fake, *faults = sys.argv[1:]
with open(log, "a+") as file:
    file.seek(0)
    fault = faults[len(file.read().split()) % len(faults)]
    file.write(fault + "\\n")
more = ["--name", "<script>alert(1)</script>"] if fault == "name" else ["--fault", fault]
os.execv(sys.executable, [sys.executable, "-S", fake, "gtp", "--game", "go", "--delay", "0.7", *more])
"""


@pytest.mark.slow
def test_a_long_run(tengen: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
    (tmp_path / "cycle.py").write_text(CYCLE)
    log, folder = tmp_path / "log", tmp_path / "run"
    bad = [sys.executable, "-S", str(tmp_path / "cycle.py"), str(log), FAKE, *FAULTS]
    found = tengen(
        "match", "--game", "go", "--size", "9", "--tc", "move=0.3", "--games", str(GAMES), "--out", str(folder), "--strict",
        "--engine", "name=<script>", f"cmd={' '.join(bad)}", "restart=true",
        "--engine", "name=noisy", f"cmd={sys.executable} -S {FAKE} gtp --game go --fault noise",
        timeout=900,
    )  # fmt: skip
    assert found.returncode == 1, found.stderr  # --strict: engines misbehaved
    results, (_, *planted) = store.read(folder), log.read_text().split()  # the first start is a trial before the games
    assert len(results) == len(planted)
    for row, fault in zip(results, planted, strict=True):
        assert row.reason.value == FAULTS[fault], (fault, row.reason, row.detail)
        assert row.culprit == (None if FAULTS[fault] == "score" else "<script>"), (fault, row)
    sorted_out = store.counted(results)
    assert len(sorted_out.games) + len(sorted_out.duplicates) == GAMES
    print(Counter(row.reason.value for row in results))
    page = (folder / "report.html").read_text("utf-8")
    assert "<script>alert" not in page and "&lt;script&gt;" in page
