"""A game that nobody foresaw joins by the contracts alone: rules, search, player and a GTP session.

tests/play/test_conformance.py runs over it as well.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from toy.game import registered

from tengen.engine._core import StopToken
from tengen.engine.config import Config
from tengen.engine.games.base import Game
from tengen.engine.limits import Limits
from tengen.engine.options import check, number
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.engine.search import make_search
from tengen.engine.search.base import Root
from tengen.tools import perft

LINES = ("012", "345", "678", "036", "147", "258", "048", "246")

# Moves so far -> the one good move: win at once, else block.
TACTICS = [
    ("A3 A1 B3 B1", "C3"),
    ("A3 B2 B3", "C3"),
    ("A3 C3 B3 B1 C1 A2", "B3-B2"),  # the men are placed: one of them moves
]


@pytest.fixture
def game() -> Iterator[Game]:
    with registered() as toy:
        yield toy


def player(game: Game, playouts: int = 2000) -> Player:
    """The default player of the toy game, repeatable."""
    return Player(Config(game=game.name, playouts=playouts, threads=1, seed=1))


@cache
def leaves(men: tuple[frozenset[int], frozenset[int]], depth: int) -> int:
    """The rules once more, in the plainest words: how many games of so many moves there are."""
    if depth == 0 or any({int(cell) for cell in line} <= men[1] for line in LINES):
        return 1
    own, other = men
    empty = set(range(9)) - own - other
    children = [own | {to} for to in empty] if len(own) < 3 else [own - {man} | {to} for man in own for to in empty]
    return sum(leaves((other, frozenset(child)), depth - 1) for child in children)


@pytest.mark.parametrize("depth", range(8))
def test_rules(game: Game, depth: int) -> None:
    state = game.new_state(3, 3, game.default_rules, 0.0)
    assert perft.count(state, depth) == leaves((frozenset(), frozenset()), depth)


@pytest.mark.parametrize(("moves", "good"), TACTICS)
def test_search_finds_the_move(game: Game, moves: str, good: str) -> None:
    live = player(game)
    for text in moves.split():
        live.play(live.state.to_move, game.move_from_text(live.state, text))
    move = live.genmove(MoveRequest(live.state.to_move)).move
    live.close()
    assert move is not None and game.move_to_text(live.state, move) == good


AROUND = "A3 C3 B3 B1 C1 A2".split()
"""All men placed; B3-B2 would win."""
CIRCLE = ["B3-C2", "A2-A1", "C2-B3", "A1-A2"]


def test_a_position_that_is_there_for_the_third_time_is_a_draw(game: Game) -> None:
    live = player(game)
    for round_ in range(2):
        for text in (AROUND if round_ == 0 else []) + CIRCLE:
            assert not live.is_over
            live.play(live.state.to_move, game.move_from_text(live.state, text))
    assert live.is_over and live.history.is_drawn("threefold") and not live.history.is_drawn("none")
    live.undo()
    assert not live.is_over
    live.close()


def test_a_search_knows_that_a_repetition_is_a_draw(game: Game) -> None:
    """What would win or lose is a draw, and proves nothing, where each reply was in the game twice; once counts not."""
    live = player(game)
    for text in AROUND:
        live.play(live.state.to_move, game.move_from_text(live.state, text))
    plain = live.genmove(MoveRequest(live.state.to_move, play=False)).info
    assert plain.best is not None and plain.best.proof is not None and plain.best.win > 0.9
    seen = []
    for move in live.state.legal_moves():
        child = live.state.copy()
        child.play(move)
        seen.append(child.situational_key)  # type: ignore[attr-defined]
    search = make_search(game, "uct", {"mcts.seed": 1})
    once = search.run(Root(live.state, seen), Limits(playouts=500), StopToken())
    assert once.best is not None and once.best.proof is not None and once.best.proof.result == 1
    search.clear()
    drawn = search.run(Root(live.state, 2 * seen), Limits(playouts=500), StopToken())
    assert len(drawn.lines) == len(seen)
    assert {(line.win, line.draw, line.proof, len(line.pv)) for line in drawn.lines} == {(0.0, 1.0, None, 1)}
    live.close()


def test_reuse_follows_moves_beyond_the_cells(game: Game) -> None:
    state = game.new_state(3, 3, game.default_rules, 0.0)
    for text in [*AROUND, "B3-C2"]:
        state.play(game.move_from_text(state, text))
    search = make_search(game, "uct", {"mcts.seed": 1})
    first = search.run(Root(state.copy()), Limits(playouts=1000), StopToken())
    assert first.best is not None and first.best.move >= state.cells
    state.play(first.best.move)
    again = search.run(Root(state, recent=[first.best.move]), Limits(playouts=10), StopToken())
    assert again.visits == first.best.visits + 10


def gtp(commands: list[str]) -> list[str]:
    """The answers of a real GTP process that plays the toy game."""
    script = Path(__file__).parent.parent / "toy" / "gtp.py"
    done = subprocess.run(
        [sys.executable, str(script), "--playouts", "500", "--seed", "1", "--threads", "1"],
        input="\n".join([*commands, "quit"]) + "\n", capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [block.strip() for block in done.stdout.split("\n\n") if block.strip()]


def test_a_gui_plays_it_through_gtp() -> None:
    """GoGui's ruler commands suffice to play a game whose rules the GUI does not know."""
    opening = ["gogui-rules_game_id", "gogui-rules_board_size", "gogui-rules_side_to_move", "gogui-rules_legal_moves"]
    answers = gtp([*opening, "play b B2", "gogui-rules_board", "play w B2", "genmove w", "gogui-rules_legal_moves"])
    assert answers[:3] == ["= ThreeMensMorris", "= 3", "= b"]
    assert sorted(answers[3].split()[1:]) == sorted(f"{c}{r}" for c in "ABC" for r in "123")
    assert answers[4] == "="
    assert answers[5].split("\n")[1:] == [". . .", ". X .", ". . ."]
    assert answers[6].startswith("? illegal move")
    assert answers[7].split()[1] in {f"{c}{r}" for c in "ABC" for r in "123"} - {"B2"}
    assert len(answers[8].split()) == 1 + 7
    moved = gtp([*(f"play {'bw'[n % 2]} {text}" for n, text in enumerate(AROUND)), "play b A2-B2", "genmove b", "undo",
                 "play b B3-B2", "gogui-rules_final_result", "gogui-rules_legal_moves"])  # fmt: skip
    assert moved[6].startswith("? illegal move") and moved[7] == "= B3-B2" and moved[9] == "="
    assert "B+" in moved[10] and moved[11] == "="


def test_options_of_the_core_have_kinds(game: Game) -> None:
    search = make_search(game, "uct", {"mcts.playouts": "off", "mcts.plies": "8", "mcts.expand_visits": 1000})
    options = {option.name: option for option in search.options()}
    assert options["mcts.playouts"] == check("mcts.playouts", False, "whether a leaf is played out; else it is a draw")
    assert options["mcts.plies"] == number("mcts.plies", 8, 1, 100, "length of a playout that is a draw", is_whole=True)
    assert options["mcts.c"].kind == "number" and not options["mcts.c"].is_whole
    root = Root(game.new_state(3, 3, game.default_rules, 0.0))
    assert {line.draw for line in search.run(root, Limits(playouts=20), StopToken()).lines if line.visits} == {1.0}
    search.configure({"mcts.playouts": True})
    search.clear()
    assert {line.win for line in search.run(root, Limits(playouts=200), StopToken()).lines} != {0.5}
    for name, value, says in (("playouts", "maybe", "true or false"), ("plies", 1.5, "a whole number from 1 to 100")):
        with pytest.raises(ValueError, match=f"mcts.{name} must be {says}, not '{value}'"):
            search.configure({f"mcts.{name}": value})
