"""Beginnings of lessons: rules, a komi from fair to absurd, and an empty board, a handicap, a local fight, or a
position of a game of people.

Stones that are set up are moves of both sides in turn, with passes where one has more of them; the positions behind
them are seen without earlier moves, as a player sees a board that was set up.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tengen.engine.games import get_game
from tengen.engine.games.go.rules import GoRules
from tengen.engine.games.hooks import hooks_of
from tengen.engine.games.naming import rules_named
from tengen.tools.train.data.games import Games
from tengen.tools.train.data.setting_up import set_up
from tengen.tools.train.settings.sections import Board, Teacher
from tengen.tools.train.teaching.board import balanced
from tengen.tools.train.teaching.fights import fight
from tengen.tools.train.teaching.komi import asked_komi

GAME = "go"
SHORT = (24, 60)
"""Moves of a lesson that begins with a fight or in a game of people, from there on."""


class Lesson(NamedTuple):
    """The plan of one game.

    asked: the komi that the teacher is asked about. prefix: moves that lead to its beginning; is_set_up: they set up a
    board and were not played. follow: moves that are played next, in place of those of a policy. longest: moves in all.
    temperature: of the moves. blunders: the share of the moves that are any legal one. resigns: whether it ends once it
    is decided.
    """

    size: int
    rules: str
    komi: float
    asked: float
    prefix: Sequence[int]
    longest: int
    temperature: float
    blunders: float
    resigns: bool
    is_set_up: bool = False
    follow: Sequence[int] = ()


class Lessons:
    """Beginnings of lessons on boards of one size."""

    def __init__(self, board: Board, teacher: Teacher, size: int, people: Games | None = None) -> None:
        """people: games of people; lessons begin in those on boards of this size. Raises ValueError for rules or a size
        that Go does not have."""
        game = get_game(GAME)
        game.check_size(size, size)
        self._names = board.rule_names or (game.default_rules.name,)
        self._rules = {name: rules_named(game, name) for name in self._names}
        self._board, self._teacher, self._size = board, teacher, size
        self._people = people
        fits = (
            () if people is None else np.flatnonzero((people.columns["width"] == size) & (people.columns["length"] > 1))
        )
        self._numbers = np.asarray(fits, np.int64)

    def draw(self, source: random.Random) -> Lesson:
        """Draw the next lesson."""
        name = source.choice(self._names)
        temperature, blunders = source.choice((0.3, 0.6, 0.9, 1.2)), source.choice((0.0, 0.0, 0.02, 0.1))
        komi = self._komi(source)
        lesson = Lesson(
            self._size, name, komi, asked_komi(komi, self._board.komi), (), 2 * self._size**2, temperature, blunders,
            source.random() < 0.6,
        )  # fmt: skip
        kind, teacher = source.random(), self._teacher
        if len(self._numbers) and kind < teacher.from_games:
            return self._of_people(lesson, source)
        kind -= teacher.from_games if len(self._numbers) else 0
        rules = self._rules[name]
        has_button = isinstance(rules, GoRules) and rules.has_button  # the first pass takes it
        if kind < teacher.fights:
            return self._fight(lesson, source, has_button)
        if kind < teacher.fights + teacher.handicaps and self._size >= 7 and not has_button:
            return lesson._replace(prefix=self._handicap(source), is_set_up=True)
        return lesson

    def _fight(self, lesson: Lesson, source: random.Random, has_button: bool) -> Lesson:
        """Begin a lesson with a fight. With a button, stones are added elsewhere so that no pass is needed."""
        board = fight(self._size, source)
        if has_button and not balanced(board, self._size, source):
            return lesson
        prefix = set_up(board, self._size**2, source)
        longest = len(prefix) + source.randint(*SHORT)
        return lesson._replace(prefix=prefix, longest=longest, is_set_up=True)

    def _of_people(self, lesson: Lesson, source: random.Random) -> Lesson:
        """Begin a lesson at any move of a game of people. Half of them go on as the game did, the others by a policy;
        half of them have the komi of the game."""
        assert self._people is not None
        number = int(self._numbers[source.randrange(len(self._numbers))])
        start, end = (int(at) for at in self._people.starts[number : number + 2])
        moves: list[int] = self._people.columns["moves"][start:end].tolist()
        begin = int(self._people.columns["first"][number])  # what was set up, or a handicap, is whole
        first = source.randint(begin, max(begin, len(moves) - 1))
        lesson = lesson._replace(is_set_up=0 < begin == first)
        longest = first + source.randint(*SHORT)
        if source.random() < 0.5:
            komi = float(self._people.columns["komi"][number])
            lesson = lesson._replace(komi=komi, asked=asked_komi(komi, self._board.komi))
        if source.random() < 0.5:
            return lesson._replace(prefix=moves[:first], longest=longest, follow=moves[first:longest])
        return lesson._replace(prefix=moves[:first], longest=longest)

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
