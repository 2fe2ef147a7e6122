"""Options of the core are numbers or text, and what does not fit is told; from the core's table to `Search.configure`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from _tengen_units import KeepingSearch

from tengen.engine.games import get_game
from tengen.engine.games.players import Entry
from tengen.engine.search.native import NativeSearch


class Keeping(NativeSearch):
    """A search of the tests that keeps its options."""

    kind, prefix, part, usual = "kept search", "kept.", "mcts", "none"


def values(search: Any) -> dict[str, Any]:
    return {name: value for name, value, *_ in search.options()}


def test_text_stands_beside_numbers() -> None:
    search = KeepingSearch("none")
    assert [(name, value, kind) for name, value, _, _, _, kind in search.options()] == [
        ("path", "", "text"), ("pieces", 5, "whole"), ("share", 0.5, "number")]  # fmt: skip
    search.set("path", "/tables: a, b")
    search.set("pieces", 6)
    search.set("share", 0.25)
    assert values(search) == {"path": "/tables: a, b", "pieces": 6, "share": 0.25}


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("path", 3, "path must be text"),
        ("pieces", "five", "pieces must be a number"),
        ("pieces", 8, "pieces must lie between 0"),
        ("road", "x", "unknown option road"),
    ],
)
def test_what_does_not_fit_is_told_and_changes_nothing(name: str, value: object, sentence: str) -> None:
    search = KeepingSearch("none")
    with pytest.raises(ValueError, match=sentence):
        search.set(name, value)
    assert values(search) == {"path": "", "pieces": 5, "share": 0.5}


def test_a_player_sets_them_by_text() -> None:
    reversi = get_game("reversi")
    game = replace(reversi, parts=reversi.parts._replace(core="_tengen_units", mcts="KeepingSearch"))
    search = Keeping(game, Entry("keeping", "none"))
    search.configure({"kept.path": "tables", "kept.pieces": "7"})
    found = {option.name: option for option in search.options()}
    assert found["kept.path"].kind == "text" and found["kept.path"].default == "tables"
    assert found["kept.pieces"].default == 7 and found["kept.pieces"].is_whole
    with pytest.raises(ValueError, match=r"kept\.pieces must be a whole number from 0 to 7, not 'many'"):
        search.configure({"kept.pieces": "many"})
