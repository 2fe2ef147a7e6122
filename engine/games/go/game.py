"""Go: static facts, named rules, players and text codecs. The rules themselves are in the core (`_core.GoState`).

Boards from 2x2 to 25x25, also rectangular. Vertices are GTP's: a letter without I, then the row from the bottom.
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
from tengen.engine.games.go import strength
from tengen.engine.games.go.hooks import GoHooks
from tengen.engine.games.go.rules import RULE_SETS, GoRules, parse_rules, rules_to_json, with_rule
from tengen.engine.games.parts import Parts
from tengen.engine.games.players import Entry
from tengen.engine.games.vertex import GTP

__all__ = ["GO", "Go", "GoRules", "parse_rules", "rules_to_json", "with_rule"]

SMALLEST, LARGEST = 2, 25

PLAYERS: Mapping[str, Entry] = MappingProxyType(
    {
        "uct": Entry("mcts", "tactical"),
        "rollout": Entry("mcts", "uniform", {"mcts.rave_equivalence": 0.0, "mcts.c": 1.0}),
        "puct": Entry(
            "puct",
            needs_network=True,
            levels=strength.SMALL,
            larger=strength.LARGE,
            ranks=strength.RANKS,
            ranks_network="tengen-go-people.tail.gz",
        ),
        "policy": Entry("policy", needs_network=True, levels={}, full=network_levels.SAMPLING),
        "value": Entry("value", needs_network=True, levels={}),
        "clevergo": Entry("puct", set=CLASSIC, needs_network=True, features=("clevergo-v1",), full=CLASSIC_LEVEL),
        "random": Entry("random"),
    }
)
"""uct: the strong one. rollout: plain UCT over uniform playouts. puct: a network guides
the search. policy: what it says of moves, sampled. value: the move whose position it likes best.
clevergo: the search
of the program CleverGo by networks of its kind. random: any legal move that fills no own eye."""


@dataclass(frozen=True)
class Go:
    """The game of Go; implements `tengen.engine.games.base.Game`."""

    name: str = "go"
    gogui_id: str = "Go"
    default_size: int = 19
    default_komi: float = 7.5
    passes: Passes = "free"
    conventions: Conventions = Conventions(
        "1",
        "sgf",
        match=MatchSetting(9, 7.0, "tromp-taylor", margin=2),
        has_komi=True,
        is_agreed=True,
        finds_networks=True,
        title="Go",
        guis=("Sabaki", "GoGui", "Lizzie", "KaTrain", "Quarry", "qGo"),
    )
    parts: Parts = Parts(
        mcts="GoMcts",
        tree="GoTree",
        selfplay="GoSelfPlay",
        model="katago",
        opponent="gnugo",
        judge="tengen.tools.match.game.judge:GoJudge",
        review="tengen.tools.review.go:KIND",
        speed="tengen.tools.bench_playouts:GO",
        peers="tengen.tools.peers.go:PEERS",
        bench="tengen.engine.games.go.bench:BENCH",
    )
    default_rules: Rules = RULE_SETS["chinese"]
    rule_sets: Mapping[str, Rules] = field(default_factory=lambda: MappingProxyType(RULE_SETS))
    players: Mapping[str, Entry] = field(default_factory=lambda: PLAYERS)
    hooks: GoHooks = field(default_factory=GoHooks)

    def check_size(self, width: int, height: int) -> None:
        """Raise ValueError("unacceptable size") unless both sides are 2..25."""
        if not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST):
            raise ValueError("unacceptable size")

    def new_state(self, width: int, height: int, rules: Rules, komi: float) -> State:
        """An empty board, Black to move; komi includes any handicap bonus."""
        from tengen.engine._core import GoState

        if not isinstance(rules, GoRules):
            raise TypeError("Go needs GoRules")
        state = GoState(
            width,
            height,
            ko=rules.ko,
            suicide=rules.suicide,
            scoring=rules.scoring,
            tax=rules.tax,
            komi=komi,
        )
        return cast(State, state)

    def move_to_text(self, state: State, move: int) -> str:
        """ "D4", or "pass"."""
        if move == state.pass_move:
            return "pass"
        return GTP.text(move, state.width, state.height)

    def move_from_text(self, state: State, text: str) -> int:
        """Read a vertex in any case. Raises ValueError."""
        if text.strip().lower() == "pass":
            return state.pass_move
        cell = GTP.cell(text, state.width, state.height)
        if cell is None:
            raise ValueError(f"'{text.strip()}' is no vertex of this board")
        return cell


GO = Go()
