"""XBoard's protocol, version 2: chess. Moves are told in force mode and every own one is asked for by `go`, so that an
engine thinks only when its clock runs.

The engine has to have the features ping and, for openings that are positions, setboard. It may write moves as SAN; the
position is kept for that. Scores become 2 / (1 + exp(-cp / 200)) - 1, a mate +-1.
"""

from __future__ import annotations

import math
import re

from tengen.engine.games.chess.game import CHESS
from tengen.engine.games.chess.text import START
from tengen.protocols.chess.position import Position, Unusable
from tengen.protocols.xboard import notation
from tengen.tools.match.clock import Clock
from tengen.tools.match.drivers.base import (
    ANSWER_TIME,
    START_TIME,
    Driver,
    EngineFault,
    Thought,
    Turn,
    first_word,
    whole,
)
from tengen.tools.match.spec import Opening, Reason

MOST_NOISE = 1_000_000
MATE = 100_000
_FEATURE = re.compile(r'(\w+)=("[^"]*"|\S+)')
_THINKING = re.compile(r"\s*(\d{1,9})\S?\s+([+-]?)(\d{1,9})\s+-?\d+\s+(\d{1,18})\b", re.ASCII)
_REFUSAL = re.compile(r"Error.*:\s*go\b|Illegal move", re.IGNORECASE)
_QUIET = (
    "feature", "move", "pong", "Hint:", "offer", "resign", "stat01:", "#", "1-0", "0-1", "1/2-1/2",
    "tellopponent", "tellothers", "tellall", "telluser", "tellics", "tellicsnoalias",
)  # fmt: skip


class XBoardDriver(Driver):
    """One engine of XBoard's protocol."""

    games = ("chess",)
    _ping = 0

    async def _greet(self) -> None:
        asked = self.engine.send("xboard", "protover 2")
        self._features: dict[str, str] = {}
        for _ in range(MOST_NOISE):
            line = await self._line(asked + START_TIME, "protover")
            if first_word(line.text) == "feature":
                found = {key: value.strip('"') for key, value in _FEATURE.findall(line.text)}
                self._features |= found
                self.engine.send(*(f"accepted {key}" for key in found if key != "done"))
                if found.get("done") == "1":
                    break
            self.noise += first_word(line.text) not in (*_QUIET, "")
        else:
            raise EngineFault(Reason.STALL, "says much, but no features")
        if self._features.get("ping") != "1":
            raise EngineFault(Reason.VOID, "lacks the feature ping, so that nobody knows when it is ready")
        self.version = (self._features.get("myname") or self.name, "")
        if self.spec.memory_mb and self._features.get("memory") == "1":
            self.engine.send(f"memory {self.spec.told_mb}")
        self.engine.send(*(f"option {key}={value}" for key, value in self.spec.options.items()), *self.spec.init)
        await self._pong(START_TIME)

    async def _set_up(self, opening: Opening, clock: Clock) -> None:
        spec, is_chess960 = clock.spec, self.game.rules == "chess960"
        if spec.nodes:
            raise EngineFault(Reason.VOID, "cannot be told a number of nodes over XBoard's protocol")
        if is_chess960 and "fischerandom" not in self._features.get("variants", "").split(","):
            raise EngineFault(Reason.VOID, "refuses Chess960: it is none of its variants")
        fen = opening.position or START
        self._position = Position()
        try:
            self._position.begin(fen, is_chess960=is_chess960)
        except Unusable as error:
            raise EngineFault(Reason.VOID, f"cannot be given this position: {error}") from None
        has_position = opening.position is not None or is_chess960
        if has_position and self._features.get("setboard") != "1":
            raise EngineFault(Reason.VOID, "lacks the feature setboard, so that it cannot be given a position")
        self.engine.send(
            "new", *(["variant fischerandom"] if is_chess960 else []), "force", "easy", "post", *_time_control(clock),
            *([f"sd {self.spec.depth}"] if self.spec.depth else []), *([f"setboard {fen}"] if has_position else []),
        )  # fmt: skip
        await self._pong(ANSWER_TIME)

    async def play(self, first: bool, move: str, is_own: bool = False) -> None:
        position = self._position
        found = position.move(move)
        if not is_own:
            word = move if found is None else notation.write(position.state, found)
            self.engine.send(f"usermove {word}" if self._features.get("usermove") == "1" else word)
        if found is not None:
            position.play([found])

    async def think(self, turn: Turn) -> Thought:
        await self._pong(ANSWER_TIME)  # else a late answer of before would count
        self._is_stopped = False
        asked = self.engine.send(*self._clocks(turn), "go")
        report: re.Match[str] | None = None
        for _ in range(MOST_NOISE):
            line = await self._decision(turn, asked, "go")
            word = first_word(line.text)
            if word == "move":
                self.engine.send("force")
                return self._thought((line.text.split()[1:2] or ["?"])[0], line.at - asked, report)
            if word == "resign" or (word in ("1-0", "0-1") and "resign" in line.text):
                return self._thought("", line.at - asked, report)
            if _REFUSAL.match(line.text) and not self._is_stopped:  # else it may not know "?"
                raise EngineFault(Reason.STALL, f"answers with an error: {line.text[:200]}")
            found = _THINKING.match(line.text[:200])
            report = found or report
            self.noise += not found and word not in (*_QUIET, "")
        raise EngineFault(Reason.STALL, "says much, but no move")

    def _thought(self, word: str, seconds: float, report: re.Match[str] | None) -> Thought:
        """The move as the game writes it; one that is not legal as the engine wrote it."""
        move = notation.read(self._position.state, word) if word else None
        text = word if move is None else CHESS.move_to_text(self._position.state, move)
        if report is None:
            return Thought(text, seconds)
        depth, sign, number, nodes = report.groups()
        centipawns = int(number)
        score = 1.0 if centipawns >= MATE else math.tanh(centipawns / 400)
        return Thought(text, seconds, -score if sign == "-" else score, whole(depth), whole(nodes))

    def _clocks(self, turn: Turn) -> list[str]:
        if not turn.own.is_game_clock or self._features.get("time") == "0":
            return []
        return [f"time {_hundredths(turn.own)}", f"otim {_hundredths(turn.other)}"]

    async def stop(self) -> None:
        await super().stop()
        self.engine.send("?")

    async def _pong(self, seconds: float) -> None:
        self._ping += 1
        asked = self.engine.send(f"ping {self._ping}")
        for _ in range(MOST_NOISE):
            line = await self._line(asked + seconds, "ping")
            if line.text.split() == ["pong", str(self._ping)]:
                self.latencies.append(line.at - asked)
                return
            self.noise += first_word(line.text) not in (*_QUIET, "")
        raise EngineFault(Reason.STALL, "says much, but no pong")


def _time_control(clock: Clock) -> list[str]:
    """`level` or `st`; nothing where no time is set."""
    spec = clock.spec
    if spec.movetime is not None:
        return [f"st {spec.movetime:g}"]
    if spec.base is None:
        return []
    minutes, seconds = divmod(int(spec.base), 60)
    return [f"level {spec.moves or 0} {minutes}:{seconds:02d} {spec.increment:g}"]


def _hundredths(clock: Clock) -> int:
    return max(1, int(100 * clock.remaining))
