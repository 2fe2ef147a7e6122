"""One game of our own players, played, counted and kept."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Any, NamedTuple

from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.tools.match.own.sides import Match, player_of
from tengen.tools.match.statistics.tally import Tally


class Played(NamedTuple):
    """One game. score: of `a`: 1, 0.5 or 0. margin: of who moves first, in the game's unit. cpu, thought: seconds and
    moves of (a, b) without the opening; moves: with it."""

    number: int
    score: float
    margin: float
    moves: tuple[int, ...]
    cpu: tuple[float, float]
    thought: tuple[int, int]


class _Table:
    """Two players at one game. sides: `a`, then `b`; order: by colour."""

    def __init__(self, sides: Sequence[Player], is_in_order: bool, opening: Sequence[int]) -> None:
        self.sides = sides
        self.order = sides if is_in_order else sides[::-1]
        self.moves: list[int] = []
        self.cpu, self.thought = [0.0, 0.0], [0, 0]
        for move in opening:
            self._play(move)

    @property
    def is_over(self) -> bool:
        first = self.sides[0]
        return first.is_over or len(self.moves) >= first.game.conventions.match.length(first.state.cells)

    def step(self) -> float | None:
        """One move of who is to move; the margin when that is a resignation, which counts as half the board."""
        state = self.sides[0].state
        if list(state.legal_moves()) == [state.pass_move]:  # a forced pass is no move of anybody
            self._play(state.pass_move)
            return None
        colour = state.to_move
        mover = self.order[colour]
        side = self.sides.index(mover)
        start = time.process_time()
        chosen = mover.genmove(MoveRequest(colour, play=False)).move
        self.cpu[side] += time.process_time() - start
        self.thought[side] += 1
        if chosen is None:
            return (1 if colour else -1) * state.cells / 2
        self._play(chosen)
        return None

    def _play(self, move: int) -> None:
        colour = self.sides[0].state.to_move
        for player in self.sides:
            player.play(colour, move)
        self.moves.append(move)


def play_game(match: Match, opening: Sequence[int], number: int) -> Played:
    """Play one game. Runs in a worker process."""
    seed = match.seed * 1000 + number + 1
    sides = [player_of(match, config, seed) for config in (match.a, match.b)]
    try:
        table = _Table(sides, match.has_black(number), opening)
        margin = None
        while margin is None and not table.is_over:
            margin = table.step()
        margin = float(sides[0].state.result()) if margin is None else margin
    finally:
        for player in sides:
            player.close()
    margin_a = margin if match.has_black(number) else -margin
    score = 1.0 if margin_a > 0 else 0.5 if margin_a == 0 else 0.0
    cpu, thought = table.cpu, table.thought
    return Played(number, score, margin, tuple(table.moves), (cpu[0], cpu[1]), (thought[0], thought[1]))


def tally(games: Iterable[Played]) -> Tally:
    """Sum up games."""
    rows = list(games)
    wins, draws = (sum(row.score == score for row in rows) for score in (1.0, 0.5))
    return Tally(
        wins, draws, len(rows) - wins - draws,
        (fsum(row.cpu[0] for row in rows), fsum(row.cpu[1] for row in rows)),  # whatever order the games ended in
        (sum(row.thought[0] for row in rows), sum(row.thought[1] for row in rows)),
    )  # fmt: skip


def as_json(game: Played) -> dict[str, Any]:
    """A game as the object of a line."""
    return game._asdict()


def from_json(row: Mapping[str, Any]) -> Played:
    """The game of such an object. Raises KeyError, TypeError, ValueError."""
    return Played(
        int(row["number"]), float(row["score"]), float(row["margin"]), tuple(map(int, row["moves"])),
        (float(row["cpu"][0]), float(row["cpu"][1])), (int(row["thought"][0]), int(row["thought"][1])),
    )  # fmt: skip
