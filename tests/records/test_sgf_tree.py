"""Writing into an SGF file: what was there stays, and what is added is where it belongs."""

from __future__ import annotations

import pytest
from sgfmill import sgf

from tengen.engine.records.base import RecordError
from tengen.engine.records.sgf_tree import GameTree

GAME = (
    "(;FF[4]SZ[9]KM[7]XX[kept][twice]C[A \\] game]"
    ";B[ee]C[good]TR[ee];W[cc](;B[gg]N[main](;W[gc];B[cg])(;W[aa]C[variation];B[bb]))(;B[hh](;W[ii])(;W[ih])))"
)


def read(text: str) -> sgf.Sgf_game:
    return sgf.Sgf_game.from_string(text)


def main(text: str) -> list[sgf.Tree_node]:
    return list(read(text).get_main_sequence())


def shape(node: sgf.Tree_node) -> str:
    """The tree as its moves: one after the other, branches in parentheses."""
    move = node.get_move()[1]
    own = "" if move is None else "abcdefghi"[move[1]] + "ihgfedcba"[move[0]]
    below = [shape(child) for child in node]
    return own + (" " + below[0] if len(below) == 1 else "".join(f" ({one})" for one in below))


def test_what_is_there_stays() -> None:
    before, after = read(GAME), read(GameTree(GAME).dumps())
    assert shape(after.get_root()) == shape(before.get_root()) == " ee cc (gg (gc cg) (aa bb)) (hh (ii) (ih))"
    root = main(GameTree(GAME).dumps())[0]
    assert root.get("C") == "A ] game" and root.get_raw_list("XX") == [b"kept", b"twice"] and root.get("CA") == "UTF-8"


def test_comments_follow_those_of_the_file() -> None:
    tree = GameTree(GAME)
    tree.comment(1, "better [here] \\ there")
    tree.comment(2, "new")
    nodes = main(tree.dumps())
    assert nodes[1].get("C") == "good\n\nbetter [here] \\ there" and nodes[2].get("C") == "new"


def test_properties_and_marks_do_not_replace() -> None:
    tree = GameTree(GAME)
    tree.put(1, {"N": "one", "TR": "aa"})
    tree.mark(3, "MA", 60)
    tree.mark(3, "CR", 81)
    nodes = main(tree.dumps())
    assert nodes[1].get_raw("N") == b"one" and nodes[1].get_raw("TR") == b"ee"
    assert nodes[3].get_raw("MA") == b"gg" and not nodes[3].has_property("CR") and nodes[3].get_raw("N") == b"main"
    assert tree.has(1, "BM", "TR") and not tree.has(2, "TR")


def test_variations_branch_off_behind_a_move() -> None:
    tree = GameTree(GAME)
    tree.branch(1, [(1, 0), (0, 1)], "so")
    tree.branch(2, [(0, 80)], "or so")
    tree.branch(0, [(0, 40)], "else")
    tree.branch(5, [(1, 3)], "the end stays the end")
    text = tree.dumps()
    expected = " (ee (cc (gg (gc cg) (aa bb)) (hh (ii) (ih)) (ii)) (aa ba)) (ee)"
    assert shape(read(text).get_root()) == expected
    assert [node.get_move()[1] for node in main(text)] == [node.get_move()[1] for node in main(GAME)]


def test_variations_branch_off_behind_stones_that_are_set_up() -> None:
    tree = GameTree("(;SZ[9];B[ee];C[talk];AB[aa];W[cc];C[more];B[dd])")
    tree.branch(1, [(1, 0)], "so")
    tree.branch(2, [(0, 1)], "or so")
    nodes = main(tree.dumps())
    assert [len(node) for node in nodes] == [1, 1, 1, 2, 2, 1, 0] and nodes[3].has_property("AB")


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("(;SZ[9];B[ee];W[cc])", [0, 1, 2]),
        ("(;SZ[9]B[ee];W[cc])", [0, 1, 2]),
        ("(;SZ[9];C[talk];B[ee];C[more];W[cc];C[end])", [1, 2, 4]),
        ("(;SZ[9];B[ee];AB[aa];W[cc];B[dd])", [0, 1, 3, 4]),
        ("(;SZ[9])", [0]),
    ],
)
def test_turns_are_found(text: str, turns: list[int]) -> None:
    tree = GameTree(text)
    for turn in range(len(turns)):
        tree.put(turn, {"N": f"turn {turn}"})
    found = {node.get_raw("N").decode(): at for at, node in enumerate(main(tree.dumps())) if node.has_property("N")}
    assert found == {f"turn {turn}": at for turn, at in enumerate(turns)}


@pytest.mark.parametrize(
    ("text", "number", "sentence"),
    [
        ("no game", 1, "not an SGF file"),
        ("(;SZ[9])", 2, "there is no game 2: the file holds 1"),
        ("(;SZ[9];B[ee]W[cc])", 1, "more than one move in a node"),
        ("(;SZ[9];B[zz])", 1, "not a point of the board"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(text: str, number: int, sentence: str) -> None:
    with pytest.raises(RecordError, match=sentence):
        GameTree(text, number)


def test_the_game_of_a_collection() -> None:
    assert GameTree("(;SZ[9]PB[one])(;SZ[9]PB[two])", 2).record.players[0] == "two"
