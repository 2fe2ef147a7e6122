"""Points of a board as text, by every layout that protocols and records use."""

from __future__ import annotations

import pytest

from tengen.engine.games.vertex import GTP, OTHELLO, RECORDS, Vertices

POINTS = [
    # layout, width, height, cell, text
    (GTP, 19, 19, 0, "A19"),
    (GTP, 19, 19, 8, "J19"),
    (GTP, 25, 7, 25 * 7 - 1, "Z1"),
    (RECORDS, 15, 15, 8, "i15"),
    (RECORDS, 15, 15, 7 * 15 + 7, "h8"),
    (OTHELLO, 8, 8, 37, "f5"),
    (OTHELLO, 10, 10, 9, "j1"),
]


@pytest.mark.parametrize(("layout", "width", "height", "cell", "text"), POINTS)
def test_a_point_is_written_and_read(layout: Vertices, width: int, height: int, cell: int, text: str) -> None:
    assert layout.text(cell, width, height) == text
    for given in (text, text.lower(), text.upper(), f" {text}\n"):
        assert layout.cell(given, width, height) == cell


@pytest.mark.parametrize("layout", [GTP, RECORDS, OTHELLO])
def test_every_point_has_a_text_of_its_own(layout: Vertices) -> None:
    texts = [layout.text(cell, 25, 25) for cell in range(625)]
    assert [layout.cell(text, 25, 25) for text in texts] == list(range(625)) and len(set(texts)) == 625


@pytest.mark.parametrize(
    "text", ["", "a", "5", "a0", "a9", "k1", "a99", "aa1", "a-1", "a+1", "a1.", "a²", "a٣", "a0001", "?1", "pass"]
)
def test_what_is_no_point_of_the_board(text: str) -> None:
    assert all(layout.cell(text, 8, 8) is None for layout in (GTP, RECORDS, OTHELLO))


@pytest.mark.parametrize("text", ["ı8", "ſ8"])
def test_letters_that_only_look_like_columns(text: str) -> None:
    """Their capitals are I and S."""
    assert all(layout.cell(text, 25, 25) is None for layout in (GTP, RECORDS, OTHELLO))


def test_only_gtp_skips_the_letter_i() -> None:
    assert (GTP.cell("i1", 9, 9), RECORDS.cell("i1", 9, 9), OTHELLO.cell("i1", 9, 9)) == (None, 80, 8)
    assert (GTP.cell("j1", 9, 9), RECORDS.cell("j1", 9, 9)) == (80, None)
