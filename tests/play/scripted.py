"""Searches in Python, written against the contract alone, for tests of what does not depend on a real one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from fakes.stopping import wait

from tengen.engine._core import StopToken
from tengen.engine.config import Config
from tengen.engine.games import GAMES
from tengen.engine.games.go.game import GO
from tengen.engine.games.players import Entry as PlayerEntry
from tengen.engine.info import Info, Line
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.search import SEARCHES, Entry
from tengen.engine.search.base import Root


class Scripted:
    """A search in Python, written against the contract alone: answers `WIN`, lasts as long as it is allowed."""

    win = 0.5
    visits = 1000
    limits = Limits()
    """Those of the last run."""

    def __init__(self, game: object, player: object) -> None:
        self._info = Info()

    def options(self) -> Sequence[Any]:
        return ()

    def configure(self, values: Any) -> None:
        if values:
            raise ValueError(f"unknown option '{next(iter(values))}'")

    def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        moves = [m for m in root.state.legal_moves() if m not in root.avoid and m != root.state.pass_move]
        lines = tuple(Line(m, (m,), self.visits, self.win, 0.0, 1 - self.win) for m in moves[:3])
        self._info = Info(lines, root.state.to_move, visits=self.visits)
        type(self).limits = limits
        if limits.seconds or not limits.is_counted:
            wait(stop, limits.seconds)
        return self._info

    def info(self, max_lines: int = 0, ownership: bool = False) -> Info:
        return self._info

    def clear(self) -> None:
        self._info = Info()


class Failing(Scripted):
    """A search that breaks."""

    def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        raise RuntimeError("broken")


class Empty(Scripted):
    """A search that finds nothing."""

    def run(self, root: Root, limits: Limits, stop: StopToken) -> Info:
        return Info()


@contextmanager
def registered() -> Iterator[type[Scripted]]:
    """A game "scripted" whose players are the searches above."""
    players = {kind.__name__.lower(): PlayerEntry(kind.__name__.lower()) for kind in (Scripted, Failing, Empty)}
    GAMES["scripted"] = replace(GO, name="scripted", players=players)
    for kind in (Scripted, Failing, Empty):
        SEARCHES[kind.__name__.lower()] = Entry(kind)
    Scripted.win = 0.5
    yield Scripted
    del GAMES["scripted"]
    for kind in (Scripted, Failing, Empty):
        del SEARCHES[kind.__name__.lower()]


def scripted_player(who: str = "scripted", **settings: Any) -> Player:
    live = Player(Config(game="scripted", player=who, **settings))
    live.new_game(9)
    return live
