"""Three men's morris for Python: its facts and text codec, and the one line that registers it while a test runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import cast

from tengen.engine.games import GAMES
from tengen.engine.games.base import Game, Passes, Rules, State
from tengen.engine.games.conventions import Conventions
from tengen.engine.games.parts import Parts
from tengen.engine.games.players import Entry

COLUMNS = "ABC"
SIDE, CELLS = 3, 9


@dataclass(frozen=True)
class ToyRules:
    """There is one set of rules."""

    name: str = "standard"
    repetition: str = "threefold"


@dataclass(frozen=True)
class Morris:
    """Implements `tengen.engine.games.base.Game`. Moves are "B2" (a man is placed) and "B2-C3"."""

    name: str = "morris"
    gogui_id: str = "ThreeMensMorris"
    default_size: int = SIDE
    default_komi: float = 0.0
    passes: Passes = "none"
    conventions: Conventions = Conventions(title="Three men's morris")
    parts: Parts = Parts(
        "_tengen_toy", mcts="ToyMcts", alphabeta="ToyAlphaBeta", tree="MorrisTree", selfplay="MorrisSelfPlay",
        review="toy.review:KIND",
    )  # fmt: skip
    default_rules: Rules = ToyRules()
    rule_sets: Mapping[str, Rules] = field(default_factory=lambda: {"standard": ToyRules()})
    players: Mapping[str, Entry] = field(
        default_factory=lambda: {
            "uct": Entry("mcts", "uniform"),
            "alphabeta": Entry("alphabeta", "end"),
            "random": Entry("random"),
        }
    )

    def check_size(self, width: int, height: int) -> None:
        if (width, height) != (SIDE, SIDE):
            raise ValueError("unacceptable size")

    def new_state(self, width: int, height: int, rules: Rules, komi: float) -> State:
        from _tengen_toy import ToyState

        return cast(State, ToyState())

    def move_to_text(self, state: State, move: int) -> str:
        if move < CELLS:
            return cell_text(move)
        return "-".join(cell_text(cell) for cell in divmod(move - CELLS, CELLS))

    def move_from_text(self, state: State, text: str) -> int:
        cells = [cell_of(word) for word in text.strip().upper().split("-")]
        if len(cells) > 2:
            raise ValueError(f"'{text}' is no move of this game")
        return cells[0] if len(cells) == 1 else CELLS + cells[0] * CELLS + cells[1]


def cell_text(cell: int) -> str:
    row, column = divmod(cell, SIDE)
    return f"{COLUMNS[column]}{SIDE - row}"


def cell_of(word: str) -> int:
    if len(word) != 2 or word[0] not in COLUMNS or word[1] not in "123":
        raise ValueError(f"'{word}' is no cell of this board")
    return (SIDE - int(word[1])) * SIDE + COLUMNS.index(word[0])


TOY = Morris()


@contextmanager
def registered(**players: Entry) -> Iterator[Game]:
    """The line that a new game adds to the registry, for the time of a test, and players beyond its own."""
    game = cast(Game, replace(TOY, players={**TOY.players, **players}))
    GAMES[TOY.name] = game
    try:
        yield game
    finally:
        del GAMES[TOY.name]
