"""Questions beside the game: what follows from another position, and how this one would be judged."""

from __future__ import annotations

from typing import NamedTuple

from tengen.engine._core import StopToken
from tengen.engine.games.base import Rules, State
from tengen.engine.games.hooks import FinalStatus
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.play.clock import LEAST
from tengen.engine.play.searches import Searches
from tengen.engine.play.situation import Situation
from tengen.engine.search.base import Root

EXPLORE_PLAYOUTS, EXPLORE_SECONDS = 3000, 1.0
"""Bounds of one side question."""


class SideQuestions(NamedTuple):
    """Short searches of positions beside the game; `stop` ends them, and they end in time for the deadline."""

    searches: Searches
    now: Situation
    stop: StopToken
    deadline: float | None = None

    def ask(self, state: State, questions: int = 1) -> Info:
        """Search a position as one of several questions; an empty Info when there is no time."""
        now = self.now
        playouts = min(EXPLORE_PLAYOUTS, max(200, now.level.limits.playouts or EXPLORE_PLAYOUTS))
        seconds = EXPLORE_SECONDS
        if self.deadline is not None:
            left = self.deadline - now.clocks.monotonic()
            if left < LEAST:
                return Info(to_move=state.to_move)
            seconds = min(seconds, 0.9 * left / questions)
        root = Root(state, now.seen if now.table.rules.repetition != "none" else ())
        return self.searches.explore(root, Limits(seconds=seconds, playouts=playouts), self.stop)


class Judge:
    """Judges positions as if the game ended there, and keeps the last judgement."""

    def __init__(self) -> None:
        self._judged: tuple[tuple[int, Rules], float, FinalStatus] | None = None

    def forget(self) -> None:
        """Judge anew."""
        self._judged = None

    def judge(self, side: SideQuestions) -> FinalStatus | None:
        """The judgement of the position that the questions are beside, made once; the score follows the komi.

        None when one was not answered: no time before their deadline, or the stop.
        """
        status, is_answered = self._judgement(side)
        return status if is_answered else None

    def judge_anyway(self, side: SideQuestions) -> FinalStatus:
        """Judge as `judge`; points without an answer count as open."""
        return self._judgement(side)[0]

    def _judgement(self, side: SideQuestions) -> tuple[FinalStatus, bool]:
        """The judgement, and whether all questions were answered. One that was cut short is not kept."""
        now = side.now
        key, komi = (now.state.position_key, now.table.rules), now.hooks.komi(now.table, now.state.pass_move)
        if self._judged is None or self._judged[0] != key:
            answers: list[Info] = []

            def explore(other: State) -> Info:
                answers.append(side.ask(other, questions=2 - len(answers) % 2))
                return answers[-1]

            status = now.hooks.judge(now.state, now.table, explore)
            is_answered = all(info.visits > 0 for info in answers)
            if not is_answered or side.stop.is_stopped:
                return status, is_answered
            self._judged = (key, komi, status)
        _, old, status = self._judged
        return (status._replace(score=status.score + old - komi) if old != komi else status), True
