"""`tengen review`: what moves cost, the table, the annotated SGF, the picture, and what it says to bad input."""

from __future__ import annotations

import re
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest
from checkout import needs_openvino
from networks import tiny
from sgfmill import sgf

from tengen.engine.records.sgf_tree import GameTree
from tengen.tools.review.annotating import annotate
from tengen.tools.review.canvas import Png, Svg
from tengen.tools.review.go import _arrived, roots_of, rules_of
from tengen.tools.review.grading import BAD, GO, Grade
from tengen.tools.review.move_costs import judge, summary, worst
from tengen.tools.review.picture import draw
from tengen.tools.review.plot import GROUND, HEIGHT, WIDTH
from tengen.tools.review.position import Position
from tengen.tools.review.table import lines

Tengen = Callable[..., subprocess.CompletedProcess[str]]
GAME = (
    "(;GM[1]SZ[9]KM[7]PB[Anna]PW[Ben <&>]RE[W+3.5]C[Hello];B[ee]C[mine]TE[1];W[cc]LB[cc:1];B[aa];W[gg](;B[ge])(;B[cg]))"
)
LEADS = (0.0, -2.0, 0.0, -8.0, -4.5, -4.5)
"""Of Black after 0, 1, ... moves."""
BETTER = ("dd", "gc", "gg", "ge", "ge")
"""The move that the network prefers there; the last is the one played."""


def cell(point: str) -> int:
    return "abcdefghi".index(point[1]) * 9 + "abcdefghi".index(point[0])


def positions() -> list[Position]:
    return [
        Position(turn & 1, 0.5 + lead / 20, lead, 50, ((turn & 1, cell(point)), (turn & 1 ^ 1, cell("fd"))))
        for turn, (lead, point) in enumerate(zip(LEADS, (*BETTER, "hh"), strict=True))
    ]


def test_what_moves_cost() -> None:
    """Black's are 2, 8 and nothing; White's 2 and 3.5. The move that the network prefers is never bad."""
    verdicts = judge(GameTree(GAME).record.moves, positions(), GO)
    assert [round(verdict.lost, 6) for verdict in verdicts] == [2, 2, 8, 3.5, 0]
    assert [verdict.grade for verdict in verdicts] == [
        Grade.INACCURACY, Grade.INACCURACY, Grade.BLUNDER, Grade.MISTAKE, Grade.FINE,
    ]  # fmt: skip
    assert [verdict.number for verdict in worst(verdicts, 2)] == [3, 4]
    black, white = (summary(verdicts, colour, GO) for colour in (0, 1))
    assert black is not None and white is not None
    assert (black.moves, white.moves) == (3, 2) and black.best == pytest.approx(1 / 3) and white.mean_loss == 2.75
    assert white.accuracy == pytest.approx(100 * 0.75**2.75) and [white.counts[grade] for grade in BAD] == [0, 1, 1]
    assert summary(verdicts[:1], 1, GO) is None


def test_a_gain_costs_nothing_and_a_move_out_of_turn_is_no_mistake() -> None:
    first = Position(0, 0.5, 0.0, 9, ((0, 3),))
    assert judge([(0, 5)], [first, Position(1, 0.9, 9.0, 9, ())], GO)[0].lost == 0
    turned = judge([(1, 5)], [first, Position(0, 0.9, 9.0, 9, ())], GO)[0]
    assert turned.grade is Grade.FINE and turned.better == ()


def test_the_table() -> None:
    record = GameTree(GAME).record
    text = lines(record, judge(record.moves, positions(), GO), GO)
    assert text[0] == "Black (Anna) - White (Ben <&>)" and "inaccuracies" in text[1]
    assert text[2].startswith("Black") and text[3].startswith("White")
    assert [row.split()[:4] for row in text[6:]] == [
        ["3", "Black", "A9", "G3"], ["4", "White", "G3", "G5"], ["1", "Black", "E5", "D6"], ["2", "White", "C7", "G7"],
    ]  # fmt: skip
    assert text[6].endswith("8.0   50.0 ->  10.0 %  blunder")


def test_the_annotated_game_keeps_its_own() -> None:
    tree = GameTree(GAME)
    found = positions()
    annotate(tree, judge(tree.record.moves, found, GO), found[0], "a test", GO)
    game = sgf.Sgf_game.from_string(tree.dumps())
    nodes = list(game.get_main_sequence())
    assert nodes[0].get("C").startswith("Hello\n\nReview by a test.\nBlack: accuracy")
    assert nodes[1].get("C").startswith("mine\n\nInaccuracy: 2.0 points") and nodes[1].has_property("TE")
    assert not nodes[1].has_property("DO") and nodes[2].has_property("DO") and not nodes[2].has_property("MA")
    assert nodes[3].get_raw("BM") == b"2" and nodes[3].get_raw("MA") == b"aa" and nodes[4].get_raw("BM") == b"1"
    assert not nodes[5].has_property("BM") and "Black 27.5 %, White leads by 4.5 (50 visits)." in nodes[5].get("C")
    assert [float(node.get_raw("V")) for node in nodes] == list(LEADS)
    assert [float(node.get_raw("SBKV")) for node in nodes] == [50, 40, 50, 10, 27.5, 27.5]
    variation = nodes[2][1]
    assert variation.get_move() == ("b", (2, 6)) and variation.get("C") == "Better than A9 by 8.0 points."
    assert variation[0].get_move() == ("w", (5, 5)) and len(nodes[4]) == 2


@pytest.mark.parametrize("make", (Svg, Png))
def test_the_picture(make: type[Svg] | type[Png], tmp_path: Path) -> None:
    if make is Png:
        pytest.importorskip("PIL")
    record = GameTree(GAME).record
    found = positions()
    data = draw(make(WIDTH, HEIGHT, GROUND), record, found, judge(record.moves, found, GO), GO)
    if make is Png:
        from PIL import Image

        path = tmp_path / "game.png"
        path.write_bytes(data)
        with Image.open(path) as image:
            assert image.size == (WIDTH, HEIGHT) and len(image.getcolors(10**6) or ()) > 50
        return
    whole = ElementTree.fromstring(data)
    discs = [item for item in whole.iter() if item.tag.endswith("circle")]
    assert len(discs) == len(BAD) + 2 * 4  # the legend's, and each bad move in both halves
    words = [item.text for item in whole.iter() if item.tag.endswith("text")]
    assert "Anna (Black) - Ben <&> (White)" in words and "B+10" in words and "5" in words


def test_pictures_of_short_and_of_long_games() -> None:
    record = GameTree("(;SZ[9];B[ee])").record
    for moves in (1, 400):
        many = [Position(0, 0.5, 1000.0, 1, ())] * (moves + 1)
        ElementTree.fromstring(draw(Svg(WIDTH, HEIGHT, GROUND), record, many, judge([(0, 1)] * moves, many, GO), GO))


def test_the_command(tengen: Tengen, called: Tengen, tmp_path: Path) -> None:
    needs_openvino()
    game, out, picture = tmp_path / "game.sgf", tmp_path / "out.sgf", tmp_path / "game.svg"
    game.write_text(GAME)
    words = ("--net", str(tiny()), "--precision", "f32", "--visits", "10")
    done = tengen("review", str(game), "-o", str(out), "--picture", str(picture), *words)
    assert done.returncode == 0, done.stderr
    assert "Black (Anna)" in done.stdout and "accuracy" in done.stdout
    nodes = list(sgf.Sgf_game.from_bytes(out.read_bytes()).get_main_sequence())
    assert len(nodes) == 6 and all("(10 visits)" in node.get("C") for node in nodes[1:])
    assert "10 visits a position, chinese rules" in nodes[0].get("C")
    ElementTree.fromstring(picture.read_bytes())
    piped = called("review", "-", *words, send=GAME)
    assert piped.returncode == 0 and "Black (Anna)" in piped.stdout
    assert called("review", str(game), *words, "--rules", "japanese").returncode == 0


LENIENT = {
    "illegal": (
        "(;GM[1]SZ[9]KM[7];B[ee];W[cc]\n;B[cc];W[aa])",
        2,
        "line 2: move 3, B C7, is illegal: occupied: the game is read up to it",
    ),
    "point": (
        "(;GM[1]SZ[9]KM[7];B[ee];W[cc]\n;B[zz];W[aa])",
        2,
        "line 2: move 3 is illegal: 'zz' is not a point of the board: the game is read up to it",
    ),
    "komi": ("(;GM[1]SZ[9]KM[375];B[ee];W[cc])", 2, "KM[375] is read as a komi of 7.5"),
    "rules": ("(;GM[1]SZ[9]RU[of the house];B[ee];W[cc])", 2, "the rules 'of the house' are not known"),
    "end": ("(;GM[1]SZ[9];B[ee];W[cc](;B[dd]", 3, "line 1: the file ends without a parenthesis"),
    "set-up": ("(;GM[1]SZ[9]RU[Japanese Rules];B[ee];W[cc];AE[ee]AB[gg];W[gc];B[dd])", 4, ""),
}


@pytest.mark.parametrize("name", LENIENT)
def test_what_is_not_plain_is_reviewed_and_told(name: str, called: Tengen, tmp_path: Path) -> None:
    needs_openvino()
    text, moves, said = LENIENT[name]
    out = tmp_path / "out.sgf"
    done = called("review", "-", "-o", str(out), "--net", str(tiny()), "--precision", "f32", "--visits", "4", send=text)
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stderr.splitlines() if "warning" in line]
    assert told == ([f"tengen review: warning: {said}"] if said else [])
    nodes = list(sgf.Sgf_game.from_bytes(out.read_bytes()).get_main_sequence())
    assert sum("visits)" in node.get("C") for node in nodes if node.has_property("C")) == moves
    if name == "set-up":
        assert "japanese rules" in nodes[0].get("C") and nodes[3].has_property("AE") and not nodes[3].has_property("C")


def test_moves_around_stones_that_are_set_up_are_judged_by_their_own_positions() -> None:
    record = GameTree("(;GM[1]SZ[9];B[ee];W[cc];AE[ee]AB[gg];W[gc];B[dd])").record
    roots = roots_of(record, rules_of(record, None))
    assert sorted(roots) == [-2, 0, 1, 2, 3, 4]
    assert [roots[turn].state.stones()[40] for turn in (-2, 2)] == [1, 0] and roots[2].state.to_move == 1
    leads = {-2: -1.0, 0: 0.0, 1: 0.0, 2: 30.0, 3: 30.0, 4: 30.0}
    found = {turn: Position(turn & 1, 0.5, lead, 1, ((turn & 1, 5),)) for turn, lead in leads.items()}
    ordered = [_arrived(found, turn) for turn in range(5)]
    assert [round(verdict.after.lead) for verdict in judge(record.moves, ordered, GO)] == [0, -1, 30, 30]


def test_a_blunder_is_found(called: Tengen, shared: Callable[[str], Path], tmp_path: Path) -> None:
    """A real network: Black fills a corner point of no use in the opening."""
    needs_openvino()
    out = tmp_path / "out.sgf"
    text = "(;GM[1]SZ[9]KM[7]RU[Chinese];B[ee];W[ec];B[aa];W[gf];B[ge];W[ff];B[fe];W[dd])"
    net = str(shared("data/go/katago/g170-b6c96.bin.gz"))
    done = called("review", "-", "-o", str(out), "--net", net, "--precision", "f32", "--visits", "40", send=text)
    assert done.returncode == 0, done.stderr
    worst_row = done.stdout.splitlines()[5]
    assert worst_row.split()[:3] == ["3", "Black", "A9"] and worst_row.endswith("blunder")
    assert "BM[2]" in out.read_text()


BAD_INPUT = {
    "no file": (("nowhere.sgf",), "", "nowhere.sgf"),
    "no SGF": (("-",), "hello", "'hello' is not a move"),
    "no moves": (("-",), "(;SZ[9])", "the game has no moves"),
    "Gomoku": (("-", "--visits", "9"), "(;GM[4]SZ[15];B[hh])", "--visits is for games of Go"),
    "an occupied point": (("-",), "(;SZ[9]AW[ee]AB[aa];B[ee])", "line 1: move 1, B E5, is illegal: occupied"),
    "a cut file": (("-",), "(;SZ[9];B[e", "the file ends within B[ ]"),
    "off the board": (("-",), "(;SZ[9];B[zz])", "not a point of the board"),
    "unknown rules": (("-", "--rules", "calvinball"), "(;SZ[9];B[ee])", "Unknown rules 'calvinball'"),
    "no visits": (("-", "--visits", "0"), "", "between"),
    "no picture": (("-", "--picture", "x.gif"), "", "neither in .svg nor in .png"),
    "no folder": (("-", "-o", "nowhere/x.sgf"), "", "there is no folder 'nowhere'"),
    "the game itself": (("x.sgf", "-o", "./x.sgf"), "", "is the game itself"),
    "no network": (("-", "--net", "none"), "(;SZ[9];B[ee])", "review needs a network"),
    "a network that is not there": (("-", "--net", "nowhere.bin.gz"), "(;SZ[9];B[ee])", "nowhere.bin.gz"),
    "no such game": (("-", "--number", "3"), "(;SZ[9];B[ee])", "there is no game 3"),
    "an option of Reversi": (("-", "--exact", "3"), "(;SZ[9];B[ee])", "--exact is for games of Reversi"),
    "Go in GGF": (("-", "-o", "x.ggf"), "(;SZ[9];B[ee])", "GGF holds games of Reversi only"),
    "stones without liberties": (("-",), "(;SZ[9]AB[aa]AW[ab][ba];B[ee])", "no liberties"),
}


@pytest.mark.parametrize("name", BAD_INPUT)
def test_bad_input_is_one_sentence(name: str, tengen: Tengen, called: Tengen) -> None:
    words, send, sentence = BAD_INPUT[name]
    done = (tengen if name == "no SGF" else called)("review", *words, send=send)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1, done
    assert sentence in done.stderr and re.match(r"tengen(?: review)?: ", done.stderr), done.stderr
