"""Lessons: games whose positions a teacher labels. The teacher or the network that learns plays them, by its policy.

Every move is drawn from a policy; now and then it is any legal one, so that positions come up that good play avoids.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy import float32
from numpy.typing import NDArray

from tengen.engine.games import get_game
from tengen.engine.games.naming import rules_named
from tengen.nets.targets import SAYS, stored
from tengen.tools.train.data.game import PlayedGame, Taught
from tengen.tools.train.data.labels import kept
from tengen.tools.train.data.rows import facts_of
from tengen.tools.train.teaching.asking import Answer, Position, ask
from tengen.tools.train.teaching.komi import move_value
from tengen.tools.train.teaching.lessons import GAME, Lesson

if TYPE_CHECKING:
    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator

LEAST_SHARE, MOST_MOVES = 0.001, 96
"""Of a policy that is kept: shares from here on, of so many moves."""
DECIDED, FOR_PLIES = 0.985, 12
"""A lesson that resigns ends when one side has been so sure of winning for so many plies."""
SYMMETRIES = 8


class Label(NamedTuple):
    """The teacher's label of one position. said: the arrays of `nets.targets.stored`, as files keep them."""

    policy: NDArray[float32]
    value: NDArray[float32]
    lead: float
    said: Mapping[str, NDArray[Any]]


class Playing:
    """A lesson in progress: the game so far, and the teacher's labels of its positions."""

    def __init__(self, lesson: Lesson, by_student: bool, suicide_in_life: bool, source: random.Random) -> None:
        self.lesson, self.by_student, self.source = lesson, by_student, source
        rules = rules_named(get_game(GAME), lesson.rules)
        self.start = get_game(GAME).new_state(lesson.size, lesson.size, rules, lesson.komi)
        self._asked = get_game(GAME).new_state(lesson.size, lesson.size, rules, lesson.asked)
        self._rules, self.state = rules, self.start.copy()
        self._facts = facts_of(lesson.rules, suicide_in_life)
        self._seen = {self._key()}
        self.moves: list[int] = []
        for move in lesson.prefix:
            self._play(move)
        self.first, self._sure = len(self.moves), 0
        self._plies: list[int] = []
        self._labels: list[Label] = []
        self.black = 0.5

    @property
    def is_blind(self) -> bool:
        """Whether the position was just set up."""
        return self.lesson.is_set_up and len(self.moves) == self.first

    @property
    def is_wanted(self) -> bool:
        """Whether the position is always labelled: it was just set up, or the last move was a pass."""
        return self.is_blind or (len(self.moves) > self.first and self.moves[-1] == self.state.pass_move)

    @property
    def is_told(self) -> bool:
        """Whether the lesson names the next move, so that no policy chooses it."""
        return len(self.moves) - self.first < len(self.lesson.follow)

    def position(self, *, is_asked: bool) -> Position:
        """Return the position at the komi of the game, or at that which the teacher is asked about."""
        start = self._asked if is_asked else self.start
        return Position(start, self.moves, not self.is_blind, self._facts)  # type: ignore[arg-type]

    def settle(self, answer: Answer, row: int) -> None:
        """Move the teacher's answer from the komi that it was asked about to that of the game, in place."""
        points = (self.lesson.komi - self.lesson.asked) * (1 if self.state.to_move else -1)
        if points:
            says = answer.labels[SAYS.name][row]
            mean, stdev = says[:2]
            move_value(answer.value[row], points, float(stdev))
            says[0] = mean + points
            answer.lead[row] += points

    def label(self, answer: Answer, row: int) -> None:
        """Keep the teacher's answer for the present position."""
        ply = len(self.moves)
        self._plies.append(ply)
        said = {name: kept(one, answer.labels[name][row], ply) for name, one in stored().items()}
        self._labels.append(Label(answer.policy[row], answer.value[row], float(answer.lead[row]), said))

    def judge(self, value: NDArray[float32]) -> None:
        """Update the chances of Black and count the plies for which one side is sure to win."""
        expected = float(value[0] + value[1] / 2)
        self.black = expected if self.state.to_move == 0 else 1 - expected
        self._sure = self._sure + 1 if max(self.black, 1 - self.black) > DECIDED else 0

    def move(self, policy: NDArray[float32] | None) -> None:
        """Play the move that the lesson names, else one drawn from a policy over dense moves."""
        if self.is_told or policy is None:
            return self._play(self.lesson.follow[len(self.moves) - self.first])
        legal = np.asarray(self.state.legal_moves(), np.int64)
        if self.source.random() < self.lesson.blunders:
            shares = np.ones(len(legal))
        else:
            shares = np.asarray(policy, np.float64)[legal] + 1e-9
            shares = shares ** (1 / self.lesson.temperature)
        ends = np.cumsum(shares)
        for _ in range(20):
            at = int(np.searchsorted(ends, self.source.random() * ends[-1], side="right"))
            move = int(legal[min(at, len(legal) - 1)])
            if not self._repeats(move):
                break
        else:
            move = self.state.pass_move
        self._play(move)

    @property
    def is_over(self) -> bool:
        decided = self.lesson.resigns and self._sure >= FOR_PLIES and not self.lesson.follow
        return decided or self.state.is_terminal() or len(self.moves) >= self.lesson.longest

    def finished(self) -> PlayedGame | None:
        """Return the game with its labels; None if no position was labelled."""
        if not self._plies:
            return None
        n = len(self.moves)
        weights = np.zeros(n, np.float32)
        values = np.full((n, 3), np.nan, np.float32)
        counts, moves, shares = np.zeros(n, np.int32), list[NDArray[np.int16]](), list[NDArray[float32]]()
        whole = [at for at, ply in enumerate(self._plies) if ply < n]
        for at in whole:
            ply, label = self._plies[at], self._labels[at]
            weights[ply], values[ply] = 1, (label.value[0], label.value[1], label.lead)
            places, part = _kept(label.policy)
            counts[ply] = len(places)
            moves.append(places)
            shares.append(part)
        blind = np.zeros(n, np.bool_)
        blind[self.first : self.first + 1] = self.lesson.is_set_up and self.first > 0
        said = {name: np.stack([self._labels[at].said[name] for at in whole]) for name in stored()}
        taught = Taught(np.array([self._plies[at] for at in whole], np.int32), said, blind)
        outcome = 1.0 if self.black > 0.5 else 0.0
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        return PlayedGame(
            GAME, self.lesson.size, self.lesson.size, self.lesson.rules, self.lesson.komi,
            np.array(self.moves, np.int16), self.first, weights, values, offsets, np.concatenate(moves),
            np.concatenate(shares), math.copysign(math.inf, outcome - 0.5), outcome, taught=taught,
        )  # fmt: skip

    def _play(self, move: int) -> None:
        self.state.play(move)
        self.moves.append(move)
        self._seen.add(self._key())

    def _key(self) -> int:
        is_situational = self._rules.repetition == "situational"
        return self.state.position_key * 2 + (self.state.to_move if is_situational else 0)

    def _repeats(self, move: int) -> bool:
        """Whether a move would repeat a position against the rules."""
        if self._rules.repetition not in ("positional", "situational") or move == self.state.pass_move:
            return False
        after = self.state.copy()
        after.play(move)
        side = after.to_move if self._rules.repetition == "situational" else 0
        return after.position_key * 2 + side in self._seen


def _kept(policy: NDArray[float32]) -> tuple[NDArray[np.int16], NDArray[float32]]:
    """The moves of a policy that count, and their shares, sum 1."""
    order = np.argsort(-policy, kind="stable")[:MOST_MOVES]
    order = order[(policy[order] >= LEAST_SHARE) | (np.arange(len(order)) == 0)]
    shares = policy[order] / policy[order].sum()
    return order.astype(np.int16), shares.astype(np.float32)


class Classroom:
    """Plays lessons side by side on boards of one size. Use `games` once."""

    def __init__(
        self, teacher: KataGoEvaluator, student: KataGoEvaluator | None, *, batch: int, share: float, symmetries: int,
        by_student: float, seed: int,
    ) -> None:  # fmt: skip
        """student: the network that learns, None while it knows nothing. batch: positions of a batch. share: of the
        positions that are labelled. symmetries: that a label is the mean over, 1 to 8. by_student: the share of the
        games that the student plays."""
        self._teacher, self._student = teacher, student
        self._batch, self._share, self._turns = batch, share, symmetries
        self._by_student = by_student if student is not None else 0.0
        self._source = random.Random(seed)

    def games(self, lessons: Iterator[Lesson], slots: int) -> Iterator[PlayedGame]:
        """The games of all lessons, as they end."""
        playing: list[Playing] = []
        while True:
            while len(playing) < slots and (lesson := next(lessons, None)) is not None:
                by_student = self._source.random() < self._by_student
                source = random.Random(self._source.getrandbits(62))
                playing.append(Playing(lesson, by_student, self._teacher.suicide_in_life, source))
            if not playing:
                return
            self._step(playing)
            for one in [one for one in playing if one.is_over]:
                playing.remove(one)
                if (game := one.finished()) is not None:
                    yield game

    def _step(self, playing: Sequence[Playing]) -> None:
        """A move in every game."""
        labelled = [one for one in playing if one.is_wanted or one.source.random() < self._share]
        marked = {id(one) for one in labelled}
        moved = [one for one in playing if id(one) not in marked and not one.is_told]
        policies: dict[int, NDArray[float32]] = {}
        self._look(labelled, self._turns, policies, is_label=True)
        self._look([one for one in moved if not one.by_student], 1, policies)
        if self._student is not None:
            for one in playing:
                if one.by_student:
                    policies.pop(id(one), None)
            by_student = [one for one in playing if one.by_student and not one.is_told]
            self._look(by_student, 1, policies, network=self._student)
        for one in playing:
            one.move(policies.get(id(one)))

    def _look(
        self, playing: Sequence[Playing], turns: int, policies: dict[int, NDArray[float32]], *,
        is_label: bool = False, network: KataGoEvaluator | None = None,
    ) -> None:  # fmt: skip
        """Ask about positions, each through symmetries of its own."""
        if not playing:
            return
        drawn = [one.source.sample(range(SYMMETRIES), turns) for one in playing]
        is_teacher = network is None
        positions, turns_of = [one.position(is_asked=is_teacher) for one in playing], np.array(drawn, np.int32)
        answer = ask(network or self._teacher, positions, turns_of, self._batch)
        for row, one in enumerate(playing):
            if is_teacher:
                one.settle(answer, row)
            policies[id(one)] = _legal(answer.policy[row], one)
            if is_label:
                answer.policy[row] = policies[id(one)]
                one.label(answer, row)
            if network is None:
                one.judge(answer.value[row])


def _legal(policy: NDArray[float32], playing: Playing) -> NDArray[float32]:
    """A policy without illegal moves."""
    found = np.zeros_like(policy)
    legal = np.asarray(playing.state.legal_moves(), np.int64)
    found[legal] = policy[legal]
    total = float(found.sum())
    if total <= 0:
        found[legal] = 1 / len(legal)
        return found
    return found / np.float32(total)
