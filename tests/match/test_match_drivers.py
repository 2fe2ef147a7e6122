"""The drivers against real engines: ours over every protocol, with few playouts; what they read and refuse."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace

import pytest
from match_games import CALM, GAMES, QUIET, fake, match, ours, task

from tengen.tools.match.drivers import DRIVERS, make_driver
from tengen.tools.match.drivers.base import EngineFault
from tengen.tools.match.drivers.nboard import board_text
from tengen.tools.match.drivers.uci import _Report
from tengen.tools.match.game.judge import GoJudge
from tengen.tools.match.game.judges import make_judge
from tengen.tools.match.game.referee import play_game
from tengen.tools.match.spec import EngineSpec, GameResult, GameSpec, Opening, Reason, TimeSpec

REAL = [
    # protocols of both, the game, the opening
    ("gtp", "gtp", GameSpec("go", size=7, rules="chinese", komi=7.5), Opening("one", ("C3", "D4"))),
    ("gtp", "gtp", GameSpec("go", size=5, rules="tromp-taylor", komi=7.5), Opening("none")),
    ("gtp", "gomocup", GameSpec("gomoku", size=15, rules="freestyle"), Opening("three", ("h8", "i9", "a15"))),
    ("gomocup", "gomocup", GameSpec("gomoku", size=13, rules="standard"), Opening("none")),
    ("gomocup", "gomocup", GameSpec("gomoku", size=15, rules="renju"), Opening("one", ("h8",))),
    ("nboard", "gtp", GameSpec("reversi", size=8), Opening("two", ("f5", "d6"))),
    ("nboard", "nboard", GameSpec("reversi", size=8), Opening("none")),
]


@pytest.mark.parametrize(("one", "two", "game", "opening"), REAL)
def test_our_engines_play_by_the_rules(one: str, two: str, game: GameSpec, opening: Opening) -> None:
    a, b = ours(one, game.game, name="a", playouts=10), ours(two, game.game, "random", name="b")
    for result in asyncio.run(match(a, b, game, TimeSpec(base=60, increment=1), opening)):
        assert result.culprit is None and result.reason in (Reason.SCORE, Reason.FIVE, Reason.FULL, Reason.RESIGN), (
            result
        )
        assert all(move.seconds < 20 for move in result.moves)
        assert result.latency["a"][0] < 500


def test_nboard_starts_from_a_position() -> None:
    game = GameSpec("reversi", size=8)
    position = "---------------------------OX------XO--------------------------- O;"
    opening = Opening("white first", (), position)
    for result in asyncio.run(
        match(ours("nboard", "reversi", name="a"), ours("nboard", "reversi", "random", "b"), game, CALM, opening)
    ):
        assert result.culprit is None and result.reason is Reason.SCORE, result


XBOARD = [
    # rules, the position, who it plays against
    ("", None, "xboard"), ("", "6k1/5ppp/8/8/8/8/r4PPP/3R2K1 w - - 0 1", "uci"),
    ("chess960", "rbnqknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKNBR w HAha - 0 1", "uci"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "position", "other"), XBOARD)
def test_chess_over_xboards_protocol(rules: str, position: str | None, other: str) -> None:
    pytest.importorskip("chess")
    game, opening = GameSpec("chess", rules=rules, max_moves=60), Opening("one", (), position)
    a, b = ours("xboard", "chess", "alphabeta", name="a"), ours(other, "chess", "random", name="b")
    for result in asyncio.run(match(a, b, game, TimeSpec(base=60, increment=1), opening)):
        assert result.culprit is None and result.reason is not Reason.VOID, result
        assert result.versions["a"][0].startswith("Tengen") and result.latency["a"][0] < 2000


def test_what_xboards_protocol_cannot_tell_is_void() -> None:
    pytest.importorskip("chess")
    for game, spec, opening in (
        (GAMES["xboard"], TimeSpec(nodes=9), Opening("start")),
        (replace(GAMES["xboard"], rules="chess960"), CALM, Opening("start")),
    ):
        (result, _) = asyncio.run(match(fake("xboard", name="a"), fake("xboard", name="b"), game, spec, opening))
        assert result.reason is Reason.VOID, result


def test_nodes_are_told_over_gtp() -> None:
    game = GameSpec("go", size=5, rules="chinese", komi=7.5)
    a = EngineSpec("a", (sys.executable, "-m", "tengen.tools", "gtp", *QUIET), "gtp")
    for result in asyncio.run(match(a, ours("gtp", "go", "random", "b"), game, TimeSpec(nodes=20))):
        assert result.culprit is None, result


REPORTS = [
    ("info depth 5 score cp 100 nodes 7 pv e2e4", 5, 7, pytest.approx(0.245, abs=0.001)),
    ("info depth 5 score mate -3 nodes 7", 5, 7, -1.0),
    ("info depth 5 multipv 2 score cp 100", None, None, None),
    ("info string depth 5 score cp 100", None, None, None),
    ("info depth x score cp 1e999 nodes -", None, None, None),
]


@pytest.mark.parametrize(("line", "depth", "nodes", "score"), REPORTS)
def test_uci_reports(line: str, depth: int | None, nodes: int | None, score: object) -> None:
    report = _Report()
    report.hear(line)
    assert report.read() == (score, depth, nodes)


def test_nboard_position_text() -> None:
    assert board_text("-" * 27 + "OX------XO" + "-" * 27 + " X;") == "-" * 27 + "O*------*O" + "-" * 27 + " *"
    with pytest.raises(EngineFault):
        board_text("rubbish")


@pytest.mark.parametrize("protocol", DRIVERS)
def test_a_game_of_another_protocol_is_void(protocol: str) -> None:
    wrong = GAMES["gtp"] if protocol in ("gomocup", "uci", "nboard", "xboard") else GameSpec("chess")
    if wrong.game == "chess":
        pytest.importorskip("chess")

    async def run() -> GameResult:
        a, b = make_driver(fake(protocol)), make_driver(fake(protocol, name="b"))
        result = await play_game(task(), wrong, a, b, (CALM, CALM))
        await a.kill()
        await b.kill()
        return result

    result = asyncio.run(run())
    assert result.reason is Reason.VOID and "cannot play" in result.detail


def test_go_judge_is_what_counts() -> None:
    assert isinstance(make_judge(GAMES["gtp"], Opening("x")), GoJudge)
