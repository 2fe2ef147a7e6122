"""Tic-tac-toe for Python: its facts and text codec, and the two lines that register it while a test runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from tengen.engine.evaluators import EVALUATORS
from tengen.engine.games import GAMES
from tengen.engine.games.base import Game, Rules, State

COLUMNS = "ABC"
SIDE = 3


@dataclass(frozen=True)
class ToyRules:
    """There is one set of rules."""

    name: str = "standard"
    repetition: str = "none"


@dataclass(frozen=True)
class TicTacToe:
    """Implements `tengen.engine.games.base.Game`."""

    name: str = "tictactoe"
    gogui_id: str = "TicTacToe"
    default_size: int = SIDE
    default_komi: float = 0.0
    has_pass: bool = False
    default_rules: Rules = ToyRules()
    rule_sets: Mapping[str, Rules] = field(default_factory=lambda: {"standard": ToyRules()})
    players: Mapping[str, Mapping[str, Any]] = field(
        default_factory=lambda: {
            "uct": {"search": "mcts", "evaluator": "uniform", "set": {}},
            "random": {"search": "random", "evaluator": None, "set": {}},
        }
    )

    def check_size(self, width: int, height: int) -> None:
        if (width, height) != (SIDE, SIDE):
            raise ValueError("unacceptable size")

    def new_state(self, width: int, height: int, rules: Rules, komi: float) -> State:
        from _tengen_toy import ToyState

        return cast(State, ToyState())

    def move_to_text(self, state: State, move: int) -> str:
        row, column = divmod(move, SIDE)
        return f"{COLUMNS[column]}{SIDE - row}"

    def move_from_text(self, state: State, text: str) -> int:
        word = text.strip().upper()
        if len(word) != 2 or word[0] not in COLUMNS or word[1] not in "123":
            raise ValueError(f"'{text}' is no cell of this board")
        return (SIDE - int(word[1])) * SIDE + COLUMNS.index(word[0])


TOY = TicTacToe()


@contextmanager
def registered() -> Iterator[Game]:
    """All that a new game adds to the registries, for the time of a test."""
    serves = EVALUATORS["uniform"].serves
    GAMES[TOY.name] = cast(Game, TOY)
    serves[TOY.name, "mcts"] = "_tengen_toy:ToyMcts"
    try:
        yield cast(Game, TOY)
    finally:
        del GAMES[TOY.name], serves[TOY.name, "mcts"]
