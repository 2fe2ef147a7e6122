"""Gomoku: static facts, rule sets, players and text codecs. The rules themselves are in the core (`_core.GomokuState`).

Boards from 5x5 to 25x25, also rectangular. Vertices are GTP's: a letter without I, then the row from the bottom.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import cast

from tengen.engine.games import network_levels
from tengen.engine.games.base import Passes, Rules, State
from tengen.engine.games.classic import CLASSIC, CLASSIC_LEVEL
from tengen.engine.games.conventions import Conventions, MatchSetting
from tengen.engine.games.gomoku import levels
from tengen.engine.games.gomoku.hooks import GomokuHooks
from tengen.engine.games.parts import Parts, Weights
from tengen.engine.games.players import Entry
from tengen.engine.games.vertex import GTP, RECORDS

__all__ = ["GOMOKU", "Gomoku", "GomokuRules"]

SMALLEST, LARGEST = 5, 25
OWN_WEIGHTS = Weights("network", "tengen-gomoku.safetensors")
"""The weights of alpha-beta."""

PLAYERS: Mapping[str, Entry] = MappingProxyType(
    {
        "alphabeta": Entry(
            "alphabeta", "lines", {"alphabeta.weights": "auto"}, levels=levels.LOOKING_AHEAD, full=levels.FULL
        ),
        "uct": Entry("mcts", "tactical"),
        "rollout": Entry("mcts", "uniform"),
        "puct": Entry("puct", needs_network=True, levels=network_levels.NETWORK),
        "policy": Entry("policy", needs_network=True, levels={}, full=network_levels.SAMPLING),
        "value": Entry("value", needs_network=True, levels={}),
        "alphazero-gomoku": Entry(
            "puct", set=CLASSIC, needs_network=True, features=("alphazero-gomoku-v1",), full=CLASSIC_LEVEL
        ),
        "random": Entry("random"),
    }
)
"""alphabeta: the default; looks ahead ply by ply, with searches for wins by threats. uct: playouts that answer threats.
rollout: plain UCT over uniform playouts. puct: a network guides the search. policy: what it says of moves, sampled.
value: the move whose position it likes best. alphazero-gomoku: the search of the program AlphaZero_Gomoku by networks
of its kind. random: any legal move."""


@dataclass(frozen=True)
class GomokuRules:
    """The rules of a win. `rule` is the core's name; a position never repeats.

    freestyle: five or more. standard: exactly five. renju: black exactly five and never an overline, a double four or
    a double three; white five or more. caro: five or more, but a five stopped by enemy stones at both ends does not
    count. exact-caro: exactly five with an end not so stopped.
    """

    name: str = "freestyle"
    repetition: str = "none"
    rule: str = "freestyle"


RULE_SETS: dict[str, Rules] = {
    name: GomokuRules(name, rule=name) for name in ("freestyle", "standard", "renju", "caro", "exact-caro")
}


@dataclass(frozen=True)
class Gomoku:
    """Five in a row; implements `tengen.engine.games.base.Game`."""

    name: str = "gomoku"
    gogui_id: str = "Gomoku"
    default_size: int = 15
    default_komi: float = 0.0
    passes: Passes = "none"
    conventions: Conventions = Conventions(
        "4",
        "psq",
        protocol="gomocup",
        match=MatchSetting(plies=3, margin=5),
        book="a file of tengen book --game gomoku",
        points=RECORDS,
        has_margin=False,
        title="Gomoku, Renju, Caro",
        guis=("Piskvork", "Yixin-Board", "GoGui"),
    )
    parts: Parts = Parts(
        mcts="GomokuMcts",
        alphabeta="GomokuAlphaBeta",
        tree="GomokuTree",
        selfplay="GomokuSelfPlay",
        weights=OWN_WEIGHTS,
        judge="tengen.tools.match.game.judge:FiveJudge",
        review="tengen.tools.review.gomoku:KIND",
        speed="tengen.tools.bench_playouts:GOMOKU",
        peers="tengen.tools.peers.gomoku:PEERS",
        bench="tengen.engine.games.gomoku.bench:BENCH",
        book="tengen.engine.games.gomoku.book:NOTATION",
    )
    default_rules: Rules = RULE_SETS["freestyle"]
    rule_sets: Mapping[str, Rules] = field(default_factory=lambda: MappingProxyType(RULE_SETS))
    players: Mapping[str, Entry] = field(default_factory=lambda: PLAYERS)
    hooks: GomokuHooks = field(default_factory=GomokuHooks)

    def check_size(self, width: int, height: int) -> None:
        """Raise ValueError("unacceptable size") unless both sides are 5..25."""
        if not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST):
            raise ValueError("unacceptable size")

    def new_state(self, width: int, height: int, rules: Rules, komi: float) -> State:
        """An empty board, Black to move; there is no komi."""
        from tengen.engine._core import GomokuState

        if not isinstance(rules, GomokuRules):
            raise TypeError("Gomoku needs GomokuRules")
        return cast(State, GomokuState(width, height, rules.rule))

    def move_to_text(self, state: State, move: int) -> str:
        """ "H8"."""
        return GTP.text(move, state.width, state.height)

    def move_from_text(self, state: State, text: str) -> int:
        """Read a vertex in any case. Raises ValueError."""
        cell = GTP.cell(text, state.width, state.height)
        if cell is None:
            raise ValueError(f"'{text.strip()}' is no cell of this board")
        return cell


GOMOKU = Gomoku()
