"""The shape table: every entry of every rule against the definition, and what it says of lines on a board."""

from __future__ import annotations

import _tengen_units as units
import numpy as np
import pytest
from gomoku_lines import CELLS, LINE_RULES, MIDDLE, classes_of, others

OPEN_THREE, FOUR, OPEN_FOUR, DOUBLE_FOUR = 5, 6, 7, 8


def line_text(number: int) -> str:
    """A line of the table: `*` the new stone, X ours, O theirs, `.` empty, `#` beyond the edge."""
    text = ["*"] * CELLS
    for bit, at in enumerate(others()):
        text[at] = ".XO#"[(number >> bit & 1) + 2 * (number >> bit + 10 & 1)]
    assert text[MIDDLE] == "*"
    return "".join(text)


@pytest.mark.parametrize("rule", LINE_RULES)
def test_every_line_is_what_the_definition_says(rule: str) -> None:
    """All 2^20 entries."""
    found = np.frombuffer(units.line_shapes(LINE_RULES.index(rule)), dtype=np.uint8)
    wrong = np.flatnonzero(found != classes_of(rule))
    first = [(line_text(int(number)), int(found[number])) for number in wrong[:8]]
    assert not wrong.size, f"{wrong.size} of {found.size} lines, as {first}"
