"""How a player decides: from a request to a root and limits, through the search, to a move.

The time of a move is one budget: most of it goes to the search, and near the end of a game a part is kept for the
questions that passing raises. How late the answer was is told to the overhead, which keeps the next ones in time.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

from tengen.engine._core import StopToken
from tengen.engine.config import DEFAULT_SECONDS, Config
from tengen.engine.games.base import Game, IllegalMove, Rules, State
from tengen.engine.games.hooks import Choice, FinalStatus, Hooks, Table, View
from tengen.engine.games.players import Level, level_of
from tengen.engine.history import History
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.play.brain import Brain
from tengen.engine.play.choice import MARGIN, Resignation, choose_line, expected
from tengen.engine.play.clock import LEAST, Clock, Clocks, System, TimeControl
from tengen.engine.play.request import MoveRequest
from tengen.engine.search.base import Root

RECENT = 8
"""How many last moves a search is told."""
CALM = 0.12
"""Share of undecided cells below which questions about passing are expected."""
ENDING_SHARE = 0.75
"""Share of a move's time for the search when such questions are expected."""
EXPLORE_PLAYOUTS, EXPLORE_SECONDS = 3000, 1.0
"""Bounds of one side question."""
LEAST_VISITS = 16
"""A side question with fewer visits was not answered: no time, or an interrupt."""
RESIGN_VISITS = 100
"""A search of fewer visits resigns nothing, unless it has proved the loss."""


class Decision(NamedTuple):
    """move: None means resign. info: the search's last report."""

    move: int | None
    info: Info


class LiveGame(Protocol):
    """What deciding needs of a Player."""

    config: Config
    game: Game
    hooks: Hooks
    rules: Rules
    clock: Clocks
    history: History

    def table(self) -> Table: ...


class Budget(NamedTuple):
    """limits of the search; deadline: when the answer is due, None without wall time."""

    limits: Limits
    deadline: float | None


class Decider:
    """Decides for one player; holds what is remembered between its moves."""

    def __init__(self, live: LiveGame, brain: Brain, resignation: Resignation) -> None:
        self._live, self._brain, self._resignation = live, brain, resignation
        self._random = random.Random(live.config.seed)
        self._is_calm = False
        self._stop = StopToken()
        self._judged: tuple[tuple[int, Rules], float, FinalStatus] | None = None

    @property
    def level(self) -> Level:
        """The level in force; without one, full strength and the configured temperature."""
        config = self._live.config
        level = level_of(self._live.game, config.player, config.level) or Level(Limits(), 0.0, MARGIN)
        if config.temperature is not None:
            level = level._replace(temperature=config.temperature, margin=max(level.margin, MARGIN))
        return level._replace(limits=replace(level.limits, playouts=config.playouts or level.limits.playouts))

    def decide(self, request: MoveRequest, stop: StopToken) -> Decision:
        """See `Player.genmove`."""
        self._stop = stop
        clocks = self._live.clock
        started = clocks.monotonic() if request.started is None else request.started
        clock = clocks[request.colour]
        self._brain.rest()
        if request.play:
            clock.start(started)
        self._brain.build()
        if request.fresh:
            self._forget()
        budget = self._budget(request, clock, started)
        try:
            decision = self._decide(request, budget)
            if request.play and decision.move is not None:
                self._live.history.play(request.colour, decision.move)
        finally:
            ended = clocks.monotonic()
            clock.stop(ended)
        if budget.deadline is not None and not stop.is_stopped:
            clocks.overhead.observe(budget.deadline - started, ended - started)
        return decision

    def root(
        self, colour: int, allow: Sequence[int] = (), avoid: Sequence[int] = (), *, is_analysis: bool = False
    ) -> Root:
        """What a search by `colour` starts from. An analysis judges without dynamic komi."""
        live, table = self._live, self._live.table()
        state = live.hooks.search_state(live.history.state, table, colour)
        seen = live.history.seen(live.rules.repetition)
        shift = 0.0 if is_analysis else live.hooks.komi_shift(live.history.state, table)
        return Root(state, seen, live.history.recent(RECENT), allow, avoid, shift)

    def judge(self) -> FinalStatus:
        """The judgement of the current position, made once; the score follows the komi."""
        self._stop = StopToken()
        status = self._judgement(None)
        assert status is not None, "without a deadline there is always time"
        return status

    def _judgement(self, deadline: float | None) -> FinalStatus | None:
        """As `judge`; None when there is no time left to make it."""
        live, table = self._live, self._live.table()
        state = live.history.state
        key, komi = (state.position_key, live.rules), live.hooks.komi(table, state.pass_move)
        if self._judged is None or self._judged[0] != key:
            answers: list[Info] = []

            def explore(other: State) -> Info:
                answers.append(self._explore(other, deadline, questions=2 - len(answers) % 2))
                return answers[-1]

            status = live.hooks.judge(state, table, explore)
            if deadline is not None and any(info.visits < LEAST_VISITS for info in answers):
                return None
            self._judged = (key, komi, status)
        _, old, status = self._judged
        return replace(status, score=status.score + old - komi) if old != komi else status

    def _decide(self, request: MoveRequest, budget: Budget) -> Decision:
        live, table = self._live, self._live.table()
        root = self.root(request.colour, request.allow, request.avoid)
        is_ending = live.hooks.is_ending(root.state, table)
        info = self._brain.think(
            root,
            budget.limits,
            self._stop,
            ownership=request.ownership or is_ending,
            max_lines=request.max_lines,
            on_info=request.on_info,
            interval=request.interval,
        )
        self._note_calm(info)
        if self._is_lost(request, root, info, table):
            return Decision(None, info)
        choice = self._choice(request, root, info, table, budget)
        return Decision(choice.move, replace(info, note=choice.note))

    def _choice(self, request: MoveRequest, root: Root, info: Info, table: Table, budget: Budget) -> Choice:
        """The search's choice, corrected by the game's hooks, always legal and no repetition."""
        live = self._live

        def is_allowed(move: int) -> bool:
            return self._is_allowed(root, move)

        level = self.level
        line = choose_line(info, level.temperature, level.margin, self._random)
        if line is not None:
            view = View(
                root.state,
                table,
                info,
                lambda: self._judgement(budget.deadline),
                lambda state: self._explore(state, budget.deadline),
                is_allowed,
                request.cleanup,
            )
            for choice in (live.hooks.choose(view, line), *(Choice(other.move) for other in info.lines)):
                if is_allowed(choice.move):
                    return choice
        return Choice(self._fallback(root))

    def _is_allowed(self, root: Root, move: int) -> bool:
        state, history, repetition = root.state, self._live.history, self._live.rules.repetition
        if not state.is_legal(move) or move in root.avoid or (root.allow and move not in root.allow):
            return False
        repeats = history.is_repetition(state.to_move, move, "positional" if repetition == "none" else repetition)
        return move == state.pass_move or not repeats

    def _fallback(self, root: Root) -> int:
        """A move without any search: sensible, else a pass, else legal. Raises IllegalMove("game over")."""
        state, live = root.state, self._live
        legal = [move for move in state.legal_moves() if move not in root.avoid]
        self._random.shuffle(legal)
        for move in legal:
            if live.hooks.is_sensible(state, move) and self._is_allowed(root, move):
                return move
        if state.is_legal(state.pass_move):
            return state.pass_move
        if not legal:
            raise IllegalMove("game over")
        return legal[0]

    def _is_lost(self, request: MoveRequest, root: Root, info: Info, table: Table) -> bool:
        """Whether to resign: hopeless for some moves in a row, not early, not while lent komi hides the truth."""
        live, best = self._live, info.best
        if not request.resign or not request.play or best is None or self._stop.is_stopped:
            return False
        is_sure = info.visits >= RESIGN_VISITS or (best.proof is not None and best.proof.result < 0)
        if not is_sure or root.komi_shift or not live.hooks.may_resign(root.state, table):
            return False
        return self._resignation.is_due(request.colour, expected(best), live.config.resign)

    def _budget(self, request: MoveRequest, clock: Clock, started: float) -> Budget:
        """Limits as asked for, else from the clock, else from the configuration."""
        limits = request.limits
        if limits is None:
            is_saving = clock.control.system not in (System.NONE, System.PER_MOVE)
            limits = replace(self.level.limits, seconds=self._seconds(clock), early_stop=is_saving)
        if limits.seconds is None:
            return Budget(limits, None)
        left = limits.seconds - (self._live.clock.monotonic() - started)
        share = ENDING_SHARE if self._expects_questions() else 1.0
        return Budget(replace(limits, seconds=max(LEAST, left * share)), started + limits.seconds)

    def _seconds(self, clock: Clock) -> float | None:
        """Seconds for this move from the clock and `config.time`; None when only a count bounds it."""
        live = self._live
        history = live.history
        moves_left = live.hooks.moves_left(history.state, len(history.moves))
        seconds = clock.budget(moves_left, self._brain.seconds_to_solve(history.state))
        fixed = live.config.time
        if fixed is None and seconds is None and not self.level.limits.is_counted:
            fixed = DEFAULT_SECONDS
        if fixed is None:
            return seconds
        own = Clock(TimeControl.per_move(fixed), live.clock.overhead).budget(1)
        return own if seconds is None or own is None else min(seconds, own)

    def _expects_questions(self) -> bool:
        live = self._live
        return live.hooks.is_ending(live.history.state, live.table()) and (
            self._is_calm or live.table().passes(live.history.state.pass_move) > 0
        )

    def _note_calm(self, info: Info) -> None:
        undecided = sum(abs(value) < 0.75 for value in info.ownership)
        self._is_calm = bool(info.ownership) and undecided <= CALM * len(info.ownership)

    def _explore(self, state: State, deadline: float | None, questions: int = 1) -> Info:
        """A short search of a side question, as one of several; an empty Info when there is no time."""
        playouts = min(EXPLORE_PLAYOUTS, max(200, self.level.limits.playouts or EXPLORE_PLAYOUTS))
        seconds = EXPLORE_SECONDS
        if deadline is not None:
            left = deadline - self._live.clock.monotonic()
            if left < LEAST:
                return Info(to_move=state.to_move)
            seconds = min(seconds, 0.9 * left / questions)
        repetition = self._live.rules.repetition
        seen = self._live.history.seen(repetition) if repetition != "none" else ()
        root = Root(state, seen)
        info = self._brain.explore(root, Limits(seconds=seconds, playouts=playouts), self._stop)
        return info if info.visits >= LEAST_VISITS else Info(to_move=state.to_move)

    def _forget(self) -> None:
        """Nothing of earlier moves may matter."""
        self._brain.forget()
        self._random = random.Random(self._live.config.seed)
        self._is_calm, self._judged = False, None
