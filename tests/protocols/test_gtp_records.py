"""loadsgf of what other programs wrote: komi, rules, stones in mid-game, illegal moves, damage; with the real rules."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tengen.engine.config import Config
from tengen.engine.records import sgf
from tengen.protocols.gtp import Gtp
from tengen.protocols.session import Session

MIDGAME = "(;GM[1]SZ[9]RU[Japanese]KM[6.5];B[gc];W[cg];B[cc];W[ee]AE[gc]AW[gg]AB[aa];W[gd];B[hd])".replace(
    ";W[ee]AE", ";W[ee];AE"
)
HANDICAP = "(;GM[1]SZ[9]HA[2]RU[Chinese]KM[0.5]AB[gc][cg];W[ee];B[ec];AB[aa];W[bb])"
ILLEGAL = "(;GM[1]SZ[9]KM[7]\n;B[ee];W[cc]\n;B[cc];W[aa])"


def ask(root: Path, *lines: str) -> tuple[list[str], list[str]]:
    """The responses, and the lines of stderr."""
    out, err = io.BytesIO(), io.StringIO()
    handler = Gtp(Config(file_root=str(root), net="none", threads=1))
    assert Session(handler).run(io.BytesIO("".join(f"{line}\n" for line in lines).encode()), out, err) == 0
    return [answer.strip() for answer in out.getvalue().decode().split("\n\n")[:-1]], err.getvalue().splitlines()


def write(root: Path, text: str) -> None:
    (root / "g.sgf").write_text(text)


def stones(board: str) -> dict[str, str]:
    """Vertex -> X or O of a showboard."""
    rows = [line.split() for line in board.splitlines() if line[:2].strip().isdigit()]
    return {"ABCDEFGHJ"[column] + row[0]: mark for row in rows for column, mark in enumerate(row[1:]) if mark in "XO"}


@pytest.mark.parametrize(
    ("komi", "found"), [("375", "7.5"), ("650", "6.5"), ("325", "6.5"), ("3.75", "7.5"), ("7.5目", "7.5")]
)
def test_komi_of_servers(komi: str, found: str, tmp_path: Path) -> None:
    write(tmp_path, f"(;GM[1]SZ[9]KM[{komi}];B[ee])")
    answers, told = ask(tmp_path, "loadsgf g.sgf", "get_komi", "printsgf")
    assert answers[:2] == ["=", f"= {found}"] and f"KM[{found}]" in answers[2]
    assert told == [f"Tengen: g.sgf: KM[{komi}] is read as a komi of {found}"]


def test_komi_that_is_none_stays_and_is_told(tmp_path: Path) -> None:
    write(tmp_path, "(;GM[1]SZ[9]KM[abc];B[ee])")
    answers, told = ask(tmp_path, "komi 5", "loadsgf g.sgf", "get_komi")
    assert answers[2] == "= 5" and told == ["Tengen: g.sgf: KM[abc] is no komi: none is read"]


@pytest.mark.parametrize(
    ("rules", "scoring"),
    [
        ("Japanese Rules", "TERRITORY"),
        ("日本規則", "TERRITORY"),
        ("Chinese, Area Scoring", "AREA"),
        ("koSIMPLEscoreTERRITORYtaxSEKIsui0", "TERRITORY"),
    ],
)
def test_rules_of_other_programs(rules: str, scoring: str, tmp_path: Path) -> None:
    write(tmp_path, f"(;GM[1]SZ[9]RU[{rules}];B[ee])")
    other = "japanese" if scoring == "AREA" else "chinese"
    answers, told = ask(tmp_path, f"kata-set-rules {other}", "loadsgf g.sgf", "kata-get-rules")
    assert f'"scoring":"{scoring}"' in answers[2] and told == []


def test_rules_that_are_not_known_stay_and_are_told(tmp_path: Path) -> None:
    write(tmp_path, "(;GM[1]SZ[9]RU[of the house];B[ee])")
    answers, told = ask(tmp_path, "kata-set-rules japanese", "loadsgf g.sgf", "kata-get-rules")
    assert '"TERRITORY"' in answers[2] and told == ["Tengen: g.sgf: the rules 'of the house' are not known"]


def test_rules_without_a_name_come_back(tmp_path: Path) -> None:
    answers, _ = ask(
        tmp_path,
        "boardsize 9",
        "kata-set-rule ko POSITIONAL",
        "kata-set-rule tax SEKI",
        "kata-get-rules",
        "printsgf g.sgf",
        "kata-set-rules japanese",
        "loadsgf g.sgf",
        "kata-get-rules",
    )
    assert answers[3] == answers[-1] and '"SEKI"' in answers[3]


def test_stones_in_mid_game_keep_what_was_before(tmp_path: Path) -> None:
    write(tmp_path, MIDGAME)
    answers, told = ask(
        tmp_path, *[line for number in (1, 4, 5, 6, 99) for line in (f"loadsgf g.sgf {number}", "showboard")]
    )
    assert told == [] and answers[::2] == ["="] * 5
    boards = [stones(board) for board in answers[1::2]]
    assert boards[0] == {} and boards[1] == {"G7": "X", "C3": "O", "C7": "X"}
    changed = {"A9": "X", "C3": "O", "C7": "X", "E5": "O", "G3": "O"}
    assert (
        boards[2] == changed and boards[3] == {**changed, "G6": "O"} and boards[4] == {**changed, "G6": "O", "H6": "X"}
    )
    assert "Next player: White" in answers[5]


def test_undo_goes_back_through_stones_in_mid_game(tmp_path: Path) -> None:
    write(tmp_path, MIDGAME)
    answers, _ = ask(
        tmp_path,
        "loadsgf g.sgf",
        "gg-undo 2",
        "undo",
        "showboard",
        "play b A1",
        "gg-undo 5",
        "showboard",
        "undo",
        "kata-set-rules chinese",
    )
    assert stones(answers[3]) == {"G7": "X", "C3": "O", "C7": "X", "E5": "O"} and stones(answers[6]) == {}
    assert answers[4:6] + answers[7:] == ["=", "=", "? cannot undo", "="]


def test_other_rules_keep_stones_in_mid_game(tmp_path: Path) -> None:
    write(tmp_path, MIDGAME)
    answers, _ = ask(
        tmp_path, "loadsgf g.sgf", "showboard", "kata-set-rules aga", "showboard", "gg-undo 7", "showboard"
    )
    assert stones(answers[1]) == stones(answers[3]) != {} and stones(answers[5]) == {}


def test_stones_in_mid_game_are_printed(tmp_path: Path) -> None:
    write(tmp_path, MIDGAME)
    answers, _ = ask(tmp_path, "loadsgf g.sgf", "printsgf", "loadsgf g.sgf 5", "printsgf")
    for answer, moves in ((answers[1], 6), (answers[3], 4)):
        record = sgf.loads(answer)
        assert (
            record.moves == sgf.loads(MIDGAME).moves[:moves]
            and record.changes[0].stones == sgf.loads(MIDGAME).changes[0].stones
        )


def test_a_handicap_counts_behind_stones_in_mid_game(tmp_path: Path) -> None:
    write(tmp_path, HANDICAP)
    answers, _ = ask(tmp_path, "loadsgf g.sgf", "get_handicap", "gg-undo 2", "get_handicap", "printsgf")
    assert answers[1] == answers[3] == "= 2" and "HA[2]" in answers[4] and ";W[ee]" in answers[4]


@pytest.mark.parametrize("last", ["", " 4", " 99"])
def test_a_game_with_an_illegal_move_is_loaded_up_to_it(last: str, tmp_path: Path) -> None:
    write(tmp_path, ILLEGAL)
    answers, told = ask(tmp_path, f"loadsgf g.sgf{last}", "showboard", "undo", "undo", "undo")
    assert answers[0] == "=" and stones(answers[1]) == {"E5": "X", "C7": "O"}
    assert answers[2:] == ["=", "=", "? cannot undo"]
    assert told == ["Tengen: g.sgf: line 3: move 3, B C7, is illegal: occupied: the game is read up to it"]


def test_an_illegal_move_behind_what_is_wanted_does_not_matter(tmp_path: Path) -> None:
    write(tmp_path, ILLEGAL)
    answers, told = ask(tmp_path, "loadsgf g.sgf 3", "undo", "undo")
    assert answers == ["=", "=", "="] and told == []


def test_a_ko_that_is_taken_back_at_once_ends_the_game_there(tmp_path: Path) -> None:
    write(tmp_path, "(;GM[1]SZ[5]AB[ba][ab][bc]AW[ca][db][cc];B[cb];W[bb]\n;B[cb];W[ee])")
    answers, told = ask(tmp_path, "loadsgf g.sgf", "printsgf")
    assert answers[0] == "=" and len(sgf.loads(answers[1]).moves) == 2
    assert told[0].startswith("Tengen: g.sgf: line 2: move 3, B C4, is illegal: ko")


def test_stones_that_cannot_be_set_up_end_the_game_there(tmp_path: Path) -> None:
    write(tmp_path, "(;GM[1]SZ[5];B[cc];W[dd]\n;AB[aa]AW[ab][ba];W[ee])")
    answers, told = ask(tmp_path, "loadsgf g.sgf", "printsgf")
    assert (
        answers[0] == "="
        and len(sgf.loads(answers[1]).moves) == 2
        and "line 2: the stones before move 3 cannot be set up" in told[0]
    )


@pytest.mark.parametrize(("text", "says"), [
    ("(;GM[1]SZ[9];B[ee];W[cc]", "line 1: the file ends without a parenthesis"),
    ("(;GM[1]SZ[9]\n---\n;B[ee];W[cc])", "line 2: '---' is no SGF and is left out"),
    ("(;GM[1]SZ[9]US[a [b]]KM[7];B[ee];W[cc])", "line 1: a ] in US[ ] is not escaped"),
    ("(;GM[1]SZ[9];B[ee];W[cc]\n;B[zz];W[aa])", "line 2: move 3 is illegal: 'zz' is not a point of the board: the game is read up to it"),
])  # fmt: skip
def test_damage_is_told(text: str, says: str, tmp_path: Path) -> None:
    write(tmp_path, text)
    answers, told = ask(tmp_path, "loadsgf g.sgf", "showboard", "loadsgf g.sgf")
    assert answers[0] == "=" and stones(answers[1]) == {"E5": "X", "C7": "O"}
    assert told == [f"Tengen: g.sgf: {says}"] * 2


def test_every_case_is_loaded(shared: object, tmp_path: Path) -> None:
    folder = shared("cases/go")  # type: ignore[operator]
    names = sorted(path.name for path in folder.glob("*.sgf"))
    answers, _ = ask(folder, *(f"loadsgf {name}" for name in names))
    assert len(names) > 8 and set(answers) == {"="}
