"""The interface of a driver for the referee, for any protocol, and common parts of the drivers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tengen.engine.sentence import printable
from tengen.tools.engines.pipes import Line
from tengen.tools.match.clock import Clock
from tengen.tools.match.drivers.process import EngineFault, EngineProcess
from tengen.tools.match.spec import EngineSpec, GameSpec, Opening, Reason

__all__ = ["Driver", "EngineFault", "Thought", "Turn"]

START_TIME = 60.0
"""Seconds for the first answer: networks are loaded, interpreters compile."""
ANSWER_TIME = 20.0
"""Seconds for a command that needs no thought."""
LONGEST_NAME = 100
"""Letters of what an engine calls itself."""
WORD = 40
"""Letters in which the first word of a line is looked for."""


@dataclass(frozen=True)
class Thought:
    """An engine's decision. move: its text in the game's notation as the engine wrote it, "" for a resignation.
    seconds: from the question to the answer at the pipe. score: -1 to 1, its own view."""

    move: str
    seconds: float
    score: float | None = None
    depth: int | None = None
    nodes: int | None = None

    @property
    def is_resignation(self) -> bool:
        return not self.move


@dataclass(frozen=True)
class Turn:
    """The clocks when a side is to move. grace: seconds after limit and margin until an answer is given up."""

    own: Clock
    other: Clock
    grace: float = 2.0
    patience: float = 600.0
    """Seconds for a move without a limit."""

    @property
    def limit(self) -> float | None:
        """Wall seconds until the flag falls. On the CPU's clock wall time is a watchdog only, four times as long."""
        limit = self.own.limit()
        if limit is None:
            return None
        return limit * (4 if self.own.spec.clock == "cpu" else 1) + self.own.spec.margin


class Driver(ABC):
    """One engine under one protocol. Every method may raise EngineFault; afterwards only `kill` makes sense.

    Moves are text in the game's notation (spec.py). `first` tells which player: the one who moves first in the game.
    """

    games: ClassVar[tuple[str, ...]] = ()

    def __init__(self, spec: EngineSpec, log: Path | None = None) -> None:
        self.spec = spec
        self.log_path = log
        self.process: EngineProcess | None = None
        self._version = (spec.name, "")
        self.latencies: list[float] = []
        """Seconds of answers that need no thought."""
        self.untold = ""
        """The parts of the match that the engine did not get, as the rest of a sentence."""
        self.noise = 0
        """Lines that belong to no answer."""
        self.game = GameSpec("")
        self.is_first = True
        self._is_stopped = False

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def version(self) -> tuple[str, str]:
        """Return the name and version that the engine reports, fit for files and terminals."""
        return self._version

    @version.setter
    def version(self, said: tuple[str, str]) -> None:
        name, version = (printable(text, LONGEST_NAME) for text in said)
        self._version = name, version

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.is_alive

    @property
    def engine(self) -> EngineProcess:
        if self.process is None:
            raise EngineFault(Reason.CRASH, "is not running")
        return self.process

    def plays(self, game: str) -> bool:
        """Whether the protocol has the game."""
        return game in self.games

    async def start(self) -> None:
        """Start the process, greet it, send the init lines."""
        self.process = await EngineProcess.start(self.spec, self.log_path)
        await self._greet()

    async def new_game(self, game: GameSpec, opening: Opening, is_first: bool, clock: Clock) -> None:
        """Set board, rules and time. The opening's moves are played with `play`. Raises EngineFault(VOID) when the
        engine refuses this game."""
        if not self.plays(game.game):
            raise EngineFault(Reason.VOID, f"cannot play {game.game} over {self.spec.protocol}")
        self.game, self.is_first = game, is_first
        await self._set_up(opening, clock)

    @abstractmethod
    async def _greet(self) -> None: ...
    @abstractmethod
    async def _set_up(self, opening: Opening, clock: Clock) -> None: ...
    @abstractmethod
    async def play(self, first: bool, move: str, is_own: bool = False) -> None:
        """Tell a move that was played; is_own: it is this engine's own last answer."""

    @abstractmethod
    async def think(self, turn: Turn) -> Thought:
        """Ask for a move. Raises EngineFault(STALL) when there is no answer in the grace."""

    async def stop(self) -> None:
        """Ask the engine to answer now, where the protocol has words for that."""
        self._is_stopped = True

    async def cleanup(self, turn: Turn) -> Thought:
        """Go after both passed: a move that takes dead stones off, or a pass."""
        return await self.think(turn)

    async def dead_stones(self) -> frozenset[str] | None:
        """Go: the stones that this engine holds for dead; None when it cannot tell."""
        return None

    async def quit(self) -> bool:
        """Say goodbye, wait a little, kill. Whether it left by itself."""
        if self.process is None:
            return True
        try:
            if self.process.is_alive:
                self.process.send(*self._goodbye())
        except EngineFault:
            pass
        left = await self.process.close()
        self.process = None
        return left

    def _goodbye(self) -> Sequence[str]:
        return ("quit",)

    async def kill(self) -> None:
        """End it with everything that it started."""
        if self.process is not None:
            await self.process.kill()
            self.process = None

    async def _line(self, deadline: float, what: str) -> Line:
        """The next line. Raises EngineFault(STALL) at the deadline."""
        try:
            return await self.engine.read(deadline)
        except TimeoutError:
            raise EngineFault(Reason.STALL, f"does not answer {what}") from None

    async def _decision(self, turn: Turn, asked: float, what: str) -> Line:
        """The next line while the engine thinks: stops it when its time is over, gives up after the grace."""
        limit = turn.limit
        if limit is None:
            return await self._line(asked + turn.patience, what)
        if not self._is_stopped:
            try:
                return await self.engine.read(asked + limit)
            except TimeoutError:
                await self.stop()
        return await self._line(asked + limit + turn.grace, what)


def first_word(text: str) -> str:
    """Return the first word of a line; "" of a blank one. Long lines cost no more than short ones."""
    found = text[:WORD].split(None, 1) or text.split(None, 1)
    return found[0] if found else ""


def whole(word: str) -> int | None:
    """A number of an engine's report, if it is one of sane length."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 19 else None


def real(word: str) -> float | None:
    """A finite number of an engine's report, if it is one."""
    try:
        value = float(word)
    except ValueError:
        return None
    return value if abs(value) < 1e12 else None
