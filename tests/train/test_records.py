"""Records as games to learn from: formats, archives, who is wanted, who is held out, what is bad."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from played_games import assert_equal
from record_files import GGF, PACKERS, PSQ, WTHOR_MOVES, distinct, lay, sgf, tarred, wthor, zipped

from tengen.engine.records import RecordError, read
from tengen.tools.train.data import shards
from tengen.tools.train.records import archives, gathering
from tengen.tools.train.records.from_record import Choice, Unwanted, played_game, result_of
from tengen.tools.train.records.gathering import Gathered, gather, is_held_out, split
from tengen.tools.train.records.rating import parse_rating, rating_of

RATINGS = [
    ("9d", 2900), ("9 dan", 2900), ("9D?", 2900), ("9段", 2900), ("1d", 2100), ("1k", 2000), ("14k*", 700), ("5 kyu", 1600), ("3級", 1800),
    ("9p", 2990), ("P9d", 2990), ("P9段", 2990), ("1p", 2910), ("5 pro", 2950), ("KGS 5d", 2500), ("2196.37", 2196.37), ("940", 940),
    ("", None), ("NR", None), ("?", None), ("9", None), ("0d", None), ("12345", None), ("beginner", None), ("2.5", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rating"), RATINGS)
def test_ratings(text: str, rating: float | None) -> None:
    assert rating_of(text) == rating
    if rating is None:
        with pytest.raises(ValueError, match="is no rating: a rank such as 9d"):
            parse_rating(text)
    else:
        assert parse_rating(text) == rating


RESULTS = [
    ("B+3.5", 1, 3.5), ("W+12", 0, -12), ("B+R", 1, np.inf), ("W+Resign", 0, -np.inf), ("W+T", 0, -np.inf), ("B+", 1, np.inf), ("Black+2.5", 1, 2.5),
    ("b+R (by resignation)", 1, np.inf), ("0", 0.5, 0), ("Draw", 0.5, 0), ("Jigo", 0.5, 0), ("W+0", 0.5, 0), ("黑中盘胜", 1, np.inf), ("白勝", 0, -np.inf),
]  # fmt: skip


@pytest.mark.parametrize(("text", "outcome", "margin"), RESULTS)
def test_results(text: str, outcome: float, margin: float) -> None:
    assert result_of(text) == (outcome, margin)


@pytest.mark.parametrize(("text", "reason"), [("", "no result"), ("?", "no result"), ("Void", "no result"), ("B+F", "forfeited"), ("W+Forfeit", "forfeited"), ("B+Offline", "forfeited")])  # fmt: skip
def test_results_that_are_none(text: str, reason: str) -> None:
    with pytest.raises(Unwanted, match=reason):
        result_of(text)


GO = Choice("go")


def test_a_game_of_go() -> None:
    game = played_game(read(sgf("dd pp dp pd fq cn jp qn nq tt", RE="W+4.5", BR="9d", WR="7d", RU="Japanese")), GO)
    assert (game.game, game.width, game.height, game.rules, game.komi) == ("go", 19, 19, "japanese", 6.5)
    assert game.moves.tolist()[:2] == [3 * 19 + 3, 15 * 19 + 15] and game.moves[-1] == 361
    assert (game.outcome, game.margin, game.rating, game.first) == (0, -4.5, 2700, 0)
    assert game.weights.tolist() == [1] * 10 and np.isnan(game.values).all() and game.owners is None


def test_a_margin_beyond_the_board_is_none() -> None:
    assert played_game(read(sgf(RE="W+361")), GO).margin == -361
    assert played_game(read(sgf(RE="W+999")), GO).margin == -np.inf


KOMI = [
    ({"KM": "650"}, "japanese", 6.5), ({"KM": "3.75"}, "chinese", 7.5), ({"KM": "375"}, "chinese", 7.5), ({"KM": "7.5"}, "chinese", 7.5),
    ({"KM": "0"}, "japanese", 0), ({"KM": ""}, "japanese", 6.5), ({"KM": "", "RU": "Chinese"}, "chinese", 7.5), ({"RU": "AGA"}, "aga", 6.5),
    ({"RU": "Korean"}, "korean", 6.5), ({"RU": "NZ", "KM": "7"}, "new-zealand", 7), ({"RU": "house rules"}, "japanese", 6.5),
    ({"KM": "325"}, "japanese", 6.5), ({"KM": "3.25", "RU": "Chinese, Area Scoring"}, "chinese", 6.5), ({"KM": "7.5目", "RU": "中国规则"}, "chinese", 7.5),
    ({"RU": "Ing", "KM": "8"}, "new-zealand", 8), ({"RU": "koPOSITIONALscoreTERRITORYtaxNONEsui0", "KM": "7.5"}, "japanese", 7.5),
]  # fmt: skip


@pytest.mark.parametrize(("facts", "rules", "komi"), KOMI)
def test_rules_and_komi(facts: dict[str, str], rules: str, komi: float) -> None:
    game = played_game(read(sgf(**facts)), GO)
    assert (game.rules, game.komi) == (rules, komi)


UNWANTED = [
    (sgf(HA="2", AB="[dd][pp]"), GO, "a handicap"),
    (sgf(AB="[dd][pp]"), GO, "a handicap"),
    (sgf(HA="4"), GO, "a handicap"),
    (sgf(AB="[dd]", AW="[pp]"), GO, "a position that is set up"),
    (sgf().replace(b";W[pp]", b";B[pp]"), GO, "moves that do not alternate"),
    (sgf("dd pp"), GO, "too short"),
    (sgf(), Choice("go", shortest=11), "too short"),
    (sgf(RE=""), GO, "no result"),
    (sgf(KM="6.3"), GO, "a komi that is none"),
    (sgf().replace(b";W[pp]", b";AB[ss];W[pp]"), GO, "a position that is set up"),
    (sgf(BR="8d"), Choice("go", parse_rating("9d")), "players below the rating"),
    (sgf(WR=""), Choice("go", parse_rating("9d")), "no rating"),
    (sgf(), Choice("go", sizes=(9, 13)), "another size of board"),
    (PSQ, GO, "another game"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "choice", "reason"), UNWANTED)
def test_games_that_are_not_wanted(data: bytes, choice: Choice, reason: str) -> None:
    with pytest.raises(Unwanted, match=f"^{reason}$"):
        played_game(read(data), choice)


@pytest.mark.parametrize("data", [sgf("dd pp dd pd fq cn jp qn"), sgf("dd pp dp pd fq cn jp qn", SZ="1")])
def test_games_that_the_rules_do_not_allow(data: bytes) -> None:
    with pytest.raises(RecordError):
        played_game(read(data), GO)


def test_a_handicap_that_is_asked_for() -> None:
    """Black's stones are moves, each but the last answered by a pass; nobody chose them."""
    data = sgf("aa bb cc dd ee ff gg hh", HA="3", AB="[pp][pd][dp]").replace(b";W", b";X").replace(b";B", b";W").replace(b";X", b";B")  # fmt: skip
    game = played_game(read(data), Choice("go", handicap=True))
    assert game.first == 5 and game.weights.tolist() == [0] * 5 + [1] * 8
    assert game.moves.tolist()[1:6:2] == [361, 361, 0] and sorted(game.moves.tolist()[0:5:2]) == [72, 288, 300]


def test_a_game_of_gomoku() -> None:
    game = played_game(read(PSQ, "psq"), Choice("gomoku"))
    assert (game.game, game.width, game.rules, game.outcome, game.margin) == ("gomoku", 15, "freestyle", 1, 1)
    renju = sgf(GM="4", SZ="15", RU="renju", RE="W+R")
    game = played_game(
        read(renju.replace(b"[pp]", b"[oo]").replace(b"p", b"e").replace(b"q", b"f")), Choice("gomoku", 2900)
    )
    assert (game.rules, game.outcome, game.margin, game.rating) == ("renju", 0, -1, 2900)


def test_games_of_reversi() -> None:
    game = played_game(read(GGF, "ggf"), Choice("reversi", 2190))
    assert (game.game, game.outcome, game.margin, game.rating) == ("reversi", 1, 4, 2196.37)
    with pytest.raises(Unwanted, match="below"):
        played_game(read(GGF, "ggf"), Choice("reversi", 2200))
    base = played_game(read(wthor((1, 2, WTHOR_MOVES)), "wthor"), Choice("reversi"))
    assert (base.outcome, base.margin, len(base.moves), base.rating) == (1, 16, 10, None)


def gathered(folder: Path, choice: Choice = GO, held_out: float = 0.0, processes: int = 1) -> Gathered:
    return gather(folder / "in", folder / "out", choice, held_out=held_out, processes=processes)


def first_moves(folder: Path, entries: list[shards.ShardEntry]) -> list[int]:
    return [int(game.moves[0]) for entry in entries for game in shards.read(folder / "out" / entry.name, entry.sha256)]


PLACES = {
    "in folders": {"a/1.sgf": distinct(1), "a/b/2.SGF": distinct(2), "3.sgf": distinct(3), "readme.txt": b"(;GM[1])", "notes.pdf": b"%PDF"},
    "in a zip": {"a.zip": zipped({"x/1.sgf": distinct(1), "x/2.sgf": distinct(2), "x/readme.txt": b"no"}), "b/c.zip": zipped({"3.sgf": distinct(3)})},
    "in a tar": {"a.tar.gz": tarred({"x/1.sgf": distinct(1), "2.sgf": distinct(2), "x/y.bin": b"no"}), "b.tar": tarred({"3.sgf": distinct(3)}, "w")},
    "packed one by one": {f"{n}.sgf{end}": pack(distinct(n)) for n, (end, pack) in enumerate([*PACKERS.items(), (".gz", PACKERS[".gz"])], 1) if n < 3} | {"3.sgf": distinct(3)},
    "in one collection": {"all.sgf": distinct(1) + b"\n" + distinct(2) + distinct(3)},
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_records_are_found(place: str, tmp_path: Path) -> None:
    lay(tmp_path / "in", PLACES[place])
    found = gathered(tmp_path)
    assert sorted(first_moves(tmp_path, found.train)) == [1, 2, 3] and not found.held_out
    assert (found.summary.games, found.summary.bad) == (3, 0)
    assert sum(entry.games for entry in found.train) == 3 and sum(entry.rows for entry in found.train) == 30


def test_every_format_is_found(tmp_path: Path) -> None:
    lay(tmp_path / "in", {"a.psq": PSQ, "b.ggf": b"\n".join([GGF, GGF.replace(b"W[b4]", b"W[c2]")]), "c.wtb": wthor((1, 2, WTHOR_MOVES)), "d.sgf": sgf()})  # fmt: skip
    for game, count in (("gomoku", 1), ("reversi", 3), ("go", 1)):
        found = gather(tmp_path / "in", tmp_path / game, Choice(game), held_out=0)
        assert found.summary.games == count, found.summary.lines()


KIFU = b"7\t;B[pd];W[dd];B[pp];W[dp];B[fq];W[cn];B[jp];W[qn]\n8\t;B[aa];W[dd];B[pp];W[dp];B[fq];W[cn];B[jp];W[]\n9 ;B[ba];W[dd];B[pp];W[dp];B[fq];W[cn];B[jp];W[qn]\nnonsense\n"
INDEX = "8\tC2006.01.01 00:15\t\uc601\uc8fc\twriting\t0\t\u9f99\tlong]sheng\t2\tB+2.5\t263\t30/3 20m\n7\tC2006.01.01 00:00\tx\tfirst\t0\ty\tsecond\t2\tW+Resign\t8\t10/3 0m\n"


@pytest.mark.parametrize("is_packed", [True, False])
def test_tygems_games_meet_their_facts(is_packed: bool, tmp_path: Path) -> None:
    """Two have facts; the third has none, the last line is none."""
    index, kifu = INDEX.encode(), KIFU
    files = {
        "index/Kifu2006.index.tar.gz": tarred({"Kifu2006.index": index}),
        "Kifu/2006-01.zip": zipped({"2006-01": kifu}),
    }
    lay(tmp_path / "in", files if is_packed else {"index/Kifu2006.index": index, "Kifu/2006-01": kifu})
    found = gathered(tmp_path, Choice("go", 2900))
    assert dict(found.summary.left_out) == {"no result": 1} and found.summary.bad == 1
    assert "2006-01" in found.summary.named[0].name and "line 4" in found.summary.named[0].name
    first, second = shards.read(tmp_path / "out" / found.train[0].name)
    assert (first.moves[0], first.outcome, first.margin, first.rating) == (3 * 19 + 15, 0, -np.inf, 2900)
    assert (second.moves[-1], second.outcome, second.margin, second.komi, second.rules) == (
        361,
        1,
        2.5,
        6.5,
        "japanese",
    )
    players = [pair for unit in archives.units(tmp_path / "in") for pair in gathering.read_unit(unit, GO).players]
    assert players == [("second", "first"), ("longsheng", "writing")]


def test_a_damaged_month_is_named(tmp_path: Path) -> None:
    lay(tmp_path / "in", {"index/Kifu2006.index": b"", "Kifu/2006-01.zip": b"no", "Kifu/2006-02.zip": zipped({}), "good.sgf": distinct(1)})  # fmt: skip
    found = gathered(tmp_path)
    assert (found.summary.games, found.summary.bad) == (1, 2)


def test_wthor_players_have_the_names_beside_the_base(tmp_path: Path) -> None:
    names = b"\0" * 16 + b"".join(name.ljust(20, b"\0") for name in (b"", b"TAMENORI", b"ANDRIANI"))
    lay(tmp_path / "in", {"WTH_2004.wtb": wthor((1, 2, WTHOR_MOVES)), "WTHOR.JOU": names})
    (unit,) = archives.units(tmp_path / "in")
    assert gathering.read_unit(unit, Choice("reversi")).players == [("TAMENORI", "ANDRIANI")]


BAD = {
    "broken.sgf": (b"(;GM[1]SZ[19];B[aa", "not an SGF file"),
    "point.sgf": (sgf("dd pp zz pd fq cn jp qn qf pb"), "line 1: move 3 is illegal: 'zz' is not a point of the board"),
    "illegal.sgf": (sgf("dd pp dd pd fq cn jp qn"), "move 3 is illegal: occupied"),
    "empty.zip": (b"", "not a zip file"),
    "half.zip": (zipped({"1.sgf": distinct(1)})[:90], "not a zip file"),
    "damaged.zip": ((lambda data: data[:45] + b"??" + data[47:])(zipped({"1.sgf": distinct(1)})), "invalid"),
    "cut.sgf.gz": (PACKERS[".gz"](distinct(1))[:60], "ended before"),
    "cut.tar.gz": (tarred({"1.sgf": distinct(1)})[:80], ""),
    "outer.zip": (zipped({"inner.zip": zipped({"1.sgf": distinct(1)})}), "an archive within an archive"),
    "games.7z": (b"7z", "archives of 7z are not read"),
    "large.sgf": (b"(;" + b" " * (17 << 20), "larger than 16 MB"),
    "bomb.sgf.gz": (PACKERS[".gz"](b" " * (17 << 20)), "larger than 16 MB"),
    "bomb.zip": (zipped({"1.sgf": b" " * (17 << 20)}), "larger than 16 MB"),
    "cut.wtb": (wthor((1, 2, WTHOR_MOVES))[:50], "ends early"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_is_bad_is_counted_and_named_and_the_rest_is_read(name: str, tmp_path: Path) -> None:
    data, reason = BAD[name]
    lay(tmp_path / "in", {name: data, "z/good.sgf": distinct(7)})
    found = gathered(tmp_path)
    assert (found.summary.games, found.summary.bad) == (1, 1)
    (bad,) = found.summary.named
    assert name in bad.name and reason in bad.reason and "\n" not in bad.reason
    assert found.summary.lines()[-1] == f"  {bad.name}: {bad.reason}"


def test_what_was_not_plain_is_told_once(tmp_path: Path) -> None:
    files = {f"{n}.sgf": distinct(n, KM="375", RU="Ing") for n in range(5)} | {"x.sgf": distinct(7).rstrip()[:-1]}
    lay(tmp_path / "in", files)
    found = gathered(tmp_path)
    assert (found.summary.games, found.summary.bad) == (6, 0)
    told = [line for line in found.summary.lines() if "komi" in line or "nearest" in line or "parenthesis" in line]
    assert [line.split(": ", 1)[1] for line in told] == [
        "KM[375] is read as a komi of 7.5 (and 4 more)", "the rules 'Ing' are read as new-zealand, which are nearest (and 4 more)",
        "line 1: the file ends without a parenthesis",
    ]  # fmt: skip


def test_one_bad_game_of_ggf_costs_itself_alone(tmp_path: Path) -> None:
    lines = [GGF.replace(b"W[b4]", f"W[{move}]".encode()) for move in ("b4", "c2", "zz", "d7")]
    lay(tmp_path / "in", {"a.ggf": b"".join(lines)})
    found = gathered(tmp_path, Choice("reversi"))
    assert found.summary.games + found.summary.bad == 4 and found.summary.bad == 1
    assert "a.ggf line 3" in found.summary.named[0].name


def test_a_large_file_of_ggf_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "_A_PIECE", 1000)
    lay(tmp_path / "in", {"a.ggf": GGF * 50})
    found = list(archives.units(tmp_path / "in"))
    assert len(found) == 10
    assert sum(len(gathering.read_unit(unit, Choice("reversi")).players) for unit in found) == 50


def test_only_the_first_bad_files_are_named(tmp_path: Path) -> None:
    lay(tmp_path / "in", {f"{n:03}.sgf": b"no" for n in range(30)})
    summary = gathered(tmp_path).summary
    assert (summary.bad, len(summary.named), summary.games) == (30, gathering.NAMED, 0)
    assert (
        summary.named[0].name.endswith("000.sgf")
        and "30 files or games could not be read, the first of them:" in summary.lines()
    )


def test_games_are_left_out_for_a_reason_that_is_counted(tmp_path: Path) -> None:
    lay(tmp_path / "in", {"1.sgf": distinct(1), "2.sgf": distinct(1, PB="Someone"), "3.sgf": distinct(3, BR="1k"), "4.sgf": distinct(4, HA="2")})  # fmt: skip
    found = gathered(tmp_path, Choice("go", 2100))
    assert dict(found.summary.left_out) == {"known already": 1, "players below the rating": 1, "a handicap": 1}
    assert found.summary.games == 1 and "left out: 1 games, known already" in found.summary.lines()


def held_and_not() -> tuple[list[str], list[str]]:
    names = [f"player {number}" for number in range(1000, 1400)]
    return [name for name in names if is_held_out(name, 0.3)], [name for name in names if not is_held_out(name, 0.3)]


def test_who_is_held_out_is_decided_by_the_name() -> None:
    held, others = held_and_not()
    assert 0.22 < len(held) / 400 < 0.38
    assert all(is_held_out(name, 0.3) == is_held_out(f"  {name.upper()} ", 0.3) for name in held + others)
    assert all(is_held_out(name, 0.9) for name in held) and not any(is_held_out(name, 0) for name in held)
    assert not any(is_held_out(name, 1) for name in ("", "?", "Anonymous"))
    # the same on every machine and in every version, or players would be learned from that were measured by
    assert [
        name
        for name in ("Lee Sedol", "Ke Jie", "Iyama Yuta", "Shin Jinseo", "Park Junghwan", "Mi Yuting")
        if is_held_out(name, 0.5)
    ] == HELD


HELD = ["Iyama Yuta", "Mi Yuting"]


def test_no_player_of_a_held_out_game_is_learned_from(tmp_path: Path) -> None:
    held, others = held_and_not()
    pairs = [
        (held[0], held[1]),
        (others[0], others[1]),
        (held[2], others[2]),
        (others[3], held[0]),
        ("", others[0]),
        ("", held[0]),
        ("", ""),
    ]
    assert [split(pair, 0.3) for pair in pairs] == ["held-out", "train", None, None, "train", None, "train"]
    lay(tmp_path / "in", {f"{n}.sgf": distinct(n, PB=black, PW=white) for n, (black, white) in enumerate(pairs)})
    found = gathered(tmp_path, held_out=0.3)
    assert first_moves(tmp_path, found.held_out) == [0] and first_moves(tmp_path, found.train) == [1, 4, 6]
    assert found.summary.left_out == {"one of the players is held out": 3}
    assert [entry.name for entry in found.held_out] == ["held-out-0001.npz"]


def test_a_collection_of_too_few_players_says_so(tmp_path: Path) -> None:
    lay(tmp_path / "in", {"1.sgf": distinct(1)})
    assert (
        "no game is held out: too few of them are between the 1% of the players that are"
        in gathered(tmp_path, held_out=0.01).summary.lines()
    )


def test_shards_are_cut_and_do_not_depend_on_the_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "A_SHARD", 35)
    monkeypatch.setattr(archives, "_A_UNIT", 3)
    lay(tmp_path / "in", {f"{n:02}.sgf": distinct(n) for n in range(14)})
    one = gathered(tmp_path)
    again = gather(tmp_path / "in", tmp_path / "again", GO, held_out=0.0, processes=2)
    assert [entry.games for entry in one.train] == [4, 4, 4, 2] and one.train == again.train
    games = [game for entry in one.train for game in shards.read(tmp_path / "out" / entry.name)]
    others = [game for entry in again.train for game in shards.read(tmp_path / "again" / entry.name)]
    for mine, theirs in zip(games, others, strict=True):
        assert_equal(mine, theirs)
    assert json.loads(json.dumps(one.train[0].as_dict()))["rows"] == 40


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        gather(tmp_path / "nowhere", tmp_path / "out", GO)


def test_archives_leave_nothing_on_the_disk(tmp_path: Path) -> None:
    lay(tmp_path / "in", PLACES["in a zip"])
    before = sorted(tmp_path.rglob("*"))
    gathered(tmp_path)
    assert sorted(set(tmp_path.rglob("*")) - set(before)) == [tmp_path / "out", tmp_path / "out" / "train-0001.npz"]


@given(
    st.sampled_from([".sgf", ".ggf", ".psq", ".wtb"]), st.binary(max_size=40), st.integers(0, 300), st.integers(0, 300)
)
def test_whatever_a_file_holds(ending: str, noise: bytes, start: int, length: int) -> None:
    """Something of a good file is replaced by noise: games, reasons and bad ones, but no exception."""
    good = {".sgf": sgf(), ".ggf": GGF * 2, ".psq": PSQ, ".wtb": wthor((1, 2, WTHOR_MOVES), (2, 1, WTHOR_MOVES))}[
        ending
    ]
    data = good[:start] + noise + good[start + length :]
    for game in ("go", "reversi", "gomoku"):
        found = gathering.read_unit(archives.DataUnit((archives.Piece(f"x{ending}", data),)), Choice(game))
        assert found.files == 1 and len(found.players) == len(found.games or ())
        if found.games is not None:
            shards.check(found.games)
