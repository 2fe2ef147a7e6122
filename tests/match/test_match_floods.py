"""Engines that say much: their lines are kept within bounds and read when the move is there."""

from __future__ import annotations

import time

import pytest

from tengen.tools.match.drivers import uci
from tengen.tools.match.drivers.base import first_word
from tengen.tools.match.drivers.process import _tells_no_memory

LINE = "info depth {0} seldepth 40 multipv 1 score cp {0} nodes {0}000 nps 1 time 5 pv " + "e2e4 e7e5 " * 20

# Lines of a report; score in centipawns or a mate's sign, depth, nodes.
REPORTS = [
    (["info depth 9 score cp 40 nodes 100 pv e2e4"], 0.0997, 9, 100),
    (["info depth 9 score cp 40 nodes 100", "info depth 10 currmove e2e4 currmovenumber 1"], 0.0997, 10, 100),
    (["info depth 9 score cp 40 nodes 100", *["info currmove e2e4 currmovenumber 1"] * 500], 0.0997, 9, 100),
    (["info depth 9 score cp 40 nodes 100", *["info string score cp 999 depth 99"] * 5], 0.0997, 9, 100),
    (["info depth 9 multipv 1 score cp 40", *[f"info depth 9 multipv {n} score cp 1" for n in range(2, 500)]], 0.0997, 9, None),
    (["info  depth\t9   multipv  1 \t score  cp 40 nodes 7"], 0.0997, 9, 7),
    (["info depth 9 multipv  2 score cp 1 nodes 7"], None, None, None),
    (["info score mate -3 depth 5"], -1.0, 5, None),
    (["info score mate 0"], -1.0, None, None),
    (["info score cp 40 upperbound nodes 5"], 0.0997, None, 5),
    (["info score cp x", "info score cp", "info score", "info", "info depth 0 nodes 0"], None, None, None),
    (["info depth 3 score cp 40", "info depth 4 score cp " + "9" * 40], 0.0997, 4, None),
    ([], None, None, None),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "score", "depth", "nodes"), REPORTS, ids=range(len(REPORTS)))
def test_a_report_is_its_last_lines(
    lines: list[str], score: float | None, depth: int | None, nodes: int | None
) -> None:
    report = uci._Report()
    for line in lines:
        report.hear(line)
    found = report.read()
    assert found[0] == (None if score is None else pytest.approx(score, abs=1e-4)) and found[1:] == (depth, nodes)


def test_a_flood_is_read_when_the_move_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 20,000 lines a move 40 are taken apart at most, so that hearing one costs less than splitting it."""
    taken: list[str] = []
    apart = uci._fields
    monkeypatch.setattr(uci, "_fields", lambda text: taken.append(text) or apart(text))  # type: ignore[func-returns-value]
    lines, report = [LINE.format(number) for number in range(20_000)], uci._Report()
    begin = time.process_time()
    for line in lines:
        report.hear(line)
    heard = time.process_time() - begin
    assert not taken and report.read() == (1.0, 19999, 19999000) and len(taken) <= 2 * uci.KEPT
    begin = time.process_time()
    for line in lines:
        dict(zip(line.split(), line.split()[1:], strict=False))
    assert heard < (time.process_time() - begin) / 2


def test_first_words() -> None:
    words = {"": "", "   ": "", " a b": "a", "\tbestmove e2e4": "bestmove", " " * 50 + "x y": "x", "w" * 90: "w" * 40}
    assert {text: first_word(text) for text in words} == words


@pytest.mark.parametrize(
    ("text", "tells"),
    [("std::bad_alloc", True), ("MemoryError", True), ("Out of Memory!", True), ("cannot ALLOCATE memory", True),
     ("failed to allocate 5 MB", True), ("memory 16 MB", False), ("info depth 3 score cp 5", False)],
)  # fmt: skip
def test_lines_about_memory(text: str, tells: bool) -> None:
    assert _tells_no_memory(text) is tells
