"""How fast a player thinks with some settings: the positions of the game's benchmark, for some seconds each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tengen.engine import system
from tengen.engine.config import Config
from tengen.engine.games import get_game
from tengen.engine.games.bench import BenchPosition
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.engine.play.signature import bench_of, start_of

BATCHES = (1, 4, 16, 32)
"""Positions that a network is asked about at once; each is tried beside what the settings say."""
ENOUGH = 0.03
"""Settings that are slower by less are as good, and the first of them, with fewer threads, is taken."""


WARM_UP = 200
"""Playouts or nodes before anything is timed."""


class Trial(NamedTuple):
    """Settings to try. batch: None where no network is asked in batches."""

    threads: int
    batch: int | None = None

    def of(self, config: Config) -> Config:
        """The configuration with these settings."""
        batch = {} if self.batch is None else {"puct.batch": str(self.batch)}
        return replace(config, threads=self.threads, set={**config.set, **batch})


class Speed(NamedTuple):
    """What a trial found: nodes or playouts a second of wall time, over all positions."""

    trial: Trial
    rate: float


def cores() -> int:
    """The logical cores that this process may use."""
    return len(system.processors())


def thread_counts(most: int) -> list[int]:
    """Powers of two up to `most`, and `most`.

    >>> thread_counts(12)
    [1, 2, 4, 8, 12]
    """
    return sorted({*(1 << n for n in range(most.bit_length()) if 1 << n <= most), most})


def positions_of(config: Config, count: int) -> list[BenchPosition]:
    """`count` positions of the game on its usual board and rules, spread over its benchmark."""
    game = get_game(config.game)
    usual = [one for one in bench_of(game).positions if one.size in (None, game.default_size) and one.rules is None]
    step = max(1, len(usual) // count)
    return usual[::step][:count]


def measured(config: Config, trial: Trial, seconds: float, count: int) -> Speed:
    """Measure a trial at `count` positions, `seconds` each. Raises ConfigError for settings that do not fit."""
    player = Player(trial.of(config))
    try:
        player.prepare()
        return Speed(trial, _rate(player, positions_of(config, count), seconds))
    finally:
        player.close()


def _rate(player: Player, positions: Sequence[BenchPosition], seconds: float) -> float:
    """Nodes or playouts a second, over all positions. A counted search comes first: it waits for a network to load."""
    game, done, spent = player.game, 0, 0.0
    for number, position in enumerate(positions):
        player.begin(start_of(game, position))
        for word in position.moves.split():
            player.play(player.state.to_move, game.move_from_text(player.state, word))
        if not number:
            _search(player, Limits(playouts=WARM_UP))
        searched, took = _search(player, Limits(seconds=seconds))
        done, spent = done + searched, spent + took
    return done / spent if spent else 0.0


def _search(player: Player, limits: Limits) -> tuple[int, float]:
    """Search from nothing: (nodes of a search that looks ahead, else playouts; seconds)."""
    player.forget()
    request = MoveRequest(player.state.to_move, limits, play=False, resign=False, fresh=True)
    info = player.genmove(request).info
    return info.nodes if player.looks_ahead else info.playouts, info.seconds


def best_of(found: Sequence[Speed]) -> Speed:
    """Return the fastest; of those that are about as fast, the first."""
    most = max(one.rate for one in found)
    return next(one for one in found if one.rate >= (1 - ENOUGH) * most)


def elo(game: str, rate: float, base: float) -> float:
    """The Elo that a rate is worth over another one, by the game's `Bench.elo_a_doubling`; 0 where one of them is 0.

    >>> elo("chess", 200.0, 100.0)
    70.0
    """
    return bench_of(get_game(game)).elo_a_doubling * math.log2(rate / base) if rate > 0 and base > 0 else 0.0
