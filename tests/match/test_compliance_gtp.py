"""`tengen compliance --kind gtp`: each fault of the fake engine is one finding, and the right one."""

from __future__ import annotations

import io
import json
import re
import shlex
import shutil
import sys
from functools import cache
from pathlib import Path

import pytest
from checkout import FAKES
from fakes.gtp_engine import FAULTS

from tengen.tools.compliance import lifecycle
from tengen.tools.compliance.check import matches
from tengen.tools.compliance.examine import Terms, examine
from tengen.tools.compliance.finding import Report, Severity, abridged
from tengen.tools.compliance.gtp import Gtp, _listed, frames
from tengen.tools.compliance.gtp_table import REFUSED

FAKE = FAKES / "compliance_engine.py"
FOUND = {
    "unplayed": "genmove plays its move",
    "listed-refused": "a listed command is refused",
    "kept": "clear_board clears",
    "crash": "off the board",
    "escape": "files outside its folder",
    "ko": "ko",
    "banana": "final score",
    "no-id": "id is echoed",
    "chatter": "framing",
}
"""fault -> finding; those of every day, which other tests look at too where they can."""
FOUND_TOO = {
    "fixed": "genmove on an occupied point",
    "ids-refused": "id is echoed",
    "blind": "genmove on an occupied point",
    "undo-refused": "a listed command is refused",
    "nan": "komi that is not finite",
    "ids-ignored": "id is echoed",
    "extra": "framing",
    "noise": "framing",
    "banner": "framing",
    "one-line-feed": "framing",
    "comment": "comments and empty lines",
    "any-command": "unknown command",
    "unlisted": "genmove is listed",
    "twice-listed": "list_commands names each once",
    "denied": "known_command denies a listed command",
    "off-board": "genmove",
    "ko-for-ever": "ko after a threat",
    "suicide": "suicide",
    "no-capture": "captured stones leave the board",
    "occupied": "occupied point",
    "no-play": "play",
    "undo-below": "undo",
    "any-size": "impossible board size",
    "any-komi": "komi that is no number",
    "hang": "komi that is not finite",
    "stays": "leaving at 'quit'",
    "mute-quit": "quit has an answer",
    "wrong-id": "id is echoed",
}
SHOULD = {"ko", "twice-listed", "denied", "mute-quit"}


@cache
def of_fake(*faults: str, lines: int = 0, transcript: io.StringIO | None = None) -> Report:
    words = [sys.executable, "-S", str(FAKE), "gtp", *faults]
    return examine(words, Gtp(), Terms(lines, seconds=3.0), transcript=transcript)


@pytest.mark.parametrize(
    ("fault", "name"), [*FOUND.items(), *(pytest.param(*row, marks=pytest.mark.slow) for row in FOUND_TOO.items())]
)
def test_a_fault_is_one_finding(monkeypatch, fault: str, name: str) -> None:
    monkeypatch.setattr(lifecycle, "START_SECONDS", 3.0)
    report = of_fake(fault)
    expected = [(name, Severity.SHOULD if fault in SHOULD else Severity.MUST)]
    assert [(found.name, found.severity) for found in report.findings] == expected, report.to_text()


@pytest.mark.parametrize("words", [(), ("large-only",)])
def test_an_engine_without_faults_has_no_finding(words: tuple[str, ...]) -> None:
    report = of_fake(*words, lines=40)
    assert report.findings == [] and report.unasked == [] and report.passed > 60, report.to_text()


def test_every_fault_of_the_fake_is_in_a_table() -> None:
    assert {*FOUND, *FOUND_TOO} == set(FAULTS)


def test_the_line_that_ends_it_is_shown_alone() -> None:
    (found,) = of_fake("crash").findings
    assert found.sent == ("play b Z25",) and "exit code 3" in found.sentence


def test_the_commands_that_are_refused_are_named_together() -> None:
    (found,) = of_fake("listed-refused").findings
    assert found.sent == ("frobnicate", "gg-undo")


def test_what_needs_a_command_that_is_wrong_is_said_not_to_be_asked() -> None:
    report = of_fake("kept")
    assert "ko" in report.unasked and "final score" in report.unasked and "komi" not in report.unasked
    assert "Not asked" in report.to_text() and json.loads(json.dumps(report.to_json()))["unasked"] == report.unasked


def test_the_conversation_of_a_finding_is_the_whole_one() -> None:
    (found,) = of_fake("unplayed").findings
    sent = [line[2:] for line in found.conversation if line.startswith("> ")]
    assert [line for line in sent if "protocol_version" not in line] == ["clear_board", "genmove b", "play w A5"]
    assert len([line for line in sent if "protocol_version" in line]) == 3
    assert "< = A5" in found.conversation


def test_a_transcript_holds_every_line_escaped() -> None:
    held = io.StringIO()
    of_fake(lines=200, transcript=held)
    lines = held.getvalue().splitlines()
    assert all(line[:2] in ("> ", "< ", "# ", "! ") for line in lines)
    assert held.getvalue().replace("\n", "").isprintable()
    assert "# ko" in lines and "> play w D5" in lines
    assert any("\\x00" in line for line in lines) and any(len(line) > 10_000 for line in lines)


def test_a_transcript_is_a_file_or_one_sentence(called, tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    engine = shlex.join([sys.executable, "-S", str(FAKE), "gtp"])
    done = called("compliance", engine, "--kind", "gtp", "--lines", "0", "--transcript", str(path))
    assert done.returncode == 0 and "> genmove b" in path.read_text().splitlines()
    full = [Path("/dev/full")] if Path("/dev/full").exists() else []
    for wrong in (tmp_path / "no" / "talk.txt", tmp_path, *full):
        done = called("compliance", engine, "--kind", "gtp", "--transcript", str(wrong))
        assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1 and str(wrong) in done.stderr


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (["> a", "< ", "< =", "> b"], ["> a", "< =", "> b"]),
        (["> a", "< 1", "< 2", "< 3", "< 4", "> \x1b"], ["> a", "< 1", "< 2", "... (2 more lines)", "> \\x1b"]),
        (["> a", "< 1", "< 2", "< 3"], ["> a", "< 1", "< 2", "... (1 more line)"]),
    ],
)
def test_a_long_answer_is_cut_and_what_was_sent_is_not(lines: list[str], shown: list[str]) -> None:
    assert abridged(lines, 2) == shown


@pytest.mark.parametrize(
    ("answer", "is_refused"),
    [
        ("? unknown command", True), ("? Unknown command: 'undo'", True), ("? command 'undo' not found", True),
        ("? not implemented", True), ("? unsupported", True), ("? invalid command", True), ("= unknown command", False),
        ("? unknown color", False), ("? komi not supported", False), ("? invalid argument", False), ("?", False),
    ],
)  # fmt: skip
def test_an_error_about_arguments_refuses_no_command(answer: str, is_refused: bool) -> None:
    assert (re.fullmatch(f"(?is){REFUSED}", answer) is not None) is is_refused
    row = next(row for row in _listed("undo") if row.probe)
    assert matches(row.steps[0], answer) is not is_refused


@pytest.mark.parametrize(
    ("reply", "answers", "outside"),
    [
        (["= a", "b", "", "?1 no", ""], ["= a\nb", "?1 no"], []),
        (["hello", "=", "", "", "hello", "="], ["=", "="], ["hello", "hello"]),
        (["= a", "= b", ""], ["= a\n= b"], []),
        ([], [], []),
    ],
)
def test_answers_are_told_from_lines_outside(reply: list[str], answers: list[str], outside: list[str]) -> None:
    assert frames(reply) == (answers, outside)


@pytest.mark.skipif(shutil.which("gnugo") is None, reason="GNU Go is not installed")
@pytest.mark.slow
def test_gnu_go_has_only_faults_that_it_has(tengen) -> None:
    done = tengen("compliance", "gnugo --mode gtp --level 1", "--kind", "gtp", "--lines", "0", "--json", timeout=240)
    assert {found["name"] for found in json.loads(done.stdout)["findings"]} == {
        "a folder as a file", "an empty file", "a truncated file", "a deeply nested file", "a binary file",
        "files outside its folder", "saving where there is no folder",
        "komi that is not finite",  # `komi nan` is "=", and final_score then always 0
        "set_search_limit alone",  # SIGSEGV
    }  # fmt: skip
