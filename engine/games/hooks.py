"""Hooks: a game's answers to questions of the player beyond the rules, about endings, handicap, the length of games.

A game that wants one sets an attribute `hooks` to a `Hooks` (a subclass); all others are served by the defaults, so
that a new game needs none of this. The player stays free of Go because of these few functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

from tengen.engine.games.base import Game, Rules, State
from tengen.engine.info import Info, Line

Chains = tuple[tuple[int, ...], ...]


class FinalStatus(NamedTuple):
    """The judgement of a position as if the game ended here.

    alive, dead, seki: cells by chain. score: black - white - komi - bonus, in the game's unit.
    ownership: width*height floats row-major from the top, +1 = black's, -1 = white's; empty when unknown.
    confidence: 0..1, how certain the least certain chain is.
    """

    alive: Chains = ()
    dead: Chains = ()
    seki: Chains = ()
    score: float = 0.0
    ownership: tuple[float, ...] = ()
    confidence: float = 1.0


class Table(NamedTuple):
    """The facts of a game besides its position: rules, komi as agreed, handicap, moves since set-up."""

    rules: Rules
    komi: float
    handicap: int
    moves: Sequence[tuple[int, int]]

    def passes(self, pass_move: int) -> int:
        """Consecutive passes at the end of the moves."""
        count = 0
        while count < len(self.moves) and self.moves[-1 - count][1] == pass_move:
            count += 1
        return count


class View(NamedTuple):
    """The arguments of `choose` when a search has ended.

    state: the root, `state.to_move` is to play. info: the search's report, with ownership when `is_ending` asked
    for it. judge: the judgement of this position, made once and kept for `final_status`; None: no time left for it.
    explore: a short search of another position (by its mover), with ownership; visits 0: no time left.
    is_allowed: legal and no repetition.
    cleanup: the caller wants dead stones captured (kgs-genmove_cleanup).
    ending: near the end what sees it, where the search itself says nothing of owners.
    """

    state: State
    table: Table
    info: Info
    judge: Callable[[], FinalStatus | None]
    explore: Callable[[State], Info]
    is_allowed: Callable[[int], bool]
    cleanup: bool = False
    ending: Info | None = None


class Choice(NamedTuple):
    """The move to play; note: by which rule, where it is not the search's own choice."""

    move: int
    note: str = ""


class Hooks:
    """The defaults: no handicap, no judgement beyond the result of the board, the search's choice stands."""

    def parse_rules(self, game: Game, text: str) -> Rules:
        """Rules from text. Raises ValueError("Unknown rules 'x'")."""
        rules = game.rule_sets.get(text.strip().lower())
        if rules is None:
            raise ValueError(f"Unknown rules '{text}'")
        return rules

    def read_rules(self, game: Game, text: str) -> tuple[Rules, str]:
        """Rules as a record names them, and a sentence where they are only the nearest. Raises as `parse_rules`."""
        return self.parse_rules(game, text), ""

    def counting(self, rules: Rules) -> object:
        """How the rules count, as a value that rules which count alike share."""
        return rules.name

    def usual_komi(self, game: Game, rules: Rules) -> float:
        """The komi of a new game under these rules."""
        return game.default_komi

    def handicap_given(self, start: State, moves: Sequence[tuple[int, int]]) -> int:
        """Count the handicap stones that a game began with if they were not declared."""
        return 0

    def komi(self, table: Table, pass_move: int) -> float:
        """Points that White gets in all."""
        return table.komi

    def tell_komi(self, state: State, table: Table) -> None:
        """Set the points that White gets in a position that knows of them."""

    def search_state(self, state: State, table: Table, colour: int) -> State:
        """A copy of `state` for a search by `colour`, also when the game could have ended."""
        root = state.copy()
        if root.to_move != colour:
            root.set_to_move(colour)
        return root

    def is_sensible(self, state: State, move: int) -> bool:
        """Whether a player without any judgement may play the legal move (Go: not into its own eye)."""
        return True

    def moves_left(self, state: State, ply: int) -> float:
        """About how many moves each side will still make."""
        cells = state.width * state.height
        return max(cells / 10, (0.8 * cells - ply) / 2)

    def most_moves(self, state: State, ply: int) -> float:
        """Each side will hardly make more moves than this."""
        return self.moves_left(state, ply) + state.width * state.height / 8

    def komi_shift(self, state: State, table: Table) -> float:
        """Points given to Black inside the search only."""
        return 0.0

    def is_ending(self, state: State, table: Table) -> bool:
        """Whether the game may be near its end: then searches report ownership and `choose` may explore."""
        return False

    def choose(self, view: View, wanted: Line) -> Choice:
        """The move to play when the search wants `wanted`."""
        return Choice(wanted.move)

    def is_drawn(self, state: State) -> bool:
        """Whether a game that goes on by the rules is a draw that any player claims, repetition aside."""
        return False

    def score_of(self, expected: float) -> float | None:
        """Convert an expected result, 0..1, into a score in the game's unit, for networks that report none. None:
        nothing."""
        return None

    def recorded(self, start: State) -> State:
        """The start of a game that was recorded, so that it can be played through: people may have gone on where the
        rules end it. `start` may be changed."""
        return start

    def position(self, game: Game, text: str, rules: Rules) -> State:
        """A position of the text that says more than stones (chess: FEN). Raises ValueError with one sentence."""
        raise ValueError(f"positions of {game.name} are stones, not a text")

    def may_resign(self, state: State, table: Table) -> bool:
        """Whether it is late enough to resign."""
        return len(table.moves) * 5 >= state.width * state.height

    def judge(self, state: State, table: Table, explore: Callable[[State], Info]) -> FinalStatus:
        """Judge a position; `explore` searches it for the side to move."""
        return FinalStatus(score=state.result())

    def handicap_fixed(self, width: int, height: int, count: int) -> list[int]:
        """Cells of a fixed handicap. Raises ValueError("invalid number of stones")."""
        raise ValueError("invalid number of stones")

    def handicap_free(self, width: int, height: int, count: int) -> list[int]:
        """Cells that the engine chooses, 2..count of them. Raises ValueError("invalid number of stones")."""
        raise ValueError("invalid number of stones")


_DEFAULT = Hooks()


def hooks_of(game: Game) -> Hooks:
    """The hooks of a game, or the defaults."""
    return cast(Hooks, getattr(game, "hooks", _DEFAULT))
