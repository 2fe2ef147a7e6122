"""Stones without colours, in any order and number, against the player's board."""

from __future__ import annotations

import random

import pytest
from gomocup_client import QUICK

from tengen.engine.games.base import BLACK, WHITE
from tengen.engine.play.player import Player
from tengen.protocols.gomocup.framing import GomocupError
from tengen.protocols.gomocup.position import Position, in_turn


def position(rules: str = "freestyle", size: int = 15) -> tuple[Position, Player]:
    player = Player(QUICK)
    player.set_rules(player.game.rule_sets[rules])
    board = Position(player)
    board.new_game(size, size)
    return board, player


def agree(board: Position, player: Player) -> bool:
    """Whether the player's stones are the protocol's."""
    stones = bytearray(board.width * board.height)
    for colour, cell in board.stones:
        stones[cell] = colour + 1
    return bytes(stones) == player.state.stones()


# own and opponent's fields in the order of the lines -> our colour: by number, by the first stone
COLOURS = [
    ("", BLACK, BLACK),
    ("12", BLACK, BLACK),
    ("2", WHITE, WHITE),
    ("212", WHITE, WHITE),
    ("1212", BLACK, BLACK),
    ("2121", BLACK, WHITE),
    ("1122", BLACK, BLACK),
    ("111", BLACK, BLACK),
    ("222", WHITE, WHITE),
    ("221", WHITE, WHITE),
    ("312", BLACK, BLACK),
    ("33", BLACK, BLACK),
]


@pytest.mark.parametrize(("fields", "by_number", "by_order"), COLOURS)
def test_our_colour(fields: str, by_number: int, by_order: int) -> None:
    for in_order, wanted in ((False, by_number), (True, by_order)):
        board, player = position()
        board.place([(x, 0, int(field)) for x, field in enumerate(fields)], in_order=in_order)
        assert board.us == wanted
        assert agree(board, player)
        assert len(board.stones) == len(fields.replace("3", ""))


def test_any_order_becomes_a_game() -> None:
    """So that the tree, the clock and the last moves know where the game stands."""
    board, player = position()
    lines = [(x, y, 1 + (x + y) % 2) for x in range(4) for y in range(4)]
    random.Random(1).shuffle(lines)
    board.place(lines, in_order=False)
    assert len(player.moves) == 16 and not player.history.is_setup
    assert [colour for colour, _ in player.moves] == [0, 1] * 8


@pytest.mark.parametrize(
    ("stones", "turns"),
    [
        ([(0, 1), (1, 2), (0, 3)], [(0, 1), (1, 2), (0, 3)]),
        ([(1, 1), (0, 2)], [(0, 2), (1, 1)]),
        ([(0, 1), (0, 2), (0, 3)], [(0, 1), (0, 2), (0, 3)]),
        ([(1, 1), (1, 2), (0, 3)], [(0, 3), (1, 1), (1, 2)]),
        ([], []),
    ],
)
def test_in_turn(stones: list, turns: list) -> None:
    assert in_turn(stones) == turns


@pytest.mark.parametrize("rules", ["freestyle", "standard", "renju", "caro"])
def test_random_edits_keep_the_boards_equal(rules: str) -> None:
    """Any stone put anywhere by anybody, any stone taken back, whole boards: also beyond what the rules allow."""
    generator = random.Random(rules)
    board, player = position(rules, 9)
    for _ in range(400):
        empty, stones = board.empty_cells(), board.stones
        action = generator.random()
        if action < 0.6 and empty:
            board.put(generator.randrange(2), generator.choice(empty))
        elif action < 0.95 and stones:
            board.take(generator.choice(stones)[1])
        else:
            count = generator.randrange(40)
            cells = generator.sample(range(81), count)
            lines = [(cell % 9, cell // 9, generator.randrange(1, 4)) for cell in cells]
            board.place(lines, in_order=rules == "renju")
        assert agree(board, player)


def test_rules_change_during_a_game() -> None:
    """Six in a row won under freestyle; under renju it is an overline that stays on the board."""
    board, player = position()
    for x in range(6):
        board.put(BLACK, x)
    assert player.state.is_terminal()
    board.set_rules(player.game.rule_sets["renju"])
    assert agree(board, player) and not player.state.is_terminal() and player.rules.name == "renju"


def test_errors_change_nothing() -> None:
    board, player = position()
    board.put(BLACK, 5)
    for lines in ([(15, 0, 1)], [(0, 0, 1), (0, 0, 2)], [(0, -1, 3)]):
        with pytest.raises(GomocupError):
            board.place(lines, in_order=False)
    assert board.stones == [(BLACK, 5)] and agree(board, player)


def test_empty_points_come_from_the_middle() -> None:
    board, _ = position(size=5)
    assert board.empty_cells()[0] == 12 and set(board.empty_cells()[-4:]) == {0, 4, 20, 24}


def test_loading_keeps_the_clock() -> None:
    board, player = position()
    player.clock.time_left(0, 3.0, 0)
    board.place([(0, 0, 1), (1, 1, 2)], in_order=False)
    assert player.clock[0].remaining == 3.0
