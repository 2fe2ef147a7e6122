"""`tengen compliance`: planted faults are found and named, our own front ends have none."""

from __future__ import annotations

import json
import random
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from checkout import FAKES

from tengen.tools.compliance.check import check, matches, normal
from tengen.tools.compliance.dialect import Dialect
from tengen.tools.compliance.examine import DIALECTS, CannotStart, Terms, examine
from tengen.tools.compliance.finding import Finding, Report, Severity
from tengen.tools.compliance.gtp import Gtp
from tengen.tools.compliance.lines import FORBIDDEN, line
from tengen.tools.compliance.process import Process, resolve

FAKE = FAKES / "compliance_engine.py"


OURS = [
    ("uci",),
    pytest.param(
        ("gtp", "gomocup", "nboard", "xboard", "gtp --game gomoku", "gtp --game reversi"), marks=pytest.mark.slow
    ),
]
"""Our front ends; those of a row are examined at the same time, for they are mostly waited for."""


def of_fake(kind: str, *faults: str, lines: int = 0) -> Report:
    return examine([sys.executable, "-S", str(FAKE), kind, *faults], DIALECTS[kind](), Terms(lines, seconds=3.0))


def names(report: Report) -> list[str]:
    return [finding.name for finding in report.findings]


def test_an_engine_without_faults_has_no_finding() -> None:
    """Of UCI; test_compliance_gtp.py has that of GTP, and its faults one by one."""
    report = of_fake("uci", lines=60)
    assert names(report) == []
    assert report.passed > 20


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        ("no-author", "uci"),
        ("crash", "position with no FEN at all"),
        pytest.param("blind", "ready while searching", marks=pytest.mark.slow),
    ],
)
def test_a_planted_fault_is_found(fault: str, name: str) -> None:
    report = of_fake("uci", fault)
    assert name in names(report)
    assert not report.is_compliant()


@pytest.mark.parametrize("fault", ["noise", pytest.param("extra", marks=pytest.mark.slow)])
def test_lines_outside_an_answer_are_found(fault: str) -> None:
    report = of_fake("gtp", fault, lines=60)
    assert {"undo", "framing"} & set(names(report))


@pytest.mark.slow
def test_a_hang_comes_with_the_shortest_line_that_shows_it() -> None:
    report = examine(
        [sys.executable, "-S", str(FAKE), "gtp", "hang"], Gtp(), Terms(200, seed=3, level=2, seconds=1.0)
    )  # fmt: skip
    (found,) = [finding for finding in report.findings if finding.name == "hangs over a line"]
    assert found.severity is Severity.MUST and any("nan" in sent for sent in found.sent) and len(found.sent) <= 5


def test_a_program_that_says_nothing_cannot_be_examined() -> None:
    with pytest.raises(CannotStart, match="exit code 3"):
        examine([sys.executable, "-c", "raise SystemExit(3)"], Gtp(), Terms(0))
    with pytest.raises(ValueError, match="no program"):
        resolve("no-such-engine --gtp")


@pytest.mark.parametrize("kind", sorted(DIALECTS))
def test_lines_never_hold_the_sentinels_word_and_repeat_with_the_seed(kind: str) -> None:
    dialect: Dialect = DIALECTS[kind]()
    dialect.learn({})
    dice, again = random.Random(5), random.Random(5)
    count = 3000 if kind in ("gomocup", "uci") else 1000  # one of 3000 of theirs would hold such a word
    drawn = [line(dialect, dice, 3) for _ in range(count)]
    assert drawn[:300] == [line(dialect, again, 3) for _ in range(300)]
    assert not any(FORBIDDEN.search(one.data.decode("latin-1")) for one in drawn)
    assert count // 10 < sum(not one.is_plain for one in drawn) < 5 * count // 6
    assert max(len(one.data) for one in drawn) > 10_000


@pytest.mark.parametrize(
    ("dialogue", "reply", "is_right"),
    [
        ("name => = ?.+", ["= Fake ", ""], True),
        ("name => = ?.+", ["? no"], False),
        ("INFO rule 0 =>", [], True),
        ("INFO rule 0 =>", ["OK"], False),
        ("5 protocol_version\\r => =5 2", ["=5 2\r"], True),
    ],
)
def test_a_row_says_what_a_right_answer_is(dialogue: str, reply: list[str], is_right: bool) -> None:
    assert matches(check("row", dialogue, "It is wrong.").steps[0], normal(reply)) is is_right


@pytest.mark.timing
@pytest.mark.parametrize("front_ends", OURS, ids=" and ".join)
def test_our_own_front_ends_have_no_finding(tengen, front_ends: tuple[str, ...]) -> None:
    def examined(words: str) -> subprocess.CompletedProcess[str]:
        engine = shlex.join([sys.executable, "-m", "tengen.tools", *words.split()])
        return tengen(
            "compliance", engine, "--kind", words.split()[0], "--lines", "40", "--strict", "--json", timeout=240
        )

    with ThreadPoolExecutor(len(front_ends)) as pool:
        for done in pool.map(examined, front_ends):
            assert done.returncode == 0, done.stdout
            assert json.loads(done.stdout)["findings"] == []


@pytest.mark.skipif(shutil.which("gnugo") is None, reason="GNU Go is not installed")
def test_gnu_go_has_its_known_faults(tengen) -> None:
    done = tengen("compliance", "gnugo --mode gtp --level 1", "--kind", "gtp", "--lines", "0", "--json", timeout=240)
    found = {finding["name"]: finding for finding in json.loads(done.stdout)["findings"]}
    assert done.returncode == 1
    assert found["a folder as a file"]["sent"] == ["loadsgf /"]
    assert "../x.sgf" in found["files outside its folder"]["got"]


def test_what_an_engine_says_does_not_reach_the_terminal(called) -> None:
    finding = Finding(Severity.MUST, "framing", "It writes '\x1b[2J\udcff' outside an answer.", ("\x1b",), "\udcff")
    text = Report("engine \udcff", "gtp", findings=[finding]).to_text()
    assert "\x1b" not in text and text.encode() and "x1b[2J" in text
    code = "import os; os.write(2, bytes([27, 91, 50, 74, 255, 10])); raise SystemExit(3)"
    done = called("compliance", shlex.join([sys.executable, "-S", "-c", code]), "--kind", "gtp")
    assert done.returncode == 2 and "it says: " in done.stderr and "\x1b" not in done.stderr, done.stderr


@pytest.mark.parametrize("text", ["x", "y\\n", "z" * 50_000 + "\\n"])
def test_a_flood_on_stdout_does_not_fill_the_memory(tmp_path: Path, text: str) -> None:
    code = f"import os\nwhile True: os.write(1, b'{text}' * (1_000_000 // {len(text)}))"
    process = Process([sys.executable, "-c", code], tmp_path)
    try:
        lines, outcome = process.read(lambda line: False, 1.5)
    finally:
        process.kill()
    assert outcome == "timeout" and sum(map(len, lines)) + 60 * len(lines) < 40 << 20


def test_exit_code_and_sentence_for_an_engine_that_is_not_there(called) -> None:
    done = called("compliance", "no-such-engine", "--kind", "uci")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "no-such-engine" in done.stderr
