"""SGF as other programs and people leave it: what is damaged is read as far as it can be, and told with its line."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from tengen.engine.records import format_of, sgf, sgf_parse, sgf_scan
from tengen.engine.records.base import RecordError
from tengen.engine.records.sgf_tree import GameTree

HEAD = "(;GM[1]FF[4]SZ[9]PB[A]PW[B]KM[6.5]"

ENDS = [
    (HEAD + "\n;B[ee];W[cc]", 2, "line 2: the file ends without a parenthesis"),
    (HEAD + ";B[ee];W[cc](;B[dd];W[ff]", 4, "the file ends without a parenthesis"),
    (HEAD + ";B[ee];W[cc](;B[dd];W[ff])", 4, "the file ends without a parenthesis"),
    (HEAD + ";B[ee];W[cc]\n;B[d", 2, "line 2: the file ends within B[ ]"),
    (HEAD + ";B[ee];W[cc]C[it was a", 2, "the file ends within C[ ]"),
    (HEAD + ";B[ee];W[cc];B", 2, "'B' is no SGF and is left out"),
    (HEAD + ";B[ee];W[cc]>", 2, "'>' is no SGF and is left out"),
]
BRACKETS = [
    (HEAD + "\nC[see [1] and [2]];B[ee];W[cc])", "line 2: a ] in C[ ] is not escaped"),
    (HEAD + ";B[ee]C[a [1]; b];W[cc])", "a ] in C[ ] is not escaped"),
    (HEAD + ";B[ee]C[so (see [1]) ok];W[cc])", "a ] in C[ ] is not escaped"),
    (HEAD + ";B[ee]C[nice :] well done];W[cc])", "a ] in C[ ] is not escaped"),
    (HEAD + ";B[ee]C[try ;B[aa] or ;B[bb] here];W[cc])", "a ] in C[ ] is not escaped"),
    (HEAD + ";B[ee]C[a [link](there) and];W[cc])", "a ] in C[ ] is not escaped"),
    (HEAD + "US[Name [3d]]RO[1];B[ee];W[cc])", "a ] in US[ ] is not escaped"),
    (HEAD + "EV[x] y]RO[1];B[ee];W[cc])", "a ] in EV[ ] is not escaped"),
    (HEAD + ";B[ee]];W[cc])", "there is a ] too many"),
    (HEAD + ";B[ee] well];W[cc])", "'well]' is no SGF and is left out"),
    (HEAD + ";B[ee;W[cc])", "B[ee is not closed"),
    (HEAD + ";B[ee]BL[23;W[cc])", "BL[23 is not closed"),
    (HEAD + "HA[0;B[ee];W[cc])", "HA[0 is not closed"),
    (HEAD + "C[a game;B[ee];W[cc])", "C[ is not closed"),
    (HEAD + ";B[ee]C[well\n;W[cc])", "C[ is not closed"),
    (HEAD + "EV[a cup;B[ee];W[cc])", "EV[ is not closed"),
    (HEAD + "EV[a cup\nRO[1];B[ee];W[cc])", "EV[ is not closed"),
    ("(;GM[1]SZ[9]PB[A\nPW[B]KM[6.5];B[ee];W[cc])", "PB[ is not closed"),
]
JUNK = [
    (HEAD + "\n---\n;B[ee];W[cc])", "line 2: '---' is no SGF and is left out"),
    (HEAD + ";B[ee]<br>;W[cc]<br>)", "'<br>' is no SGF and is left out (2 times)"),
    (HEAD + ";B[ee]\n= move 1 =\n;W[cc])", "line 2: '= move 1 =' is no SGF"),
    (HEAD + ";B[ee] (good) ;W[cc])", "'(good)' is no SGF and is left out"),
    (HEAD + ";B[ee]\0\0;W[cc]\0)", "zero bytes are left out (2 times)"),
    (HEAD + "KO;B[ee];W[cc])", "'KO' is no SGF"),
    (";GM[1]SZ[9]PB[A]PW[B]KM[6.5];B[ee];W[cc])", "the first parenthesis is missing"),
    ("GM[1]SZ[9]PB[A]PW[B]KM[6.5];B[ee];W[cc])", "the first parenthesis is missing"),
    (HEAD + ";B[ee]);W[cc])", "')' is no SGF"),
    (HEAD + ";B[ee]((;W[cc])(;W[dd])))", "there is a parenthesis too many"),
    (HEAD + ";B[ee](;W[cc])(;W[dd]);B[ff])", "moves follow a variation"),
    (HEAD + ";B[ee]()(;W[cc]))", "'()' is no SGF"),
    (HEAD + ";B[E5];W[C7])", "'E5' is no point of SGF"),
    (HEAD + ";B[EE];W[CC])", "points are written in capitals"),
    (HEAD + ";B[ee][dd];W[cc])", "a move has more than one point"),
]
PLAIN = [
    "<html><pre>" + HEAD + ";B[ee];W[cc])</pre></html>",
    "From: someone\nSubject: a game (;-)\n\n" + HEAD + ";B[ee];W[cc])\n--\nsignature",
    "\ufeff\0\0" + HEAD + ";B[ee];W[cc])\x1a",
    "(;GaMe[1]SiZe[9]PlayerBlack[A]PlayerWhite[B]KoMi[6.5]CoPyright[x];Black[ee];White[cc])",
    "(;game[1]size[9]pb[A]pw[B]komi[6.5];black[ee];white[cc])",
    "(;GAME[1]SIZE[9]PB[A]PW[B]KOMI[6.5];BLACK[ee];WHITE[cc])",
    "((;GM[1]SZ[9x9]PB[A]PW[B]KM[6.5];B[ee];W[cc]))",
    HEAD + ";B[ee];W[cc]))",
]


def read(text: str, moves: int = 2) -> tuple[str, ...]:
    """The warnings of a game of Black E5, White C7, ..."""
    record = sgf.loads(text)
    assert sgf.loads(text.encode()) == record == sgf.loads_all(text)[0] == GameTree(text).record
    assert record.moves[:2] == ((0, 40), (1, 20)) and len(record.moves) == moves
    assert (record.width, record.komi, record.players) == (9, 6.5, ("A", "B"))
    assert len(sgf.loads(GameTree(text).dumps()).moves) >= moves, "what is written is not damaged"
    assert sgf.loads(sgf.dumps(record)).warnings == ()
    return record.warnings


@pytest.mark.parametrize(("text", "moves", "says"), ENDS)
def test_a_file_that_ends_too_soon(text: str, moves: int, says: str) -> None:
    assert says in read(text, moves)[0]


@pytest.mark.parametrize(("text", "says"), BRACKETS + JUNK)
def test_what_is_damaged_is_told(text: str, says: str) -> None:
    warnings = read(text)
    assert len(warnings) == 1 and says in warnings[0]


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_only_unusual_is_read(text: str) -> None:
    assert read(text) == ()


def test_what_brackets_enclose_stays_text() -> None:
    root = "(;GM[1]SZ[9]PB[Lee [9p]]PW[Kim \\] [8p]]EV[Cup [final], round [1]]RE[B+R [time]];B[ee];W[cc])"
    record = sgf.loads(root)
    assert record.players == ("Lee [9p]", "Kim ] [8p]") and record.result == "B+R [time]"
    assert record.properties["EV"] == "Cup [final], round [1]"
    assert sgf.loads(sgf.dumps(record)) == record


@pytest.mark.parametrize("rest", ["(;GM[1]SZ[13];B[aa];W[bb])", "\n(;FF[4]GM[1]SZ[13];B[aa];W[bb]"])
def test_a_game_within_another_is_the_next_one(rest: str) -> None:
    first, second = sgf.loads_all("(;GM[1]SZ[9];B[ee];W[cc]" + rest)
    assert first.moves == ((0, 40), (1, 20)) and "a parenthesis is missing" in first.warnings[0]
    assert second.width == 13 and len(second.moves) == 2


@pytest.mark.parametrize(
    "text", ["(;", "(;)(", "()", "(;GM[1]SZ[9]", "(;SZ[9]C[no end", "text (;-) only", "(;SZ[9]AB", "[[[[", ";;;;"]
)
def test_nothing_is_no_game(text: str) -> None:
    if text == "(;)(":
        assert sgf.loads(text).moves == ()
        return
    with pytest.raises(RecordError, match="not an SGF file"):
        sgf.loads(text)


@pytest.mark.parametrize(
    ("text", "moves", "line"),
    [
        (HEAD + ";B[ee]\n;W[zz];B[dd])", 1, "line 2: move 2 is illegal: 'zz' is not a point of the board"),
        (HEAD + "\n;B[ee]\n;W[cc]\n;B[tz];W[aa])", 2, "line 4: move 3 is illegal: 'tz' is not a point of the board"),
        (HEAD + "\r;B[ee]\r;W[cc]\r;B[??];W[aa])", 2, "line 4: move 3 is illegal: '??' is not a point of the board"),
        (HEAD + ";B[ee]\n;AB[jj];W[aa])", 1, "line 2: move 2 is illegal: 'jj' is not a point of the board"),
    ],
)
def test_a_game_is_read_up_to_a_point_that_is_none(text: str, moves: int, line: str) -> None:
    record = sgf.loads(text)
    assert len(record.moves) == moves and record.cut == f"{line}: the game is read up to it"


@pytest.mark.parametrize("size", [19, 20, 21, 25])
def test_tt_is_a_pass_up_to_19(size: int) -> None:
    expected = size * size if size == 19 else 19 * size + 19
    assert sgf.loads(f"(;SZ[{size}];B[tt];W[aa])").moves[0] == (0, expected)


HOSTILE = {
    "strays": "(;SZ[9]C[" + "a]" * 1_000_000,
    "pairs": "(;SZ[9]C[" + "[a] b" * 400_000 + "];B[aa])",
    "open": "(;SZ[9];B[aa]" + "[" * 2_000_000,
    "names": "(;SZ[9];B[aa]" + "x" * 3_000_000 + "[",
    "dashes": "(;SZ[9];B[aa]" + "-\n;" * 190_000 + ")",
    "texts": "(;SZ[9];B[aa]" + "C[[];B[a]]" * 100_000 + ")",
    "asides": "(;SZ[9];B[aa]" + "(x" * 900 + "y" * 3_000_000,
    "games": "(;GM[1];B[aa]" * 900,
    "records": ("(;GM[1]SZ[19]" + ";B[aa];W[ss](;B[cc](;W[dd];B[ee])(;W[ff]))" * 20) * 1000,
    "blanks": "(;SZ[9]" + ("EV[" + " " * 15_000 + "[x];") * 200 + "B[aa])",
    "zeros": "(;SZ[9]" + "\0;" * 190_000 + ";B[aa])",
}


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize("what", HOSTILE)
def test_damage_costs_little(what: str) -> None:
    start = time.process_time()
    try:
        sgf.loads_all(HOSTILE[what])
    except RecordError as error:
        assert "\n" not in str(error)
    assert time.process_time() - start < 8


def nodes(tree: sgf_grammar.Coarse_game_tree) -> int:
    return len(tree.sequence) + sum(nodes(child) for child in tree.children)


@given(
    st.lists(
        st.sampled_from(["(;GM[1]", "(;FF[4]", "(;B[aa]", "(;", ";W[bb]", ";B[cc]C[x]", "(", ")", "\n", "C[a]b]"]),
        max_size=24,
    )
)
def test_unclosed_games_are_cut_as_if_each_was_read_to_the_end(pieces: list[str]) -> None:
    content = "".join(pieces).encode()
    try:
        found = [(nodes(game.tree), game.repairs) for game in sgf_parse.games(content)]
    except RecordError:
        found = []
    alone, at = [], 0
    while scanned := sgf_scan.scan(content, at, is_first=not alone):
        at = max(scanned.end, at + 1)
        if not scanned.repairs or any(token.kind == "name" for token in scanned.tokens):
            alone.append((sum(token.kind == ";" for token in scanned.tokens), scanned.repairs))
    assert found == alone


PIECES = st.lists(
    st.sampled_from(
        ";|(|)|(;|[|]|B[aa]|W[bb]|B[|W[]|C[x]|C[[x] y]|C[\\]]|C[|N[a] b]|AB[cc]|AE[cc]|PL[W]|SZ[9]|GM[1]|KM[375]| |\n|\\|---"
        "|W[zz]|Black[dd]|b[ee]|<br>|\0|x|note [1]|(x)|KO".split("|")
    ),
    max_size=14,
)  # fmt: skip


@given(PIECES)
def test_whatever_is_left_of_a_file(pieces: list[str]) -> None:
    text = "(;SZ[9]" + "".join(pieces)
    try:
        record = sgf.loads(text)
    except RecordError as error:
        assert str(error) and "\n" not in str(error)
        return
    assert all(said and "\n" not in said for said in record.warnings)
    again = sgf.loads(sgf.dumps(record))
    assert (again.moves, again.changes) == (record.moves, record.changes)
    assert (again.setup or bytes(81)) == (record.setup or bytes(81))
    for number in range(1, len(record.moves) + 1):
        assert record.lines is not None and 1 <= record.lines.line(number) <= text.count("\n") + 1


def same(one: sgf_grammar.Coarse_game_tree, other: sgf_grammar.Coarse_game_tree) -> bool:
    """Whether two trees are the same."""
    return (
        [*one.sequence] == [dict(node) for node in other.sequence]
        and len(one.children) == len(other.children)
        and all(map(same, one.children, other.children))
    )


@given(PIECES)
def test_what_the_grammar_allows_is_read_by_it(pieces: list[str]) -> None:
    """Or there is a warning."""
    content = ("(;SZ[9]" + "".join(pieces) + ")").encode()
    try:
        expected = sgf_grammar.parse_sgf_game(content)
    except ValueError:
        return
    game = next(sgf_parse.games(content))
    assert game.repairs or "b[" in content.decode() or "note" in content.decode() or same(expected, game.tree)


SNIFFED = [
    "From: a (b)\nSubject: x\n\n(;GM[1]FF[4];B[aa])", ";GM[1]SZ[9];B[aa])", "GM[1]SZ[9];B[aa])", "<html>(x)\n(;FF[4]SZ[9]", "(;PB[x]", "\ufeff (\n;GM[1]",
]  # fmt: skip


@pytest.mark.parametrize("text", SNIFFED)
def test_what_begins_unusually_is_known_as_sgf(text: str) -> None:
    assert format_of("", text.encode()) == format_of("", text) == "sgf"


def test_points_that_share_a_value() -> None:
    record = sgf.loads("(;GM[1]SZ[9]AB[aa,bb cc]AW[dd:ee];W[gg])")
    assert [cell for cell, stone in enumerate(record.setup or b"") if stone] == [0, 10, 20, 30, 31, 39, 40]


@pytest.mark.parametrize("name", ["CA", "ca", "CharSet", "charset"])
def test_the_encoding_by_any_name(name: str) -> None:
    assert sgf.loads(f"(;{name}[gbk]SZ[9]PB[棋手])".encode("gbk")).players[0] == "棋手"
