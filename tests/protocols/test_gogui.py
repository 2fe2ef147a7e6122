"""GoGui attaches, plays and uses its menu: the engine never takes the game over, and both sides keep one board."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from gogui_client import GoGui, Move
from gtp_client import Process

QUICK = ("--playouts", "60", "--threads", "1", "--seed", "1", "--memory", "80")
OPTIONS = {"go": (), "gomoku": ("--game", "gomoku"), "reversi": ("--game", "reversi")}
OPEN_GAME: tuple[Move, ...] = (("b", "E5"), ("w", "C3"), ("b", "G3"))
FIRST = {"go": "D6", "gomoku": "H8", "reversi": "D3"}

Start = Callable[..., Callable[[], Process]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Makes a maker of processes that end with the test."""
    made: list[Process] = []

    def maker(*options: str) -> Callable[[], Process]:
        def make() -> Process:
            made.append(Process(*QUICK, *options))
            return made[-1]

        return make

    yield maker
    for process in made:
        process.__exit__()


def test_an_open_game_of_go_stays_open(start: Start) -> None:
    """`gogui -size 9 game.sgf -program "tengen gtp"`: 9x9 with three moves."""
    gui = GoGui(start(), 9, OPEN_GAME)
    gui.attach()
    assert not gui.lost_game and gui.ruler is None
    assert (gui.size, tuple(gui.moves)) == (9, OPEN_GAME)
    assert gui.engine.send("query_boardsize") == "9" and gui.engine.send("get_komi") == "6.5"
    assert gui.engine_board() == gui.stones and len(gui.stones) == 3


def test_a_game_of_go_goes_on(start: Start) -> None:
    gui = GoGui(start(), 9, OPEN_GAME)
    gui.attach()
    gui.generate()
    gui.click("H8" if ("w", "H8") not in gui.moves else "H7")
    assert gui.engine_board() == gui.stones and len(gui.stones) == 5
    gui.back(3)
    assert gui.engine_board() == gui.stones and len(gui.stones) == 2
    gui.back(1)
    assert gui.engine_board() == gui.stones == {"E5": "b"}


@pytest.mark.parametrize("name", ["gogui-rules_game_id", "gogui-rules_board_size", "gogui-rules_legal_moves"])
def test_go_has_no_ruler(start: Start, name: str) -> None:
    with start()() as talk:
        assert talk.ask(f"known_command {name}") == "= false"
        assert talk.ask(name) == f"? {name} is not for go"


@pytest.mark.parametrize(("options", "size"), [(("--game", "gomoku"), 15), (("--game", "reversi"), 8)])
def test_another_game_comes_with_its_board(start: Start, options: tuple[str, ...], size: int) -> None:
    gui = GoGui(start(*options), 19)
    gui.attach()
    assert gui.ruler is not None and gui.size == size
    while not gui.is_over and len(gui.moves) < 12:
        gui.generate()
        assert gui.engine_board() == gui.stones
    gui.back(5)
    assert gui.engine_board() == gui.stones
    gui.back(len(gui.moves))
    assert gui.engine_board() == gui.stones and len(gui.stones) == (4 if size == 8 else 0)


def test_a_game_of_gomoku_to_its_end(start: Start) -> None:
    gui = GoGui(start("--game", "gomoku"))
    gui.attach()
    for black, white in zip("CDEFG", "CDEF.", strict=True):
        gui.click(f"{black}8")
        if white != ".":
            gui.click(f"{white}3")
    assert gui.ruler is not None and gui.is_over and gui.ruler.send("gogui-rules_final_result") == "B+1"
    assert gui.ruler.send("gogui-rules_board_gfx").split() == ["SQUARE", "C8", "D8", "E8", "F8", "G8"]


def test_rules_reach_the_ruler(start: Start) -> None:
    gui = GoGui(start("--game", "gomoku", "--rules", "renju"))
    gui.attach()
    for point in "H8 A1 H9 A3 G7 A5 F7 A7".split():
        gui.click(point)
    assert gui.ruler is not None and "H7" not in gui.ruler.send("gogui-rules_legal_moves").split()


# -- the menu ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", OPTIONS)
def test_no_entry_of_the_menu_moves_the_board(start: Start, game: str) -> None:
    """GoGui does not look whether an entry has changed the board: it never does, whenever it is chosen."""
    gui = GoGui(start(*OPTIONS[game]), 9)
    gui.attach()
    begin, move, reply, back = (lambda: None), (lambda: gui.click(FIRST[game])), gui.generate, (lambda: gui.back(1))
    for step in (begin, move, reply, back):
        step()
        for entry, colour in [
            (entry, colour) for entry in gui.menu for colour in "bw" if colour == "b" or "%c" in entry.command
        ]:
            gui.run(entry, colour)
            assert gui.engine_board() == gui.stones, entry
            assert gui.engine.send("query_boardsize") == str(gui.size)


@pytest.mark.parametrize("game", ["go", "reversi", pytest.param("gomoku", marks=pytest.mark.slow)])
def test_the_best_line_begins_on_the_board_as_it_is(start: Start, game: str) -> None:
    """For the colour to move and, where the game allows it, for the other one: every move of it can be played."""
    gui = GoGui(start(*OPTIONS[game]), 9)
    gui.attach()
    gui.click(FIRST[game])
    gui.generate()
    entry = next(entry for entry in gui.menu if entry.label == "Best Line")
    assert entry.kind == "varc"
    for colour in "bw":
        moves = gui.variation(gui.run(entry, colour), colour)
        assert moves and moves[0][0] == colour and moves[0][1] not in gui.stones
        gui.engine.send("gogui-play_sequence " + " ".join(f"{side} {point}" for side, point in moves))
        gui.engine.send(f"gg-undo {len(moves)}")
        assert gui.engine_board() == gui.stones


@pytest.mark.parametrize("game", ["go", "reversi", pytest.param("gomoku", marks=pytest.mark.slow)])
def test_the_last_search_is_shown_where_it_was_made(start: Start, game: str) -> None:
    gui = GoGui(start(*OPTIONS[game]), 9)
    gui.attach()
    picture = next(entry for entry in gui.menu if entry.label == "Last Search")
    words = next(entry for entry in gui.menu if entry.label == "Explain Last Move")
    assert gui.run(picture, "b") == "TEXT no search of this position"
    gui.click(FIRST[game])
    point = gui.generate()
    shown, said = gui.run(picture, "b"), gui.run(words, "b")
    assert f"TEXT White {point}: " in shown and said.startswith(f"White {point}: ")
    line = next((line.split()[1:] for line in shown.splitlines() if line.startswith("VAR")), [])
    assert not line or (line[0] == "b" and line[1] not in gui.stones)
    gui.click(next(m for m in gui.engine.send("tengen-legal_moves").split() if m != "PASS"))
    assert gui.run(picture, "b") == "TEXT no search of this position" and gui.run(words, "b") == ""
    gui.back(1)
    assert gui.run(picture, "b") == shown
