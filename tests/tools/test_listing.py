"""`tengen options`: a table for pipes, paragraphs for a terminal, JSON for programs."""

from __future__ import annotations

import pytest

from tengen.engine.games import GAMES, get_game
from tengen.engine.play.options import options_of
from tengen.tools.listing import as_paragraphs, as_table


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize("columns", [60, 80, 200])
def test_no_line_is_wider_than_the_terminal(game: str, columns: int) -> None:
    options = options_of(get_game(game), None)
    lines = as_paragraphs(options, columns).splitlines()
    assert max(map(len, lines)) <= columns
    heads = [line.split("  ")[0] for line in lines if not line.startswith(" ")]
    assert heads == [option.name for option in options], "each begins a line of its own"


def test_a_table_has_a_line_for_each() -> None:
    options = options_of(get_game("chess"), None)
    assert [line.split()[0] for line in as_table(options).splitlines()] == [
        "name",
        *(option.name for option in options),
    ]
