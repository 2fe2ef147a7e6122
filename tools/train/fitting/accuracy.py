"""Measure how often a network predicts the moves of people: of games that it never learned from, by the mover's
rating."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from math import isnan
from typing import Any

import numpy as np
from numpy import float32
from numpy.typing import NDArray

from tengen.engine.games import get_game
from tengen.engine.games.hooks import hooks_of
from tengen.tools.train.data.games import Games
from tengen.tools.train.data.rows import View, every
from tengen.tools.train.data.targets import Places

Floats = NDArray[float32]
Answer = Callable[[Floats, Floats | None], Floats]
"""Planes and numbers of a batch -> its policies (logits)."""
BAND = 200
"""Points of a band of ratings."""
PAIRS, SQUARES = 4096, 64
"""The sizes of chess policies, which begin with pairs of squares."""


@dataclass
class Tally:
    """Counts of predicted moves: of so many positions, in how many the likeliest legal move was played; origins,
    targets: in how many the likeliest square to begin and to end on, legal or not, was the move's (chess)."""

    positions: int = 0
    moves: int = 0
    origins: int = 0
    targets: int = 0

    def add(self, other: Tally) -> None:
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    def shares(self) -> tuple[float, float, float]:
        """Return the shares of moves, origins and targets."""
        return tuple(count / max(self.positions, 1) for count in (self.moves, self.origins, self.targets))  # type: ignore[return-value]


def band_of(rating: float) -> int | None:
    """The band that begins at this rating or below; None: unknown."""
    return None if isnan(rating) else int(rating // BAND * BAND)


def measure(answer: Answer, view: View, games: Games, size: int = 256) -> Iterator[tuple[int | None, Tally]]:
    """Yield the positions of games on one size of board: the mover's band, and the correct predictions."""
    legal = _legal(games, view)
    places = Places.of(view.features, int(games.columns["width"][0]), int(games.columns["height"][0])).policy[0]
    for batch in every(view, games, size):
        policies = answer(batch.planes, batch.numbers)
        squares = _squares(policies) if not get_game(games.game).conventions.has_points else None
        for row, policy in enumerate(policies):
            move, moves, rating = next(legal)
            best = moves[int(policy[places[moves]].argmax())]
            found = Tally(1, int(best == move))
            if squares is not None:
                origins, targets = squares
                found.origins, found.targets = int(origins[row] == move & 63), int(targets[row] == move >> 6 & 63)
            yield band_of(rating), found


def _squares(policies: Floats) -> tuple[NDArray[Any], NDArray[Any]]:
    """The likeliest squares of n policies, each by the sum of what is said of its pairs."""
    pairs = policies[:, :PAIRS]
    shares = np.exp(pairs - pairs.max(1, keepdims=True)).reshape(-1, SQUARES, SQUARES)
    return shares.sum(1).argmax(1), shares.sum(2).argmax(1)


def _legal(games: Games, view: View) -> Iterator[tuple[int, NDArray[Any], float]]:
    """Of each position that counts, in order: the move that was played, those that were legal, the mover's rating."""
    game = get_game(games.game)
    for number, played in enumerate(games):
        rules = hooks_of(game).parse_rules(game, played.rules)
        state = game.new_state(played.width, played.height, rules, played.komi)
        for ply, move in enumerate(played.moves.tolist()):
            if played.weights[ply]:
                yield move, np.array(state.legal_moves()), float(games.ratings[number, ply % 2])
            state.play(move)
