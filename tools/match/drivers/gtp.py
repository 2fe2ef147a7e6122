"""GTP 2: Go, Gomoku and Reversi. Framing by ids; what an engine offers is read from list_commands.

Rules of Go go by kata-set-rules or kgs-rules where they exist, those of Gomoku by the command line only; time by
kata-time_settings (fischer), kgs-time_settings (byoyomi), else time_settings; nodes by kata-set-param maxVisits. Left
out: scores, which genmove does not tell. Vertices skip the letter I in every game, so Gomoku's are translated.
"""

from __future__ import annotations

import math
import re
import time

from tengen.engine.games import get_game, of_points
from tengen.tools.match.clock import Clock
from tengen.tools.match.drivers.base import ANSWER_TIME, START_TIME, Driver, EngineFault, Thought, Turn, whole
from tengen.tools.match.notation import from_vertex, to_vertex
from tengen.tools.match.spec import Opening, Reason, TimeSpec

_REPLY = re.compile(r"([=?])(\d*)\s*(.*)")
MOVES_AHEAD = 30
"""Moves that a game is taken to last at least, where an engine is told its pace."""
MOST_NOISE = 100_000
"""Lines that belong to no answer, after which a question is given up."""


class Refusal(Exception):
    """The engine answered `?`; the message is its text."""


class GtpDriver(Driver):
    """One GTP engine."""

    commands: frozenset[str] = frozenset()
    _id = 0
    _repeats = False
    """Whether it has repeated the number of a command."""

    def plays(self, game: str) -> bool:
        """GTP has every game whose moves are points."""
        return game in of_points()

    async def _greet(self) -> None:
        self._repeats = False
        name = await self._ask("name", START_TIME)
        self.version = (name or self.name, await self._try("version"))
        self.commands = frozenset((await self._try("list_commands")).split())
        for line in self.spec.init:
            await self._must(line)

    async def _set_up(self, opening: Opening, clock: Clock) -> None:
        game = self.game
        if opening.position is not None:
            raise EngineFault(Reason.VOID, "cannot be given a position over GTP")
        await self._choose_game()
        await self._must(f"boardsize {game.size or 8}")
        await self._must("clear_board")
        if get_game(game.game).conventions.has_komi:
            await self._must(f"komi {game.komi:g}")
            await self._set_rules(game.rules)
        await self._set_time(clock.spec)
        if clock.spec.nodes or self.spec.nodes:
            await self._set_nodes(self.spec.nodes or clock.spec.nodes or 1)

    async def _choose_game(self) -> None:
        """Engines that know several games are told which."""
        if "set_game" in self.commands and self.game.game != "go":
            await self._must(f"set_game {get_game(self.game.game).gogui_id}")

    async def _set_rules(self, rules: str) -> None:
        if not rules:
            return
        try:
            if "kata-set-rules" in self.commands:
                await self._ask(f"kata-set-rules {rules}")
            elif "kgs-rules" in self.commands and rules in ("chinese", "japanese", "aga", "new-zealand"):
                await self._ask(f"kgs-rules {rules.replace('-', '_')}")
        except Refusal as refusal:
            raise EngineFault(Reason.VOID, f"refuses the rules {rules}: {refusal}") from None

    async def _set_time(self, spec: TimeSpec) -> None:
        """Tell the time where the engine can be told. Its refusal is not a fault: its moves are timed anyway."""
        line = _time_line(spec, self.commands)
        if not line:
            return
        try:
            await self._ask(line)
            if spec.movetime is not None and spec.movetime % 1 and line.startswith("time_settings"):
                self.untold = f"is told '{line}' for '{spec}', since it knows whole seconds only"
        except Refusal as refusal:
            self.untold = f"is not told '{spec}': it refuses {line.split()[0]} ({refusal}); its moves are timed anyway"

    async def _set_nodes(self, nodes: int) -> None:
        if "kata-set-param" not in self.commands:
            raise EngineFault(Reason.VOID, "cannot be told a number of nodes over GTP (no kata-set-param)")
        await self._must(f"kata-set-param maxVisits {nodes}")

    async def play(self, first: bool, move: str, is_own: bool = False) -> None:
        if is_own:
            return  # genmove has played it
        try:
            asked = time.monotonic()
            await self._ask(f"play {'b' if first else 'w'} {to_vertex(self.game.game, move)}")
            self.latencies.append(time.monotonic() - asked)
        except Refusal as refusal:
            if move.lower() != "pass" or get_game(self.game.game).passes != "forced":  # some pass by themselves
                raise EngineFault(Reason.ILLEGAL, f"refuses the legal move {move}: {refusal}") from None

    async def think(self, turn: Turn) -> Thought:
        return await self._generate("genmove", turn)

    async def cleanup(self, turn: Turn) -> Thought:
        has = "kgs-genmove_cleanup" in self.commands
        return await self._generate("kgs-genmove_cleanup" if has else "genmove", turn)

    async def _generate(self, command: str, turn: Turn) -> Thought:
        colour = "b" if self.is_first else "w"
        if turn.own.is_game_clock and "time_left" in self.commands:
            is_paced = "kata-time_settings" not in self.commands
            await self._try(_time_left(colour, turn.own, is_paced))
            await self._try(_time_left("w" if self.is_first else "b", turn.other, is_paced))
        question = f"{command} {colour}"
        self.noise += self.engine.drop_waiting()
        self._is_stopped = False
        asked = self._send(question)
        try:
            text, at = await self._reply(question, asked, turn)
        except Refusal as refusal:
            raise EngineFault(Reason.STALL, f"answers {question} with an error: {refusal}") from None
        word = text.split()[0] if text.split() else "?"
        return Thought("" if word.lower() == "resign" else from_vertex(self.game.game, word), at - asked)

    async def dead_stones(self) -> frozenset[str] | None:
        if "final_status_list" not in self.commands:
            return None
        try:
            return frozenset((await self._ask("final_status_list dead", 60.0)).upper().split())
        except Refusal:
            return None

    def _send(self, command: str) -> float:
        self._id += 1
        return self.engine.send(f"{self._id} {command}")

    async def _ask(self, command: str, seconds: float = ANSWER_TIME) -> str:
        """The answer's text. Raises Refusal."""
        return (await self._reply(command, self._send(command), seconds))[0]

    async def _try(self, command: str) -> str:
        try:
            return await self._ask(command)
        except Refusal:
            return ""

    async def _must(self, command: str) -> str:
        try:
            return await self._ask(command)
        except Refusal as refusal:
            raise EngineFault(Reason.VOID, f"refuses {command}: {refusal}") from None

    async def _reply(self, command: str, asked: float, time_for: float | Turn) -> tuple[str, float]:
        """(text, arrival of its last line). Lines before the answer are noise; for an engine that repeats the numbers
        of commands so are those that look like answers without one."""
        texts: list[str] = []
        status = ""
        for _ in range(MOST_NOISE):
            if isinstance(time_for, Turn):
                line = await self._decision(time_for, asked, command)
            else:
                line = await self._line(asked + time_for, command)
            found = _REPLY.match(line.text)
            number = whole(found[2]) if found is not None else None
            if found is not None and number is not None and 0 < number <= self._id:
                self._repeats = True
                self.noise += len(texts)
                status, texts = (found[1], [found[3]]) if number == self._id else ("", [])
            elif not status:
                if found is None or found[2] or self._repeats:
                    self.noise += bool(line.text)
                    continue
                status, texts = found[1], [found[3]]
            elif line.text.strip():
                texts.append(line.text)
            else:
                answer = "\n".join(texts).strip()
                if status == "?":
                    raise Refusal(answer[:200])
                return answer, line.at
        raise EngineFault(Reason.STALL, f"says much, but no answer to {command}")


def _time_line(spec: TimeSpec, commands: frozenset[str]) -> str:
    """The command that tells the time; "" for none."""
    knows_more = "kata-time_settings" in commands
    if spec.base is None:
        if knows_more and spec.movetime and spec.movetime % 1:
            return f"kata-time_settings byoyomi 0 {spec.movetime:g} 1"
        return f"time_settings 0 {_cut(spec.movetime)} 1" if spec.movetime else ""
    if spec.movetime is not None:
        if knows_more:
            return f"kata-time_settings fischer-capped {spec.base:g} {spec.increment:g} -1 {spec.movetime:g}"
        return f"time_settings 0 {_cut(spec.base)} {_paced(spec.base, spec.movetime)}"
    if spec.periods and knows_more and (spec.base % 1 or spec.period % 1):
        return f"kata-time_settings byoyomi {spec.base:g} {spec.period:g} {spec.periods}"
    if spec.periods and "kgs-time_settings" in commands:
        return f"kgs-time_settings byoyomi {int(spec.base)} {_cut(spec.period)} {spec.periods}"
    if spec.periods:
        return f"time_settings {int(spec.base)} {_cut(spec.period)} 1"
    if spec.moves:
        return f"time_settings 0 {_cut(spec.base)} {spec.moves}"
    if knows_more and (spec.increment or spec.base % 1):
        return f"kata-time_settings fischer {spec.base:g} {spec.increment:g}"
    return f"time_settings {_cut(spec.base)} 0 0"


def _cut(seconds: float) -> int:
    """Whole seconds, which is all that GTP 2 knows; 0 would mean no limit."""
    return max(1, int(seconds))


def _paced(left: float, movetime: float) -> int:
    """Stones to be played in the time left: GTP 2 has no word for a limit of a game and one of a move together."""
    return max(MOVES_AHEAD, math.ceil(left / movetime)) if movetime else MOVES_AHEAD


def _time_left(colour: str, clock: Clock, is_paced: bool = False) -> str:
    """Seconds are cut, never rounded up; in byo-yomi the seconds of a period and the periods left."""
    if is_paced and clock.spec.base is not None and clock.spec.movetime is not None:
        return f"time_left {colour} {int(clock.left)} {_paced(clock.left, clock.spec.movetime)}"
    if clock.left <= 0 and clock.periods:
        return f"time_left {colour} {int(clock.spec.period)} {clock.periods}"
    if clock.moves_left:
        return f"time_left {colour} {int(clock.left)} {clock.moves_left}"
    return f"time_left {colour} {int(clock.left)} 0"
