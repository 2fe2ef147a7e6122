"""Games that others recorded: an OpenSpiel playthrough, and sampled tournament games of WTHOR."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from tengen.engine._core import ReversiState

PASS = 64
HEADER, RECORD = 16, 68  # bytes of a WTHOR file's header and of each game
SAMPLE = 360


def test_open_spiel_playthrough(shared: Callable[[str], Path]) -> None:
    """Every action is legal; where the file shows a position, board, side, legal moves and end agree."""
    text = shared("data/go/open_spiel/othello.txt").read_text("utf-8")
    state, shown, played = ReversiState(), 0, 0
    for section in re.split(r"^# State \d+$", text, flags=re.MULTILINE)[1:]:
        rows = re.findall(r"^# [1-8] ((?:[-xo] ){8})[1-8]$", section, re.MULTILINE)
        if rows:
            shown += 1
            assert "".join(rows).replace(" ", "") == "".join("-xo"[stone] for stone in state.stones())
            assert ("IsTerminal() = True" in section) == state.is_terminal()
            returns = re.search(r"^Returns\(\) = \[(-?\d+), ", section, re.MULTILINE)
            black = (state.result() > 0) - (state.result() < 0) if state.is_terminal() else 0
            assert returns is not None and int(returns[1]) == black
        legal = re.search(r"^LegalActions\(\) = \[(.+)\]$", section, re.MULTILINE)
        if legal is not None:
            assert f"CurrentPlayer() = {state.to_move}" in section
            assert list(map(int, legal[1].split(", "))) == list(state.legal_moves())
        action = re.search(r"^action: (\d+)$", section, re.MULTILINE)
        if action is not None:
            state.play(int(action[1]))
            played += 1
    assert shown >= 5 and played >= 60 and state.is_terminal()


def sampled_games(folder: Path) -> Iterator[tuple[str, int, list[int]]]:
    """(where, black's score, cells played) of games spread over all years; passes are not stored."""
    files = sorted(folder.glob("*.wtb"))
    choose = random.Random(2026)
    for number in range(SAMPLE):
        path = files[number % len(files)]
        data = path.read_bytes()
        count = int.from_bytes(data[4:8], "little")
        assert len(data) == HEADER + count * RECORD and data[12] in (0, 8), path
        game = choose.randrange(count)
        record = data[HEADER + game * RECORD :][:RECORD]
        moves = [(code // 10 - 1) * 8 + code % 10 - 1 for code in record[8:] if code]
        yield f"{path.name} game {game}", record[6], moves


def test_tournament_games(shared: Callable[[str], Path]) -> None:
    """Every stored move is legal, and a finished game has the stored score (empty cells to the winner)."""
    finished = 0
    for where, score, moves in sampled_games(shared("data/othello/wthor")):
        state = ReversiState()
        for move in moves:
            if state.is_legal(PASS):
                state.play(PASS)
            assert state.is_legal(move), where
            state.play(move)
        if state.is_terminal():
            finished += 1
            assert 2 * score - 64 == state.result(), where
    assert finished >= 0.9 * SAMPLE
