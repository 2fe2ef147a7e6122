"""Who sits at a board: a person, a player of ours, or another program. All but a person decide by themselves."""

from __future__ import annotations

import asyncio
import shlex
import threading
from abc import ABC, abstractmethod
from collections.abc import Coroutine
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from tengen.engine.config import Config, ConfigError
from tengen.engine.games.base import BLACK, Game
from tengen.engine.games.naming import player_of
from tengen.engine.info import Info
from tengen.engine.play.live_game import LiveGame
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.tools.play.strength import kept_strength

if TYPE_CHECKING:
    from tengen.tools.match.drivers.base import Driver

T = TypeVar("T")
PERSON = "person"
SECONDS = 3.0
"""For a move of ours, and of a program that is told no other time, where nothing else bounds it."""


class SeatError(RuntimeError):
    """A program at the board that does not play on; the message is one sentence."""


@dataclass(frozen=True)
class Answer:
    """What was decided. move: None to resign. info: of a search of ours. notice: a sentence for people, or ""."""

    move: int | None
    info: Info | None = None
    notice: str = ""


class Seat(ABC):
    """One side of a board. One thread at a time asks; `interrupt` may come from any."""

    name = ""
    is_person = False

    @abstractmethod
    def decide(self, live: LiveGame) -> Answer:
        """A move for the side that is to move; nothing is played. Raises SeatError."""

    def interrupt(self) -> None:  # noqa: B027  most have nothing to do
        """Answer now."""

    def close(self) -> None:  # noqa: B027
        """Leave the board."""


class Person(Seat):
    """Somebody who types, clicks or points."""

    is_person = True

    def __init__(self, name: str = "") -> None:
        self.name = name

    def decide(self, live: LiveGame) -> Answer:
        raise SeatError("a person decides alone")


class Own(Seat):
    """A player of ours; it follows the game that it is asked about."""

    def __init__(self, config: Config) -> None:
        """Raises ConfigError."""
        self.player = Player(config, is_lenient=True)
        self.name = self._name()

    @property
    def level(self) -> int | None:
        """The level that it plays at; None: full strength."""
        return self.player.config.level

    @property
    def rank(self) -> str | None:
        """The rank of people that it plays at; None: none."""
        return self.player.config.rank

    def set_strength(self, level: int | None, rank: str | None = None) -> None:
        """Play at another level or rank from now on. Raises ConfigError for one that it does not have."""
        self.player.configure(replace(self.player.config, level=level, rank=rank))
        self.name = self._name()

    def decide(self, live: LiveGame) -> Answer:
        follow(self.player, live)
        decision = self.player.genmove(MoveRequest(live.state.to_move, play=False))
        return Answer(decision.move, decision.info, decision.notice)

    def interrupt(self) -> None:
        self.player.interrupt()

    def close(self) -> None:
        self.player.close()

    def _name(self) -> str:
        kind, _ = player_of(self.player.game, self.player.config.player)
        if self.rank is not None:
            return f"Tengen {kind} {self.rank}"
        return f"Tengen {kind}" if self.level is None else f"Tengen {kind} level {self.level}"


class Program(Seat):
    """Another program, driven over its protocol as in matches, by an event loop in a thread of its own."""

    def __init__(self, table: dict[str, Any], game: str) -> None:
        """table: as `tengen match --engine` has it. Raises ConfigError; the program starts when it is first asked."""
        from tengen.tools.match.drivers import make_driver
        from tengen.tools.match.settings.engine import engine

        self._spec = engine(table, game)
        self._driver: Driver = make_driver(self._spec)
        self.name = self._spec.name
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"engine {self.name}", daemon=True)
        self._thread.start()

    def decide(self, live: LiveGame) -> Answer:
        from tengen.tools.match.drivers.base import EngineFault

        try:
            return self._wait(self._decide(live))
        except EngineFault as fault:
            self._wait(self._driver.kill())
            raise SeatError(f"{self.name} {fault.sentence}") from None

    def interrupt(self) -> None:
        asyncio.run_coroutine_threadsafe(self._driver.stop(), self._loop)

    def close(self) -> None:
        if self._loop.is_running():
            self._wait(self._driver.quit())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(5)

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _decide(self, live: LiveGame) -> Answer:
        from tengen.tools.match.clock import Clock
        from tengen.tools.match.drivers.base import EngineFault, Turn
        from tengen.tools.match.notation import move_of
        from tengen.tools.match.spec import Reason, TimeSpec

        driver = self._driver
        if not driver.is_running:
            await driver.start()
        clock = Clock(self._spec.time or TimeSpec(movetime=SECONDS, margin=60.0))
        await self._follow(live, clock)
        thought = await driver.think(Turn(clock, clock))
        if thought.is_resignation:
            return Answer(None)
        try:
            move = move_of(live.game.name, live.state, thought.move)
            if not is_allowed(live, move):
                raise ValueError("the rules forbid it")
        except ValueError as error:
            raise EngineFault(Reason.ILLEGAL, f"played {thought.move[:20]}: {error}") from None
        return Answer(move)

    async def _follow(self, live: LiveGame, clock: Any) -> None:
        """Bring it to the position, by a new game: not every protocol takes moves back."""
        from tengen.tools.match.openings.start import texts_of
        from tengen.tools.match.spec import GameSpec, Opening

        start = live.history.start
        texts = list(texts_of(start, live.game.name, [move for _, move in live.moves]))
        spec = GameSpec(live.game.name, start.width, live.rules.name, live.komi)
        is_first = live.state.to_move == BLACK
        await self._driver.new_game(spec, Opening("", tuple(texts), _position(live)), is_first, clock)
        first = start.to_move == BLACK
        for number, text in enumerate(texts):
            await self._driver.play(first == (number % 2 == 0), text)


def is_allowed(live: LiveGame, move: int) -> bool:
    """Whether the side to move may play it, repetition included."""
    state = live.state
    return state.is_legal(move) and not live.history.is_repetition(state.to_move, move, live.rules.repetition)


def follow(player: Player, live: LiveGame) -> None:
    """Bring a player to the position of a game, keeping what it searched where the game only went on."""
    if player.rules != live.rules:
        player.set_rules(live.rules)
    if player.komi != live.komi:
        player.set_komi(live.komi)
    start = live.history.start
    if player.history.start.state_key != start.state_key or player.state.width != start.width:
        player.new_game(start.width, start.height)
        if player.history.start.state_key != start.state_key:
            player.begin(start.copy())
    known, wanted = player.moves, live.moves
    shared = next((at for at, (one, other) in enumerate(zip(known, wanted, strict=False)) if one != other), None)
    shared = min(len(known), len(wanted)) if shared is None else shared
    if len(known) > shared:
        player.undo(len(known) - shared)
    for colour, move in wanted[shared:]:
        player.play(colour, move)


def seat_of(text: str, game: Game, base: Config) -> Seat:
    """Who is meant by "person", a player's name ("uct", "alphabeta:3" at level 3, "puct:5k" at a rank), a command line
    ("gnugo --mode gtp") or the words of a match's engine ("cmd=stockfish proto=uci tc=move=1"). Raises ValueError with
    one sentence."""
    words = text.split(None, 1)
    if not words:
        raise ConfigError("an opponent has a name: a player of ours, or the command line of a program")
    if text in (PERSON, "me"):
        return Person()
    name, colon, strength = text.partition(":")
    entry = game.players.get(name)
    if entry is not None and (not colon or strength.isdigit() or strength.lower() in entry.ranks):
        config = replace(base, game=game.name, player=name)
        if not colon:
            return Own(kept_strength(config, entry))
        is_level = strength.isdigit()
        return Own(replace(config, level=int(strength) if is_level else None, rank=None if is_level else strength))
    if "=" not in words[0] and len(words) == 1 and not _is_program(text):
        player_of(game, text)  # says which players there are
    try:
        table = table_of_words(text)
    except ValueError as error:
        raise ConfigError(f"'{text}' is no command line: {error}") from None
    return Program(table, game.name)


def table_of_words(text: str) -> dict[str, Any]:
    """The table of a match's engine, from its words or from a command line alone. Raises ValueError."""
    from tengen.tools.match.settings.engine import engine_table, full

    return full(engine_table(shlex.split(text))) if "=" in text.split(None, 1)[0] else {"command": text}


def _is_program(text: str) -> bool:
    from shutil import which

    return which(shlex.split(text)[0]) is not None


def _position(live: LiveGame) -> str | None:
    """The start of a game as its own text of positions; None for the usual one."""
    from tengen.tools.play.record import record_of

    record = record_of(live)
    if record.position:
        return record.position
    if record.setup is None or live.game.conventions.position is None:
        return None
    from tengen.engine.records import get_format

    return get_format(live.game.conventions.position).dumps(replace(record, moves=())).strip()
