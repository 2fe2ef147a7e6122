"""When to pass in Go, and what to play while the board is being settled.

Two regimes. Where dead stones are taken off by agreement (friendly passes, territory scoring) a pass is judged with
the dead stones removed; elsewhere (Tromp-Taylor, clean-up) by the board as it stands, so dead stones are captured
first. A pass that would turn a won game into a lost one is never made, and when nothing is left to gain we pass.
"""

from __future__ import annotations

from typing import Any

from tengen.engine.games.base import BLACK, State
from tengen.engine.games.go_ending import Board, Chain, neighbours, regions
from tengen.engine.games.go_rules import GoRules
from tengen.engine.games.hooks import View
from tengen.engine.info import Line

SURE = 0.5
"""Confidence of a judgement from which its dead stones are taken as dead."""
HOPELESS = 0.1
"""Win probability below which a lost game is not prolonged."""
EQUALLY_GOOD = 0.05
"""A move whose win probability is so little below the best one may be played instead of it."""


class Ending:
    """One decision near the end of a game."""

    def __init__(self, view: View, rules: GoRules, wanted: Line) -> None:
        self.view, self.rules, self.wanted = view, rules, wanted
        self.state: Any = view.state
        self.me: int = self.state.to_move
        self.sign = 1 if self.me == BLACK else -1
        self.lines = [line for line in view.info.lines if line.move != self.state.pass_move]
        self.best = max(self.lines, key=lambda line: line.visits, default=wanted)
        last = view.table.moves[-1] if view.table.moves else (self.me, -1)
        self.has_opponent_passed = last == (1 - self.me, self.state.pass_move)

    def move(self) -> int:
        """The move to play."""
        plain = self.best if self.wanted.move == self.state.pass_move else self.wanted
        if not self.lines:
            return int(self.state.pass_move)
        if not self.view.info.ownership:
            return plain.move
        self.board = Board(self.view.state, [self.sign * value for value in self.view.info.ownership])
        self.unsettled = self.board.unsettled()
        self.useful = {cell for cell in self._worth_playing() if self.view.is_allowed(cell)}
        self.judged_as_it_stands = self.view.cleanup or not self.rules.removes_dead
        if self.view.cleanup and (capture := self._capture()) is not None:
            return capture
        if not self._is_late():
            return plain.move
        if self._is_time_to_pass():
            return int(self.state.pass_move)
        if not self.useful and self.judged_as_it_stands and (capture := self._capture()) is not None:
            return capture
        return self._settling(plain)

    def _is_late(self) -> bool:
        """Two fifths of the board taken, or hardly anything undecided."""
        cells = len(self.board.stones)
        return 5 * (cells - self.board.stones.count(0)) >= 2 * cells or 10 * len(self.unsettled) <= cells

    def _is_time_to_pass(self) -> bool:
        if len(self.view.table.moves) > 4 * len(self.board.stones):
            return True
        if self.judged_as_it_stands:
            return self._may_pass_as_it_stands()
        if self.useful and not self.has_opponent_passed:
            return False
        status = self.view.judge()
        if status.confidence < SURE and self.useful:
            return False
        return self.sign * status.score > 0 or self._is_nothing_to_gain()

    def _may_pass_as_it_stands(self) -> bool:
        is_won = self.sign * self.state.result() > 0
        if is_won and self.has_opponent_passed:
            return True
        if not is_won:
            return not self.useful and (self.best.win < HOPELESS or self._capture() is None)
        return not self.useful and self._is_pass_safe()

    def _is_nothing_to_gain(self) -> bool:
        """Lost by judgement, and the search agrees or has nothing to try."""
        return not self.useful and (self.best.win < 0.5 or self._settling(self.best) not in self.unsettled)

    def _is_pass_safe(self) -> bool:
        """Whether the game stays won when the opponent moves after our pass."""
        after: State = self.state.copy()
        after.play(self.state.pass_move)
        return 1.0 - self.view.explore(after).win >= min(0.9, self.best.win - EQUALLY_GOOD)

    def _worth_playing(self) -> set[int]:
        """Cells that may still gain something: the undecided ones, without dame under territory scoring."""
        if self.rules.scoring != "territory":
            return self.unsettled
        dame: set[int] = set()
        stones = self.board.living_stones()
        for region, borders in regions(self.view.state, stones):
            touched = [{stones[n] for n in neighbours(self.view.state, cell)} for cell in region]
            if borders == {1, 2} and (len(region) <= 2 or all({1, 2} <= colours for colours in touched)):
                dame |= region
        shaky = {cell for chain in self._shaky() for cell in self.state.liberties_of(chain.cells[0])}
        return self.unsettled - (dame - shaky)

    def _shaky(self) -> list[Chain]:
        """Chains in atari or undecided: a dame beside them may be a defence."""
        return [
            chain
            for chain in self.board.chains
            if abs(chain.life) < SURE or len(self.state.liberties_of(chain.cells[0])) == 1
        ]

    def _settling(self, plain: Line) -> int:
        """`plain`, or a move as good that settles something when `plain` settles nothing."""
        if plain.move in self.useful:
            return plain.move
        for line in self.lines:
            if line.move in self.useful and line.win >= plain.win - EQUALLY_GOOD and line.visits * 100 >= plain.visits:
                return line.move
        return plain.move

    def _capture(self) -> int | None:
        """A safe move that takes a liberty of a dead enemy chain, the shortest chain first; None without one."""
        wins = {line.move: line.win for line in self.lines if line.visits >= 10}
        targets = [chain for chain in self.board.chains if chain.colour != self.me and chain.is_dead]
        found: list[tuple[int, float, int]] = []
        for chain in targets:
            liberties = self.state.liberties_of(chain.cells[0])
            for cell in liberties:
                win = wins.get(cell, self.best.win)
                if win < self.best.win - 2 * EQUALLY_GOOD or not self.view.is_allowed(cell):
                    continue
                if len(liberties) == 1 or not self._is_in_atari_after(cell):
                    found.append((len(liberties), -win, cell))
        return min(found)[2] if found else None

    def _is_in_atari_after(self, cell: int) -> bool:
        after: Any = self.state.copy()
        after.play(cell)
        return len(after.liberties_of(cell)) == 1
