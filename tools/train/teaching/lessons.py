"""What a lesson begins with: rules, a komi from fair to absurd, and an empty board, a handicap or a local fight.

Stones that are set up are moves of both sides in turn, with passes where one has more of them; the positions behind
them are seen without earlier moves, as a player sees a board that was set up.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

from tengen.engine.games import get_game
from tengen.engine.games.go.rules import GoRules
from tengen.engine.games.hooks import hooks_of
from tengen.engine.games.naming import rules_named
from tengen.tools.train.settings.sections import Board, Teacher
from tengen.tools.train.teaching.fights import BLACK, WHITE, fight

GAME = "go"
SHORT = (24, 60)
"""Moves of a lesson that begins with a fight, from the fight on."""


class Lesson(NamedTuple):
    """One game to be. prefix: moves that set it up. longest: moves in all. temperature: of the moves. blunders: the
    share of the moves that are any legal one. resigns: whether it ends once it is decided."""

    size: int
    rules: str
    komi: float
    prefix: Sequence[int]
    longest: int
    temperature: float
    blunders: float
    resigns: bool


class Lessons:
    """Beginnings of lessons on boards of one size."""

    def __init__(self, board: Board, teacher: Teacher, size: int) -> None:
        """Raises ValueError for rules or a size that Go does not have."""
        game = get_game(GAME)
        game.check_size(size, size)
        self._names = board.rule_names or (game.default_rules.name,)
        self._rules = {name: rules_named(game, name) for name in self._names}
        self._board, self._teacher, self._size = board, teacher, size

    def draw(self, source: random.Random) -> Lesson:
        """The next one."""
        name = source.choice(self._names)
        kind = source.random()
        prefix: list[int] = []
        rules = self._rules[name]
        may_pass = not (isinstance(rules, GoRules) and rules.has_button)  # a pass would take the button
        cells = self._size**2
        longest = 2 * cells
        if may_pass and kind < self._teacher.fights:
            prefix = set_up(fight(self._size, source), cells, source)
            longest = len(prefix) + source.randint(*SHORT)
        elif may_pass and kind < self._teacher.fights + self._teacher.handicaps and self._size >= 7:
            prefix = self._handicap(source)
        temperature = source.choice((0.3, 0.6, 0.9, 1.2))
        blunders = source.choice((0.0, 0.0, 0.02, 0.1))
        return Lesson(
            self._size, name, self._komi(source), prefix, longest, temperature, blunders, source.random() < 0.6
        )

    def _handicap(self, source: random.Random) -> list[int]:
        """Two to nine stones, fixed or anywhere, White passing between them; White is to move."""
        game = get_game(GAME)
        count = source.randint(2, 9)
        hooks = hooks_of(game)
        try:
            points = hooks.handicap_fixed(self._size, self._size, count)
        except ValueError:
            points = []
        if len(points) < 2 or source.random() < 0.3:
            points = source.sample(range(self._size**2), count)
        moves: list[int] = []
        for point in points:
            moves += [point, self._size**2]
        return moves[:-1]

    def _komi(self, source: random.Random) -> float:
        """Mostly about fair; a part further away; a part anything that the board could be worth."""
        middle, most = self._board.komi, 0.9 * self._size**2
        kind = source.random()
        if kind < self._teacher.absurd:
            komi = source.uniform(-min(most, 65.0), min(most, 65.0))
        elif kind < 2.5 * self._teacher.absurd:
            komi = source.gauss(middle, 12.0 * self._size / 19)
        else:
            komi = source.gauss(middle, self._board.komi_spread)
        return max(-most, min(most, math.floor(2 * komi + 0.5) / 2))


def set_up(board: Sequence[int], passing: int, source: random.Random) -> list[int]:
    """A board as moves of both sides in turn; surplus stones come first, so that the last two moves are stones.

    No stone is captured on the way: a group that is not whole yet has a liberty where its next stone will be.
    """
    stones = {colour: [cell for cell, found in enumerate(board) if found == colour] for colour in (BLACK, WHITE)}
    black, white = stones[BLACK], stones[WHITE]
    source.shuffle(black)
    source.shuffle(white)
    last = [black.pop()] if black and source.random() < 0.5 else []  # White is to move then
    surplus = len(black) - len(white)
    black = [passing] * max(0, -surplus) + black
    white = [passing] * max(0, surplus) + white
    return [move for pair in zip(black, white, strict=True) for move in pair] + last
