"""Reversi (Othello): static facts, players and text codec. The rules themselves are in the core (`_core.ReversiState`).

8x8, the four discs of Othello at the start, Black first. Cells are a1 to h8 with a1 in the **top** left corner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import cast

from tengen.engine.games import network_levels
from tengen.engine.games.base import Passes, Rules, State
from tengen.engine.games.conventions import Conventions, MatchSetting
from tengen.engine.games.hooks import Hooks, Table
from tengen.engine.games.parts import Parts, Weights
from tengen.engine.games.players import Entry
from tengen.engine.games.reversi import levels
from tengen.engine.games.vertex import OTHELLO

SIDE = 8
PASSES = ("pass", "pa", "--")

PLAYOUTS_ALONE: Mapping[str, float] = MappingProxyType(
    {
        "mcts.c": 1.0,
        "mcts.margin_weight": 0.0,
        "mcts.prior_visits": 0.0,
        "mcts.judge_share": 0.0,
        "mcts.leaf_empties": 0.0,
        "mcts.root_empties": 0.0,
    }
)
"""Settings that make the weighted search plain UCT: no priors, no judgement, no solver."""

OWN_WEIGHTS = Weights("patterns", "tengen-reversi.safetensors")
"""The weights of alpha-beta."""
PLAYERS: Mapping[str, Entry] = MappingProxyType(
    {
        "alphabeta": Entry(
            "alphabeta",
            "mobility",
            {"alphabeta.weights": "auto"},
            levels=levels.LOOKING_AHEAD,
            full=levels.FULL,
        ),
        "uct": Entry("mcts", "weighted"),
        "rollout": Entry("mcts", "uniform"),
        "weighted": Entry("mcts", "weighted", PLAYOUTS_ALONE),
        "mix": Entry("mix", "weighted", PLAYOUTS_ALONE),
        "puct": Entry("puct", needs_network=True, levels=network_levels.NETWORK),
        "policy": Entry("policy", needs_network=True, levels={}, full=network_levels.SAMPLING),
        "value": Entry("value", needs_network=True, levels={}),
        "random": Entry("random"),
    }
)
"""alphabeta: the default; looks ahead ply by ply, to the end when that is near, by the tables that are shipped. uct:
playouts drawn by square weights, with priors and a solver. rollout: plain UCT over uniform
playouts. weighted: the same over playouts drawn by square weights. mix: weighted's search weighed with frontier and
square values (search/mix.py). puct: a network guides the search. policy: what it says of moves, sampled. value: the
move whose position it likes best. random: any legal move."""


@dataclass(frozen=True)
class ReversiRules:
    """There is one set of rules: a move turns discs, who cannot move passes, empty cells go to the winner."""

    name: str = "standard"
    repetition: str = "none"


class ReversiHooks(Hooks):
    """Hooks of Reversi."""

    def moves_left(self, state: State, ply: int) -> float:
        """Half of the empty cells."""
        return max(1.0, state.stones().count(0) / 2)

    def most_moves(self, state: State, ply: int) -> float:
        """The same: nearly all games fill the board."""
        return self.moves_left(state, ply)

    def may_resign(self, state: State, table: Table) -> bool:
        """Never: every disc counts, and controllers of Othello engines know no resignation."""
        return False


@dataclass(frozen=True)
class Reversi:
    """The game of Reversi; implements `tengen.engine.games.base.Game`."""

    name: str = "reversi"
    gogui_id: str = "Othello"
    default_size: int = SIDE
    default_komi: float = 0.0
    passes: Passes = "forced"
    conventions: Conventions = Conventions(
        "2",
        "ggf",
        "obf",
        "nboard",
        MatchSetting(plies=8, images=(0, 3, 4, 7)),
        book="a file that tengen book makes; shipped: tengen's own",
        counts_discs=True,
        points=OTHELLO,
        title="Reversi",
        guis=("NBoard", "GoGui", "Quarry"),
    )
    parts: Parts = Parts(
        mcts="ReversiMcts",
        alphabeta="ReversiAlphaBeta",
        tree="ReversiTree",
        selfplay="ReversiSelfPlay",
        weights=OWN_WEIGHTS,
        review="tengen.tools.review.reversi:KIND",
        speed="tengen.tools.bench_playouts:REVERSI",
        peers="tengen.tools.peers.reversi:PEERS",
        bench="tengen.engine.games.reversi.bench:BENCH",
        book="tengen.engine.games.reversi.book:NOTATION",
    )
    default_rules: Rules = ReversiRules()
    rule_sets: Mapping[str, Rules] = field(default_factory=lambda: MappingProxyType({"standard": ReversiRules()}))
    players: Mapping[str, Entry] = field(default_factory=lambda: PLAYERS)
    hooks: ReversiHooks = field(default_factory=ReversiHooks)

    def check_size(self, width: int, height: int) -> None:
        """Raise ValueError("unacceptable size") unless the board is 8x8."""
        if (width, height) != (SIDE, SIDE):
            raise ValueError("unacceptable size")

    def new_state(self, width: int, height: int, rules: Rules, komi: float) -> State:
        """The start position, Black to move; there is no komi."""
        from tengen.engine._core import ReversiState

        self.check_size(width, height)
        return cast(State, ReversiState())

    def move_to_text(self, state: State, move: int) -> str:
        """ "f5", or "pass"."""
        if move == state.pass_move:
            return PASSES[0]
        return OTHELLO.text(move, SIDE, SIDE)

    def move_from_text(self, state: State, text: str) -> int:
        """Read a cell or a pass ("pass", "pa", "--") in any case. Raises ValueError."""
        word = text.strip().lower()
        if word in PASSES:
            return state.pass_move
        cell = OTHELLO.cell(word, SIDE, SIDE) if len(word) == 2 else None
        if cell is None:
            raise ValueError(f"'{text.strip()[:20]}' is no cell of this board")
        return cell


REVERSI = Reversi()
