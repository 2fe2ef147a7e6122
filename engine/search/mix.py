"""Reversi's player `mix`: the tree search proposes, three terms decide.

value of a root move = w1 * search + w2 * frontier + w3 * square, each term scaled to 0..1 over the moves that the
search has visited: 1 is the best move's, 0 the worst one's, and 0.5 stands for all when they do not differ.

search    win rate of the move.
frontier  fewer is better: the sum, over the discs the move turns, of the empty cells next to each ("divergence").
square    value of the cell in a table of ten values; tables and weights differ by phase (games/reversi/mix.py).

What is proved is not outvoted: a move proved lost comes last, and where a win or the exact result is known the
search's order stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from tengen.engine.games.base import Game, State
from tengen.engine.games.players import Entry
from tengen.engine.games.reversi import mix as reversi_mix
from tengen.engine.games.reversi.game import REVERSI
from tengen.engine.info import Info, Line
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value
from tengen.engine.search import fitting
from tengen.engine.search.base import Root
from tengen.engine.search.mcts import MctsSearch

if TYPE_CHECKING:
    from tengen.engine._core import ReversiState, StopToken

PREFIX = "mix."


class MixSearch:
    """Implements `Search` around `MctsSearch`; its options are those of the tree search and `mix.*`."""

    def __init__(self, game: Game, player: Entry) -> None:
        if game.name != REVERSI.name:
            raise ValueError(f"the search 'mix' does not serve {game.name}")
        self._search = MctsSearch(game, player)
        self._mix = reversi_mix.load()
        self._state: State | None = None

    def options(self) -> Sequence[Option]:
        own = [
            option._replace(name=PREFIX + option.name, default=self._mix.values[option.name])
            for option in reversi_mix.settings()
        ]
        return [*self._search.options(), *own]

    def configure(self, values: Mapping[str, Value]) -> None:
        found = fitting(self.options(), values)
        own = {name.removeprefix(PREFIX): float(value) for name, value in found.items() if name.startswith(PREFIX)}
        self._search.configure({name: value for name, value in found.items() if not name.startswith(PREFIX)})
        self._mix = replace(self._mix, values={**self._mix.values, **own})

    def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        self._state = root.state.copy()
        self._search.run(root, limits, stop)
        return self.info()

    def info(self, max_lines: int = 0, ownership: bool = False) -> Info:
        info = self._search.info(0, ownership)
        state = self._state
        if state is None or not info.lines:
            return info
        lines = ordered(info.lines, state, self._mix)
        return info._replace(lines=lines[:max_lines] if max_lines else lines)

    def clear(self) -> None:
        self._search.clear()
        self._state = None


def ordered(lines: Sequence[Line], state: State, mix: reversi_mix.Mix) -> tuple[Line, ...]:
    """The lines with their terms, the best mixed value first; ties keep the search's order."""
    phase = mix.phase(state.stones().count(0))
    weights = mix.weights(phase)
    terms = list(
        zip(
            scaled([line.expected for line in lines]),
            scaled([-frontier(state, line.move) for line in lines]),
            scaled([square(state, line.move, mix, phase) for line in lines]),
            strict=True,
        )
    )
    filled = [
        line._replace(terms=tuple(zip(reversi_mix.TERMS, values, strict=True)))
        for line, values in zip(lines, terms, strict=True)
    ]
    best = lines[0].proof
    if best is not None:
        return tuple(filled)
    value = {
        line.move: sum(w * t for w, t in zip(weights, row, strict=True)) for line, row in zip(lines, terms, strict=True)
    }
    return tuple(sorted(filled, key=lambda line: (line.proof is not None, -value[line.move])))


def frontier(state: State, move: int) -> int:
    """Empty cells around the discs that the move of the side to move turns; 0 for a pass."""
    return 0 if move == state.pass_move else cast("ReversiState", state).frontier(state.to_move, move)


def square(state: State, move: int, mix: reversi_mix.Mix, phase: str) -> float:
    """The table's value of the cell; 0 for a pass."""
    return 0.0 if move == state.pass_move else mix.square(phase, move)


def scaled(values: Sequence[float]) -> list[float]:
    """The values between 0 (least) and 1 (greatest); all 0.5 when they do not differ."""
    low, high = min(values), max(values)
    return [(value - low) / (high - low) if high > low else 0.5 for value in values]
