"""Gomoku's rules: tables, other people's positions, and a slow literal judge on random boards."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from gomoku_boards import LETTERS, Naive, board, cell, show, stones_of, vertex

from tengen.engine import _core
from tengen.engine._core import GomokuState
from tengen.engine.games import get_game

RULES = ("freestyle", "standard", "renju", "caro", "exact-caro")

# A row of nine, X to move on `!`, and the rules under which that wins; in renju for black (white's six wins too).
FIVES = [
    ("XXXX!....", RULES),
    ("XX!XX....", RULES),
    ("..XXXX!O.", RULES),
    ("OXXXX!...", RULES),
    (".OXXXX!O.", ("freestyle", "standard", "renju")),
    ("OXXXX!O..", ("freestyle", "standard", "renju")),
    ("XXXX!O...", RULES),  # the edge stops nothing
    (".OXXX!X.O", RULES),
    ("XXX!XX...", ("freestyle", "caro")),
    ("OXXX!XXO.", ("freestyle", "caro")),
    (".XXX!XXX.", ("freestyle", "caro")),
    ("XXX!.....", ()),
    ("XXXO!X...", ()),
    ("XX!.XX...", ()),
]


@pytest.mark.parametrize(("row", "rules"), FIVES)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("colour", [0, 1])
def test_what_a_five_is(row: str, rules: tuple[str, ...], rule: str, colour: int) -> None:
    lines = {
        "row": [row, *["." * 9] * 4],
        "column": [c + "." * 4 for c in row],
        "diagonal": ["." * i + c + "." * (8 - i) for i, c in enumerate(row)],
        "antidiagonal": ["." * (8 - i) + c + "." * i for i, c in enumerate(row)],
    }
    wins = rule in rules
    if rule == "renju" and colour == 1 and "XXX!XX" in row:
        wins = True  # white's six wins
    for name, lines_of in lines.items():
        marked = [r.translate(str.maketrans("XO", "OX")) if colour else r for r in lines_of]
        state = board([r.replace("!", ".") for r in marked], rule, colour)
        move = next(i for i, c in enumerate("".join(marked)) if c == "!")
        assert (move in state.winning_moves(colour)) == wins, name
        if not state.is_legal(move):
            assert rule == "renju" and colour == 0 and "XXX!XX" in row
            continue
        state.play(move)
        assert state.winner == (colour if wins else -1), name
        assert state.is_terminal() == wins
        assert state.result() == (0 if not wins else -1 if colour else 1)
        line = state.winning_line()
        assert (move in line and len(line) >= 5 and line == sorted(line)) if wins else line == []


# One foul a row: board, the forbidden points with their kinds.
FOULS = [
    # Two threes of three stones each.
    ("""
     .........
     ....X....
     ....X....
     .........
     .XX......
     .........
     .........
     .........
     .........""", {"e5": "double three"}),
    # A three that the enemy stopped at one side is none.
    ("""
     .........
     ....X....
     ....X....
     .........
     OXX......
     .........
     .........
     .........
     .........""", {}),
    # Two fours.
    ("""
     ....O....
     ....X....
     ....X....
     ....X....
     OXXX.....
     .........
     .........
     .........
     .........""", {"e5": "double four"}),
    # A four and a three are allowed.
    ("""
     .........
     ....X....
     ....X....
     .........
     OXXX.....
     .........
     .........
     .........
     .........""", {}),
    # A five beats the overline and the double four that come with it.
    ("""
     ....O....
     ....X....
     ....X....
     ....X....
     XXXX.XX..
     ....X....
     .........
     .........
     .........""", {"c6": "double three", "d7": "double three"}),
    # The straight four of the column would be an overline's: no three, so no double three.
    ("""
     ....X....
     .........
     ....X....
     ....X....
     .........
     .XX......
     .........
     ....X....
     .........""", {}),
]  # fmt: skip

# The same on one line of a board of five rows: the row, its forbidden points.
LINES = [
    ("X.X.XX..X", {"g3": "double four"}),  # d3 and h3 make a five each, of different fours
    ("X.XX..X..", {"e3": "double four"}),
    ("XXX...XXX", {"e3": "double four"}),
    ("...X.X.X.X.", {"g3": "double four"}),
    ("XXX.XX...", {"d3": "overline"}),
    ("XX.XXX...", {"c3": "overline"}),
    (".XXX..XXX...", {}),  # f3 would join eight, so only a3 makes a five
    (".X.XX.X....", {}),
    (".X.XXX.X.", {}),
    ("X.XX.X.XX", {}),  # e3 is a five
    ("XX.XX....", {}),
]


def line_board(row: str) -> str:
    """Five rows, the middle one given."""
    empty = "." * len(row)
    return "\n".join([empty, empty, row, empty, empty])


@pytest.mark.parametrize(("diagram", "fouls"), FOULS + [(line_board(row), fouls) for row, fouls in LINES])
def test_fouls(diagram: str, fouls: dict[str, str]) -> None:
    state = board(diagram, "renju")
    naive = Naive(*stones_of(diagram), "renju")
    assert {vertex(state, move): state.foul(move) for move in state.forbidden()} == fouls
    for row, column in naive.all_cells():
        if naive.at(row, column) == 0:
            move = row * state.width + column
            assert state.foul(move) == naive.foul((row, column)) == fouls.get(vertex(state, move), "")
    for name, foul in fouls.items():
        move = cell(state, name)
        assert not state.is_legal(move) and move not in state.legal_moves()
        with pytest.raises(ValueError, match=f"^{foul}$"):
            state.play(move)
        state.copy().play_as(1, move)
    free = board(diagram, "freestyle")
    assert free.forbidden() == [] and all(free.foul(move) == "" for move in range(free.cells))


# Where strong programs disagree (random positions, x from the left, rows from the bottom), judged by the text of
# the Renju International Federation's rule 9: position, point, forbidden?, why.
DISPUTED = [
    (0, "d4", True, "row c4 and diagonal c5 each attain a straight four, both allowed; the column is a four, no three"),
    (1, "l9", False, "the diagonal's only straight four is by m8, which makes a five: not a three by definition"),
    (2, "l7", False, "it is a five itself, which beats the two threes"),
    (2, "m8", False, "the antidiagonal's only straight four is by l7, which makes a five: one three is left"),
    (3, "f11", False, "it is a five itself"),
    (4, "l6", True, "column l7 and diagonal k7 attain straight fours that are allowed; the antidiagonal is a four"),
    (5, "d12", False, "the antidiagonal's only straight four is by e13, which makes a five: one three is left"),
    (6, "h6", False, "the antidiagonal's only straight four is by j7, which makes a five: one three is left"),
    (7, "n10", True, "row m10 and antidiagonal m9 attain straight fours, neither forbidden nor a five"),
    (8, "h10", False, "it is a five itself"),
    (8, "j7", False, "it is a five itself, whatever fours it makes besides"),
    (9, "g10", False, "it is a five itself"),
    (10, "m11", False, "the column's straight four m12 is a double four, so only the row is a three"),
    (11, "d6", False, "it is a five itself"),
    (12, "l10", True, "a four in the row (k10) and a four on the antidiagonal (n12)"),
    (13, "d10", True, "row e10; antidiagonal c9, which makes no five, though g13 would: two threes"),
    (14, "g9", True, "diagonal j7 and antidiagonal e7 attain straight fours; the column is a four"),
]


def test_disputed_fouls(shared: Callable[[str], Path]) -> None:
    cases = json.loads(shared("data/gomoku/renju/random_forbidden_disagreements.json").read_text("utf-8"))
    judged: dict[int, set[int]] = {}
    states = []
    for case in cases:
        stones = bytearray(225)
        for number, (x, y) in enumerate(case["moves"]):
            stones[y * 15 + x] = number % 2 + 1
        state = GomokuState(15, 15, "renju")
        state.setup(bytes(stones), 0)
        states.append(state)
    for index, name, forbidden, why in DISPUTED:
        state = states[index]
        move = cell(state, name)
        assert (state.foul(move) != "") == forbidden, why
        assert (move in state.winning_moves(0)) == ("it is a five itself" in why), why
        judged.setdefault(index, set()).add(move)
    for index, (case, state) in enumerate(zip(cases, states, strict=True)):
        opinions = [{y * 15 + x for x, y in case[who]} for who in ("rapfi", "pentazen", "referee")]
        agreed, disputed = set.intersection(*opinions), set.union(*opinions) - set.intersection(*opinions)
        assert disputed == judged[index], "every disputed point is judged above"
        assert agreed <= set(state.forbidden()) <= agreed | disputed
        naive = Naive(15, 15, state.stones(), "renju")
        assert [m for m in range(225) if state.stones()[m] == 0 and naive.foul(divmod(m, 15))] == state.forbidden()


def test_forbidden_sets(shared: Callable[[str], Path]) -> None:
    for case in json.loads(shared("data/gomoku/renju/mintaka_forbidden.json").read_text("utf-8")):
        state = board(case["board"], "renju")
        found = [f"{'abcdefghijklmno'[m % 15]}{15 - m // 15}:{state.foul(m).replace(' ', '-')}" for m in state.forbidden()]
        assert sorted(found) == sorted(case["forbidden"]), case["name"]


def test_forbidden_points(shared: Callable[[str], Path]) -> None:
    cases = json.loads(shared("data/gomoku/renju/alphagomoku_forbidden.json").read_text("utf-8"))
    assert len(cases) >= 50
    for case in cases:
        state = board(case["board"], "renju")
        x, y = case["point_xy"]
        assert (state.foul(y * 15 + x) != "") == case["forbidden"], (case["name"], x, y)


def test_gomocup_positions(shared: Callable[[str], Path]) -> None:
    """The moves that win or are forbidden there (the open three of the second is the search's matter)."""
    checks = json.loads(shared("data/gomoku/gomocup_rule_checks.json").read_text("utf-8"))["checks"]
    seen = 0
    for check in checks:
        for text in check["formats"]:
            words = text.lower().split()
            size = int(words[1].split("x")[0])
            rule = {"0": "freestyle", "1": "standard", "4": "renju", "8": "caro"}[words[-1]]
            state = GomokuState(size, size, rule)
            moves = [(int(y) - 1) * size + ord(x) - 97 for x, y in split_moves(check["moves"])]
            for move in moves:
                state.play(move)
            points = {(int(y) - 1) * size + ord(x) - 97 for x, y in split_moves("".join(check.get("accept", [])))}
            mine = state.to_move
            if "complete" in check["why"]:
                assert set(state.winning_moves(mine)) == points
            elif "reject" in check:
                (point,) = [(int(y) - 1) * size + ord(x) - 97 for x, y in split_moves("".join(check["reject"]))]
                assert state.foul(point) == "double three" and not state.is_legal(point)
            else:
                assert state.winning_moves(mine) == [] and points <= set(state.legal_moves())
            seen += 1
    assert seen == 9


def split_moves(text: str) -> list[tuple[str, str]]:
    """h8h9 -> (h, 8), (h, 9)."""
    return re.findall(r"([a-z])(\d+)", text)


def test_open_spiel_playthrough(shared: Callable[[str], Path]) -> None:
    """Every board, the legal moves where they are listed, and the end of OpenSpiel's random game."""
    blocks = shared("data/go/open_spiel/gomoku.txt").read_text("utf-8").split("\n# State ")[1:]
    state, boards, legal = GomokuState(15, 15), 0, 0
    for block in blocks:
        lines = block.splitlines()
        rows = [line[2:] for line in lines if len(line) == 17 and line.startswith("# ")]
        if rows:
            assert show(state) == "\n".join(rows).replace("b", "X").replace("w", "O")
            boards += 1
        for line in lines:
            if line.startswith("LegalActions() = "):
                assert state.legal_moves() == json.loads(line.partition(" = ")[2])
                legal += 1
            elif line.startswith("IsTerminal() = "):
                assert str(state.is_terminal()) == line.partition(" = ")[2]
            elif line.startswith("CurrentPlayer() = ") and not state.is_terminal():
                assert state.to_move == int(line.partition(" = ")[2])
        action = [line for line in lines if line.startswith("action: ")]
        if action:
            state.play(int(action[0].removeprefix("action: ")))
    assert boards > 5 and legal > 4 and state.move_number == 115
    assert state.is_terminal() and state.winner == 0 and state.result() == 1.0


def random_stones(choose: random.Random, width: int, height: int, clump: float) -> bytes:
    """Stones of both colours, nearer together the larger `clump` is."""
    stones = bytearray(width * height)
    row, column = choose.randrange(height), choose.randrange(width)
    for number in range(choose.randrange(width * height * 2 // 3)):
        if choose.random() > clump:
            row, column = choose.randrange(height), choose.randrange(width)
        else:
            row, column = (row + choose.randint(-2, 2)) % height, (column + choose.randint(-2, 2)) % width
        if not stones[row * width + column]:
            stones[row * width + column] = 1 + (choose.random() < 0.42 if number % 3 else 0)
    return bytes(stones)


SIZES = [(15, 15), (5, 5), (7, 15), (15, 6), (16, 16), (19, 19), (25, 25), (25, 5), (9, 20)]


@pytest.mark.parametrize("rule", RULES)
def test_fives_on_random_boards(rule: str) -> None:
    choose = random.Random(20)
    winners = 0
    for number in range(90):
        width, height = SIZES[number % len(SIZES)]
        stones = random_stones(choose, width, height, choose.choice([0.0, 0.9]))
        state, naive = GomokuState(width, height, rule), Naive(width, height, stones, rule)
        state.setup(stones, number % 2)
        won = naive.winner()
        assert state.stones() == stones and state.move_number == width * height - stones.count(0)
        assert {state.winner} == ({-1} if not won else won if len(won) == 1 else {1 - number % 2})
        winners += bool(won)
        if won:
            assert state.legal_moves() == [] and state.winning_moves(0) == [] and state.four_moves(1) == []
            line = {divmod(move, width) for move in state.winning_line()}
            assert any(set(naive.run(min(line), s)[0]) == line and naive.wins_in(min(line), s) for s in STEPS)
            continue
        empty = [divmod(m, width) for m, stone in enumerate(stones) if stone == 0]
        for colour in (0, 1):
            wins = [r * width + c for r, c in empty if naive.wins_if((r, c), colour)]
            assert state.winning_moves(colour) == wins
            for r, c in choose.sample(empty, min(6, len(empty))):
                naive.grid[r][c] = colour + 1
                more = [p for p in empty if p != (r, c) and naive.wins_if(p, colour)]
                naive.grid[r][c] = 0
                move = r * width + c
                allowed = colour == 1 or state.foul(move) == ""
                assert (move in state.four_moves(colour)) == (allowed and bool(more) and move not in wins)
                if allowed:
                    after = state.copy()
                    after.play_as(colour, move)
                    assert after.winner == (colour if move in wins else -1)
    assert 5 < winners < 85


STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


@pytest.mark.parametrize("boards", [10, pytest.param(60, marks=pytest.mark.slow)])
def test_fouls_on_random_boards(boards: int) -> None:
    """Boards of black shapes, where fouls, nested ones too, are common."""
    choose = random.Random(9)
    fouls: dict[str, int] = {}
    for number in range(boards):
        width, height = SIZES[number % 4] if number % 3 else (15, 15)
        stones = bytearray(random_stones(choose, width, height, 0.8))
        for move in range(len(stones)):
            if stones[move] == 2 and choose.random() < 0.4:
                stones[move] = 0
        state, naive = GomokuState(width, height, "renju"), Naive(width, height, bytes(stones), "renju")
        state.setup(bytes(stones), 0)
        literal = {m: naive.foul(divmod(m, width)) for m, stone in enumerate(stones) if stone == 0}
        assert {m: state.foul(m) for m in literal} == literal, show(state)
        assert state.forbidden() == [m for m, foul in literal.items() if foul]
        for foul in literal.values():
            fouls[foul] = fouls.get(foul, 0) + 1
    assert all(fouls[kind] > boards // 3 for kind in ("overline", "double four", "double three"))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_incremental_wins_in_random_games(rule: str, width: int, height: int) -> None:
    """A game move by move ends exactly when the literal judge sees a five."""
    choose = random.Random(width * 100 + height)
    state = GomokuState(width, height, rule)
    naive = Naive(width, height, state.stones(), rule)
    while not state.is_terminal():
        move = choose.choice(state.legal_moves())
        colour = state.to_move
        state.play(move)
        naive.grid[move // width][move % width] = colour + 1
        assert (state.winner == colour) == naive.wins(divmod(move, width))
    assert state.winner >= 0 or state.stones().count(0) == 0 or (rule == "renju" and state.legal_moves() == [])


def test_refusals() -> None:
    state = GomokuState(15, 15)
    state.play(0)
    for move, reason in ((0, "occupied"), (225, "there is no pass"), (226, "off the board"), (-1, "off the board")):
        assert not state.is_legal(move)
        with pytest.raises(ValueError, match=f"^{reason}$"):
            state.play(move)
        with pytest.raises(ValueError, match=f"^{reason}$"):
            state.play_as(0, move)
    with pytest.raises(ValueError, match="colour"):
        state.play_as(2, 1)
    assert state.to_move == 1 and state.move_number == 1
    over = board("XXXXX\n.....\n.....\n.....\n.....")
    assert over.winner == 0 and over.winning_line() == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="^game over$"):
        over.play(7)
    for size in ((4, 5), (5, 26), (0, 0)):
        with pytest.raises(ValueError, match="unacceptable size"):
            GomokuState(*size)
    with pytest.raises(ValueError, match="unknown rule"):
        GomokuState(15, 15, "swap2")
    with pytest.raises(ValueError, match="wrong number"):
        state.setup(b"\0", 0)
    with pytest.raises(ValueError, match="0, 1 or 2"):
        state.setup(b"\3" * 225, 0)


def test_draws() -> None:
    full = board("XXOOX\nOOXXO\nXXOOX\nOOXXO\nXXOOX")
    assert full.is_terminal() and full.winner == -1 and full.result() == 0 and full.legal_moves() == []
    # Renju: the only empty point is an overline, so black cannot move, though white could.
    blocked = board("XXX.XXOO\n" + "OOXXOOXX\nXXOOXXOO\n" * 3, "renju", 0)
    assert blocked.foul(3) == "overline" and blocked.winner == -1
    assert blocked.is_terminal() and blocked.result() == 0 and blocked.legal_moves() == []
    blocked.set_to_move(1)
    assert not blocked.is_terminal() and blocked.legal_moves() == [3]


def test_perft() -> None:
    state = GomokuState(15, 15)
    assert [_core.gomoku_perft(state, d) for d in range(4)] == [1, 225, 225 * 224, 225 * 224 * 223]
    # Next to the end: two empties, one of which wins for black.
    near = board("XXXX.\nOOXXO\nXXOOX\nOOXXO\nXXOO.", "freestyle", 0)
    assert _core.gomoku_perft(near, 2) == 2 and _core.gomoku_perft(near, 5) == 2
    renju = board(FOULS[0][0], "renju")
    assert _core.gomoku_perft(renju, 1) == 81 - 4 - 1  # one point is forbidden
    with pytest.raises(ValueError):
        _core.gomoku_perft(state, -1)


def test_uniform_playouts() -> None:
    for rule in RULES:
        moves, wins, draws = _core.gomoku_playouts(15, 15, 4000, 3, rule)
        assert _core.gomoku_playouts(15, 15, 4000, 3, rule) == (moves, wins, draws)
        # Random games on 15x15 take about 110 stones and are nearly even, in renju less so for black.
        assert 100 < moves / 4000 < 125 and 0.38 < wins / 4000 < 0.56 and draws < 40, rule
    moves, wins, draws = _core.gomoku_playouts(5, 5, 4000, 3)
    assert draws > 1000 and moves <= 4000 * 25
    assert _core.gomoku_playouts(25, 19, 10, 3)[0] < 10 * 475


@pytest.mark.timing
def test_uniform_playouts_are_fast() -> None:
    import time

    start = time.process_time()
    _core.gomoku_playouts(15, 15, 60_000, 1)
    assert 60_000 / (time.process_time() - start) >= 300_000


def test_facts_and_text() -> None:
    game = get_game("gomoku")
    assert (game.gogui_id, game.default_size, game.passes) == ("Gomoku", 15, "none")
    assert list(game.rule_sets) == list(RULES) and next(iter(game.players)) == "uct"
    state = game.new_state(25, 7, game.rule_sets["renju"], 0)
    assert (state.width, state.height, state.rule) == (25, 7, "renju")  # type: ignore[attr-defined]
    assert game.move_to_text(state, 0) == "A7" and game.move_from_text(state, "z1") == 7 * 25 - 1
    assert len(LETTERS) == 25
