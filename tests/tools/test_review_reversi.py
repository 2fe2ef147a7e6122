"""`tengen review` of Reversi: what moves cost in discs, endings to the disc, the table, the picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tengen.engine._core import ReversiState, reversi_solve
from tengen.engine.config import Config, ConfigError
from tengen.engine.records import Record
from tengen.engine.records import text as text_records
from tengen.tools.review.canvas import Svg
from tengen.tools.review.games import Numbers, subjects
from tengen.tools.review.grading import BAD, REVERSI, Grade, amount
from tengen.tools.review.move_costs import judge, summary
from tengen.tools.review.picture import draw
from tengen.tools.review.plot import GROUND, HEIGHT, RIGHT, WIDTH
from tengen.tools.review.position import Position
from tengen.tools.review.reversi import ReversiReviewer
from tengen.tools.review.table import lines

ENDING = "--*****--OOO**-O-OOO**O*-O*O*O**O***O***--*O*O**-***OOO*OOOOOO**"
"""Ten cells empty, Black to move."""
WIPED_OUT = "D3 C3 F5 F4 F3 D2 D1 E3 B3"
"""Black wins 64-0; White's last move allows it."""
PASSED = "D3 C3 E6 D2 D1 E1 B2 C1 PA D6"
"""Black has no move before the last one, White's."""
LEADS = (0.0, -1.5, 3.0, -2.0, -2.0, 6.0)


def reviewer(depth: int = 2, exact: int = 12) -> ReversiReviewer:
    return ReversiReviewer(Config(threads=1), depth, exact)


def game_of(moves: str, **facts: object) -> Record:
    return replace(text_records.loads(moves, "reversi"), **facts)  # type: ignore[arg-type]


def ending() -> Record:
    """The ending, Black's moves and White's the first that are legal: a game with mistakes."""
    state = state_of_ending()
    moves = []
    while not state.is_terminal():
        move = state.legal_moves()[0]
        moves.append((state.to_move, move))
        state.play(move)
    return Record("reversi", 8, 8, setup=bytes("-*O".index(disc) for disc in ENDING), to_move=0, moves=tuple(moves))


def state_of_ending() -> ReversiState:
    state = ReversiState()
    state.setup(bytes("-*O".index(disc) for disc in ENDING), 0)
    return state


def solved(state: ReversiState) -> float:
    """Black's discs ahead with best play."""
    return float(state.result()) if state.is_terminal() else (1 - 2 * state.to_move) * reversi_solve(state)


def test_endings_are_known_to_the_disc() -> None:
    """Every position, every loss, and every best move, by the solver alone."""
    record = ending()
    found = reviewer().review(record, lambda done: None)
    state = state_of_ending()
    expected = [solved(state)]
    for position, (_, move) in zip(found, record.moves, strict=False):
        assert position.is_exact and position.to_move == state.to_move
        after = state.copy()
        after.play(position.line[0][1])
        assert solved(after) == expected[-1], "the best move keeps the value"
        state.play(move)
        expected.append(solved(state))
        assert position.played == expected[-1]
    assert [position.lead for position in found] == expected
    verdicts = judge(record.moves, found, REVERSI)
    lost = [abs(before - after) for before, after in zip(expected, expected[1:], strict=False)]
    assert [verdict.lost for verdict in verdicts] == lost and max(lost) >= 8
    assert {verdict.lost % 2 for verdict in verdicts} == {0.0}
    assert all(verdict.is_best == (not verdict.lost) for verdict in verdicts if not verdict.before.is_forced)


def test_progress_is_told_of_every_position() -> None:
    told: list[int] = []
    reviewer(1, 4).review(game_of(PASSED), told.append)
    assert told == list(range(1, 12))


def test_what_is_not_solved_is_looked_ahead_at_as_far_on_either_side() -> None:
    record = game_of(WIPED_OUT)
    found = reviewer(3, 0).review(record, lambda done: None)
    assert all(position.depth == 3 and not position.is_exact for position in found[:8])
    verdicts = judge(record.moves, found, REVERSI)
    assert verdicts[7].grade is Grade.BLUNDER and verdicts[7].lead == 64
    assert all(verdict.lost == 0 for verdict in verdicts if verdict.better[0][1] == verdict.move)
    assert found[-1].is_exact and found[-1].lead == 64 and found[-1].line == ()


def test_passes_may_be_left_out() -> None:
    """They belong to the move after them, and are no choice where they are written."""
    whole, short = game_of(PASSED), game_of(PASSED)
    short = replace(short, moves=tuple(move for move in whole.moves if move[1] != 64))
    found, shorter = (reviewer(1, 4).review(record, lambda done: None) for record in (whole, short))
    assert len(found) == 11 and len(shorter) == 10
    assert found[8].is_forced and found[8].played == found[9].lead
    assert [position.lead for position in found[:8]] == [position.lead for position in shorter[:8]]
    assert shorter[8].to_move == 1 and shorter[8].lead == found[9].lead
    black = summary(judge(whole.moves, found, REVERSI), 0, REVERSI)
    assert black is not None and black.moves == 4 and black.accuracy is None


def test_games_one_after_the_other_are_told_apart() -> None:
    """The second begins like the first and ends after so many moves as the solver last saw of it."""
    first, state = ending(), state_of_ending()
    moves = []
    for _ in range(2):
        moves.append((state.to_move, state.legal_moves()[-1]))
        state.play(moves[-1][1])
    second = replace(first, moves=tuple(moves))
    assert moves != list(first.moves[:2])
    one = reviewer(1, 8)
    found = [one.review(record, lambda done: None)[2] for record in (first, second)]
    other = state_of_ending()
    for _, move in first.moves[:2]:
        other.play(move)
    assert [position.lead for position in found] == [solved(other), solved(state)]
    assert solved(other) != solved(state)


def test_a_side_may_move_twice_in_a_file() -> None:
    record = Record("reversi", 8, 8, moves=((0, 37), (0, 19)))
    found = reviewer(1, 0).review(record, lambda done: None)
    assert [position.to_move for position in found] == [0, 0, 1]


def positions() -> list[Position]:
    """Of a game of five moves, the last three solved; the fourth is forced."""
    return [
        Position(
            turn & 1, 0.5, lead, 50, ((turn & 1, 19), (turn & 1 ^ 1, 18)),
            played=None if turn > 4 else LEADS[turn + 1], is_exact=turn > 2, depth=7, is_forced=turn == 3,
        )
        for turn, lead in enumerate(LEADS)
    ]  # fmt: skip


def test_the_table_counts_discs() -> None:
    record = game_of("F5 D6 C3 D3 C4", players=("Anna", "Ben"))
    verdicts = judge(record.moves, positions(), REVERSI)
    assert [verdict.grade for verdict in verdicts] == [
        Grade.FINE, Grade.MISTAKE, Grade.MISTAKE, Grade.FINE, Grade.FINE,
    ]  # fmt: skip
    text = lines(record, verdicts, REVERSI)
    assert text[0] == "Black (Anna) - White (Ben)"
    assert re.search(r"moves +lost lost a move", text[1]) and "accuracy" not in text[1]
    assert re.match(r"Black +3 +6\.5 +2\.17 ", text[2]) and re.match(r"White +1 +4\.5 +4\.50 ", text[3])
    assert "discs  Black ahead" in text[5]
    assert re.fullmatch(r"   3  Black C3  D3 +5\.0 +\+3\.0 -> +-2\.0  +mistake", text[6])
    exact = [replace(position, is_exact=True) for position in positions()]
    assert lines(record, judge(record.moves, exact, REVERSI), REVERSI)[6].endswith("mistake, exact")


def test_amounts() -> None:
    assert [amount(12.0, True), amount(-0.04, False), amount(3.25, False), amount(-6, True)] == [
        "12",
        "0.0",
        "3.2",
        "-6",
    ]


def test_the_picture_shows_discs_losses_and_where_it_is_exact() -> None:
    names = ("A player with a name of forty letters <&>", "Ben")
    facts = {"DT": "2026", "EV": "An open tournament with a name that is longer than the picture is wide"}
    record = game_of("F5 D6 C3 D3 C4", players=names, properties=facts, result="W+20")
    whole = ElementTree.fromstring(
        draw(Svg(WIDTH, HEIGHT, GROUND), record, positions(), judge(record.moves, positions(), REVERSI), REVERSI)
    )
    assert len([item for item in whole.iter() if item.tag.endswith("circle")]) == len(BAD) + 2
    texts = [item for item in whole.iter() if item.tag.endswith("text")]
    words = [item.text or "" for item in texts]
    assert {"Discs ahead", "B+8", "W+8", "exact from move 3 on", "blunder (from 8 discs)"} <= set(words)
    assert any(word.startswith("Discs lost by each move") for word in words) and "Black wins" not in words
    for (
        item
    ) in texts:  # nothing is cut off at the right, and the facts end before the legend; a letter is 0.53 of its size
        width = 0.53 * float(item.get("font-size", "0")) * len(item.text or "")
        end = float(item.get("x", "0")) + {"start": width, "middle": width / 2, "end": 0.0}[item.get("text-anchor", "")]
        assert end <= RIGHT + 12, item.text
        if (item.text or "").startswith("2026, W+20, An open"):
            assert end < 455 and (item.text or "").endswith("...")
    assert any(word.startswith("2026, W+20, An open") for word in words)
    bars = [item for item in whole.iter() if item.tag.endswith("polygon")]
    assert len(bars) == 2 + 3  # both shares, and three moves that lost anything
    nameless = draw(Svg(WIDTH, HEIGHT, GROUND), game_of("F5"), positions()[:2], [], REVERSI)
    assert b">Black - White<" in nameless


def test_settings_of_alpha_beta_reach_it() -> None:
    with pytest.raises(ConfigError, match=r"alphabeta\.linez"):
        ReversiReviewer(Config(set={"alphabeta.linez": 1}), None, None)
    with pytest.raises(ValueError, match=r"nowhere\.safetensors"):
        ReversiReviewer(Config(set={"alphabeta.weights": "nowhere.safetensors"}), None, None)


def test_games_of_people(shared: Callable[[str], Path]) -> None:
    """The end of a finished game is what the base says; no move gains anything."""
    for path in ("data/othello/wthor/WTH_1977.wtb", "data/othello/ntest_TestGames.ggf"):
        subject = subjects(str(shared(path)), Numbers(1, 1))[0]
        record = subject.record
        found = reviewer(1, 10).review(record, lambda done: None)
        lead = found[-1].lead
        assert record.result == ("0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}")
        exact = [position for position in found if position.is_exact]
        assert len(exact) >= 10
        for colour, verdict in ((verdict.colour, verdict) for verdict in judge(record.moves, found, REVERSI)):
            if verdict.before.is_exact:
                assert (verdict.after.lead - verdict.before.lead) * (1 - 2 * colour) == -verdict.lost
