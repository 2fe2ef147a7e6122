"""Hooks of Go: handicap bonus, dynamic komi, endings and passing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from tengen.engine.games.base import BLACK, Game, Rules, State
from tengen.engine.games.go import handicap
from tengen.engine.games.go.rules import GoRules, parse_rules, read_rules
from tengen.engine.games.hooks import Choice, FinalStatus, Hooks, Table, View
from tengen.engine.info import Info, Line

if TYPE_CHECKING:
    from tengen.engine._core import GoState

CAUGHT_UP = 0.6
"""Of the points, moves after which White should have made good a handicap: until then being behind is no reason to
resign."""
HANDICAP_VALUE = 7.0
"""Points of one handicap stone for dynamic komi on 19x19; a stone is worth about as much on small boards."""


class GoHooks(Hooks):
    """Go's answers; the ending is decided in passing.py and judged in ending.py."""

    def parse_rules(self, game: Game, text: str) -> Rules:
        """A name or KataGo's JSON."""
        return parse_rules(text)[0]

    def read_rules(self, game: Game, text: str) -> tuple[Rules, str]:
        """The same, and rules that are none of ours by the nearest set."""
        rules, _, note = read_rules(text)
        return rules, note

    def counting(self, rules: Rules) -> object:
        """By area or territory, with which taxes, with a button or not."""
        go = _rules(rules)
        return go.scoring, go.tax, go.has_button

    def usual_komi(self, game: Game, rules: Rules) -> float:
        """7.5 under area scoring (7 with a button), 6.5 under territory scoring."""
        go = _rules(rules)
        if go.scoring == "territory":
            return 6.5
        return 7.0 if go.has_button else game.default_komi

    def tell_komi(self, state: State, table: Table) -> None:
        """The position's score counts it."""
        cast("GoState", state).komi = self.komi(table, state.pass_move)

    def handicap_given(self, start: State, moves: Sequence[tuple[int, int]]) -> int:
        """Stones of an all black set-up and Black's first moves, as KataGo counts them."""
        return handicap.given(start, moves)

    def komi(self, table: Table, pass_move: int) -> float:
        """Komi, White's handicap bonus, and half a point for the button (the first pass)."""
        total, rules = table.komi, _rules(table.rules)
        total += rules.handicap_bonus(table.handicap)
        if rules.has_button:
            first = next((colour for colour, move in table.moves if move == pass_move), None)
            total += 0.0 if first is None else (-0.5 if first == BLACK else 0.5)
        return total

    def search_state(self, state: State, table: Table, colour: int) -> State:
        """A copy for a search; two passes do not end the game for someone who asks for a move."""
        root = super().search_state(state, table, colour)
        if root.is_terminal():
            cast("GoState", root).setup(state.stones(), colour)
        return root

    def is_sensible(self, state: State, move: int) -> bool:
        """Not into an own eye; a pass only when nothing else is left."""
        return move != state.pass_move and not cast("GoState", state).is_playout_eye(state.to_move, move)

    def may_resign(self, state: State, table: Table) -> bool:
        """A fifth of the points after the beginning; White in a handicap game later."""
        if table.handicap >= 2 and state.to_move != BLACK:
            return len(table.moves) >= CAUGHT_UP * state.width * state.height
        return super().may_resign(state, table)

    def komi_shift(self, state: State, table: Table) -> float:
        """Handicap makes White's search hopeless and Black's careless: lend White points, less as the game goes on."""
        if table.handicap < 2:
            return 0.0
        progress = len(table.moves) / (0.5 * state.width * state.height)
        return -HANDICAP_VALUE * table.handicap * max(0.0, 1.0 - progress)

    def is_ending(self, state: State, table: Table) -> bool:
        """After a pass, or once the board is two fifths full."""
        cells = state.width * state.height
        return table.passes(state.pass_move) > 0 or 5 * (cells - state.stones().count(0)) >= 2 * cells

    def choose(self, view: View, wanted: Line) -> Choice:
        """Pass by a rule of `PassRule` and by no other; the note names it."""
        from tengen.engine.games.go.passing import Ending

        if view.ending is not None and view.ending.lines:
            view = view._replace(info=view.ending)
        return Ending(view, _rules(view.table.rules), wanted).choice()

    def judge(self, state: State, table: Table, explore: Callable[[State], Info]) -> FinalStatus:
        """Dead stones, seki and the score under the rules in force."""
        from tengen.engine.games.go.ending import judge

        return judge(state, _rules(table.rules), explore)

    def handicap_fixed(self, width: int, height: int, count: int) -> list[int]:
        return handicap.fixed(width, height, count)

    def handicap_free(self, width: int, height: int, count: int) -> list[int]:
        return handicap.free(width, height, count)


def _rules(rules: Rules) -> GoRules:
    if not isinstance(rules, GoRules):
        raise TypeError("Go needs GoRules")
    return rules
