"""The referee of one game: asks, takes the time at the pipe, judges, and tells whose fault an early end is.

Time is tested before legality. An engine that crashed or hangs is killed with all that it started, and is started
anew when the next game begins. What goes wrong before the first move is nobody's loss: the game is void.
"""

from __future__ import annotations

import asyncio
import hashlib
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from tengen.engine.sentence import printable
from tengen.tools.match.adjudication import adjudge
from tengen.tools.match.adjudication.base import Sight
from tengen.tools.match.clock import Clock
from tengen.tools.match.drivers.base import Driver, EngineFault, Thought, Turn
from tengen.tools.match.game.judge import DRAW, GoJudge, IllegalMove, Judge, Outcome
from tengen.tools.match.game.judges import make_judge
from tengen.tools.match.game.seat import Seat, loss
from tengen.tools.match.notation import to_vertex
from tengen.tools.match.spec import GameResult, GameSpec, GameTask, MoveRecord, Reason, TimeSpec


@dataclass(frozen=True)
class End:
    """An outcome and the engine whose fault it is."""

    outcome: Outcome
    culprit: str | None = None


class Referee:
    """One game between two drivers. grace, patience: see Turn. arbiter: a GTP driver for dead stones; without its
    word the game is void."""

    def __init__(
        self,
        task: GameTask,
        game: GameSpec,
        drivers: tuple[Driver, Driver],
        times: tuple[TimeSpec, TimeSpec],
        *,
        grace: float = 2.0,
        patience: float = 600.0,
        arbiter: Driver | None = None,
    ) -> None:
        self.task, self.game, self.arbiter = task, game, arbiter
        self.grace, self.patience = grace, patience
        self.seats = tuple(
            Seat(driver, Clock(driver.spec.time or spec), first)
            for driver, spec, first in zip(drivers, times, (True, False), strict=True)
        )
        self.judge: Judge = make_judge(game, task.opening)
        self.moves: list[MoveRecord] = []
        self.texts: list[str] = list(task.opening.moves)

    async def play(self) -> GameResult:
        """Play the game to its end. Raises nothing that an engine does."""
        started, begin = datetime.now(UTC), time.monotonic()
        for seat in self.seats:
            seat.driver.latencies.clear()
            end = await self._prepare(seat)
            if end is not None:
                return self._result(end, started, begin)
        return self._result(await self._until_end(), started, begin)

    async def _prepare(self, seat: Seat) -> End | None:
        """Have the engine ready at the position after the opening; a dead one is started anew, once."""
        driver = seat.driver
        if driver.spec.restart and driver.is_running:
            await driver.quit()
        for attempt in (0, 1):
            was_running = driver.is_running
            try:
                if not was_running:
                    await driver.kill()
                    await driver.start()
                game = replace(self.game, size=self.game.size or _size_of(self.judge))
                await driver.new_game(game, self.task.opening, seat.is_first, seat.clock)
                await self._open(driver)
                return None
            except EngineFault as fault:
                await driver.kill()
                if attempt or not was_running or fault.reason is Reason.VOID:
                    return End(Outcome("*", Reason.VOID, fault.sentence), driver.name)
        return None

    async def _open(self, driver: Driver) -> None:
        judge = make_judge(self.game, replace(self.task.opening, moves=()))
        for move in self.task.opening.moves:
            first = judge.is_first_to_move
            await driver.play(first, judge.play(move))

    async def _until_end(self) -> End:
        while True:
            outcome = self.judge.outcome()
            if outcome is not None:
                return End(outcome)
            if isinstance(self.judge, GoJudge) and self.judge.is_stopped:
                return await self._settle(self.judge)
            if self.judge.length >= self.judge.longest:
                return End(self.judge.at_length())
            seat, other = self._to_move()
            end = await self._guarded(seat, other)
            if end is not None:
                return end
            outcome = self._adjudged(seat, other)
            if outcome is not None and self.judge.outcome() is None:
                return End(outcome)

    def _adjudged(self, seat: Seat, other: Seat) -> Outcome | None:
        """The end of the game by the rules of adjudication, after a move by `seat`."""
        if not self.game.adjudication:
            return None
        judge = self.judge
        sight = Sight(self.game.game, judge.state, judge.length, seat.is_first, seat.scores, other.scores)
        verdict = adjudge(self.game.adjudication, sight)
        if verdict is None:
            return None
        if verdict.winner is None:
            return Outcome(DRAW, Reason.ADJUDICATED, verdict.detail)
        return loss(other if verdict.winner == "own" else seat, Reason.ADJUDICATED, verdict.detail)

    def _to_move(self) -> tuple[Seat, Seat]:
        first, second = self.seats
        return (first, second) if self.judge.is_first_to_move else (second, first)

    async def _guarded(self, seat: Seat, other: Seat, is_cleanup: bool = False) -> End | None:
        """One move; a fault ends the game."""
        driver = seat.driver
        try:
            forced = self.judge.forced()
            if forced is not None:
                self._accept(seat, self.judge.play(forced), None)
                await driver.play(seat.is_first, forced)
            else:
                end = await self._move(seat, other, is_cleanup)
                if end is not None:
                    return end
        except EngineFault as fault:
            return await self._blame(seat, other, fault)
        try:
            await other.driver.play(seat.is_first, self.texts[-1])
        except EngineFault as fault:
            return await self._blame(other, seat, fault)
        return None

    async def _move(self, seat: Seat, other: Seat, is_cleanup: bool) -> End | None:
        """Ask for a move and judge it: time, then legality."""
        driver, clock = seat.driver, seat.clock
        turn = Turn(clock, other.clock, self.grace, self.patience)
        before = driver.engine.cpu()
        thought = await (driver.cleanup(turn) if is_cleanup else driver.think(turn))
        after = driver.engine.cpu()
        cpu = None if before is None or after is None else max(0.0, after - before)
        used = cpu if clock.spec.clock == "cpu" and cpu is not None else thought.seconds
        limit = clock.limit()
        if not clock.spend(used):
            words = f"used {used:.3f} s of {limit:.3f} s" + (f" and played {thought.move[:20]}" if thought.move else "")
            return End(loss(seat, Reason.TIME, words), driver.name)
        if thought.is_resignation:
            return End(loss(seat, Reason.RESIGN, ""))
        try:
            text = self.judge.play(thought.move)
        except IllegalMove as error:
            return End(loss(seat, Reason.ILLEGAL, f"played {thought.move[:40]}: {error}"), driver.name)
        self._accept(seat, text, thought, cpu)
        await driver.play(seat.is_first, text, is_own=True)
        return None

    def _accept(self, seat: Seat, text: str, thought: Thought | None, cpu: float | None = None) -> None:
        text = sys.intern(text)  # a long run keeps millions of them
        self.texts.append(text)
        if thought is None:
            self.moves.append(MoveRecord(text, 0.0))
            return
        rounded = None if cpu is None else round(cpu, 4)
        score = None if thought.score is None else round(thought.score, 4)
        self.moves.append(MoveRecord(text, thought.seconds, rounded, score, thought.depth, thought.nodes))
        seat.scores.append(score)

    async def _blame(self, seat: Seat, other: Seat, fault: EngineFault) -> End:
        """End the game by a fault. Both dead at once is not an engine's doing."""
        reason, words, process = fault.reason, fault.sentence, seat.driver.process
        if reason is Reason.CRASH:
            await asyncio.sleep(0.05)  # whether the other is gone too
            words = words if process is None else await process.final_ending()
        if reason in (Reason.CRASH, Reason.STALL) and process is not None and process.is_out_of_memory:
            reason, words = Reason.MEMORY, f"{words}: memory_mb={process.spec.memory_mb} is not enough"
        if reason is Reason.CRASH and not other.driver.is_running:
            reason = Reason.VOID
        if reason in (Reason.CRASH, Reason.STALL, Reason.MEMORY, Reason.VOID):
            await seat.driver.kill()
        if reason is Reason.VOID:
            return End(Outcome("*", Reason.VOID, f"both engines ended: {seat.driver.name} {fault.sentence}"))
        return End(loss(seat, reason, words), seat.driver.name)

    async def _settle(self, judge: GoJudge) -> End:
        """Count a Go board after two passes, dead stones taken off as the match says."""
        how = self.game.cleanup
        if how == "arbiter" and self.arbiter is not None:
            try:
                return End(judge.count(await self._ask_arbiter(self.arbiter)))
            except EngineFault as fault:  # a count without it would be another match
                await self.arbiter.kill()
                return End(Outcome("*", Reason.VOID, fault.sentence), self.arbiter.name)
        if how != "friendly":
            return End(judge.count())
        opinions = []
        for seat, other in (self.seats, self.seats[::-1]):
            try:
                opinions.append(await seat.driver.dead_stones())
            except EngineFault as fault:
                return await self._blame(seat, other, fault)
        if opinions[0] is not None and opinions[0] == opinions[1]:
            return End(judge.count(opinions[0]))
        return await self._play_out(judge)

    async def _play_out(self, judge: GoJudge) -> End:
        """Go on until both pass again: then every stone on the board is alive."""
        judge.resume()
        while not judge.is_stopped:
            if judge.length >= judge.longest:
                return End(judge.at_length())
            seat, other = self._to_move()
            end = await self._guarded(seat, other, is_cleanup=True)
            if end is not None:
                return end
        return End(judge.count())

    async def _ask_arbiter(self, arbiter: Driver) -> frozenset[str]:
        """The dead stones as the arbiter sees them. Raises EngineFault when it does not say."""
        if not arbiter.is_running:
            await arbiter.kill()
            await arbiter.start()
        await arbiter.new_game(
            replace(self.game, size=_size_of(self.judge)), self.task.opening, True, Clock(TimeSpec())
        )
        replayed = make_judge(self.game, replace(self.task.opening, moves=()))
        for text in self.texts:
            await arbiter.play(replayed.is_first_to_move, text)
            replayed.play(text)
        dead = await arbiter.dead_stones()
        if dead is None:
            raise EngineFault(Reason.VOID, "cannot name the dead stones (final_status_list dead)")
        return dead

    def _result(self, end: End, started: datetime, begin: float) -> GameResult:
        task, outcome = self.task, end.outcome
        drivers = [seat.driver for seat in self.seats]
        for driver in drivers:
            if driver.process is not None:
                driver.process.log.flush()
        return GameResult(
            id=task.id,
            pair=task.pair,
            round=task.round,
            seed=task.seed,
            first=task.first,
            second=task.second,
            opening=task.opening.name,
            result=outcome.result,
            reason=outcome.reason,
            culprit=end.culprit,
            detail=printable(f"{end.culprit} {outcome.detail}" if end.culprit else outcome.detail),
            moves=tuple(self.moves),
            plies=self.judge.length,
            start=started.isoformat(timespec="seconds"),
            seconds=round(time.monotonic() - begin, 3),
            score=outcome.score,
            latency={driver.name: _latency(driver.latencies) for driver in drivers if driver.latencies},
            versions={driver.name: driver.version for driver in drivers},
            hash=digest(self.game, task.opening.position, self.texts),
        )


async def play_game(
    task: GameTask,
    game: GameSpec,
    first: Driver,
    second: Driver,
    times: tuple[TimeSpec, TimeSpec],
    *,
    grace: float = 2.0,
    patience: float = 600.0,
    arbiter: Driver | None = None,
) -> GameResult:
    """Play one game. The drivers stay running for the next one unless they failed. times: of the first and the second
    player, where their spec names none. Raises ValueError for a game or an opening that does not fit the rules."""
    referee = Referee(task, game, (first, second), times, grace=grace, patience=patience, arbiter=arbiter)
    return await referee.play()


def digest(game: GameSpec, position: str | None, moves: Sequence[str]) -> str:
    """A key of a game's moves: equal for duplicates, those of earlier folders with Gomoku's moves as GTP's too."""
    text = "\n".join([game.game, str(game.size), position or "", *(to_vertex(game.game, move) for move in moves)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _latency(seconds: Sequence[float]) -> tuple[float, float]:
    return round(statistics.median(seconds) * 1000, 3), round(max(seconds) * 1000, 3)


def _size_of(judge: Judge) -> int:
    state = getattr(judge, "state", None)
    return int(state.width) if state is not None else 8
