"""Self-play by looking ahead: games of alpha-beta against itself, from random openings, positions with what was found.

What networks of moves learn from is how a tree was visited; patterns learn only what a position is worth. So a game
begins with random moves, goes on with the best ones, and every position is labelled by the search that chose its move:
the margin at some depth, near the end the exact one.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping

import numpy as np

from tengen.engine._core import StopToken
from tengen.engine.games import get_game
from tengen.engine.games.base import Game
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value, number
from tengen.engine.search import make_search
from tengen.engine.search.base import Root, Search
from tengen.tools.train.config import RunConfig
from tengen.tools.train.data.game import PlayedGame

PLAYER = "alphabeta"
MEMORY_MB = 32
"""Of the transposition table of a worker."""
OPTIONS: Mapping[str, Option] = {
    option.name: option
    for option in (
        number("depth", 8, 1, 60, "plies that are looked ahead", is_whole=True),
        number("exact", 14, 0, 60, "with so many empty cells the game is searched to its end", is_whole=True),
        number("opening_least", 10, 0, 60, "random moves at the beginning, at least", is_whole=True),
        number("opening_most", 30, 0, 60, "and at most", is_whole=True),
        number("selectivity", 0, 0, 5, "how much is left out (alphabeta.selectivity)", is_whole=True),
    )
}
"""The table `search` of a run."""


def settings_of(config: RunConfig) -> dict[str, int]:
    """Its values."""
    return {name: int(config.search.get(name, option.default or 0)) for name, option in OPTIONS.items()}


def play(config: RunConfig, weights: str | None, count: int, seed: int) -> Iterator[PlayedGame]:
    """So many games; what they are depends on the weights and the seed. weights: None plays by what needs none."""
    game, source = get_game(config.board.name), random.Random(seed)
    how = settings_of(config)
    named = {} if weights is None else {"alphabeta.weights": weights}
    options: dict[str, Value] = {"alphabeta.memory_mb": MEMORY_MB, "alphabeta.selectivity": how["selectivity"], **named}
    search = make_search(game, PLAYER, options)
    found = 0
    while found < count:
        played = _game(game, search, source, how)
        if played is not None:
            found += 1
            yield played


def _game(game: Game, search: Search, source: random.Random, how: Mapping[str, int]) -> PlayedGame | None:
    """One game; None where the random moves ended it."""
    state = game.new_state(game.default_size, game.default_size, game.default_rules, 0.0)
    moves, values = list[int](), list[float]()
    first = source.randint(how["opening_least"], max(how["opening_least"], how["opening_most"]))
    while not state.is_terminal():
        legal = state.legal_moves()
        value = math.nan
        if len(moves) < first:
            move = source.choice(legal)
        elif legal == [state.pass_move]:
            move = legal[0]
        else:
            is_near = bytes(state.stones()).count(0) <= how["exact"]
            info = search.run(Root(state), Limits(depth=None if is_near else how["depth"]), StopToken())
            move, value = info.lines[0].move, info.lines[0].score
        moves.append(move)
        values.append(value)
        state.play(move)
    if len(moves) <= first:
        return None
    scores = np.full((len(moves), 3), np.nan, np.float32)
    scores[:, 2] = values
    margin = float(state.result())
    return PlayedGame(
        game.name, state.width, state.height, game.default_rules.name, 0.0, np.array(moves, np.int16), first,
        np.isfinite(scores[:, 2]).astype(np.float32), scores, np.zeros(len(moves) + 1, np.int32),
        np.zeros(0, np.int16), np.zeros(0, np.float32), margin, 0.5 + 0.5 * float(np.sign(margin)),
    )  # fmt: skip


def counts(games: list[PlayedGame]) -> dict[str, float]:
    """What is told of games, as of others (`generate.counts`)."""
    return {
        "games": len(games), "positions": sum(int((game.weights > 0).sum()) for game in games),
        "moves": sum(len(game.moves) for game in games), "black": sum(game.outcome for game in games),
    }  # fmt: skip
