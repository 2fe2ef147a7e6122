"""The report of a run: whole without a network, harmless whatever engines call themselves, boards that replay."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Browser

from tengen.engine import toml
from tengen.tools.match.report import build
from tengen.tools.match.report.charts import histogram
from tengen.tools.match.report.page import embedded
from tengen.tools.match.report.tables import csv_text
from tengen.tools.match.run.machine import Session
from tengen.tools.match.run.store import StoreError
from tengen.tools.match.spec import GameResult, MoveRecord, Reason

EVIL = "<script>alert(1)</script>"


def moves(text: str) -> tuple[MoveRecord, ...]:
    return tuple(MoveRecord(move, 0.01 * n, None, 0.5) for n, move in enumerate(text.split(), 1))


def folder(
    path: Path, game: str, size: int, played: str, names: tuple[str, str] = (EVIL, "b & b"), **table: object
) -> Path:
    """A run of four games, one of them lost by a crash."""
    engines = [{"name": name, "command": "engine", "protocol": "uci" if game == "chess" else "gtp"} for name in names]
    sizes = {} if game == "chess" else {"size": size}
    (path / "run.toml").write_text(toml.dumps({"game": game, "games": 4, "engine": engines, **sizes, **table}), "utf-8")
    rows = []
    for n in range(4):
        first, second = names if n % 2 == 0 else names[::-1]
        reason = Reason.CRASH if n == 3 else Reason.SCORE
        rows.append(GameResult(
            f"{n // 2:06}{'ab'[n % 2]}", n // 2, first, second, "start", "1-0", reason, second if n == 3 else None,
            f"{EVIL} ended", moves(played), versions={first: (EVIL, "1")}, hash=f"h{n}", round=1, latency={first: (1.0, 2.0)},
        ))  # fmt: skip
    text = "".join(json.dumps(row.to_json()) + "\n" for row in rows)
    (path / "games.jsonl").write_text(text + '{"id": "torn', "utf-8")
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    made = Browser(tmp_path_factory.mktemp("profile"))
    yield made
    made.close()


def test_an_engine_named_like_a_script_stays_text(tmp_path: Path) -> None:
    text = build(folder(tmp_path, "go", 9, "d4 e5")).read_text("utf-8")
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text and "\\u003cscript\\u003ealert" in text
    assert len(re.findall(r"<script", text)) == 2 and "b &amp; b" in text


def test_the_page_needs_no_network(tmp_path: Path) -> None:
    text = build(folder(tmp_path, "go", 9, "d4 e5")).read_text("utf-8")
    assert re.findall(r"(?:src|href|url|import|fetch)\s*[=(]", text) == []
    assert "default-src 'none'" in text
    assert set(re.findall(r"https?://[^\s\"']+", text)) <= {"http://www.w3.org/2000/svg"}


def test_the_parts_are_there(tmp_path: Path) -> None:
    sprt = {"elo0": 0.0, "elo1": 10.0}
    text = build(folder(tmp_path, "gomoku", 15, "h8 h9 j8", sprt=sprt)).read_text("utf-8")
    for title in (
        "Crosstable",
        "Elo, 95 % intervals",
        "Sequential test",
        "How the games ended",
        "Time",
        "Game lengths",
        "Games",
    ):
        assert f"<h2>{title}</h2>" in text
    assert '<polyline class="path"' in text and "crash" in text and "4 games of gomoku on 15x15" in text
    assert "nan" not in text.replace("financial", "").lower().split("<script")[0]


def twenty(path: Path, score: str = "1-0") -> str:
    """The page of ten pairs over one opening that "ann" won (or drew) all, begun on two days."""
    engines = [{"name": "ann", "command": "ann --mode 'a b'"}, {"name": "bob", "command": ["bob", "-x"]}]
    table = {"game": "gomoku", "size": 15, "seed": 77, "games": 20, "engine": engines}
    (path / "run.toml").write_text(toml.dumps(table), "utf-8")
    (path / "openings.jsonl").write_text('{"name": "o", "moves": ["h8", "i9"], "position": null}\n', "utf-8")
    rows = []
    for n in range(20):
        first, second = ("ann", "bob")[:: 1 if n % 2 == 0 else -1]
        result = score if n % 2 == 0 or "/" in score else score[::-1]
        rows.append(GameResult(
            f"{n // 2:06}{'ab'[n % 2]}", n // 2, first, second, "o", result, Reason.FIVE, round=1, hash=f"h{n}",
            moves=moves("a1 b1 c1"), start=f"2026-07-0{1 + n // 10}T10:{n:02}:00+00:00",
        ))  # fmt: skip
    (path / "games.jsonl").write_text("".join(json.dumps(row.to_json()) + "\n" for row in rows), "utf-8")
    session = Session("2026-07-01T10:00:00+00:00", "0.1.0", "Example CPU 9000", 4, True, "Linux 6.1, Python 3.11")
    (path / "sessions.jsonl").write_text(json.dumps(session.to_json()) + "\n{torn", "utf-8")
    return build(path).read_text("utf-8").partition('<script type="application/json"')[0]


def cells(text: str, title: str) -> list[list[str]]:
    """The cells of the table of a section, its head first."""
    body = text.partition(f"<h2>{title}</h2>")[2].partition("</section>")[0]
    return [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", body)]


def test_a_match_has_one_scale(tmp_path: Path) -> None:
    """20:0 says in every place that the difference is over 287 Elo, half of it on each side of the mean."""
    text = twenty(tmp_path)
    assert "ann scored 20 (+20 =0 -0) against bob: Elo difference over +287" in text
    assert [row[4] for row in cells(text, "Crosstable")] == ["Elo (95 %)", "over +143", "below -143"]
    assert "relative to the mean of both engines: half of the difference each" in text
    bars = text.partition("Elo, 95 % intervals")[2].partition("</section>")[0]
    assert ">over +143<" in bars and ">below -143<" in bars and "inf" not in bars and "nan" not in bars
    table = list(csv.reader((tmp_path / "crosstable.csv").open(encoding="utf-8")))
    assert [row[3:6] for row in table] == [["Elo", "low", "high"], ["", "143.3", ""], ["", "", "-143.3"]]


def test_a_match_of_draws_is_even(tmp_path: Path) -> None:
    text = twenty(tmp_path, "1/2-1/2")
    assert "Elo difference +0 (-204 to +204)" in text
    assert [row[4] for row in cells(text, "Crosstable")][1:] == ["+0 (-102 to +102)"] * 2


def test_the_head_of_the_crosstable_has_no_names(tmp_path: Path) -> None:
    """Names are long: the columns have the numbers of the rows."""
    head, *rows = cells(twenty(tmp_path), "Crosstable")
    assert head == ["", "engine", "points", "games", "Elo (95 %)", "faults", "1", "2"]
    assert [row[:2] for row in rows] == [["1", "ann"], ["2", "bob"]]


def test_the_report_says_how_it_was_played(tmp_path: Path) -> None:
    text = twenty(tmp_path)
    said = dict(cells(text, "How it was played")[1:])
    assert said["date"].startswith("2026-07-01 10:00 to 2026-07-02 10:19 UTC")
    assert said["seed"] == "77" and said["openings"].startswith("random")
    assert "<p>Played 2026-07-01 to 2026-07-02, seed 77, on Example CPU 9000, 4 cores, AMX.</p>" in text
    assert said["machine"] == "Example CPU 9000, 4 cores, AMX, Linux 6.1, Python 3.11; Tengen 0.1.0"
    assert (said["command of ann"], said["command of bob"]) == ("ann --mode &#x27;a b&#x27;", "bob -x")


def test_the_report_explains_its_words(tmp_path: Path) -> None:
    words = [row[0] for row in cells(twenty(tmp_path), "Words")]
    assert {"Elo", "95 % interval", "LOS", "fault", "latency", "pair", "ply", "SPRT", "LLR", "void"} <= set(words)


def test_lengths_are_plies_everywhere(tmp_path: Path) -> None:
    """Three moves after an opening of two: five, in the list of the games and in the histogram."""
    text = twenty(tmp_path)
    assert ">5 plies</text>" in text.partition("<h2>Game lengths</h2>")[2].partition("</section>")[0]
    assert (tmp_path / "report.html").read_text("utf-8").count('"plies":5,') == 20
    assert "`${row.id}  ${row.first} - ${row.second}  ${row.result}  ${row.reason}  ${row.plies} plies`" in (
        tmp_path / "report.html"
    ).read_text("utf-8")


def test_a_test_that_nobody_can_hold_leaves_the_rest(tmp_path: Path) -> None:
    """Earlier releases began such a run, and then had neither a result nor a report."""
    text = build(folder(tmp_path, "go", 9, "d4 e5", sprt={"elo0": 0.0, "elo1": 300.0})).read_text("utf-8")
    assert "No test: sprt: elo1 (300) is more than normalized Elo can hold" in text and "<h2>Crosstable</h2>" in text


def test_the_crosstable_is_one_for_a_spreadsheet(tmp_path: Path) -> None:
    build(folder(tmp_path, "go", 9, "d4 e5", ("=cmd()", "b")))
    rows = list(csv.reader((tmp_path / "crosstable.csv").open(encoding="utf-8")))
    assert rows[0][:4] == ["engine", "points", "games", "Elo"]
    assert {row[0]: row[1:3] for row in rows[1:]} == {"'=cmd()": ["2", "4"], "b": ["2", "4"]}
    assert csv_text([["+2 =0 -2", "-12.5", "@x"]]) == "+2 =0 -2,-12.5,'@x\r\n"


def test_a_folder_without_games(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no games"):
        build(tmp_path)
    folder(tmp_path, "go", 9, "")
    (tmp_path / "games.jsonl").write_text("", "utf-8")
    assert "0 games" in build(tmp_path).read_text("utf-8")


def test_games_alone_are_enough(tmp_path: Path) -> None:
    folder(tmp_path, "go", 9, "d4 e5")
    (tmp_path / "run.toml").unlink()
    assert "Crosstable" in build(tmp_path).read_text("utf-8")


@pytest.mark.parametrize("values", [[], [1.0], [2.0, 2.0], [0.1, 5.0, 9.0]])
def test_histograms_of_any_values(values: list[float]) -> None:
    assert histogram(values, "s", "x").count("<rect") == (24 if values else 0)


def test_the_data_cannot_end_its_element() -> None:
    text = embedded({"x": "</script><!-- \u2028 &"})
    assert "<" not in text and json.loads(text) == {"x": "</script><!-- \u2028 &"}


@pytest.mark.parametrize(
    ("game", "size", "played", "stones"),
    [
        ("go", 9, "a1 a2 pass b1", {"black": 0, "white": 2}),
        ("go", 9, "d4 e5 pass pass", {"black": 1, "white": 1}),
        ("gomoku", 15, "h8 h9 i8", {"black": 2, "white": 1}),
        ("gomoku", 15, "H8 H9 J8 J9", {"black": 2, "white": 2}),
        ("reversi", 8, "f5 d6", {"black": 3, "white": 3}),
        ("chess", 8, "e2e4 d7d5 e4d5 d8d5 b1c3", {"piece": 30}),
        ("chess", 8, "e2e4 a7a6 e4e5 d7d5 e5d6 a6a5 g1f3 a5a4 f1e2 a4a3 e1g1", {"piece": 31}),
    ],
)
def test_a_browser_replays_the_last_position(
    tmp_path: Path, browser: Browser, game: str, size: int, played: str, stones: dict[str, int]
) -> None:
    browser.open(build(folder(tmp_path, game, size, played)).as_uri())
    text = browser.run("document.documentElement.outerHTML")
    assert {kind: text.count(f'class="{kind}"') for kind in stones} == stones
    assert EVIL not in re.sub(r"(?s)<script type.*?</script>", "", text) and text.count("<script") == 2
