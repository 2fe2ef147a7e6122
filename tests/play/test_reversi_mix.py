"""The player `mix`: the sign and scale of its three terms, phases, the file of its numbers, its options."""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path

import pytest
from reversi_boards import board, cell

from tengen.engine._core import ReversiState
from tengen.engine.config import Config, ConfigError
from tengen.engine.games.reversi import mix as reversi_mix
from tengen.engine.games.reversi.game import REVERSI
from tengen.engine.games.reversi.mix import Mix, MixFileError
from tengen.engine.info import Line, Proof
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.engine.search import mix as mixing

BOTH_FILES = (reversi_mix.SHIPPED, reversi_mix.UNTUNED)


def numbers(**changes: float) -> Mix:
    """All weights and squares zero but these."""
    values = {setting.name: 0.0 for setting in reversi_mix.settings()}
    return Mix({**values, "middlegame_from": 40.0, "endgame_from": 18.0, **changes})


def lines(**wins: float) -> list[Line]:
    """Lines as a search reports them, e.g. lines(c1=0.6, d3=0.4)."""
    return [Line(cell(move), (cell(move),), visits=10, win=win, loss=1 - win) for move, win in wins.items()]


def order(state: ReversiState, mix: Mix, found: list[Line]) -> list[str]:
    return [REVERSI.move_to_text(state, line.move) for line in mixing.ordered(found, state, mix)]


# board, move of X, sum over turned discs of the empty cells next to each, after the move
FRONTIERS = [
    ("XO------", "c1", 3),  # b1: a2 b2 c2
    ("XOO-----", "d1", 6),  # b1: a2 b2 c2; c1: b2 c2 d2
    ("XO------ OO------ OX------", "c1", 1),  # b1: c2 alone; b2 stays
    ("XO------ OO------ XX------", "c1", 3),  # b1: c2; b2: c2 c3
    ("XXX----- XOX----- XXX-----", "d4", 0),  # nothing turned: no legal move
    ("XXXX---- XOX----- XX------", "c3", 0),  # b2 is shut in
    ("-------- -X------ --O----- --------", "d4", 6),  # c3: all eight but b2 and d4
]


@pytest.mark.parametrize(("text", "move", "expected"), FRONTIERS)
def test_frontier_counts_empty_cells_around_turned_discs(text: str, move: str, expected: int) -> None:
    assert mixing.frontier(board(text), cell(move)) == expected  # type: ignore[arg-type]


def test_frontier_of_a_pass_is_nothing() -> None:
    assert mixing.frontier(board("OX"), 64) == 0  # type: ignore[arg-type]


def test_scale() -> None:
    assert mixing.scaled([3.0, 1.0, 2.0]) == [1.0, 0.0, 0.5]
    assert mixing.scaled([-6.0, -1.0]) == [0.0, 1.0]
    assert mixing.scaled([7.0, 7.0]) == [0.5, 0.5] and mixing.scaled([1.0]) == [0.5]


def test_fewer_empty_neighbours_are_better() -> None:
    """A quiet move beats one that turns open discs, whatever the search's order."""
    state = board("XO------ XX------ -O------ X-O-----")  # c1 turns b1 (c2 open), others turn more open discs
    moves = {m: mixing.frontier(state, m) for m in state.legal_moves()}  # type: ignore[arg-type]
    assert len(set(moves.values())) > 1
    found = [Line(m, (m,), visits=1, win=0.5, loss=0.5) for m in sorted(moves, key=lambda m: -moves[m])]
    ranked = mixing.ordered(found, state, numbers(w2_opening=1.0))  # type: ignore[arg-type]
    counts = [moves[line.move] for line in ranked]
    assert counts == sorted(counts)
    terms = [dict(line.terms)["frontier"] for line in ranked]
    assert terms[0] == 1.0 and terms[-1] == 0.0 and terms == sorted(terms, reverse=True)


def test_valuable_squares_are_better() -> None:
    state = board("-OX----- O------- X------- -----OX-")  # a1, and e4
    assert {cell("a1"), cell("e4")} <= set(state.legal_moves())
    mix = numbers(w3_opening=1.0, square_corner_opening=1.0, square_d4_opening=-0.5)
    ranked = mixing.ordered(lines(e4=0.9, a1=0.1), state, mix)  # type: ignore[arg-type]
    assert [line.move for line in ranked] == [cell("a1"), cell("e4")]
    assert [dict(line.terms)["square"] for line in ranked] == [1.0, 0.0]
    assert order(state, numbers(w3_opening=1.0, square_corner_opening=-1.0), lines(a1=0.9, e4=0.1)) == ["e4", "a1"]


def test_the_search_alone_keeps_its_order_by_win_rate() -> None:
    state = ReversiState()
    assert order(state, numbers(w1_opening=1.0), lines(d3=0.3, c4=0.6, f5=0.5)) == ["c4", "f5", "d3"]
    assert order(state, numbers(), lines(d3=0.3, c4=0.6)) == ["d3", "c4"], "ties keep the search's order"


def test_terms_are_weighed() -> None:
    """a1 is 1 by its square and 0 by the search; e4 the other way round."""
    state = board("-OX----- O------- X------- -----OX-")
    for w1, w3, first in ((1.0, 0.9, "e4"), (0.9, 1.0, "a1")):
        mix = numbers(w1_opening=w1, w3_opening=w3, square_corner_opening=1.0)
        assert order(state, mix, lines(e4=0.9, a1=0.1))[0] == first
        assert mixing.ordered(lines(e4=0.9, a1=0.1), state, mix)[0].terms[0][0] == "search"  # type: ignore[arg-type]


def test_proofs_are_not_outvoted() -> None:
    state = board("-OX----- O------- X------- -----OX-")
    mix = numbers(w3_opening=1.0, square_corner_opening=1.0)
    e4, a1 = lines(e4=1.0, a1=0.1)
    won = e4._replace(proof=Proof(1, 3))
    lost = a1._replace(proof=Proof(-1, 3))
    assert order(state, mix, [won, a1]) == ["e4", "a1"]
    assert order(state, mix, [e4, lost]) == ["e4", "a1"]


@pytest.mark.parametrize(
    ("empties", "phase"),
    [(60, "opening"), (41, "opening"), (40, "middlegame"), (19, "middlegame"), (18, "endgame"), (0, "endgame")],
)
def test_phases(empties: int, phase: str) -> None:
    assert numbers().phase(empties) == phase


def test_phases_have_their_own_numbers() -> None:
    mix = numbers(w1_opening=1.0, w2_middlegame=2.0, w3_endgame=3.0, square_b2_middlegame=-5.0)
    assert [mix.weights(phase) for phase in reversi_mix.PHASES] == [(1, 0, 0), (0, 2, 0), (0, 0, 3)]
    assert mix.square("middlegame", cell("g7")) == -5 and mix.square("opening", cell("g7")) == 0


def test_ten_values_cover_the_board_symmetrically() -> None:
    classes = [reversi_mix.square_class(c) for c in range(64)]
    assert [classes.count(n) for n in range(10)] == [4, 8, 8, 8, 4, 8, 8, 4, 8, 4]
    for c in range(64):
        row, column = divmod(c, 8)
        for image in ((column, row), (7 - row, column), (row, 7 - column)):
            assert classes[image[0] * 8 + image[1]] == classes[c]
    for name in reversi_mix.SQUARES[1:]:
        assert reversi_mix.SQUARES[reversi_mix.square_class(cell(name))] == name


@pytest.mark.parametrize("name", BOTH_FILES)
def test_files(name: str) -> None:
    mix = reversi_mix.load(name)
    assert {"name", "made", "match"} <= set(mix.card) and all(mix.card.values())
    assert len(mix.values) == 2 + 3 * 13
    for phase in reversi_mix.PHASES:
        assert mix.weights(phase)[0] > 0 and len(mix.table(phase)) == 64
    assert reversi_mix.parse(tomllib.loads(reversi_mix.dumps(mix))) == mix


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    mine = dataclasses.replace(reversi_mix.load(reversi_mix.UNTUNED), card={"name": 'a "b" \\ c'})
    path.write_text(reversi_mix.dumps(mine), "utf-8")
    assert reversi_mix.load(path) == mine


# text of the untuned file, what replaces it, what the error names
MISTAKES = [
    ("[opening]\nw1 = 1.0", "[opening]", r"\[opening\] w1 is missing"),
    ("[opening]\nw1 = 1.0", '[opening]\nw1 = "much"', r"\[opening\] w1 is missing or no number"),
    ("[opening]\nw1 = 1.0", "[opening]\nw1 = true", r"\[opening\] w1 is missing or no number"),
    ("[opening]\nw1 = 1.0", "[opening]\nw1 = -1", r"\[opening\] w1 = -1 is not within 0.0 to 10.0"),
    ("[opening]\nw1 = 1.0", "[opening]\nw1 = nan", r"\[opening\] w1 = nan is not within"),
    ("[opening]\nw1 = 1.0", "[opening]\nw1 = 1.0\nw4 = 1.0", r"unknown key \[opening\] w4"),
    ("[opening]\n", "[opening\n", "cannot read"),
    ("[opening]\n", "[beginning]\n", r"\[opening\] w1 is missing"),
    ("[card]\n", "extra = 1\n[card]\n", "'extra' is no section"),
]


@pytest.mark.parametrize(("old", "new", "message"), MISTAKES)
def test_mistakes_in_a_file(old: str, new: str, message: str, tmp_path: Path) -> None:
    text = Path(reversi_mix.__file__).with_name(reversi_mix.UNTUNED).read_text("utf-8")
    assert old in text
    path = tmp_path / "wrong.toml"
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(MixFileError, match=message):
        reversi_mix.load(path)


def test_a_missing_file() -> None:
    with pytest.raises(MixFileError, match="cannot read 'nowhere.toml'"):
        reversi_mix.load("nowhere.toml")


def test_every_number_is_an_option() -> None:
    search = mixing.MixSearch(REVERSI, REVERSI.players["mix"])
    options = {option.name: option for option in search.options()}
    assert {"mix.w1_opening", "mix.w2_middlegame", "mix.square_corner_opening", "mix.endgame_from", "mcts.c"} <= set(
        options
    )
    assert sum(name.startswith("mix.") for name in options) == 41
    search.configure({"mix.w2_opening": 3.0, "mcts.c": 0.7})
    changed = {option.name: option.default for option in search.options()}
    assert changed["mix.w2_opening"] == 3.0 and changed["mcts.c"] == 0.7
    with pytest.raises(ValueError, match="mix.w2_opening must be a number from 0 to 10, not"):
        search.configure({"mix.w2_opening": -1.0})
    with pytest.raises(ValueError, match=r"unknown option 'mix.w2_opnening' \(did you mean 'mix.w2_opening'"):
        search.configure({"mix.w2_opnening": 1.0})
    with pytest.raises(ConfigError, match="mix.w9_opening"):
        Player(Config(game="reversi", player="mix", set={"mix.w9_opening": 1.0}))


EVERY_MOVE = {"mcts.prior_visits": 0.0, "mcts.c": 1.0}
"""A search that leaves no move of the root unvisited."""


def test_the_player_reports_its_terms() -> None:
    live = Player(Config(game="reversi", player="mix", playouts=200, threads=1, seed=3, set=EVERY_MOVE))
    live.play(0, cell("f5"))
    info = live.genmove(MoveRequest(1)).info
    assert len(info.lines) == 3
    for line in info.lines:
        assert [name for name, _ in line.terms] == ["search", "frontier", "square"]
        assert all(0 <= value <= 1 for _, value in line.terms)
    live.close()


def test_options_change_the_move() -> None:
    """With the square table alone the corner is taken or shunned as the table says."""
    state = board("-OX----- O------- X------- ---O----- ---OX--- -----OX-")
    for sign in (1.0, -1.0):
        only_squares = {**EVERY_MOVE, "mix.w1_opening": 0.0, "mix.w2_opening": 0.0, "mix.w3_opening": 1.0,
                        "mix.square_corner_opening": sign}  # fmt: skip
        live = Player(Config(game="reversi", player="mix", playouts=200, threads=1, seed=3, set=only_squares))
        live.setup(state.stones(), 0)
        assert (live.genmove(MoveRequest(0, resign=False)).move == cell("a1")) == (sign > 0)
        live.close()
