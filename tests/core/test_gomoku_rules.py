"""Gomoku's rules: what a five is, refusals, ends, counts, and games that other people published."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from gomoku_boards import LETTERS, RULES, TWO_THREES, board, show

from tengen.engine import _core
from tengen.engine._core import GomokuState
from tengen.engine.games import get_game

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
    renju = board(TWO_THREES, "renju")
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
    assert list(game.rule_sets) == list(RULES) and next(iter(game.players)) == "alphabeta"
    state = game.new_state(25, 7, game.rule_sets["renju"], 0)
    assert (state.width, state.height, state.rule) == (25, 7, "renju")  # type: ignore[attr-defined]
    assert game.move_to_text(state, 0) == "A7" and game.move_from_text(state, "z1") == 7 * 25 - 1
    assert len(LETTERS) == 25
