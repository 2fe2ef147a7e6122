"""The nouns of a match, as frozen values without behaviour but their text: engines, time, games, results.

Colours are told by who moves first: `first` is Black in Go, Gomoku and Reversi and White in chess. Moves are text in
the game's own notation: Go's vertices ("D4", "pass"; letters skip I, row 1 at the bottom), all letters in Gomoku ("h8",
"i9", row 1 at the bottom), a1 = top-left ("f5", "pass") for Reversi, UCI ("e2e4", "e7e8q") for chess. Seconds
everywhere. The length of a game is counted in plies: every move and pass of either side, the opening's too.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Self

PROTOCOLS = ("gtp", "gomocup", "nboard", "uci", "xboard")
_NUMBER = r"\d+(?:\.\d+)?"


class Reason(Enum):
    """Why a game ended."""

    FIVE = "five"
    MATE = "mate"
    SCORE = "score"
    STALEMATE = "stalemate"
    MATERIAL = "material"
    """Neither side can mate."""
    FIFTY = "fifty"
    """No capture or pawn move for 50 moves."""
    REPETITION = "repetition"
    FULL = "full"
    """No empty point is left."""
    RESIGN = "resign"
    TIME = "time"
    ILLEGAL = "illegal"
    CRASH = "crash"
    STALL = "stall"
    """No answer, long after the clock ran out; or one that is none."""
    MEMORY = "memory"
    """As CRASH or STALL, because `memory_mb` was not enough."""
    MAX_LENGTH = "max-length"
    ADJUDICATED = "adjudicated"
    VOID = "void"
    """Nobody's fault that can be told, or one outside the game: counted for nobody, and played again."""


FAULTS = frozenset({Reason.TIME, Reason.ILLEGAL, Reason.CRASH, Reason.STALL, Reason.MEMORY})
"""Reasons that are an engine's misbehaviour."""


@dataclass(frozen=True)
class TimeSpec:
    """The time of one side. None: not set; all unset: no limit but the watchdog.

    base, increment: for the game, added after every move; with `moves`, base again after so many moves. movetime: for
    one move. periods, period: byo-yomi after base. nodes: work for a move in place of time. clock: what is counted.
    margin: seconds over the limit that are forgiven.
    """

    base: float | None = None
    increment: float = 0.0
    movetime: float | None = None
    periods: int = 0
    period: float = 0.0
    moves: int | None = None
    nodes: int | None = None
    clock: str = "wall"
    margin: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read parts joined by '/': 60+0.5, 40/60+0.5, move=1, byo=60+3x10, turn=5/match=100, nodes=1000, clock=cpu,
        margin=0.1. Raises ValueError."""
        values: dict[str, Any] = {}
        for part in text.strip().split("/"):
            for key, value in _read_part(part.strip(), text).items():
                if key in values:
                    raise ValueError(f"'{text}' sets the {key} twice")
                values[key] = value
        if "moves" in values and "base" not in values:
            raise ValueError(f"'{text}' has a number of moves but no time for them")
        if values.get("movetime") == 0 or (values.get("base") == 0 and not values.get("periods")):
            raise ValueError(f"'{text}' is no time control: it leaves no time for the first move")
        return cls(**values)

    def __str__(self) -> str:
        """The text that `parse` reads back."""
        parts = []
        if self.moves is not None:
            parts.append(f"{self.moves}")
        if self.base is not None and self.periods:
            parts.append(f"byo={self.base:g}+{self.periods}x{self.period:g}")
        elif self.base is not None and self.movetime is not None and not self.increment and self.moves is None:
            parts.append(f"match={self.base:g}")
        elif self.base is not None:
            parts.append(f"{self.base:g}" + (f"+{self.increment:g}" if self.increment else ""))
        if self.movetime is not None:
            parts.append(f"{'turn' if self.base is not None else 'move'}={self.movetime:g}")
        if self.nodes is not None:
            parts.append(f"nodes={self.nodes}")
        if self.clock != "wall":
            parts.append(f"clock={self.clock}")
        if self.margin:
            parts.append(f"margin={self.margin:g}")
        return "/".join(parts) or "none"


def _read_part(part: str, text: str) -> dict[str, Any]:
    if part == "none":
        return {}
    if part.isdecimal() and re.match(rf"\s*{part}/\d", text):
        return {"moves": _positive(int(part), text)}
    if sides := re.fullmatch(rf"({_NUMBER})(?:\+({_NUMBER}))?", part):
        values: dict[str, Any] = {"base": float(sides[1])}
        return values | ({"increment": float(sides[2])} if sides[2] else {})
    if byo := re.fullmatch(rf"byo=({_NUMBER})\+(\d+)x({_NUMBER})", part):
        return {"base": float(byo[1]), "periods": _positive(int(byo[2]), text), "period": float(byo[3])}
    key, _, value = part.partition("=")
    if key == "clock" and value in ("wall", "cpu"):
        return {"clock": value}
    if key == "nodes" and value.isdecimal():
        return {"nodes": _positive(int(value), text)}
    names = {"move": "movetime", "turn": "movetime", "match": "base", "margin": "margin"}
    if key in names and re.fullmatch(_NUMBER, value):
        return {names[key]: float(value)}
    raise ValueError(
        f"'{text}' is no time control; write 60+0.5, 40/60+0.5, move=1, byo=60+3x10, turn=5/match=100 or nodes=1000"
    )


def _positive(number: int, text: str) -> int:
    if number < 1:
        raise ValueError(f"'{text}' is no time control: a count must be at least 1")
    return number


@dataclass(frozen=True)
class EngineSpec:
    """The start and the settings of one engine. init: protocol lines sent after the start. options: UCI setoption.
    time: its own in place of the match's. cpus: the only ones that it may use; empty: all. restart: a new process for
    every game. memory_mb: of address space."""

    name: str
    command: tuple[str, ...]
    protocol: str
    directory: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    init: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    time: TimeSpec | None = None
    nodes: int | None = None
    depth: int | None = None
    memory_mb: int | None = None
    cpus: tuple[int, ...] = ()
    restart: bool = False

    @property
    def told_mb(self) -> int:
        """Return the memory limit that the engine gets of `memory_mb`: address space holds programs, libraries and
        stacks, too."""
        return told_mb(self.memory_mb) if self.memory_mb else 0


def told_mb(memory_mb: int) -> int:
    """The memory that an engine is told for a limit of its address space, at least 16 MB."""
    return max(16, memory_mb * 3 // 4)


@dataclass(frozen=True)
class GameSpec:
    """The game of a match. size, komi: 0 where the game has none. rules: one of the game's rule sets. max_moves: 0 for
    the game's own bound. cleanup: how dead stones leave the board in Go: "friendly" plays on with passes until both
    pass again, "arbiter" asks an engine (final_status_list dead), "none" counts all stones as alive. adjudication:
    settings of the rules that end games early (`tools/match/adjudication`); empty: none does."""

    game: str
    size: int = 0
    rules: str = ""
    komi: float = 0.0
    max_moves: int = 0
    adjudication: Mapping[str, Any] = field(default_factory=dict)
    cleanup: str = "friendly"
    arbiter: EngineSpec | None = None


@dataclass(frozen=True)
class Opening:
    """The opening of a game. position: a FEN (chess) or OBF (Reversi) that the moves start from; None: the usual
    start."""

    name: str
    moves: tuple[str, ...] = ()
    position: str | None = None


@dataclass(frozen=True)
class GameTask:
    """One game to play. id: pair number and colour order, "000001a" and "000001b". first, second: names of engines."""

    id: str
    pair: int
    round: int
    first: str
    second: str
    opening: Opening
    seed: int


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """One move of an engine (openings have none). seconds: wall time at the pipe. score: -1 to 1, the mover's view,
    where the engine says."""

    move: str
    seconds: float
    cpu: float | None = None
    score: float | None = None
    depth: int | None = None
    nodes: int | None = None


@dataclass(frozen=True)
class GameResult:
    """One game played. result: "1-0", "0-1", "1/2-1/2" or "*" (void), the first player's view. culprit: the engine
    whose fault ended it. start: UTC, ISO 8601. score: points or discs, the first player's view. latency: by engine,
    milliseconds of the median and the slowest answer to a question that needs no thought. versions: by engine, what it
    says its name and version are. hash: of the opening and the moves, to find duplicates. plies: the length, the
    opening included; 0 in folders of earlier releases."""

    id: str
    pair: int
    first: str
    second: str
    opening: str
    result: str
    reason: Reason
    culprit: str | None = None
    detail: str = ""
    moves: tuple[MoveRecord, ...] = ()
    start: str = ""
    seconds: float = 0.0
    score: float | None = None
    latency: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    versions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    hash: str = ""
    round: int = 0
    seed: int = 0
    plies: int = 0

    def to_json(self) -> dict[str, Any]:
        """Values that `json` writes; moves as lists to keep the lines short."""
        values = dict(self.__dict__)
        values["reason"] = self.reason.value
        values["moves"] = [[m.move, round(m.seconds, 4), m.cpu, m.score, m.depth, m.nodes] for m in self.moves]
        values["latency"] = {name: list(pair) for name, pair in self.latency.items()}
        values["versions"] = {name: list(pair) for name, pair in self.versions.items()}
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The result that `to_json` wrote; fields that are not known are left out. Raises KeyError, TypeError or
        ValueError for anything else."""
        known = {name: values[name] for name in cls.__dataclass_fields__ if name in values}
        known["reason"] = Reason(known["reason"])
        known["moves"] = tuple(MoveRecord(sys.intern(text), *facts) for text, *facts in known.get("moves", ()))
        known["latency"] = {name: (a, b) for name, (a, b) in known.get("latency", {}).items()}
        known["versions"] = {name: (a, b) for name, (a, b) in known.get("versions", {}).items()}
        return cls(**known)
