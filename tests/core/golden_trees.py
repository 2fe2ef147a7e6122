"""Golden trees: what every native search of every game finds from fixed positions, seeds and playouts, as text.

    python tests/core/golden_trees.py        # writes tests/data/golden again, after a change that was meant to change play

A tree is printed as its root and its best lines, after the first run and after the tree was reused for the next move.
How the tree is stored (nodes, memory) is not part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tengen.engine._core import StopToken
from tengen.engine.games import get_game
from tengen.engine.games.base import Game, State
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.search import make_search
from tengen.engine.search.base import Root

FOLDER = Path(__file__).parent.parent / "data" / "golden"
LINES = 6
SEED = 11


class Case(NamedTuple):
    """A position by its moves from the start, the searching colours alternating, and how much it is searched."""

    game: str
    size: int
    rules: str
    playouts: int
    moves: str


CASES: dict[str, Case] = {
    "go9-empty": Case("go", 9, "chinese", 3000, ""),
    "go9-middle": Case("go", 9, "chinese", 3000, "E5 E3 G4 G3 C4 D3 C3 C2 D2 E2 B2 C1 F4 H4 H5 H3"),
    "go5-end": Case("go", 5, "tromp-taylor", 800, "C3 C2 D2 B3 D3 B2 C4 B4 C1 B1 D1 C5 D5 B5 pass"),
    "go13-japanese": Case("go", 13, "japanese", 1500, "C3 D4 D3 E3 C4 E4 D5 F4 E5 D2 C2"),
    "go19-corner": Case("go", 19, "chinese", 1500, "Q16 D4 Q4 D16 R14 O17"),
    "gomoku7-start": Case("gomoku", 7, "freestyle", 3000, "D4 E5"),
    "gomoku-middle": Case("gomoku", 15, "freestyle", 2000, "H8 J9 H9"),
    "gomoku-four": Case("gomoku", 15, "freestyle", 400, "H8 A1 J8 A3 K8 A5"),
    "gomoku-renju": Case("gomoku", 15, "renju", 2000, "H8 H9 K10 G7 J9 J8"),
    "gomoku-caro": Case("gomoku", 19, "caro", 1500, "K10 L11 K11 L10"),
    "reversi-start": Case("reversi", 8, "standard", 2000, ""),
    "reversi-middle": Case("reversi", 8, "standard", 2000, "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c7"),
    "reversi-end": Case(
        "reversi", 8, "standard", 1000,
        "c4 c5 f6 c3 b5 g7 e3 e6 c2 f3 g3 a5 h8 b3 f4 f2 b4 f5 f7 h3 a3 d2 e2 e1 a6 e7 d7 c1 c6 g8 f1 g4 d1 b6 b1 d3 "
        "g6 b7 f8 a7 c7 h6 a8 b2",
    ),
}  # fmt: skip


def tree_players(game: Game) -> list[str]:
    """The players of a game whose search grows a tree."""
    return [name for name, player in game.players.items() if player.evaluator and player.search != "alphabeta"]


def names() -> list[tuple[str, str]]:
    """(case, player) of every golden tree."""
    return [(case, player) for case, facts in CASES.items() for player in tree_players(get_game(facts.game))]


def position(case: Case) -> tuple[Game, State, list[int]]:
    """The game, the position and the moves that lead to it."""
    game = get_game(case.game)
    rules = game.rule_sets[case.rules]
    state = game.new_state(case.size, case.size, rules, 7.5 if case.game == "go" else 0.0)
    moves = []
    for word in case.moves.split():
        moves.append(game.move_from_text(state, word))
        state.play(moves[-1])
    return game, state, moves


def tree_text(name: str, player: str) -> str:
    """The text of one golden tree."""
    case = CASES[name]
    game, state, moves = position(case)
    settings = {"mcts.seed": SEED, "mcts.threads": 1, "mcts.memory_mb": 64}
    search = make_search(game, player, settings)
    parts = []
    for title in ("first", "reused"):
        search.run(Root(state.copy(), recent=moves), Limits(playouts=case.playouts), StopToken())
        info = search.info(LINES, ownership=True)
        parts += [f"[{title}]", *report(game, state, info)]
        if info.best is None or state.is_terminal():
            break
        moves.append(info.best.move)
        state.play(info.best.move)
        if state.is_terminal():
            break
    return "\n".join(parts) + "\n"


def report(game: Game, state: State, info: Info) -> Iterator[str]:
    """The root and the lines of a report."""
    owned = sum(info.ownership)
    yield f"visits {info.visits} playouts {info.playouts} win {info.expected:.5f} score {info.score:.4f} owned {owned:.3f}"
    for line in info.lines:
        proof = f" proof {line.proof.result} in {line.proof.plies}" if line.proof else ""
        at, words = state.copy(), []
        for move in line.pv:
            words.append(game.move_to_text(at, move))
            at.play(move)
        yield (
            f"visits {line.visits} win {line.win:.5f} draw {line.draw:.5f} score {line.score:.4f} lcb {line.lcb:.5f} "
            f"prior {line.prior:.5f}{proof} pv {' '.join(words)}"
        )


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for case_name, player_name in names():
        (FOLDER / f"{case_name}.{player_name}.txt").write_text(tree_text(case_name, player_name), encoding="utf-8")
