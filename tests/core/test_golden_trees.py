"""Every search finds today what it found when the golden trees were written (see golden_trees.py)."""

from __future__ import annotations

import golden_lines
import golden_trees
import pytest


@pytest.mark.parametrize(("case", "player"), golden_trees.names())
def test_tree_is_as_written(case: str, player: str) -> None:
    kept = golden_trees.FOLDER / f"{case}.{player}.txt"
    assert golden_trees.tree_text(case, player) == kept.read_text(encoding="utf-8")


def test_no_tree_is_left_over() -> None:
    trees = {f"{case}.{player}.txt" for case, player in golden_trees.names()}
    lines = {golden_lines.file_of(case, evaluator).name for case, evaluator in golden_lines.names()}
    assert {path.name for path in golden_trees.FOLDER.glob("*.txt")} == trees | lines


def test_another_seed_grows_another_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text holds enough to tell two trees apart."""
    written = golden_trees.tree_text("go9-empty", "uct")
    monkeypatch.setattr(golden_trees, "SEED", 12)
    assert golden_trees.tree_text("go9-empty", "uct") != written
