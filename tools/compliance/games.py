"""Facts about each game for the rows of GTP: a board, moves that are legal in their order, the name in GoGui."""

from __future__ import annotations

from typing import NamedTuple

GO = "go"
"""The game of an engine that does not say which it plays."""
DISCS = "reversi"
"""The game whose moves turn discs."""


class Facts(NamedTuple):
    """size: of the board that is asked for. moves: legal in this order. first: the pattern of the legal first moves,
    None where all points are. ids: what engines answer to `gogui-rules_game_id`, in lower case."""

    size: int
    moves: tuple[str, str, str]
    ids: tuple[str, ...]
    first: str | None = None


FACTS = {
    GO: Facts(9, ("D4", "E5", "C3"), (GO,)),
    "gomoku": Facts(15, ("D4", "E5", "C3"), ("gomoku",)),
    DISCS: Facts(8, ("d3", "c3", "b3"), ("othello", DISCS), "(?i:d3|c4|f5|e6)"),
}
BY_ID = {name: game for game, facts in FACTS.items() for name in facts.ids}
