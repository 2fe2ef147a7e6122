"""Feature set "katago-v7": what each plane and number says, on small boards made by hand."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import pytest
from go_boards import LETTERS, board, cell
from go_games import choose
from numpy import float32
from numpy.typing import NDArray

from tengen.engine._core import GoState, feature_sets
from tengen.engine.games.go.game import GO
from tengen.engine.games.go.rules import GoRules
from tengen.engine.history import History
from tengen.engine.play.go.katago_inputs import EARLIER, RECENT, Facts, banned, encode, encode_all

V7 = next(features for features in feature_sets() if features.name == "katago-v7")
AREA, TERRITORY = GoRules("area", friendly_pass=False), GoRules("territory", scoring="territory", tax="seki")


def points(planes: NDArray[float32], name: str) -> str:
    """The vertices where a plane is 1, from the top, in one line."""
    plane = planes[V7.planes.index(name)]
    assert set(np.unique(plane)) <= {0, 1}
    return " ".join(f"{LETTERS[x]}{len(plane) - y}" for y, x in np.argwhere(plane)).lower()


def game(diagram: str, moves: str = "", rules: GoRules = AREA, komi: float = 0.0, to_move: int = 0) -> History:
    """From a diagram by moves in turn; `b:c3` plays for a colour."""
    start = board(diagram, to_move, ko=rules.ko, suicide=rules.suicide, scoring=rules.scoring, tax=rules.tax, komi=komi)
    history = History(start)
    for word in moves.split():
        colour, _, vertex = word.rpartition(":")
        who = "bw".index(colour) if colour else history.state.to_move
        history.play(who, cell(start, vertex), rules.repetition)
    return history


EMPTY = "....\n....\n....\n...."


@dataclass(frozen=True)
class Row:
    """A position by moves from a diagram, and the points of some planes (all others of `every` are empty)."""

    name: str
    diagram: str
    moves: str
    planes: dict[str, str]
    rules: GoRules = AREA
    to_move: int = 0
    facts: Facts = field(default_factory=Facts)


KO = ".XO.\nXO.O\n.XO.\n...."
SEKI = ".X.OO\nXX.O.\n.X.O.\nXX.OO\n.X.O."
START = ".....\n.....\n..OX.\n...O.\n....."
SUPERKO = GoRules("superko", ko="positional", friendly_pass=False)
ROWS = [
    Row("stones and liberties", "XO...\n.....\n..X..\n..OX.\n.....", "",
        {"own": "a5 c3 d2", "enemy": "b5 c2", "liberties_1": "a5", "liberties_2": "b5 c2", "liberties_3": "c3 d2",
         "own_area": "a5 c3 d2", "enemy_area": "b5 c2"}),
    Row("the same for the other side", "XO...\n.....\n..X..\n..OX.\n.....", "",
        {"own": "b5 c2", "enemy": "a5 c3 d2", "own_area": "b5 c2", "enemy_area": "a5 c3 d2"}, to_move=1),
    Row("the last five moves, newest first", EMPTY, "a1 d4 b2 d3 c3 d2 c1",
        {"recent_1": "c1", "recent_2": "d2", "recent_3": "c3", "recent_4": "d3", "recent_5": "b2"}),
    Row("a pass marks no point", EMPTY, "a1 pass b2", {"recent_1": "b2", "recent_2": "", "recent_3": "a1"}),
    Row("the past begins where a side moved twice", EMPTY, "w:a1 b:d4 b:b2 w:d3",
        {"recent_1": "d3", "recent_2": "b2", "recent_3": "", "recent_4": ""}),
    Row("no past when the mover moved last", EMPTY, "a1 d4 w:b2", {"recent_1": "b2", "recent_2": ""}),
    Row("simple ko", KO, "c3", {"banned": "b3", "recent_1": "c3"}),
    Row("a pass lifts it", KO, "c3 b:pass", {"banned": "", "recent_1": ""}),
    Row("superko does not forget", KO, "c3 b:pass", {"banned": "b3"}, rules=SUPERKO),
    Row("a ladder", ".....\n..O..\n.OX..\n..OO.\n.....", "", {"ladder": "c3", "ladder_moves": ""}, to_move=1),
    Row("where a ladder starts", START, "", {"ladder": "d3", "ladder_moves": "d4"}, to_move=1),
    Row("ladders against oneself have no moves", START, "", {"ladder": "d3", "ladder_moves": ""}),
    Row("out of a ladder", START, "d4", {"ladder": "", "ladder_1": "d3", "ladder_2": "d3", "ladder_moves": ""}),
    Row("and one move later", START, "d4 a1", {"ladder_1": "", "ladder_2": "d3"}),
    Row("a pass leaves them there", START, "pass", {"ladder": "d3", "ladder_1": "d3", "ladder_2": "d3"}),
    Row("where the past is hidden, ladders stay as they are", START, "d4 pass",
        {"ladder_1": "", "ladder_2": "", "recent_2": ""}, facts=Facts(hides_end=True)),
    Row("pass-alive stones, eyes and what is dead in them", ".X.XO\nXXXXO\nOOOOO\n.....\n.....", "",
        {"own_area": "a5 b5 c5 d5 a4 b4 c4 d4", "enemy_area": "e5 e4 a3 b3 c3 d3 e3 a2 b2 c2 d2 e2 a1 b1 c1 d1 e1"}),
    Row("a dead stone inside pass-alive walls", ".XOX.\nXX.X.\n.XXX.\nXX...\n.....", "",
        {"own_area": "a5 b5 c5 d5 e5 a4 b4 c4 d4 e4 a3 b3 c3 d3 e3 a2 b2 c2 d2 e2 a1 b1 c1 d1 e1", "enemy_area": ""}),
    Row("land that both touch is nobody's", "X...O\n.....\n.....\n.....\n.....", "",
        {"own_area": "a5", "enemy_area": "e5"}),
    Row("territory scoring says no area", "X...O\n.....\n.....\n.....\n.....", "", {"own_area": "", "enemy_area": ""},
        rules=TERRITORY),
    Row("a seki's eyes, untaxed", SEKI, "",
        {"own_area": "a5 b5 a4 b4 a3 b3 a2 b2 a1 b1", "enemy_area": "d5 e5 d4 e4 d3 e3 d2 e2 d1 e1"}),
    Row("taxed: what touches a neutral point keeps its stones", SEKI, "",
        {"own_area": "b5 a4 b4 b3 a2 b2 b1", "enemy_area": "d5 e5 d4 d3 d2 e2 d1"}, rules=GoRules("t", tax="seki")),
    Row("taxed: land away from neutral points counts", ".XO..\nXXO..\nXOO..\nXXOO.\n.XO..", "",
        {"own_area": "a5 b5 a4 b4 a3 a2 b2 a1 b1",
         "enemy_area": "c5 d5 e5 c4 d4 e4 b3 c3 d3 e3 c2 d2 e2 c1 d1 e1"}, rules=GoRules("t", tax="all")),
    Row("hidden: the pass that would end the game", EMPTY, "a1 d4 pass", {"recent_2": "", "recent_3": ""},
        facts=Facts(hides_end=True)),
    Row("a finished game shows its last pass", EMPTY, "a1 d4 pass pass", {"recent_3": "", "recent_4": ""}),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_planes(row: Row) -> None:
    history = game(row.diagram, row.moves, row.rules, to_move=row.to_move)
    planes, _ = encode(history, row.rules, facts=row.facts)
    assert {name: points(planes, name) for name in row.planes} == row.planes
    assert planes[0].all()
    for name in V7.planes:
        assert "encore" not in name or not points(planes, name)


def test_a_ko_of_the_attacker_saves() -> None:
    """Black takes d3 and White takes b4 back by c4, a ko: for these inputs that is an escape."""
    state = board("OX.X\n.O.O\nOOXX\n.OXX")
    planes, _ = state.katago()
    assert state.ladder(cell(state, "d4")) == "captured"
    assert "d4" not in points(planes, "ladder")


def test_life_as_if_suicide_were_legal() -> None:
    """White's stone in the corner, which the walls do not touch, could vanish and leave Black without a second eye."""
    state = board(".....\n.....\nXXXX.\n.X.X.\nO.XX.")
    told, strict = (points(state.katago(suicide_in_life=strict)[0], "own_area").split() for strict in (False, True))
    assert len(told) == 25
    assert sorted(set(told) - set(strict)) == ["a1", "a2", "b1"]


NUMBERS = [
    ("komi for White", 9, {"komi": 7.5, "to_move": 1}, AREA, {"komi": 0.375, "komi_wave": 0.5}),
    ("komi against Black", 9, {"komi": 7.5}, AREA, {"komi": -0.375, "komi_wave": -0.5}),
    ("a komi that can draw", 9, {"komi": 7, "to_move": 1}, AREA, {"komi": 0.35, "komi_wave": 0}),
    ("one that cannot", 9, {"komi": 6, "to_move": 1}, AREA, {"komi_wave": 0}),
    ("a little more than one that can", 9, {"komi": 7.25, "to_move": 1}, AREA, {"komi_wave": 0.25}),
    ("a little less than one that can", 9, {"komi": 6.75, "to_move": 1}, AREA, {"komi_wave": -0.25}),
    ("on an even board even komis draw", 4, {"komi": 6.5, "to_move": 1}, AREA, {"komi_wave": 0.5}),
    ("a komi beyond the board", 3, {"komi": 200, "to_move": 1}, AREA, {"komi": 1.45}),
    ("far below", 3, {"komi": 200}, AREA, {"komi": -1.45}),
    ("area", 4, {}, AREA, {"superko": 0, "superko_kind": 0, "suicide": 0, "territory": 0, "tax": 0, "button": 0}),
    ("positional", 4, {}, SUPERKO, {"superko": 1, "superko_kind": 0.5}),
    ("situational", 4, {}, GoRules("s", ko="situational"), {"superko": 1, "superko_kind": -0.5}),
    ("suicide", 4, {}, GoRules("s", suicide=True), {"suicide": 1}),
    ("territory", 9, {"komi": 7.5}, TERRITORY, {"territory": 1, "tax": 1, "tax_all": 0, "komi_wave": 0}),
    ("group tax", 4, {}, GoRules("t", tax="all"), {"tax": 1, "tax_all": 1}),
    ("button", 4, {}, GoRules("b", has_button=True), {"button": 1}),
    ("button taken", 4, {"moves": "pass a1"}, GoRules("b", has_button=True), {"button": 0}),
    ("passes", 4, {"moves": "a1 pass b2 pass c3"}, AREA, {"passed_1": 0, "passed_2": 1, "passed_4": 1, "pass_ends": 0}),
    ("a pass would end it", 4, {"moves": "a1 pass"}, AREA, {"passed_1": 1, "pass_ends": 1}),
    ("but not among friends", 4, {"moves": "a1 pass"}, GoRules("friends"), {"passed_1": 0, "pass_ends": 0}),
    ("friends who both have passed", 4, {"moves": "a1 pass pass"}, GoRules("friends"), {"passed_1": 1, "pass_ends": 1}),
    ("and with territory", 4, {"moves": "a1 pass"}, TERRITORY, {"passed_1": 1, "pass_ends": 1}),
    ("after two passes", 4, {"moves": "a1 pass pass"}, AREA, {"passed_1": 1, "passed_2": 0, "pass_ends": 1}),
    ("stones count against their side", 4, {"moves": "a1 b2 c3"}, TERRITORY, {"komi": 1 / 20}),
    ("as they do for the other side", 4, {"moves": "a1 b2 c3 pass"}, TERRITORY, {"komi": -1 / 20}),
    ("those set up too", 4, {"diagram": KO, "moves": "c3"}, TERRITORY, {"komi": 0}),
    ("none with area", 4, {"moves": "a1 b2 c3"}, AREA, {"komi": 0}),
    ("more playouts", 4, {"facts": Facts(doublings=0.5)}, AREA, {"handicap": 1, "doublings": 0.25}),
    ("as many", 4, {}, AREA, {"handicap": 0, "doublings": 0}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "size", "made", "rules", "wanted"), NUMBERS, ids=[row[0] for row in NUMBERS])
def test_numbers(name: str, size: int, made: dict[str, Any], rules: GoRules, wanted: dict[str, float]) -> None:
    told = {"diagram": "\n".join(["." * size] * size), "facts": Facts(), "rules": rules, **made}
    facts = told.pop("facts")
    _, numbers = encode(game(**told), rules, facts=facts)
    found = dict(zip(V7.globals, numbers.tolist(), strict=True))
    assert {key: found[key] for key in wanted} == pytest.approx(wanted)
    assert found["encore_1"] == found["encore_2"] == 0


def test_the_set() -> None:
    assert (V7.game, len(V7.planes), len(V7.globals), V7.recent, V7.earlier) == ("go", 22, 19, RECENT, EARLIER)
    assert len(set(V7.planes)) == 22 and len(set(V7.globals)) == 19


@pytest.mark.parametrize("size", [(2, 2), (5, 5), (4, 7), (13, 13), (25, 25)])
def test_through_a_symmetry(size: tuple[int, int]) -> None:
    """Planes are those of the position turned round; what is said of the whole position does not turn."""
    rng = random.Random(4)
    history = History(GO.new_state(*size, SUPERKO, 7.5))
    while len(history.moves) < size[0] * size[1] and not history.state.is_terminal():
        move = choose(cast(GoState, history.state), rng, passes=0.05)
        if not history.is_repetition(history.state.to_move, move, "positional"):
            history.play(history.state.to_move, move, "positional")
    state: Any = history.state
    seen = {symmetry: encode(history, SUPERKO, symmetry=symmetry) for symmetry in range(V7.symmetries(*size))}
    for symmetry, (planes, numbers) in seen.items():
        told = history.recent(5), banned(history, SUPERKO)
        turned = [[V7.policy_index(move, *size, symmetry) for move in moves] for moves in told]
        earlier = [before.transform(symmetry) for before in history.earlier(2)]
        wanted = state.transform(symmetry).katago(*turned, earlier)
        np.testing.assert_array_equal(planes, wanted[0])
        np.testing.assert_array_equal(numbers, wanted[1])


def test_many_at_once() -> None:
    games = [(game(START, "d4"), AREA), (game(START, "a1 e5"), TERRITORY)]
    planes, numbers = encode_all(games)
    assert planes.shape == (2, 22, 5, 5) and numbers.shape == (2, 19)
    for row, (history, rules) in enumerate(games):
        one = encode(history, rules)
        assert (planes[row] == one[0]).all() and (numbers[row] == one[1]).all()


@pytest.mark.parametrize(
    ("told", "error"),
    [
        ({"symmetry": 8}, "no symmetry"),
        ({"recent": [26]}, "off the board"),
        ({"banned": [25]}, "off the board"),
        ({"earlier": [GoState(4, 5)]}, "another size"),
    ],
)
def test_refused(told: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        GoState(5, 5).katago(**told)


def test_history_keeps_what_came_earlier() -> None:
    """Across the plies that are stored, and no more than there were."""
    history, rng = History(GO.new_state(9, 9, AREA, 7.5)), random.Random(9)
    keys = []
    for _ in range(70):
        keys.append(history.state.state_key)
        history.play(history.state.to_move, choose(cast(GoState, history.state), rng, passes=0))
        assert [state.state_key for state in history.earlier(3)] == keys[-3:]
