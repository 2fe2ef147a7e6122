"""What the feature sets encode, as boards: of Gomoku, of Reversi, and those of Go that are not told by a test of their own.

A plane is written as the vertices where it is not 0, row by row from the top; "all" where it is 1 everywhere.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy import float32
from numpy.typing import NDArray

from tengen.engine._core import GomokuState, ReversiState, feature_sets
from tengen.engine.games import get_game
from tengen.engine.games.base import Game
from tengen.engine.history import History

SETS = {features.name: features for features in feature_sets()}
GAMES = ("go", "gomoku", "reversi")
PLAIN = [name for name, features in SETS.items() if features.game in GAMES and not features.globals]
"""The sets that `planes` encodes."""


def after(words: str, game: Game, width: int, height: int, rules: str) -> History:
    """The game after moves in turn; `b:c3` and `w:c3` play for a colour."""
    found = game.rule_sets[rules]
    history = History(game.new_state(width, height, found, 7.0))
    for word in words.split():
        colour, _, text = word.rpartition(":")
        who = "bw".index(colour) if colour else history.state.to_move
        history.play(who, game.move_from_text(history.state, text), found.repetition)
    return history


def encode(name: str, history: History, symmetry: int = 0) -> NDArray[float32]:
    """The position of a game with as much of its past as the set takes."""
    features = SETS[name]
    recent, earlier = history.recent(features.recent), history.earlier(min(features.earlier, len(history.moves)))
    state: Any = history.state
    return np.asarray(state.planes(name, recent, [], earlier, symmetry))


def told(plane: NDArray[float32], history: History, game: Game) -> str:
    """A plane as the module's text says it; the values where they are not 1."""
    if len(values := np.unique(plane)) == 1 and values[0]:
        return "all" if values[0] == 1 else f"all {values[0]:.3g}"
    cells = [(int(cell), plane.ravel()[cell]) for cell in np.flatnonzero(plane)]
    marks = [
        game.move_to_text(history.state, cell).lower() + ("" if value == 1 else f"={value:g}") for cell, value in cells
    ]
    return " ".join(marks)


@dataclass(frozen=True)
class Row:
    """A game by its moves, and the planes that are not empty; those that are not named are."""

    name: str
    features: str
    moves: str
    planes: dict[str, str]
    size: tuple[int, int] = (8, 8)
    rules: str = ""


STONES = "d4 e5 d5"
LINES = "c3 a8 d3 b8 e3 c8 h1"
"""Black has an open three, White one at the edge; it is White's move."""
GO9 = "c3 g7 c7 g3 e5"
CAPTURE = "b1 a1 c3 d3 a2"
"""On 4x4, the last move takes a1."""
ROWS = [
    Row("an empty board", "alphazero-gomoku-v1", "", {"first_player": "all"}),
    Row("the second player to move", "alphazero-gomoku-v1", "d4", {"enemy": "d4", "recent_1": "d4"}),
    Row("the first again", "alphazero-gomoku-v1", "d4 e5",
        {"own": "d4", "enemy": "e5", "recent_1": "e5", "first_player": "all"}),
    Row("rows are from the top, also on other boards", "alphazero-gomoku-v1", "a1 j5 e3",
        {"own": "j5", "enemy": "e3 a1", "recent_1": "e3"}, (9, 5)),
    Row("stones and moves", "gomoku-v1", STONES,
        {"on_board": "all", "own": "e5", "enemy": "d5 d4", "recent_1": "d5", "recent_2": "e5", "recent_3": "d4",
         "enemy_open_three": "d7 d6 d3 d2"}),
    Row("the fifth last move is forgotten", "gomoku-v1", "a1 h8 c1 h6 e1",
        {"on_board": "all", "own": "h8 h6", "enemy": "a1 c1 e1", "recent_1": "e1", "recent_2": "h6", "recent_3": "c1",
         "recent_4": "h8", "enemy_four": "b1 d1", "enemy_open_three": "f1"}),
    Row("Black to move, and renju", "gomoku-v1", "", {"on_board": "all", "black_to_move": "all", "renju": "all"},
        rules="renju"),
    Row("standard", "gomoku-v1", "", {"on_board": "all", "black_to_move": "all", "standard": "all"}, rules="standard"),
    Row("caro", "gomoku-v1", "", {"on_board": "all", "black_to_move": "all", "caro": "all"}, rules="caro"),
    Row("exact caro", "gomoku-v1", "", {"on_board": "all", "black_to_move": "all", "exact_caro": "all"},
        rules="exact-caro"),
    Row("lines of both sides", "gomoku-v1", LINES,
        {"on_board": "all", "own": "a8 b8 c8", "enemy": "c3 d3 e3 h1", "recent_1": "h1", "recent_2": "c8",
         "recent_3": "e3", "recent_4": "b8", "own_four": "d8 e8", "enemy_open_four": "b3 f3", "enemy_four": "a3 g3"}),
    Row("the same from the other side", "gomoku-v1", LINES.removesuffix(" h1") + " h1 a1",
        {"on_board": "all", "black_to_move": "all", "own": "c3 d3 e3 h1", "enemy": "a8 b8 c8 a1", "recent_1": "a1",
         "recent_2": "h1", "recent_3": "c8", "recent_4": "e3", "enemy_four": "d8 e8", "own_open_four": "b3 f3",
         "own_four": "a3 g3"}),
    Row("a five", "gomoku-v1", "c3 a8 d3 b8 e3 c8 f3 d8",
        {"on_board": "all", "black_to_move": "all", "own": "c3 d3 e3 f3", "enemy": "a8 b8 c8 d8", "recent_1": "d8",
         "recent_2": "f3", "recent_3": "c8", "recent_4": "e3", "own_five": "b3 g3", "own_four": "a3 h3", "enemy_five": "e8",
         "enemy_four": "f8"}),
    Row("two windows that lack one cell are one four", "gomoku-v1", "b3 a3 c3 a8 d3 a6 g3 h8",
        {"on_board": "all", "black_to_move": "all", "own": "b3 c3 d3 g3", "enemy": "a8 h8 a6 a3", "recent_1": "h8",
         "recent_2": "g3", "recent_3": "a6", "recent_4": "d3", "own_four": "e3 f3", "enemy_open_three": "a5 a4"}),
    Row("the start of Reversi", "reversi-v1", "",
        {"on_board": "all", "own": "e4 d5", "enemy": "d4 e5", "legal": "d3 c4 f5 e6", "enemy_legal": "e3 f4 c5 d6",
         "own_frontier": "e4 d5", "enemy_frontier": "d4 e5", "empty": "all 0.938"}),
    Row("after a move", "reversi-v1", "f5",
        {"on_board": "all", "own": "d4", "enemy": "e4 d5 e5 f5", "legal": "f4 d6 f6", "enemy_legal": "c3 d3 c4",
         "own_frontier": "d4", "enemy_frontier": "e4 d5 e5 f5", "recent_1": "f5", "empty": "all 0.922"}),
    Row("CleverGo: five moves", "clevergo-v1", GO9,
        {"own_0": "g7 g3", "own_1": "g7", "enemy_0": "c7 e5 c3", "enemy_1": "c7 c3", "enemy_2": "c3",
         "white_to_move": "all", "recent_1": "e5"}, (9, 9)),
    Row("CleverGo: Black to move", "clevergo-v1", "c3 g7",
        {"own_0": "c3", "enemy_0": "g7", "recent_1": "g7"}, (9, 9)),
    Row("CleverGo: captured stones are gone now, and stood then", "clevergo-v1", CAPTURE,
        {"own_0": "d3", "own_1": "a1", "own_2": "", "enemy_0": "c3 a2 b1", "enemy_1": "c3 b1", "enemy_2": "b1",
         "white_to_move": "all", "recent_1": "a2"}, (4, 4)),
    Row("CleverGo: a pass is no point", "clevergo-v1", "c3 pass",
        {"own_0": "c3", "own_1": "", "enemy_0": ""}, (9, 9)),
    Row("CleverGo: merged", "clevergo-v1-merged", GO9,
        {"stones_0": "c7=-1 g7 e5=-1 c3=-1 g3", "stones_1": "c7=-1 g7 c3=-1 g3", "stones_2": "c7=-1 g7 c3=-1",
         "stones_3": "g7 c3=-1", "white_to_move": "all", "recent_1": "e5"}, (9, 9)),
    Row("CleverGo: two steps without the last move", "clevergo-v1-2-nolast", GO9,
        {"own_0": "g7 g3", "own_1": "g7", "enemy_0": "c7 e5 c3", "enemy_1": "c7 c3", "white_to_move": "all"}, (9, 9)),
    Row("CleverGo: one step merged", "clevergo-v1-1-merged-nolast", "c3 g7 e5",
        {"stones_0": "g7 e5=-1 c3=-1", "white_to_move": "all"}, (9, 9)),
    Row("CleverGo: eight steps", "clevergo-v1-8-merged", GO9,
        {"stones_0": "c7=-1 g7 e5=-1 c3=-1 g3", "stones_1": "c7=-1 g7 c3=-1 g3", "stones_2": "c7=-1 g7 c3=-1",
         "stones_3": "g7 c3=-1", "stones_4": "c3=-1", "white_to_move": "all", "recent_1": "e5"}, (9, 9)),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_planes(row: Row) -> None:
    features = SETS[row.features]
    game = get_game(features.game)
    history = after(row.moves, game, *row.size, row.rules or game.default_rules.name)
    found = encode(row.features, history)
    assert found.shape == (len(features.planes), *row.size[::-1])
    shown = {name: told(plane, history, game) for name, plane in zip(features.planes, found, strict=True)}
    assert {name: text for name, text in shown.items() if text} == {
        name: text for name, text in row.planes.items() if text
    }


def test_all_planes_have_a_row() -> None:
    """Of every set that stands for its family there is a row in which a plane says something; `go-v1` and `katago-v7`
    have tests of their own. `passed` and `forbidden` are shown below."""
    shown = {row.features: set[str]() for row in ROWS}
    for row in ROWS:
        shown[row.features] |= {name for name, text in row.planes.items() if text}
    for name in ("alphazero-gomoku-v1", "gomoku-v1", "reversi-v1"):
        missing = set(SETS[name].planes) - shown[name]
        assert missing <= {"passed", "forbidden", "own_open_three"}, name


def test_a_double_three_is_forbidden_to_black() -> None:
    """And to nobody under other rules; who is to move does not matter. Pairs are open threes to be."""
    game = get_game("gomoku")
    for to_move in (0, 1):
        for rules, wanted in (("renju", "e5"), ("freestyle", "")):
            state: Any = game.new_state(9, 9, game.rule_sets[rules], 0)
            for text in ("e8", "e7", "c5", "b5"):
                state.play_as(0, game.move_from_text(state, text))
            state.set_to_move(to_move)
            planes = dict(zip(SETS["gomoku-v1"].planes, state.planes("gomoku-v1"), strict=True))
            history = History(state)
            assert told(planes["forbidden"], history, game) == wanted
            side, other = ("own", "enemy")[:: 1 if to_move == 0 else -1]
            assert "e5" in told(planes[f"{side}_open_three"], history, game).split()
            assert not planes[f"{other}_open_three"].any()


def test_a_pass_of_reversi() -> None:
    """The mover may play nowhere a little before: the last move was a pass, and no cell."""
    game = get_game("reversi")
    rng = random.Random(1)
    while True:
        history = History(game.new_state(8, 8, game.default_rules, 0))
        while not history.state.is_terminal():
            move = rng.choice(history.state.legal_moves())
            history.play(history.state.to_move, move, "none")
            if move == history.state.pass_move:
                planes = dict(zip(SETS["reversi-v1"].planes, encode("reversi-v1", history), strict=True))
                assert planes["passed"].all() and not planes["recent_1"].any() and not planes["enemy_legal"].any()
                return


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("square", [True, False])
def test_planes_through_every_symmetry(name: str, square: bool) -> None:
    """They are those of the game turned round: every cell's numbers go where the policy's place of the cell is."""
    features, rng = SETS[name], random.Random(3)
    game = get_game(features.game)
    if features.game == "reversi" and not square:
        pytest.skip("the board of Reversi is square")
    width, height = (8, 8) if square else (6, 9)
    rules = game.rule_sets["renju" if features.game == "gomoku" else game.default_rules.name]
    history = History(game.new_state(width, height, rules, 7.0))
    for _ in range(width * height // 2):
        if history.state.is_terminal():
            break
        history.play(history.state.to_move, rng.choice(history.state.legal_moves()), "none")
    plain = encode(name, history)
    cells = width * height
    assert plain.any() and features.symmetries(width, height) == (8 if square else 4)
    for symmetry in range(features.symmetries(width, height)):
        seen = encode(name, history, symmetry)
        places = [features.policy_index(cell, width, height, symmetry) for cell in range(cells)]
        np.testing.assert_array_equal(seen.reshape(-1, cells)[:, places], plain.reshape(-1, cells))
        assert symmetry == 0 or (seen != plain if square else seen.ravel() != plain.ravel()).any()


@pytest.mark.parametrize("name", PLAIN)
def test_every_float_is_written(name: str) -> None:
    """Two encodings of one position are equal, whatever the memory held before."""
    game = get_game(SETS[name].game)
    history = History(game.new_state(8, 8, game.default_rules, 7.0))
    history.play(0, history.state.legal_moves()[0], "none")
    first = encode(name, history)
    _ = np.full_like(first, np.nan).copy()
    np.testing.assert_array_equal(first, encode(name, history))
    assert np.isfinite(first).all()


STATE, OTHER = GomokuState(8, 8), GomokuState(9, 9)
MISTAKES: list[tuple[dict[str, Sequence[Any] | str | int], str]] = [
    ({"name": "go-v1"}, "unknown feature set"),
    ({"symmetry": 8}, "no symmetry of this board"),
    ({"recent": [64]}, "off the board"),
    ({"banned": [-1]}, "off the board"),
    ({"earlier": [OTHER]}, "an earlier position is of another size"),
]


@pytest.mark.parametrize(("given", "error"), MISTAKES)
def test_what_does_not_fit_is_refused(given: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        STATE.planes(**given)
    assert ReversiState().planes().shape == (10, 8, 8)


def test_the_family_of_clevergo() -> None:
    """Each option has its sets: steps, separated or merged, the last move or not."""
    family = {name: features for name, features in SETS.items() if name.startswith("clevergo-v1")}
    facts = {(len(f.planes), f.recent, f.earlier) for f in family.values()}
    wanted = {
        ((1 if merged else 2) * steps + 1 + last, last, (1 if merged else 2) * (steps - 1))
        for steps in (1, 2, 4, 8) for merged in (False, True) for last in (0, 1)
    }  # fmt: skip
    assert facts == wanted and len(family) == 16
    assert len(family["clevergo-v1"].planes) == 10
