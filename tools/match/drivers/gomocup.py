"""The Gomocup protocol: Gomoku, Renju, Caro. INFO before START's first move, TURN in play, BOARD after an opening.

A refused START is a refused game. Anything that is neither a move nor MESSAGE, DEBUG, OK or ERROR is noise, as
Gomocup's own judge takes it. Evaluations in MESSAGE lines have no common form and are not read.
"""

from __future__ import annotations

import re

from tengen.tools.engines.pipes import Line
from tengen.tools.match.clock import Clock
from tengen.tools.match.drivers.base import ANSWER_TIME, START_TIME, Driver, EngineFault, Thought, Turn
from tengen.tools.match.notation import COLUMNS
from tengen.tools.match.spec import Opening, Reason

RULES = {"": 0, "freestyle": 0, "standard": 1, "renju": 4, "caro": 8, "exact-caro": 9}
NO_LIMIT = 2147483647
_MOVE = re.compile(r"\s*(-?\d{1,4})\s*,\s*(-?\d{1,4})\s*")
MOST_NOISE = 100_000


class GomocupDriver(Driver):
    """One Gomocup engine ("brain")."""

    games = ("gomoku",)

    async def _greet(self) -> None:
        asked = self.engine.send("ABOUT")
        try:
            line = await self._until(asked + START_TIME, "ABOUT", lambda text: "=" in text)
            facts = dict(re.findall(r'(\w+)\s*=\s*"([^"]*)"', line.text))
            self.version = (facts.get("name", self.name), facts.get("version", ""))
        except EngineFault as fault:
            if fault.reason is not Reason.STALL:
                raise
        if self.spec.init:
            self.engine.send(*self.spec.init)

    async def _set_up(self, opening: Opening, clock: Clock) -> None:
        if opening.position is not None:
            raise EngineFault(Reason.VOID, "cannot be given a position over Gomocup")
        rules = self.game.rules
        if rules not in RULES:
            raise EngineFault(Reason.VOID, f"cannot be told the rules {rules} over Gomocup")
        self._moves: list[tuple[bool, str]] = []
        self._told = 0  # moves that the engine knows
        self.engine.drop_waiting()
        asked = self.engine.send(f"START {self.game.size}")
        await self._ok(asked, f"START {self.game.size}")
        spec = clock.spec
        turn = spec.movetime if spec.movetime is not None else spec.base
        nodes = self.spec.nodes or spec.nodes
        limit = NO_LIMIT if turn is None else round(turn * 1000)
        self.engine.send(
            *([f"INFO timeout_turn {limit}"] if turn is not None or nodes else []),  # 0 would be as fast as it can
            f"INFO timeout_match {round((spec.base or 0) * 1000)}",
            f"INFO max_memory {self.spec.told_mb << 20}",
            "INFO game_type 1",
            f"INFO rule {RULES[rules]}",
            *([f"INFO max_node {nodes}"] if nodes else []),
            *([f"INFO max_depth {self.spec.depth}"] if self.spec.depth else []),
            *([f"INFO time_increment {round(spec.increment * 1000)}"] if spec.increment else []),
        )

    async def play(self, first: bool, move: str, is_own: bool = False) -> None:
        self._moves.append((first, move))
        if is_own:
            self._told = len(self._moves)

    async def think(self, turn: Turn) -> Thought:
        self.noise += self.engine.drop_waiting()
        self._is_stopped = False
        left = int(turn.own.remaining * 1000) if turn.own.is_game_clock else NO_LIMIT
        asked = self.engine.send(f"INFO time_left {left}", *self._question())
        self._told = len(self._moves)
        for _ in range(MOST_NOISE):
            line = await self._decision(turn, asked, "with a move")
            found = _MOVE.fullmatch(line.text)
            if found is not None:
                return Thought(cell(int(found[1]), int(found[2]), self.game.size), line.at - asked)
            word = line.text.split(" ")[0].upper()
            if word in ("ERROR", "UNKNOWN") and not self._is_stopped:  # else it may not know YXSTOP
                raise EngineFault(Reason.STALL, f"answers with an error: {line.text[:200]}")
            self.noise += word not in ("MESSAGE", "DEBUG", "")
        raise EngineFault(Reason.STALL, "says much, but no move")

    def _question(self) -> list[str]:
        size = self.game.size
        if not self._moves:
            return ["BEGIN"]
        if self._told == len(self._moves) - 1 and self._told > 0:
            return [f"TURN {point(self._moves[-1][1], size)}"]
        stones = [f"{point(move, size)},{1 if first == self.is_first else 2}" for first, move in self._moves]
        return ["BOARD", *stones, "DONE"]

    async def stop(self) -> None:
        await super().stop()
        self.engine.send("YXSTOP")

    async def _ok(self, asked: float, what: str) -> None:
        line = await self._until(
            asked + ANSWER_TIME, what, lambda text: text.strip().upper()[:2] == "OK" or text.upper().startswith("ERROR")
        )
        self.latencies.append(line.at - asked)
        if not line.text.strip().upper().startswith("OK"):
            raise EngineFault(Reason.VOID, f"refuses {what}: {line.text[:200]}")

    async def _until(self, deadline: float, what: str, is_answer: object) -> Line:
        assert callable(is_answer)
        for _ in range(MOST_NOISE):
            line = await self._line(deadline, what)
            word = line.text.split(" ")[0].upper()
            if word not in ("MESSAGE", "DEBUG") and is_answer(line.text):
                return line
            self.noise += word not in ("MESSAGE", "DEBUG", "")
        raise EngineFault(Reason.STALL, f"says much, but no answer to {what}")

    def _goodbye(self) -> tuple[str, ...]:
        return ("END",)


def cell(x: int, y: int, size: int) -> str:
    """The cell of x from the left and y from the top; one off the board keeps its numbers."""
    if 0 <= x < min(size, len(COLUMNS)) and 0 <= y < size:
        return f"{COLUMNS[x]}{size - y}"
    return f"{x},{y}"


def point(text: str, size: int) -> str:
    """ "x,y" of a cell."""
    return f"{COLUMNS.index(text[0])},{size - int(text[1:])}"
