"""History: repetition against brute force, undo to the empty board, set-up."""

from __future__ import annotations

import random

import pytest

from tengen.engine.games.base import IllegalMove, State
from tengen.engine.games.chess.game import CHESS
from tengen.engine.games.go.game import GO
from tengen.engine.history import KEPT, SPACING, History


def empty(size: int = 5, rules: str = "chinese") -> History:
    return History(GO.new_state(size, size, GO.rule_sets[rules], 0.0))


def play_randomly(history: History, plies: int, seed: int, repetition: str) -> list[tuple[bytes, int]]:
    """Random moves under a superko rule; returns every position with its side to move, the first included."""
    generator = random.Random(seed)
    positions = [(history.state.stones(), history.state.to_move)]
    while len(positions) <= plies:
        colour = history.state.to_move
        move = generator.choice(list(history.state.legal_moves()))
        try:
            history.play(colour, move, repetition)
        except IllegalMove:
            continue
        positions.append((history.state.stones(), history.state.to_move))
    return positions


@pytest.mark.parametrize("repetition", ["positional", "situational"])
def test_superko_against_brute_force(repetition: str) -> None:
    """Every move of both colours, at every ply of games on a board small enough to repeat often."""
    refused = 0
    for seed in range(20):
        history = empty(3)
        known: set[object] = set()
        generator = random.Random(seed)
        for _ in range(60):
            known.add(facts(history.state, repetition))
            for colour in (0, 1):
                root = history.state.copy()
                root.set_to_move(colour)
                for move in root.legal_moves():
                    after = root.copy()
                    after.play(move)
                    expected = move != root.pass_move and facts(after, repetition) in known
                    assert history.is_repetition(colour, move, repetition) == expected
                    assert not history.is_repetition(colour, move, "none")
                    refused += expected
            colour = history.state.to_move
            moves = [m for m in history.state.legal_moves() if not history.is_repetition(colour, m, repetition)]
            history.play(colour, generator.choice(moves), repetition)
    assert refused > 20


def facts(state: State, repetition: str) -> object:
    """What may not come again."""
    return state.stones() if repetition == "positional" else (state.stones(), state.to_move)


def test_undo_walks_back_through_every_position() -> None:
    history = empty()
    positions = play_randomly(history, 3 * SPACING + 5, 1, "positional")
    for expected in reversed(positions[:-1]):
        history.undo()
        assert (history.state.stones(), history.state.to_move) == expected
    assert not history.moves and len(history.seen("none")) == 1
    with pytest.raises(ValueError, match="^cannot undo$"):
        history.undo()


@pytest.mark.parametrize("count", [0, 1, SPACING - 1, SPACING, SPACING + 1, 2 * SPACING])
def test_undo_several(count: int) -> None:
    history = empty()
    positions = play_randomly(history, 2 * SPACING, 2, "positional")
    history.undo(count)
    assert history.state.stones() == positions[len(positions) - 1 - count][0]
    assert len(history.moves) == 2 * SPACING - count
    play_randomly(history, 5, 3, "positional")


def test_a_failed_undo_changes_nothing() -> None:
    history = empty()
    play_randomly(history, 3, 1, "none")
    for count in (4, -1):
        with pytest.raises(ValueError, match="^cannot undo$"):
            history.undo(count)
    assert len(history.moves) == 3


def test_setup_is_one_step_back() -> None:
    history = empty()
    history.play(0, 3)
    start = GO.new_state(5, 5, GO.default_rules, 0.0)
    start.play_as(0, 12)
    history.setup(start)
    history.play(1, 7)
    assert list(history.moves) == [(1, 7)] and history.start.stones()[12] == 1
    history.undo()
    assert history.state.stones().count(0) == 24
    history.undo()
    assert history.state.stones().count(0) == 25
    with pytest.raises(ValueError):
        history.undo()


def set_up(*black: int) -> State:
    start = GO.new_state(5, 5, GO.default_rules, 0.0)
    stones = bytearray(25)
    for cell in black:
        stones[cell] = 1
    start.setup(bytes(stones), 1)  # type: ignore[attr-defined]
    return start


@pytest.mark.parametrize("is_setup", [False, True])
def test_a_change_in_mid_game_keeps_what_was_before(is_setup: bool) -> None:
    history = empty()
    if is_setup:
        history.setup(set_up(24))
    for move in (1, 2, 3):
        history.play(move & 1, move)
    before = history.state.stones()
    history.change(set_up(12))
    history.change(set_up(12, 13))
    history.play(1, 7)
    assert [len(part.moves) for part in history.parts] == [3, 0, 1] and list(history.moves) == [(1, 7)]
    total = 3 + 2 + 1 + is_setup
    with pytest.raises(ValueError, match="^cannot undo$"):
        history.undo(total + 1)
    history.undo(2)
    assert history.state.stones()[12:14] == b"\x01\0" and history.is_setup
    history.undo()
    assert history.state.stones() == before and list(history.moves) == [(1, 1), (0, 2), (1, 3)]
    assert history.is_setup is is_setup and history.earlier(1)[0].stones().count(0) == before.count(0) + 1
    history.undo(2)
    assert list(history.moves) == [(1, 1)]
    history.undo(1 + is_setup)
    assert history.state.stones().count(0) == 25
    with pytest.raises(ValueError):
        history.undo()


def test_a_setup_forgets_changes() -> None:
    history = empty()
    history.play(0, 1)
    history.change(set_up(12))
    history.setup(set_up(3))
    assert len(history.parts) == 1
    history.undo()
    assert history.state.stones().count(0) == 25


def test_an_illegal_move_changes_nothing() -> None:
    history = empty()
    history.play(0, 12)
    before = history.state
    for move in (12, 26, -1):
        with pytest.raises(IllegalMove):
            history.play(1, move)
    assert history.state is before and list(history.moves) == [(0, 12)] and history.recent(3) == [12]


def test_one_colour_may_play_twice() -> None:
    history = empty()
    history.play(0, 12)
    history.play(0, 13)
    history.play(1, 7)
    history.play(1, 8)
    assert history.recent(2) == [7, 8] and history.state.to_move == 0


@pytest.mark.parametrize("undone", [0, 1, 7, KEPT, 2 * KEPT, SPACING + KEPT])
def test_earlier_positions(undone: int) -> None:
    """Those that are kept and those that are played again, also where a game went back and on."""
    history = empty()
    positions = play_randomly(history, 3 * SPACING, 4, "positional")
    history.undo(undone)
    del positions[len(positions) - undone :]
    for _ in range(2):
        for count in (0, 1, 14, KEPT, SPACING + 3, 200):
            wanted = positions[max(len(positions) - 1 - count, 0) : -1]
            assert [(state.stones(), state.to_move) for state in history.earlier(count)] == wanted
        positions += play_randomly(history, 20, 5, "positional")[1:]


def test_the_third_time_is_a_draw_and_the_second_is_none() -> None:
    """The start counts; who asks for no draws gets none; an undo takes the third time back."""
    history = History(CHESS.new_state(8, 8, CHESS.default_rules, 0.0))
    drawn = []
    for number, text in enumerate(["g1f3", "g8f6", "f3g1", "f6g8"] * 2):
        history.play(number % 2, CHESS.move_from_text(history.state, text), "threefold")
        drawn.append(history.is_drawn("threefold"))
        assert not history.is_drawn("none")
    assert drawn == [False] * 7 + [True]
    history.undo()
    assert not history.is_drawn("threefold")
