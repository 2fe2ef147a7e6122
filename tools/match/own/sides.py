"""The two sides of a match of our own players, from text and as live players."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tengen.engine import atomic
from tengen.engine.config import Config, ConfigError, load, merge, parse_setting
from tengen.engine.games.conventions import MatchSetting
from tengen.engine.play.player import Player
from tengen.tools.match.openings.drawn import setting_of

HANDICAP_KOMI = 0.5


@dataclass(frozen=True)
class Match:
    """A match between two configurations of one game; with `playouts` everything follows from it.

    size None and plies None: as the game's conventions. Games 2n and 2n+1 share an opening; `a` has Black in the first.
    handicap: `a` has Black in every game, komi is 0.5, and from 2 on so many fixed stones of Black are placed before
    White's first move; openings have no moves then unless `plies` says so.
    """

    a: Config
    b: Config
    games: int
    seed: int = 1
    size: int | None = None
    plies: int | None = None
    handicap: int = 0

    def has_black(self, number: int) -> bool:
        """Whether `a` moves first in a game, or has the handicap."""
        return self.handicap > 0 or number % 2 == 0

    @property
    def komi(self) -> float | None:
        """The komi of all games; None: that of the game."""
        return HANDICAP_KOMI if self.handicap else self.setting.komi

    @property
    def setting(self) -> MatchSetting:
        return setting_of(self.a.game)


def player_of(match: Match, config: Config, seed: int) -> Player:
    """A side that is ready for its first game. Raises ValueError for what cannot play the match."""
    setting = match.setting
    player = Player(
        replace(config, seed=seed, rules=config.rules or setting.rules, threads=config.threads or 1, ponder=False)
    )
    player.new_game(match.size or setting.size or player.game.default_size)
    if match.komi is not None:
        player.set_komi(match.komi)
    if match.handicap >= 2:
        player.handicap_fixed(match.handicap)
    return player


def digests(config: Config) -> dict[str, str]:
    """SHA-256 of each file that a side plays by, by the name of its setting: networks, books, weights. Raises
    OSError."""
    values = {"net": config.net, "book": config.book, **config.set}
    named = {name: Path(value) for name, value in values.items() if isinstance(value, str)}
    return {name: atomic.digest(path) for name, path in sorted(named.items()) if path.is_file()}


def parse_side(text: str, base: Config) -> Config:
    """The Config of "player=uct,time=1,mcts.c=0.4,config=FILE". Raises ConfigError naming what is wrong."""
    values: dict[str, Any] = {}
    options: dict[str, str] = {}
    for part in filter(None, (word.strip() for word in text.split(","))):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            raise ConfigError(f"'{part}' is not of the form name=value")
        if "." in name:
            options.update([parse_setting(part)])
        elif name == "config":
            base = load(value, base)
        else:
            values[name] = value
    return merge(merge(base, values), {"set": options})
