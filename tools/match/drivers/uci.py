"""UCI: chess. Our own lines rather than python-chess's, so that time is taken at the pipe and faults are told apart.

Never `go ponder`. Scores follow `info ... score`; centipawns become 2 / (1 + exp(-cp / 200)) - 1, a mate +-1.
"""

from __future__ import annotations

import math
from collections import deque

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
from tengen.tools.match.spec import EngineSpec, Opening, Reason

MOST_NOISE = 1_000_000
KEPT = 20
"""Lines of a report that are read: the last ones."""
_QUIET = ("info", "id", "option", "uciok", "readyok", "copyprotection", "registration", "bestmove")


class UciDriver(Driver):
    """One UCI engine."""

    games = ("chess",)

    async def _greet(self) -> None:
        asked = self.engine.send("uci")
        name = ""
        hash_mb: int | None = None
        for _ in range(MOST_NOISE):
            line = await self._line(asked + START_TIME, "uci")
            words = line.text.split()
            if words[:2] == ["id", "name"]:
                name = " ".join(words[2:])
            if words[:3] == ["option", "name", "Hash"]:
                hash_mb = _hash_mb(words, self.spec)
            if words[:1] == ["uciok"]:
                break
            self.noise += bool(words) and words[0] not in _QUIET
        else:
            raise EngineFault(Reason.STALL, "says much, but no uciok")
        self.version = (name or self.name, "")
        if hash_mb is not None:
            self.engine.send(f"setoption name Hash value {hash_mb}")
        self.engine.send(*(f"setoption name {key} value {value}" for key, value in self.spec.options.items()))
        self.engine.send(*self.spec.init)
        await self._ready(START_TIME)

    async def _set_up(self, opening: Opening, clock: Clock) -> None:
        self._position = "startpos" if opening.position is None else f"fen {opening.position}"
        self._moves: list[str] = []
        if self.game.rules == "chess960":
            self.engine.send("setoption name UCI_Chess960 value true")
        self.engine.send("ucinewgame")
        await self._ready(ANSWER_TIME)

    async def play(self, first: bool, move: str, is_own: bool = False) -> None:
        self._moves.append(move)

    async def think(self, turn: Turn) -> Thought:
        await self._ready(ANSWER_TIME)
        self._is_stopped = False
        moves = f" moves {' '.join(self._moves)}" if self._moves else ""
        asked = self.engine.send(f"position {self._position}{moves}", self._go(turn))
        report = _Report()
        for _ in range(MOST_NOISE):
            line = await self._decision(turn, asked, "go")
            word = first_word(line.text)
            if word == "info":
                report.hear(line.text)
            elif word == "bestmove":
                move = (line.text.split()[1:2] or ["?"])[0]
                return Thought(move, line.at - asked, *report.read())
            else:
                self.noise += bool(word) and word not in _QUIET
        raise EngineFault(Reason.STALL, "says much, but no bestmove")

    def _go(self, turn: Turn) -> str:
        own, other = turn.own, turn.other
        white, black = (own, other) if self.is_first else (other, own)
        words = ["go"]
        if own.is_game_clock:
            words += [f"wtime {_ms(white.remaining)} btime {_ms(black.remaining)}"]
            if white.spec.increment or black.spec.increment:
                words += [f"winc {_ms(white.spec.increment)} binc {_ms(black.spec.increment)}"]
            if own.moves_left:
                words += [f"movestogo {own.moves_left}"]
        if own.spec.movetime is not None:
            words += [f"movetime {_ms(own.spec.movetime)}"]
        if nodes := self.spec.nodes or own.spec.nodes:
            words += [f"nodes {nodes}"]
        if self.spec.depth:
            words += [f"depth {self.spec.depth}"]
        return " ".join(words)

    async def stop(self) -> None:
        await super().stop()
        self.engine.send("stop")

    async def _ready(self, seconds: float) -> None:
        asked = self.engine.send("isready")
        for _ in range(MOST_NOISE):
            line = await self._line(asked + seconds, "isready")
            if line.text.strip() == "readyok":
                self.latencies.append(line.at - asked)
                return
            self.noise += line.text.split(" ")[0] not in (*_QUIET, "")
        raise EngineFault(Reason.STALL, "says much, but no readyok")


def _hash_mb(option: list[str], spec: EngineSpec) -> int | None:
    """Half of what the engine is told of its memory, within what "option name Hash ... min A max B" allows; None:
    nothing to tell."""
    if not spec.memory_mb or any(key.lower() == "hash" for key in spec.options):
        return None
    bounds = {key: int(value) for key, value in zip(option, option[1:], strict=False) if value.isdecimal()}
    lowest, highest = bounds.get("min", 1), bounds.get("max", spec.told_mb)
    return min(max(spec.told_mb // 2, lowest), highest)


class _Report:
    """The last score, depth and nodes of the main line. An engine may say tens of thousands of lines a move: a few of
    the last ones are kept, and read when the move is there."""

    def __init__(self) -> None:
        self._scored: deque[str] = deque(maxlen=KEPT)
        self._last: deque[str] = deque(maxlen=KEPT)

    def hear(self, text: str) -> None:
        """Take one `info` line; other lines of multi-PV are left out."""
        at = text.find("multipv")
        if at >= 0 and text[at + 7 : at + 12].split()[:1] != ["1"]:
            return
        self._last.append(text)
        if "score" in text:
            self._scored.append(text)

    def read(self) -> tuple[float | None, int | None, int | None]:
        """Score, depth and nodes, each as the last line has it that has any."""
        score: float | None = None
        depth = nodes = None
        for fields in map(_fields, (*self._scored, *self._last)):
            score = _score(fields, score)
            depth = whole(fields.get("depth", "")) or depth
            nodes = whole(fields.get("nodes", "")) or nodes
        return score, depth, nodes


def _fields(text: str) -> dict[str, str]:
    """Each word of a line with the one behind it, up to free text."""
    words = text.split()
    if "string" in words:
        words = words[: words.index("string")]
    return dict(zip(words, words[1:], strict=False))


def _score(fields: dict[str, str], known: float | None) -> float | None:
    """What a line says, else what was known before."""
    for unit in ("cp", "mate") if "score" in fields else ():
        text = fields.get(unit, "")
        value = whole(text.lstrip("-"))
        if value is not None:
            signed = -value if text.startswith("-") else value
            known = math.tanh(signed / 400) if unit == "cp" else math.copysign(1.0, signed or -1)
    return known


def _ms(seconds: float | None) -> int:
    return max(1, int((seconds or 0) * 1000))
