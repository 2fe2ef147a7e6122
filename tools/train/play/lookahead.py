"""Self-play by looking ahead: games of alpha-beta against itself, from random openings, positions with their values.

What networks of moves learn from is how a tree was visited; patterns learn only what a position is worth. So a game
begins with random moves, goes on with the best ones, and every position is labelled by the search that chose its move:
the margin at some depth, near the end the exact one. Endings are solved at next to no cost and differ from each other
more than anything else, so other games may leave a game near its end by a random move (`branches`).

A search also looks at positions behind bad moves, where patterns that saw good moves alone think far too well of
whoever made them. So a random move may be tried in the place of any, and the best answers to it are played for some
plies (`strayed`).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from tengen.engine._core import StopToken
from tengen.engine.games import get_game
from tengen.engine.games.base import Game, State
from tengen.engine.limits import Limits
from tengen.engine.options import Option, Value, number, text
from tengen.engine.search import make_search
from tengen.engine.search.alphabeta import AUTO, NONE
from tengen.engine.search.base import Root, Search
from tengen.tools.train.data.game import PlayedGame
from tengen.tools.train.settings.config import RunConfig

PLAYER = "alphabeta"
MEMORY_MB = 32
"""The memory of the transposition table of a worker."""
ALL, LOOK = 64, 2
"""Discs that there are, and plies that are looked ahead to see whether an opening is even."""
LEAST_LEFT, BEFORE = 8, 6
"""Empty cells at which a branch leaves a game: at least, and at most so many more than are solved."""
OPTIONS: Mapping[str, Option] = {
    option.name: option
    for option in (
        number("depth", 8, 1, 60, "plies that are looked ahead", is_whole=True),
        number("exact", 14, 0, 60, "with so many empty cells the game is searched to its end", is_whole=True),
        number("opening_least", 10, 0, 60, "random moves at the beginning, at least", is_whole=True),
        number("opening_most", 30, 0, 60, "and at most", is_whole=True),
        number("balance", ALL, 0, ALL, "discs that either side may be ahead after those, by a short search"),
        number("uneven", 0.2, 0, 1, "share of the games that begin with more all the same"),
        number("branches", 0, 0, 64, "games that leave each game near its end by a random move", is_whole=True),
        number("strayed", 0.0, 0, 1, "moves that a random one takes the place of, for each one of a game"),
        number("stray_plies", 4, 1, 60, "plies that are played on from there", is_whole=True),
        number("noise", 0.0, 0, 1, "share of later moves that are random, too; then learn with training.found=1"),
        number("selectivity", 0, 0, 5, "how much is left out (alphabeta.selectivity)", is_whole=True),
        text("begin", NONE, f"weights that play the first games: a file, {AUTO} (tengen's own) or {NONE}"),
    )
}
"""The table `search` of a run."""


class Plan(NamedTuple):
    """The table `search` of a run."""

    depth: int
    exact: int
    opening_least: int
    opening_most: int
    balance: float
    uneven: float
    branches: int
    strayed: float
    stray_plies: int
    noise: float
    selectivity: int
    begin: str


def plan_of(config: RunConfig) -> Plan:
    """Its values."""
    values = {name: option.parse(config.search.get(name, option.default)) for name, option in OPTIONS.items()}
    return Plan(**values)  # type: ignore[arg-type]  # numbers, whole where the options are


def play(config: RunConfig, weights: str | None, count: int, seed: int) -> Iterator[PlayedGame]:
    """Play so many games; they depend on the weights and the seed. weights: None plays by those that the plan begins
    with."""
    game, source = get_game(config.board.name), random.Random(seed)
    how = plan_of(config)
    options: dict[str, Value] = {
        "alphabeta.memory_mb": MEMORY_MB, "alphabeta.selectivity": how.selectivity,
        "alphabeta.weights": how.begin if weights is None else weights,
    }  # fmt: skip
    search = make_search(game, PLAYER, options)
    found = 0
    while found < count:
        first = source.randint(how.opening_least, max(how.opening_least, how.opening_most))
        state, moves = _drawn(game, source, first)
        if state.is_terminal() or not (source.random() < how.uneven or _is_even(search, state, how.balance)):
            continue
        found += 1
        played = _game(game, search, how, state, moves, source)
        yield played
        yield from _strays(game, search, how, played, source)
        for _ in range(how.branches):
            state, moves = _left(game, source, how, played)
            if not state.is_terminal():
                yield _game(game, search, how, state, moves, source)


def _drawn(game: Game, source: random.Random, count: int) -> tuple[State, list[int]]:
    """A position after so many random moves, or the end of the game before, and the moves."""
    state, moves = _start(game), list[int]()
    while len(moves) < count and not state.is_terminal():
        _play(state, source.choice(state.legal_moves()), moves)
    return state, moves


def _is_even(search: Search, state: State, balance: float) -> bool:
    if balance >= ALL:
        return True
    return abs(search.run(Root(state), Limits(depth=LOOK), StopToken()).lines[0].score) <= balance


def _left(game: Game, source: random.Random, how: Plan, played: PlayedGame) -> tuple[State, list[int]]:
    """A position that is a random move away from one of a game that is solved, or BEFORE earlier, and the moves."""
    state, moves = _start(game), list[int]()
    empties = source.randint(LEAST_LEFT, how.exact + BEFORE)
    for move in played.moves.tolist():
        if len(moves) >= played.first and bytes(state.stones()).count(0) <= empties:
            break
        _play(state, move, moves)
    if not state.is_terminal():
        _play(state, source.choice(state.legal_moves()), moves)
    return state, moves


def _strays(game: Game, search: Search, how: Plan, played: PlayedGame, source: random.Random) -> Iterator[PlayedGame]:
    """Games that leave this one by a random move, and are broken off some plies later."""
    if not how.strayed:
        return
    state, moves = _start(game), list[int]()
    for move in played.moves.tolist():
        if len(moves) >= played.first and source.random() < how.strayed:
            others = [other for other in state.legal_moves() if other != move]
            if others:
                strayed, led = state.copy(), moves.copy()
                _play(strayed, source.choice(others), led)
                if not strayed.is_terminal():
                    yield _game(game, search, how, strayed, led, source, how.stray_plies)
        _play(state, move, moves)


def _start(game: Game) -> State:
    return game.new_state(game.default_size, game.default_size, game.default_rules, 0.0)


def _play(state: State, move: int, moves: list[int]) -> None:
    state.play(move)
    moves.append(move)


def _game(
    game: Game,
    search: Search,
    how: Plan,
    state: State,
    moves: list[int],
    source: random.Random,
    longest: int | None = None,
) -> PlayedGame:
    """A game from a position that these moves led to; those behind them are labelled. longest: plies from there, after
    which it is broken off, or at the first exact search: its end is unknown, as of a game that was resigned, and what
    the last search said decides."""
    first = len(moves)
    values, black, is_known = [math.nan] * first, 0.0, False
    while not state.is_terminal() and not (longest and (is_known or len(moves) == first + longest)):
        legal = state.legal_moves()
        move, value = legal[0], math.nan
        if legal != [state.pass_move]:
            is_near = bytes(state.stones()).count(0) <= how.exact
            info = search.run(Root(state), Limits(depth=None if is_near else how.depth), StopToken())
            move, value = info.lines[0].move, info.lines[0].score
            black, is_known = value if state.to_move == 0 else -value, is_near
            if how.noise and source.random() < how.noise:
                move = source.choice(legal)
        values.append(value)
        _play(state, move, moves)
    scores = np.full((len(moves), 3), np.nan, np.float32)
    scores[:, 2] = values
    ended = float(state.result()) if state.is_terminal() else black
    margin = ended if state.is_terminal() else math.copysign(math.inf, black)
    return PlayedGame(
        game.name, state.width, state.height, game.default_rules.name, 0.0, np.array(moves, np.int16), first,
        np.isfinite(scores[:, 2]).astype(np.float32), scores, np.zeros(len(moves) + 1, np.int32),
        np.zeros(0, np.int16), np.zeros(0, np.float32), margin, 0.5 + 0.5 * float(np.sign(ended)),
    )  # fmt: skip


def counts(games: list[PlayedGame]) -> dict[str, float]:
    """Count the games for a report, as `generate.counts`."""
    return {
        "games": len(games), "positions": sum(int((game.weights > 0).sum()) for game in games),
        "moves": sum(len(game.moves) for game in games), "black": sum(game.outcome for game in games),
    }  # fmt: skip
