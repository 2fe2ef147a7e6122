"""The tactical evaluator: sound in generated positions, under every rule, and strong enough in known ones."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from gomoku_boards import RULES, board, show, vertex
from whole_sets import portion

from tengen.engine._core import GomokuMcts, GomokuState, SearchInfo, StopToken
from tengen.engine.config import Config
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest


def searcher(seed: int = 1, **settings: float) -> GomokuMcts:
    """A repeatable search with little memory."""
    search = GomokuMcts("tactical")
    for name, value in {"seed": seed, "memory_mb": 16, **settings}.items():
        search.set(name, value)
    return search


def think(search: GomokuMcts, state: GomokuState, playouts: int = 200) -> SearchInfo:
    """One search from scratch."""
    search.clear()
    search.run(state, playouts=playouts)
    return search.info()


def generated(seed: int, size: int, rule: str) -> GomokuState:
    """A middle game of a random player who likes to stay near the stones; nobody has won."""
    choose = random.Random(seed)
    while True:
        state = GomokuState(size, size, rule)
        row, column = size // 2, size // 2
        for _ in range(choose.randrange(8, 60)):
            row = min(size - 1, max(0, row + choose.randint(-2, 2)))
            column = min(size - 1, max(0, column + choose.randint(-2, 2)))
            move = row * size + column
            if state.is_legal(move) and move not in state.winning_moves(state.to_move):
                state.play(move)
        if choose.random() < 0.5:
            state.set_to_move(1 - state.to_move)
        if not state.is_terminal() and (state.winning_moves(0) or state.winning_moves(1)):
            return state


def answers(state: GomokuState) -> tuple[str, set[int]]:
    """What must be played: a win; else what leaves the enemy no win; else, all being lost, a legal move on a win."""
    me, enemy = state.to_move, 1 - state.to_move
    if wins := state.winning_moves(me):
        return "win", set(wins)
    threats = state.winning_moves(enemy)
    saving = set()
    for move in state.legal_moves():
        after = state.copy()
        after.play(move)
        if not after.winning_moves(enemy):
            saving.add(move)
    if saving:
        return "block", saving
    return "lost", {move for move in threats if state.is_legal(move)} or set(state.legal_moves())


@pytest.mark.parametrize(
    ("rule", "size", "count"),
    [("freestyle", 15, 300), ("standard", 15, 250), ("renju", 15, 250), ("caro", 15, 120), ("exact-caro", 15, 80),
     ("freestyle", 20, 60), ("renju", 9, 60), ("standard", 6, 30), ("caro", 25, 20)],
)  # fmt: skip
def test_every_four_is_taken_or_blocked(rule: str, size: int, count: int) -> None:
    search, count = searcher(four_search=30), portion(count)
    kinds: dict[str, int] = {}
    for seed in range(count):
        state = generated(seed, size, rule)
        kind, good = answers(state)
        kinds[kind] = kinds.get(kind, 0) + 1
        best = think(search, state).lines[0]
        assert state.is_legal(best.move)
        assert best.move in good, f"{kind}\n{show(state)}\n{vertex(state, best.move)} to move {state.to_move}"
        if kind == "win":
            assert best.proof == 1 and best.win == 1.0
        if kind == "lost":
            assert best.proof <= 0
    assert kinds["win"] >= count // 10 and kinds["block"] >= count // 10


def test_it_beats_the_random_player() -> None:
    """Fifty games of fifty, with either colour, under every rule."""
    search = searcher()
    choose = random.Random(4)
    for game in range(50):
        state = GomokuState(15, 15, RULES[game // 2 % 5])
        while not state.is_terminal():
            mine = state.to_move == game % 2
            state.play(think(search, state, 60).lines[0].move if mine else choose.choice(state.legal_moves()))
        assert state.winner == game % 2, show(state)


@pytest.mark.parametrize("rule", RULES)
def test_incremental_shapes(rule: str) -> None:
    choose = random.Random(6)
    for number, (width, height) in enumerate(
        [(15, 15), (5, 5), (7, 13), (15, 6), (16, 16), (25, 25), (25, 5), (20, 20)]
    ):
        state = GomokuState(width, height, rule)
        state.check()
        for step in range(80):
            if state.is_terminal():
                break
            state.play(choose.choice(state.legal_moves()))
            if step % 8 == number % 8:
                state.check()


# Diagram, rule, side to move, the moves that are right (vertices), whether a win is proved.
POSITIONS = [
    # an open three: extend it
    ("""
     .........
     .........
     .........
     ..XXX....
     ...OO....
     ...O.....
     .........
     .........
     .........""", "freestyle", 0, "b6 f6", True),
    # the enemy's open three: one of its three defences, or a four of one's own
    ("""
     .........
     .........
     .........
     ..XXX....
     ...O.....
     ...O.....
     .........
     .........
     .........""", "freestyle", 1, "b6 f6 g6 a6", False),
    # a four and an open three together
    ("""
     .........
     ....X....
     ....X....
     .........
     OXXX..O..
     .........
     .........
     ..OO.....
     .........""", "freestyle", 0, "e5", True),
]  # fmt: skip


@pytest.mark.parametrize(("diagram", "rule", "to_move", "right", "proved"), POSITIONS)
def test_positions(diagram: str, rule: str, to_move: int, right: str, proved: bool) -> None:
    state = board(diagram, rule, to_move)
    best = think(searcher(), state, 2000).lines[0]
    assert vertex(state, best.move) in right.split()
    assert (best.proof == 1) == proved


FORBIDDEN_BLOCK = """
    ...............
    ...............
    ...............
    ...............
    ...............
    ......X........
    ......X........
    .XOO.O.........
    .......X.......
    ........X......
    ...............
    ...............
    ...............
    ...............
    ..............."""


def test_a_block_that_is_forbidden_loses() -> None:
    """White's four can only be stopped on a double three of black's: proved, and black still answers at once."""
    state = board(FORBIDDEN_BLOCK, "renju", 1)
    best = think(searcher(), state).lines[0]
    assert vertex(state, best.move) == "e8" and best.proof == 1
    state.play(best.move)
    (point,) = state.winning_moves(1)
    assert vertex(state, point) == "g8" and state.foul(point) == "double three"
    reply = think(searcher(), state).lines[0]
    assert state.is_legal(reply.move) and reply.proof <= 0


def test_allowed_and_avoided_moves() -> None:
    """The root plays what it is told to choose from, even where the search would look at one move only."""
    state = board(POSITIONS[0][0])
    win = think(searcher(), state).lines[0].move
    for allow, avoid in (([], [win]), ([0], []), ([0, 8], [8])):
        search = searcher()
        search.run(state, playouts=100, allow=allow, avoid=avoid)
        assert search.info().lines
        for line in search.info().lines:
            assert line.move not in avoid and (not allow or line.move in allow)
    search = searcher()
    search.run(state, playouts=100)
    search.run(state, playouts=100, allow=[0])  # the tree is kept, its moves are not
    assert [line.move for line in search.info().lines] == [0]


def test_a_search_without_time_still_blocks() -> None:
    """Stopped before it began, it answers as its knowledge says, not at random."""
    for seed in range(100):
        state = generated(seed, 15, RULES[seed % 5])
        search = searcher()
        stop = StopToken()
        stop.stop()
        search.run(state, seconds=0.001, stop=stop)
        assert search.info().lines[0].move in answers(state)[1]


def test_a_proved_position_does_not_use_up_the_time() -> None:
    """A win by fours, a lost game; where nothing is proved the time is used, also with one move to choose from."""
    for diagram, rule, to_move, _, proved in POSITIONS:
        search = searcher()
        search.run(board(diagram, rule, to_move), seconds=60.0 if proved else 0.05)
        assert search.info().seconds < 5
    lost = GomokuState(15, 15)
    for move in (112, 0, 113, 2, 114, 4, 115, 6):
        lost.play(move)
    lost.set_to_move(1)
    search = searcher()
    search.run(lost, seconds=60.0)
    assert search.info().seconds < 5 and search.info().lines[0].proof == -1
    search = searcher()
    search.run(GomokuState(15, 15), seconds=0.1, allow=[112])
    assert search.info().seconds >= 0.1


@pytest.mark.threads
def test_several_threads() -> None:
    search = searcher(threads=3)
    for seed in range(20):
        state = generated(seed, 15, RULES[seed % 5])
        best = think(search, state, 600).lines[0]
        assert best.move in answers(state)[1]


def test_small_memory() -> None:
    """The tree is pruned at its bound, and the search goes on."""
    search = searcher(memory_mb=1)
    state = GomokuState(15, 15)
    for move in (112, 97, 113):
        state.play(move)
    info = think(search, state, 12_000)
    assert info.playouts == 12_000 and info.hashfull <= 1 and info.lines[0].visits > 1000


def test_a_game_through_the_player() -> None:
    """Both defaults of the game: `uct` beats `random` through the same door as every protocol."""
    live = Player(Config(game="gomoku", playouts=60, threads=1, seed=2))
    other = Player(Config(game="gomoku", player="random", seed=3))
    while not live.state.is_terminal():
        colour = live.state.to_move
        mover, waiting = (live, other) if colour == 0 else (other, live)
        move = mover.genmove(MoveRequest(colour, resign=False)).move
        assert move is not None
        waiting.play(colour, move)
    assert live.state.result() == 1.0
    live.close()
    other.close()


@pytest.mark.parametrize("player", ["uct", "alphabeta"])
def test_a_proved_loss_is_resigned_after_three_moves(player: str) -> None:
    """However few visits the proof took. Black has three open fours and does not use them."""
    live = Player(Config(game="gomoku", player=player, time=5.0, threads=1, seed=1))
    for row in (2, 7, 12):
        for column in range(4):
            live.play(0, row * 15 + 5 + column)
            live.play(1, (row - 1) * 15 + 14 - 4 * column)
    decisions = []
    for fillers in ((0, 1), (30, 31), (60, 61)):
        decisions.append(live.genmove(MoveRequest(1)).move)
        live.play(0, next(filler for filler in fillers if live.state.is_legal(filler)))
    assert [move is None for move in decisions] == [False, False, True]
    live.close()


def test_known_wins_by_fours(shared: Callable[[str], Path]) -> None:
    """Eight of the ten are proved at once; the two deep ones are beyond the search's bound at this setting."""
    cases = json.loads(shared("data/gomoku/vcf/mintaka_vcf.json").read_text("utf-8"))
    proved = 0
    for case in cases:
        state = board(case["board"], case["rule"], 0 if case["to_move"] == "black" else 1)
        best = think(searcher(), state, 100).lines[0]
        proved += best.proof == 1
        assert best.proof == 1 or case["name"] == "deep_vcf"
    assert proved >= 8


def test_known_tactics(shared: Callable[[str], Path]) -> None:
    """X to move plays on a marked cell in nearly all; in one a different win is proved."""
    cases = json.loads(shared("data/gomoku/alphagomoku_tactics_fixtures.json").read_text("utf-8"))
    right = wrong = 0
    for case in cases:
        marked = {i for i, c in enumerate("".join(case["board"])) if c == "!"}
        if marked:
            best = think(searcher(), board([row.replace("!", ".") for row in case["board"]]), 3000).lines[0]
            right += best.move in marked or best.proof == 1
            wrong += best.move not in marked and best.proof != 1
    assert right + wrong == 36 and wrong <= 4


def test_gomocup_positions(shared: Callable[[str], Path]) -> None:
    checks = json.loads(shared("data/gomoku/gomocup_rule_checks.json").read_text("utf-8"))["checks"]
    for check in checks:
        for text in check["formats"]:
            words = text.lower().split()
            size = int(words[1].split("x")[0])
            state = GomokuState(size, size, {"0": "freestyle", "1": "standard", "4": "renju", "8": "caro"}[words[-1]])
            for x, y in re.findall(r"([a-z])(\d+)", check["moves"]):
                state.play((int(y) - 1) * size + ord(x) - 97)
            for playouts in (100, 3000):
                best = think(searcher(), state, playouts).lines[0].move
                name = f"{chr(97 + best % size)}{best // size + 1}"
                assert name in check.get("accept", [name]) and name not in check.get("reject", []), (text, check["why"])


def test_positions_of_bug_reports(shared: Callable[[str], Path]) -> None:
    """Always an answer, quickly, also where every answer loses."""
    for case in json.loads(shared("data/gomoku/issue_positions.json").read_text("utf-8")):
        size = case["size"]
        state = GomokuState(size, size, case["rule"])
        for x, y in re.findall(r"([a-z])(\d+)", case["moves"]):
            state.play((int(y) - 1) * size + ord(x) - 97)
        best = think(searcher(), state, 2000).lines[0]
        assert state.is_legal(best.move)
        assert best.proof == 0 or "issue #8" in case["src"]
