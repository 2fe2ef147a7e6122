"""The NBoard protocol, version 2: Reversi. `set game` with the clock in GGF, `move`, `go`, and `ping` to keep step."""

from __future__ import annotations

import re

from tengen.tools.match.clock import Clock
from tengen.tools.match.drivers.base import (
    ANSWER_TIME,
    START_TIME,
    Driver,
    EngineFault,
    Thought,
    Turn,
    first_word,
    real,
    whole,
)
from tengen.tools.match.spec import Opening, Reason

START = "-" * 27 + "O*" + "-" * 6 + "*O" + "-" * 27 + " *"
MOST_NOISE = 100_000
_KNOWN = ("search", "book", "nodestats", "status", "set", "analysis", "learned", "pong")


class NBoardDriver(Driver):
    """One NBoard engine."""

    games = ("reversi",)
    _ping = 0

    async def _greet(self) -> None:
        self.engine.send("nboard 2", *([f"set depth {self.spec.depth}"] if self.spec.depth else []), *self.spec.init)
        await self._pong(START_TIME)

    async def _set_up(self, opening: Opening, clock: Clock) -> None:
        board = START if opening.position is None else board_text(opening.position)
        spec = clock.spec
        if self.spec.nodes or spec.nodes:
            raise EngineFault(Reason.VOID, "cannot be told a number of nodes over NBoard")
        time = f"{_clock_text(spec.base or 0)}/{_clock_text(spec.increment)}/0" if spec.base is not None else "0"
        self.engine.send(f"set game (;GM[Othello]PC[tengen]PB[first]PW[second]RE[?]TI[{time}]TY[8]BO[8 {board}];)")
        await self._pong(ANSWER_TIME)

    async def play(self, first: bool, move: str, is_own: bool = False) -> None:
        used = f"//{self._used:.2f}" if is_own else ""
        self.engine.send(f"move {'PA' if move == 'pass' else move.upper()}{used}")

    _used = 0.0

    async def think(self, turn: Turn) -> Thought:
        await self._pong(ANSWER_TIME)  # else a late answer of before would count
        self._is_stopped = False
        asked = self.engine.send("go")
        last = {"search": "", "nodestats": ""}
        for _ in range(MOST_NOISE):
            line = await self._decision(turn, asked, "go")
            if line.text.startswith("==="):
                self._used = line.at - asked
                search, stats = last["search"].split(), last["nodestats"].split()
                depth = whole(search[4].rstrip("%")) if len(search) > 4 else None
                return _thought(line.text, self._used, depth, whole(stats[1]) if len(stats) > 1 else None)
            word = first_word(line.text)
            if word in last:
                last[word] = line.text
            self.noise += bool(word) and word not in _KNOWN
        raise EngineFault(Reason.STALL, "says much, but no move")

    async def stop(self) -> None:
        await super().stop()
        self._ping += 1
        self.engine.send(f"ping {self._ping}")

    async def _pong(self, seconds: float) -> None:
        self._ping += 1
        asked = self.engine.send(f"ping {self._ping}")
        for _ in range(MOST_NOISE):
            line = await self._line(asked + seconds, "ping")
            if line.text.split() == ["pong", str(self._ping)]:
                self.latencies.append(line.at - asked)
                return
            if line.text.startswith("set myname "):
                self.version = (line.text.split(None, 2)[2], "")
            self.noise += line.text.split(" ")[0] not in (*_KNOWN, "", "===")
        raise EngineFault(Reason.STALL, "says much, but no pong")


def _thought(text: str, seconds: float, depth: int | None, nodes: int | None) -> Thought:
    """`=== MOVE/EVAL/SECONDS`; Edax writes blanks for the slashes."""
    parts = re.split(r"[/\s]+", text[3:].strip(), maxsplit=1)
    word = parts[0].lower()
    evaluation = re.split(r"[/\s]", text[3:].strip())[1:2]
    discs = real(evaluation[0]) if evaluation else None
    score = None if discs is None else max(-1.0, min(1.0, discs / 64))
    return Thought("pass" if word in ("pa", "pas", "--") else word or "?", seconds, score, depth, nodes)


def board_text(position: str) -> str:
    """GGF's board of an OBF position: 64 cells and a side. Raises EngineFault(VOID)."""
    words = position.replace(";", " ").split()
    if len(words) < 2 or len(words[0]) != 64:
        raise EngineFault(Reason.VOID, "cannot be given this position over NBoard")
    signs = str.maketrans("Xx*bB@#OowW-._", "*******OOOO---")
    return f"{words[0].translate(signs)} {words[1].translate(signs)}"


def _clock_text(seconds: float) -> str:
    """GGF: hours:minutes:seconds, or a lone number of seconds; fractions are cut."""
    total = int(seconds)
    return f"{total // 3600:02d}:{total // 60 % 60:02d}:{total % 60:02d}"
