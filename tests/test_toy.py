"""A game that nobody foresaw joins by the contracts alone: rules, search, player and a GTP session.

tests/test_conformance.py runs over it as well.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from toy.game import registered

from tengen.engine.config import Config
from tengen.engine.games.base import Game
from tengen.engine.player import Player
from tengen.tools import perft

# Depth -> leaves; at depth 9 these are the 255,168 games of tic-tac-toe.
PERFT = {0: 1, 1: 9, 2: 72, 3: 504, 4: 3024, 5: 15120, 6: 56160, 9: 255168}

# Moves so far -> the one good move: win at once, else block, else fork.
TACTICS = [
    ("A3 A1 B3 B1", "C3"),
    ("A3 A1 C2 B1", "C1"),
    ("A3 B2 B3", "C3"),
    ("B2 A3 C3", "A1"),
]


@pytest.fixture
def game() -> Iterator[Game]:
    with registered() as toy:
        yield toy


def player(game: Game, playouts: int = 2000) -> Player:
    """The default player of the toy game, repeatable."""
    return Player(Config(game=game.name, playouts=playouts, threads=1, seed=1))


@pytest.mark.parametrize("depth", PERFT)
def test_rules(game: Game, depth: int) -> None:
    assert perft.count(game.new_state(3, 3, game.default_rules, 0.0), depth) == PERFT[depth]


@pytest.mark.parametrize(("moves", "good"), TACTICS)
def test_search_finds_the_move(game: Game, moves: str, good: str) -> None:
    live = player(game)
    for text in moves.split():
        live.play(live.state.to_move, game.move_from_text(live.state, text))
    move = live.genmove(live.state.to_move).move
    live.close()
    assert move is not None and game.move_to_text(live.state, move) == good


def test_search_against_itself_draws(game: Game) -> None:
    live = player(game, 5000)
    while not live.state.is_terminal():
        live.genmove(live.state.to_move, resign=False)
    assert live.state.result() == 0
    live.close()


def gtp(commands: list[str]) -> list[str]:
    """The answers of a real GTP process that plays the toy game."""
    script = Path(__file__).parent / "toy" / "gtp.py"
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
    assert answers[:3] == ["= TicTacToe", "= 3", "= b"]
    assert sorted(answers[3].split()[1:]) == sorted(f"{c}{r}" for c in "ABC" for r in "123")
    assert answers[4] == "="
    assert answers[5].split("\n")[1:] == [". . .", ". X .", ". . ."]
    assert answers[6].startswith("? illegal move")
    assert answers[7].split()[1] in {"A1", "A3", "C1", "C3"}  # a corner: every edge loses
    assert len(answers[8].split()) == 1 + 7
    whole = gtp(["genmove b", "genmove w"] * 5 + ["gogui-rules_final_result", "gogui-rules_legal_moves"])
    assert whole[-3].startswith("= 0") or whole[-3].lower().startswith("= draw")
    assert whole[-2] == "="
