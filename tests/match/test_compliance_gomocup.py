"""`tengen compliance --kind gomocup`: an engine that talks as the official template does has only the faults it has."""

from __future__ import annotations

import io
import shutil
import subprocess

import pytest
from checkout import FAKES

from tengen.tools.compliance.examine import Terms, examine
from tengen.tools.compliance.finding import Report
from tengen.tools.compliance.gomocup import Gomocup, due

SOURCE = FAKES / "gomocup_template.cpp"
COMPILER = shutil.which("c++") or shutil.which("g++")
TEMPLATE = {"too many answers": "should"}
"""What is wrong with the template itself: after the ERROR for a stone on a stone it moves all the same."""
FAULTS = {
    "info-ok": {"INFO is silent": "must"},
    "start-text": {"START 15": "must", "too many answers": None},
    "twice": {"too many answers": "must"},
    "banner": {"noise on stdout": "must"},
    "mixed": {"x before y": "must"},
    "example": {"START clears the board": "should"},
    "swapped": {"1 is its own stone": "should"},
}
"""fault -> findings beside the template's; None: that one is not found then, for its row cannot be asked."""

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler")


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> str:
    """The stub, compiled."""
    program = tmp_path_factory.mktemp("template") / "engine"
    subprocess.run([COMPILER, "-std=c++17", "-O1", "-pthread", "-o", str(program), str(SOURCE)], check=True)
    return str(program)


def examined(*words: str, lines: int = 0, transcript: io.StringIO | None = None) -> Report:
    return examine(list(words), Gomocup(), Terms(lines, seconds=5.0), transcript=transcript)


@pytest.fixture(scope="module")
def faultless(template: str) -> tuple[Report, list[str]]:
    """The report on the template, and the transcript."""
    held = io.StringIO()
    return examined(template, lines=300, transcript=held), held.getvalue().splitlines()


@pytest.mark.parametrize(
    ("fault", "more"),
    [pytest.param(*row, marks=[] if row[0] == "info-ok" else pytest.mark.slow) for row in FAULTS.items()],
)
def test_an_engine_on_the_template_has_only_the_faults_that_it_has(template: str, fault: str, more: dict) -> None:
    report = examined(template, *fault.split())
    expected = {name: severity for name, severity in (TEMPLATE | more).items() if severity is not None}
    assert {found.name: found.severity.value for found in report.findings} == expected, report.to_text()


def test_the_template_has_only_the_faults_that_it_has(faultless: tuple[Report, list[str]]) -> None:
    report, talk = faultless
    assert {found.name: found.severity.value for found in report.findings} == TEMPLATE, report.to_text()
    assert report.passed >= 25 and report.unasked == []


def test_hostile_lines_are_in_the_transcript(faultless: tuple[Report, list[str]]) -> None:
    talk = faultless[1]
    sent = talk[talk.index("# hostile lines") :]
    assert sum(line.startswith("> ") for line in sent) >= 300
    assert any("\\x00" in line for line in sent) and any("\\u202e" in line for line in sent)


def test_no_blank_line_is_sent_but_as_a_hostile_one(faultless: tuple[Report, list[str]]) -> None:
    talk = faultless[1]
    talk = talk[: talk.index("# hostile lines")]
    assert "> " not in talk and "> BEGIN" in talk
    assert "< UNKNOWN command" in talk  # the answer to XYZZY


def test_the_template_answers_a_blank_line(template: str) -> None:
    lines = "\nSTART 15\nTURN 7,7\r\nBOARD\n1,1,1\nx\nendless\n"
    done = subprocess.run([template], input=lines, capture_output=True, text=True, timeout=20)
    said = done.stdout.split("\n")
    assert said[:2] == ["UNKNOWN command", "OK"] and said[3].startswith("ERROR") and done.returncode == 0


@pytest.mark.parametrize(
    ("send", "count"),
    [
        ("START 15", 1), ("INFO rule 0", 0), ("INFO a 1\nINFO b 2\nBEGIN", 1), ("BOARD\n7,7,1\n8,8,2\nDONE", 1),
        ("BOARD\nDONE\nABOUT", 2), ("BOARD\n1,1,1", 0), ("BEGIN\r", 1), ("xyzzy", 1), ("", 0),
    ],
)  # fmt: skip
def test_how_many_answers_lines_get(send: str, count: int) -> None:
    assert due(send) == count
