"""Decisions of a player: from a request to a root and a budget, through the search, to a move.

How late the answer was is told to the overhead, which keeps the next ones in time.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from tengen.engine._core import StopToken
from tengen.engine.games.hooks import FinalStatus, View
from tengen.engine.info import Info
from tengen.engine.play.budget import Budget, budget_of
from tengen.engine.play.choice import Human, choose
from tengen.engine.play.human_network import Asked, ask_people
from tengen.engine.play.opening import Openings
from tengen.engine.play.request import MoveRequest
from tengen.engine.play.resignation import Resignation
from tengen.engine.play.running import Watch, run
from tengen.engine.play.searches import Searches
from tengen.engine.play.side_questions import Judge, SideQuestions
from tengen.engine.play.situation import Situation

CALM = 0.12
"""Share of undecided cells below which questions about passing are expected."""


class Decision(NamedTuple):
    """move: None means resign. info: the search's last report. notice: a sentence for the user, "" for none."""

    move: int | None
    info: Info
    notice: str = ""


class Decider:
    """Decides for one player; holds its memory between moves."""

    def __init__(self, searches: Searches, openings: Openings, seed: int | None) -> None:
        self._searches, self._openings = searches, openings
        self._judge, self._resignation = Judge(), Resignation()
        self._random = random.Random(seed)
        self._is_calm = False
        self._human_notice = ""

    def decide(self, now: Situation, request: MoveRequest, stop: StopToken) -> Decision:
        """See `Player.genmove`; nothing is played here. `stop` ends every search of it."""
        clocks, clock = now.clocks, now.clocks[request.colour]
        begun = clocks.monotonic()
        started = begun if request.started is None else request.started
        self._searches.rest()
        if request.play:
            clock.start(started)
        self._searches.main()
        if request.fresh:
            self._forget(now.config.seed)
        budget = budget_of(now, request, started, self._searches, is_calm=self._is_calm)
        try:
            decision = self._decide(now, request, budget, stop)
        finally:
            ended = clocks.monotonic()
            clock.stop(ended)
        if budget.deadline is not None and not stop.is_stopped:
            clocks.overhead.observe(budget.deadline - started, ended - started, begun - started)
        return decision

    def judge(self, now: Situation, stop: StopToken) -> FinalStatus:
        """The judgement of the position, made once; `stop` cuts it short."""
        self._searches.rest()
        return self._judge.judge_anyway(SideQuestions(self._searches, now, stop))

    def lose_track(self) -> None:
        """The position did not come from the last one by a move: no row of moves goes on."""
        self._resignation.reset()

    def _decide(self, now: Situation, request: MoveRequest, budget: Budget, stop: StopToken) -> Decision:
        root = now.root(request.colour, request.allow, request.avoid, request.held_back)
        known = self._openings.choose(now, request, root, self._random)
        if known is not None:
            return Decision(known.lines[0].move, known)
        asked = ask_people(now.config, root, self._random)
        is_ending = now.hooks.is_ending(root.state, now.table)
        watch = Watch(request.on_info, request.interval, request.ownership or is_ending, request.max_lines)
        info = run(self._searches.main(), root, budget.limits, stop, watch)
        self._note_calm(info)
        is_guided = self._searches.is_guided
        if is_guided:
            root = root._replace(komi_shift=0.0)  # which the network was not told
        may_resign = request.resign and request.play and not stop.is_stopped
        if may_resign and self._resignation.is_due(now, root, info, is_guided=is_guided):
            return Decision(None, info, self._notice)
        side = SideQuestions(self._searches, now, stop, budget.deadline)
        view = View(
            root.state,
            now.table,
            info,
            judge=lambda: self._judge.judge(side),
            explore=side.ask,
            is_allowed=lambda move: now.is_allowed(root, move),
            cleanup=request.cleanup,
            ending=None if self._searches.has_owners or not is_ending else side.ask(root.state),
        )
        human = None
        if asked is not None:
            human, self._human_notice = self._heard(asked, budget, now, stop)
        choice = choose(view, now, root, self._random, human)
        if choice.note != info.note:
            info = info._replace(note=choice.note)
        return Decision(choice.move, info, self._notice)

    def _heard(self, asked: Asked, budget: Budget, now: Situation, stop: StopToken) -> tuple[Human | None, str]:
        """What a human network says in the time that is left."""
        left = None if budget.deadline is None else budget.deadline - now.clocks.monotonic()
        seen, notice = asked.answer(left, stop)
        return (None if seen is None else Human(seen.shares, asked.how)), notice

    @property
    def _notice(self) -> str:
        return self._openings.notice or self._human_notice or self._searches.notice

    def _note_calm(self, info: Info) -> None:
        undecided = sum(abs(value) < 0.75 for value in info.ownership)
        self._is_calm = bool(info.ownership) and undecided <= CALM * len(info.ownership)

    def _forget(self, seed: int | None) -> None:
        """Nothing of earlier moves may matter."""
        self._searches.forget()
        self._random = random.Random(seed)
        self._is_calm = False
        self._judge.forget()
