"""Options of chess by UCI's names: what a GUI can set, each with its default and bounds, and the values in force."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tengen.engine.games import get_game
from tengen.engine.games.chess.levels import HIGHEST_ELO, LOWEST_ELO
from tengen.engine.options import Option, Value, check, choice, number, text

if TYPE_CHECKING:
    from tengen.engine.config import Config

GAME = "chess"
EMPTY = "<empty>"
"""UCI's form of a text without a letter."""
AUTO, NONE = "auto", "none"
DEFAULT_HASH = 16
MOST_HASH = 1 << 20
MOST_THREADS = 1024
MOST_LINES = 256
MOST_NODES = 10**9
"""GUIs keep such a number in 32 bits."""
USABLE = 0.92
"""Share of the memory above RESERVED that the main search of a player gets for its tables (`Searches`)."""
RESERVED = 64
"""MB that a player keeps for all else (`config.RESERVED_MB`)."""
CLEAR_HASH = "Clear Hash"
PROBE_DEPTH = 8
"""The core's own (`tables_depth`)."""


def memory_of(hash_mb: int) -> int:
    """`Config.memory` of a process whose table takes so many MB."""
    return RESERVED + math.ceil(hash_mb / USABLE)


def hash_of(memory: int) -> int:
    """MB of the table where the process may take so many, at least 1."""
    return min(max(1, int((memory - RESERVED) * USABLE)), MOST_HASH)


SMALL_MEMORY = memory_of(DEFAULT_HASH)
"""MB of the process where neither the command line nor the GUI says more."""


def options_for(config: Config) -> Mapping[str, Option]:
    """The options by their names in lower case, in the order in which they are told. The defaults are those of the
    command line, else the ones that other engines have. The buttons are not among them."""
    players = get_game(GAME).players
    levels = next(iter(players.values())).levels
    listed = (
        number("Hash", hash_of(config.memory), 1, MOST_HASH, "MB of the transposition table", is_whole=True),
        number("Threads", config.threads or 1, 1, MOST_THREADS, "search threads", is_whole=True),
        number("MultiPV", 1, 1, MOST_LINES, "how many of the best moves are searched and told", is_whole=True),
        check("Ponder", config.ponder, "the GUI may ask to think in the opponent's time; time is the same either way"),
        number("Move Overhead", 10, 0, 5000, "milliseconds of a move that are lost on the way", is_whole=True),
        check("UCI_Chess960", config.rules == "chess960", "castling is the king that takes its rook"),
        check("UCI_ShowWDL", False, "tell the chances to win, draw and lose"),
        check("UCI_AnalyseMode", False, "full strength, and no moves from a book"),
        check("UCI_LimitStrength", False, "play at UCI_Elo"),
        number("UCI_Elo", 1500, LOWEST_ELO, HIGHEST_ELO, "how strong, with UCI_LimitStrength", is_whole=True),
        number("Level", config.level or 0, 0, max(levels, default=0), "strength for people; 0: full", is_whole=True),
        number("Nodes", config.playouts or 0, 0, MOST_NODES, "nodes of a move at most; 0: no bound", is_whole=True),
        choice("Player", config.player or next(iter(players)), tuple(players), "who plays"),
        text("EvalFile", AUTO, "weights to evaluate by: a file; auto: tengen's own; none: tables of piece values"),
        check("OwnBook", True, "play from the book"),
        text("Book File", "" if config.book == NONE else config.book, "an opening book: a file; shipped: tengen's own"),
        text("SyzygyPath", "", "folder of endgame tables, several as in PATH"),
        number("SyzygyProbeDepth", PROBE_DEPTH, 1, 100, "fewest plies left at which a search asks them", is_whole=True),
        text("Debug Log File", "", "copy the conversation to this file"),
    )
    return {option.name.lower(): option for option in listed}


@dataclass
class Settings:
    """The values in force, by the names of the options in lower case."""

    options: Mapping[str, Option]
    values: dict[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.values = {name: option.default or _NOTHING[option.kind] for name, option in self.options.items()}

    def number(self, name: str) -> int:
        """The value of a spin option."""
        return int(self.values[name])

    def check(self, name: str) -> bool:
        """The value of a check option."""
        return bool(self.values[name])

    def text(self, name: str) -> str:
        """The value of a string or combo option."""
        return str(self.values[name])


_NOTHING: dict[str, Value] = {"number": 0, "check": False, "choice": "", "text": ""}
