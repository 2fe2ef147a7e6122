"""The recipe for a training target in CONTRIBUTING.md, followed to its end: a row, and an encoder for one of two.

What it adds is in `toy_target.py`.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from checkout import ROOT
from katago_files import file_of, network

from tengen.nets.targets import TARGETS
from tengen.tools.train.data import labels
from tengen.tools.train.data.games import COLUMNS

PROGRAM = ROOT / "tests" / "train" / "toy_target.py"


def test_a_new_target_is_learned(tmp_path: Path) -> None:
    """Files keep what the teacher said for it, older files say nothing of it, one step teaches both, and the network
    is exported without their heads."""
    pytest.importorskip("torch")
    pytest.importorskip("openvino")
    teacher = tmp_path / "teacher.bin.gz"
    teacher.write_bytes(file_of(network(("ordinary",), 14)))
    command = [sys.executable, str(PROGRAM), str(teacher), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["heads"] == ["plies_left", "time_left"] and found["unknown"] and found["kept"]
    assert all(
        math.isfinite(found["losses"][f"{name}_loss"]) for name in ("time_left", "plies_left", "policy", "value")
    )
    assert found["left"] == [moves - ply for moves, ply in zip(found["moves"], found["plies"], strict=True)]
    assert (tmp_path / "learned.bin.gz").exists()


def test_the_recipe_names_the_files_that_it_needs() -> None:
    """Three at most: the row, an encoder for what no file keeps, a loss of a new kind."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("### A training target")[2].partition("###")[0]
    named = {"nets/targets.py", "tools/train/data/targets.py", "nets/losses.py"}
    assert {name for name in named if name in text} == named
    assert not {"rows.py", "games.py", "shards.py", "recipe.py", "models.py"} & set(text.replace("`", " ").split())


def test_files_that_are_there_are_read_as_before() -> None:
    """The arrays of labels keep their names and types, which files on disks have."""
    assert labels.KINDS == {"taught": "u1", "taught_owners": "i1", "taught_says": "<f4", "blind": "u1"}
    assert set(labels.KINDS) <= set(COLUMNS) and len(TARGETS) == 11
    board, numbers = (labels.stored()[name] for name in ("taught_owners", "taught_says"))
    said = np.array([[-1.0, 0.254, np.nan]], np.float32)
    kept = labels.kept(board, said, 1)
    assert kept.tolist() == [[100, -25, -128]]
    np.testing.assert_allclose(labels.told(board, kept, np.array([-1.0], np.float32)), [[-1, 0.25, np.nan]], atol=1e-6)
    assert labels.kept(numbers, said, 1).tolist()[0][:2] == pytest.approx([-1.0, 0.254])
