"""NBoard with the player that looks ahead ply by ply: hints of several moves, depths, exact endings, prompt answers."""

from __future__ import annotations

import hashlib
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from nboard_client import Process, converse, ggf, say

from tengen.engine._core import ReversiState, reversi_solve
from tengen.engine.config import Config
from tengen.engine.evaluators import shipped
from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest
from tengen.protocols.nboard import report, strength

CONFIG = Config(game="reversi", player="alphabeta", memory=96, threads=1, seed=1)
SEARCH = re.compile(
    r"search (?P<move>[A-H][1-8]|PA)(?:[A-H][1-8]|PA)* (?P<score>-?\d+\.\d\d) 0 (?P<depth>\d+|100%) \d+ nodes"
)
CARD = """name = "none"
purpose = "tests"
sha256 = "{}"
licence = "MIT"
[plays]
game = "gomoku"
evaluator = "line"
[training]
data = "none"
command = "none"
"""
ENDING = "--*****--OOO**-O-OOO**O*-O*O*O**O***O***--*O*O**-***OOO*OOOOOO**"
"""Ten cells empty, Black to move."""
PASS_NEXT = "D3 C3 E6 D2 D1 E1 B2 C1"


def reports(lines: list[str]) -> list[list[re.Match[str]]]:
    """The `search` lines of each report, which `nodestats` ends."""
    found: list[list[re.Match[str]]] = [[]]
    for line in lines:
        if line.startswith("search "):
            match = SEARCH.fullmatch(line)
            assert match, line
            found[-1].append(match)
        elif line.startswith("nodestats "):
            found.append([])
    return found[:-1]


def values(board: str) -> dict[str, int]:
    """What each move of Black is worth with best play, by the solver."""
    found = {}
    for cell in range(64):
        state = ReversiState()
        state.setup(bytes("-*O".index(disc) for disc in board), 0)
        if state.is_legal(cell):
            state.play(cell)
            sign = -1 if state.to_move else 1  # White may have to pass
            found["ABCDEFGH"[cell % 8] + str(cell // 8 + 1)] = sign * reversi_solve(state)
    return found


def test_hints_come_ply_by_ply_and_end_at_the_depth() -> None:
    told = reports(say(ggf("F5 D6 C3"), "set depth 5", "hint 3", config=CONFIG))
    assert {len(lines) for lines in told} == {3}
    depths = [int(line["depth"]) for lines in told for line in lines]
    assert depths == sorted(depths) and set(depths[-3:]) == {5}
    for lines in told:
        assert len({line["move"] for line in lines}) == 3
    last = [float(line["score"]) for line in told[-1]]
    assert last == sorted(last, reverse=True)


def test_a_level_looks_as_far_ahead_as_it_has_whatever_the_gui_sets() -> None:
    told = reports(say(ggf("F5 D6 C3"), "set depth 9", "hint 2", config=replace(CONFIG, level=6)))
    assert {line["depth"] for line in told[-1]} == {"4"}


@pytest.mark.parametrize(("count", "lines"), [("1", 1), ("2", 2), ("100", 4), ("", 1), ("-5", 1)])
def test_as_many_lines_as_wanted(count: str, lines: int) -> None:
    assert {len(one) for one in reports(say("set depth 2", f"hint {count}", config=CONFIG))} == {lines}


def test_a_forced_pass_is_a_hint() -> None:
    assert [line["move"] for line in reports(say(ggf(PASS_NEXT), "set depth 2", "hint 3", config=CONFIG))[-1]] == ["PA"]


def test_endings_are_exact_for_every_move() -> None:
    """From six cells more than the depth on; the marks and the discs of all moves, best first. Up to five earlier
    patterns look to the end, but leave something out."""
    exact = values(ENDING)
    told = reports(say(ggf(board=f"8 {ENDING} *"), "set depth 4", "hint 64", config=CONFIG))[-1]
    assert {line["depth"] for line in told} == {"100%"}
    assert {line["move"]: float(line["score"]) for line in told} == exact
    scores = [float(line["score"]) for line in told]
    assert scores == sorted(scores, reverse=True)
    for weights, depth in (("auto", "10"), ("none", "3")):
        config = replace(CONFIG, set={"alphabeta.weights": weights})
        before = reports(say(ggf(board=f"8 {ENDING} *"), "set depth 3", "hint 2", config=config))[-1]
        assert {line["depth"] for line in before} == {depth}


def test_a_move_has_one_line_after_hints_of_many() -> None:
    got = say(ggf(board=f"8 {ENDING} *"), "set depth 6", "hint 4", "go", config=CONFIG)
    told = reports(got[got.index("status Thinking") :])
    assert {len(lines) for lines in told} == {1} and told[-1][0]["depth"] == "100%"
    answer = re.fullmatch(r"=== ([A-H][1-8])/(-?\d+\.\d\d)/\d+\.\d\d", got[-1])
    assert answer and float(answer[2]) == max(values(ENDING).values()) == values(ENDING)[answer[1]]


def test_analysis_of_an_ending_is_exact() -> None:
    """After the best move of a solved position its value stays, after a worse one it falls by what that cost."""
    exact = values(ENDING)
    best = max(exact, key=lambda move: exact[move])
    worst = min(exact, key=lambda move: exact[move])
    for move in (best, worst):
        got = say(ggf(move, board=f"8 {ENDING} *"), "set depth 6", "analyze", config=CONFIG)
        told = dict(line.split()[1:] for line in got if line.startswith("analysis "))
        assert told == {"1": f"{exact[move]:.2f}", "0": f"{exact[best]:.2f}"}


@pytest.mark.parametrize(("options", "depth"), [({}, 6), ({"playouts": 70}, None), ({"level": 3}, None)])
def test_depth_is_in_plies_unless_an_option_bounds_the_search(options: dict[str, int], depth: int | None) -> None:
    config = Config(game="reversi", player="alphabeta", memory=96, threads=1, **options)  # type: ignore[arg-type]
    player = Player(config)
    told = reports(say("set depth 6", "hint 1", config=config, player=player))
    assert player.config.playouts == options.get("playouts")
    assert (int(told[-1][0]["depth"]) == 6) == (depth == 6)


def test_plies_of_a_depth() -> None:
    assert [strength.plies(depth) for depth in (-3, 0, 1, 10, 60, 10**17)] == [1, 1, 1, 10, 60, 60]


def test_lines_that_were_set_stay() -> None:
    """Hints of many lines change what is searched, not what the user set."""
    player = Player(Config(game="reversi", player="alphabeta", memory=96, set={"alphabeta.lines": 2}))
    told = reports(say("set depth 2", "hint 3", "hint 1", "go", config=player.config, player=player))
    assert {len(lines) for lines in told} == {3, 1}
    search = player._searches.main()
    assert {option.name: option.default for option in search.options()}["alphabeta.lines"] == 2
    assert len(search.info().lines) == 2


def test_nothing_is_told_twice() -> None:
    told: list[str] = []
    tell = report.Iterations(told.append, 2, by_ply=True)
    player = Player(CONFIG)
    say("set depth 2", "hint 2", config=CONFIG, player=player)
    info = player._searches.main().info()
    for _ in range(3):
        tell(info)
    tell.finish(info)
    assert len(told) == 1


@pytest.mark.timing
@pytest.mark.parametrize("end", ["ping 9", "move F5", "set depth 30"])
def test_hints_are_told_while_it_thinks_and_end_at_once(end: str) -> None:
    with Process("--threads", "1", "--player", "alphabeta") as talk:
        talk.send("set depth 30\nhint 4")
        talk.until("search ")
        time.sleep(0.3)
        start = time.monotonic()
        talk.send(end if end.startswith("ping") else f"{end}\nping 9")
        got = talk.until("pong 9")
        assert time.monotonic() - start < 0.3
        assert got.count("status") == 1 and sum(line.startswith("search ") for line in got) >= 4


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("missing.safetensors", "cannot read the network 'missing.safetensors': No such file or directory"),
        (
            "foreign.safetensors",
            "the weights 'foreign.safetensors' are for the evaluator 'line' of 'gomoku', not for 'patterns' of 'reversi'",
        ),
        ("damaged.safetensors", "'damaged.safetensors' is not the one that its card describes"),
    ],
)
def test_a_file_of_weights_that_is_none_is_said_once_and_play_goes_on(tmp_path: Path, name: str, why: str) -> None:
    card = CARD.format(hashlib.sha256(b"weights").hexdigest())
    for stem, data in (("foreign", b"weights"), ("damaged", b"weight")):
        (tmp_path / f"{stem}.safetensors").write_bytes(data)
        (tmp_path / f"{stem}.toml").write_text(card)
    config = replace(CONFIG, set={"alphabeta.weights": str(tmp_path / name)})
    told, said = converse("set depth 2", "go", "move F5", "move D6", "go", config=config)
    assert sum(line.startswith("=== ") for line in told) == 2, "it plays"
    assert said.count(why) == 1 and said.count("; alphabeta plays without it\n") == 1 == said.count("\n")


@pytest.mark.parametrize("is_there", [False, True])
def test_without_the_tables_that_are_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_there: bool) -> None:
    """An installation that lost them, or holds others: said once, also when an option is changed; play goes on."""
    if is_there:
        (tmp_path / "tengen-reversi.safetensors").write_bytes(b"weight")
        (tmp_path / "tengen-reversi.toml").write_text(CARD.format(hashlib.sha256(b"weights").hexdigest()))
    monkeypatch.setattr(shipped, "folders", lambda: (tmp_path,))
    told, said = converse("set depth 2", "go", "move F5", "move D6", "go", config=CONFIG)
    assert sum(line.startswith("=== ") for line in told) == 2
    assert said.count("tengen-reversi.safetensors'") == 1 and said.count("; alphabeta plays without it\n") == 1
    player = Player(CONFIG, is_lenient=True)
    try:
        player.configure(replace(CONFIG, threads=2))
        assert player.genmove(MoveRequest(0, Limits(depth=2))).notice
        with pytest.raises(ValueError, match="gone.safetensors"):
            player.configure(replace(CONFIG, set={"alphabeta.weights": "gone.safetensors"}))
    finally:
        player.close()
    with pytest.raises(NetworkError):
        Player(CONFIG).genmove(MoveRequest(0, Limits(depth=2)))


def test_tables_are_left_out_when_asked() -> None:
    """What needs none says another value."""
    found = []
    for weights in ("auto", "none", "NONE"):
        player = Player(replace(CONFIG, set={"alphabeta.weights": weights}))
        for colour, name in enumerate("D3 C3 E6 D2 D1 E1 B2".split()):
            player.play(colour % 2, player.game.move_from_text(player.state, name))
        info = player.genmove(MoveRequest(1, Limits(depth=3))).info
        found.append(info.best and info.best.score)
        player.close()
    assert found[0] != found[1] == found[2]
