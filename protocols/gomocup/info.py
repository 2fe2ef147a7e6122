"""The settings of INFO. Every key is one line of a table; an unknown one is swallowed whole, INFO never gets a
reply."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tengen.engine.config import RESERVED_MB
from tengen.protocols.gomocup.framing import number
from tengen.protocols.gomocup.timing import Timing

if TYPE_CHECKING:
    from tengen.engine.config import Config

LEAST_MB, MOST_MB = 16, 1 << 20
MAX_THREADS = 256
REALTIME, DETAIL = 1, 2
"""Bits of `show_detail`."""

# INFO rule adds up: 1 exactly five wins, 2 continuous game, 4 renju, 8 caro. "Continuous" changes nothing for a brain.
CONTINUOUS = 2
RULES = {0: "freestyle", 1: "standard", 4: "renju", 5: "renju", 8: "caro", 9: "exact-caro"}
# Yixin-Board counts on: 2 renju, 5 and 6 freestyle with a swap opening.
YIXIN_RULES = {0: "freestyle", 1: "standard", 2: "renju", 4: "renju", 5: "freestyle", 6: "freestyle"}


@dataclass
class Settings:
    """The settings that the manager has sent. Numbers: None or 0 where nothing was said.

    max_memory: bytes of the process tree. hash_size: KB for the search. is_yixin: the other side has used words of
    Yixin-Board, whose rule numbers differ.
    """

    timing: Timing = field(default_factory=Timing)
    rule: int | None = None
    max_memory: int = 0
    hash_size: int = 0
    threads: int | None = None
    ponder: bool | None = None
    max_node: int = 0
    strength: int | None = None
    show_detail: int = 0
    is_yixin: bool = False

    def rule_name(self) -> str | None:
        """Return the name of the requested rule set, "" for an unknown one; None: no request."""
        if self.rule is None:
            return None
        if self.is_yixin and self.rule in YIXIN_RULES:
            return YIXIN_RULES[self.rule]
        return RULES.get(self.rule & ~CONTINUOUS, "") if self.rule >= 0 else ""

    def over(self, config: Config) -> Config:
        """Return `config` with the manager's settings over it. max_memory only ever lowers the memory."""
        megabytes = config.memory
        if self.hash_size > 0:
            megabytes = RESERVED_MB + self.hash_size // 1024
        if self.max_memory > 0:
            megabytes = min(megabytes, self.max_memory * 15 // 16 >> 20)
        playouts = [count for count in (config.playouts, self.max_node) if count]
        return replace(
            config,
            memory=max(LEAST_MB, min(megabytes, MOST_MB)),
            threads=self.threads or config.threads,
            ponder=config.ponder if self.ponder is None else self.ponder,
            playouts=min(playouts, default=None),
            level=config.level if self.strength is None else _level(self.strength, config),
        )


def apply(settings: Settings, text: str) -> str:
    """Take the text after INFO; return the key in lower case."""
    key, _, rest = text.partition(" ")
    key = key.lower()
    value = number(rest)
    settings.is_yixin |= key in YIXIN_KEYS
    if value is not None and key in KEYS:
        KEYS[key](settings, value)
    return key


def _set(name: str, convert: Callable[[int], object] = lambda value: value) -> Callable[[Settings, int], None]:
    return lambda settings, value: setattr(settings, name, convert(value))


def _level(strength: int, config: Config) -> int | None:
    """Rapfi's strength, 0 to 100, as a level of the player; 100 is full strength."""
    from tengen.engine.games import get_game
    from tengen.engine.games.naming import player_of

    levels = list(player_of(get_game(config.game), config.player)[1].levels)
    if strength >= 100 or not levels:
        return None
    return levels[max(0, strength) * len(levels) // 100]


KEYS: dict[str, Callable[[Settings, int], None]] = {
    "timeout_turn": lambda settings, value: settings.timing.set_turn(value),
    "timeout_match": lambda settings, value: settings.timing.set_match(value),
    "time_left": lambda settings, value: settings.timing.set_left(value),
    "time_increment": lambda settings, value: settings.timing.set_increment(value),
    "max_memory": _set("max_memory"),
    "rule": _set("rule"),
    "hash_size": _set("hash_size"),
    "thread_num": _set("threads", lambda value: max(1, min(value, MAX_THREADS))),
    "pondering": _set("ponder", lambda value: value == 1),
    "max_node": _set("max_node", lambda value: value if 0 < value < 1 << 40 else 0),
    "strength": _set("strength"),
    "show_detail": _set("show_detail", lambda value: value if 0 <= value <= 3 else 0),
}
"""The keys with an effect. game_type, evaluate, folder, max_depth, start_depth, caution_factor, checkmate,
nbestsym, usedatabase, thread_split_depth and all others are swallowed: the search has no use for them."""
YIXIN_KEYS = frozenset(
    "show_detail caution_factor hash_size thread_num thread_split_depth checkmate nbestsym usedatabase vcthread".split()
)
AT_ONCE = frozenset(("timeout_turn", "time_left", "show_detail"))
"""Keys that concern a search in progress."""
