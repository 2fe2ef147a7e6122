"""Alpha-beta finds today what it found when the golden lines were written (see golden_lines.py)."""

from __future__ import annotations

import golden_lines
import pytest


@pytest.mark.parametrize(("case", "evaluator"), golden_lines.names())
def test_lines_are_as_written(case: str, evaluator: str) -> None:
    kept = golden_lines.file_of(case, evaluator)
    assert golden_lines.lines_text(case, evaluator) == kept.read_text(encoding="utf-8")


def test_every_game_of_alpha_beta_has_lines() -> None:
    assert {case.game for case in golden_lines.CASES.values()} == golden_lines.games()


@pytest.mark.parametrize(
    ("case", "option", "value"),
    [("reversi-start", "selectivity", 1), ("reversi-start", "lines", 2), ("chess-start", "lines", 2)],
)
def test_another_setting_finds_something_else(
    monkeypatch: pytest.MonkeyPatch, case: str, option: str, value: int
) -> None:
    """The text holds enough to tell two searches apart."""
    facts = golden_lines.CASES[case]
    (evaluator, _) = golden_lines.evaluators(facts.game)
    written = golden_lines.lines_text(case, evaluator)
    monkeypatch.setitem(golden_lines.CASES, case, facts._replace(options={f"alphabeta.{option}": value}))
    assert golden_lines.lines_text(case, evaluator) != written
