"""Opening books: positions through all symmetries, files that come back and files that are refused, moves varied."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import cast

import pytest

from tengen.engine._core import GomokuState, ReversiState
from tengen.engine.config import Config
from tengen.engine.games import get_game
from tengen.engine.games.base import State
from tengen.engine.games.book import Book, BookError, BookMove, notation_of, read
from tengen.engine.games.reversi.book import NOTATION
from tengen.engine.games.symmetries import symmetries
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest

REVERSI, GOMOKU = get_game("reversi"), get_game("gomoku")
key_of, state_of = NOTATION.key_of, NOTATION.state_of
D3, C4, F5, E6 = 19, 26, 37, 44
"""Black's first moves, which are one."""
D6, F4, F6 = 43, 29, 45
"""White's answers to F5, of which F4 is the bad one."""


def after(*moves: int) -> ReversiState:
    state = ReversiState()
    for move in moves:
        state.play(move)
    return state


def mirrored(state: ReversiState, cells: tuple[int, ...]) -> ReversiState:
    found, stones = ReversiState(), state.stones()
    found.setup(bytes(stones[cell] for cell in cells), state.to_move)
    return found


def book_of(*entries: tuple[ReversiState, list[BookMove]]) -> Book:
    book = Book(REVERSI)
    for state, moves in entries:
        key, cells = key_of(state)
        book.put(key, [move._replace(cell=cells.index(move.cell)) for move in moves])
    return book


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A book of two positions: the start and White's answers to F5."""
    book = book_of(
        (after(), [BookMove(F5, 0.0, 4, 0.25)]),
        (after(F5), [BookMove(F6, -1.0, 12, -0.5), BookMove(D6, 0.0, 12, -0.75), BookMove(F4, -3.0, 12, -4.0)]),
    )
    file = tmp_path / "openings.book"
    file.write_bytes(book.packed())
    return file


def test_a_position_is_known_through_all_symmetries() -> None:
    choose = random.Random(5)
    assert len(set(symmetries(8, 8))) == 8
    for _ in range(30):
        state = ReversiState()
        for _ in range(choose.randrange(1, 40)):
            if not state.is_terminal():
                state.play(choose.choice(state.legal_moves()))
        if state.is_terminal():
            continue
        key, cells = key_of(state)
        again = state_of(key)
        assert sorted(cells[move] for move in again.legal_moves() if move < 64) == sorted(
            m for m in state.legal_moves() if m < 64
        )
        for turn in symmetries(8, 8):
            assert key_of(mirrored(state, turn))[0] == key


def test_moves_are_those_of_the_board_that_asks(path: Path) -> None:
    book = read(path, REVERSI)
    assert len(book) == 2
    assert {book.find(after())[0].cell} <= {D3, C4, F5, E6}
    for first in (D3, C4, F5, E6):
        state = after(first)
        moves = book.find(state)
        assert [move.worth for move in moves] == [-0.5, -0.75, -4.0] and all(
            state.is_legal(move.cell) for move in moves
        )
    assert book.find(after(F5, D6)) == ()
    assert read(path, REVERSI).packed() == path.read_bytes()


@pytest.mark.parametrize(("width", "height"), [(15, 15), (9, 9), (12, 7)])
@pytest.mark.parametrize("rules", ["freestyle", "renju"])
def test_a_position_of_gomoku_is_known_through_all_symmetries(width: int, height: int, rules: str) -> None:
    choose, notation = random.Random(7), notation_of(GOMOKU)
    images = symmetries(width, height)
    assert len(set(images)) == len(images) == (8 if width == height else 4) and images[0] == tuple(
        range(width * height)
    )
    for _ in range(20):
        state = GomokuState(width, height, rules)
        for _ in range(choose.randrange(12)):
            state.play(choose.choice(state.legal_moves()))
        if state.is_terminal():
            continue
        key, cells = notation.key_of(cast(State, state))
        again = notation.state_of(key)
        assert notation.is_key(key) and sorted(cells[move] for move in again.legal_moves()) == state.legal_moves()
        move = choose.choice(again.legal_moves())
        assert notation.move_of(key, notation.text_of(key, move)) == move
        for image in images:
            other = GomokuState(width, height, rules)
            other.setup(bytes(state.stones()[cell] for cell in image), state.to_move)
            assert notation.key_of(cast(State, other))[0] == key
    for word in (
        "",
        key[:-1],
        key.replace("x", "y"),
        key.replace(rules, "go"),
        key.replace("/b/", "/x/").replace("/w/", "/x/"),
    ):
        assert not notation.is_key(word)


def test_gomoku_is_played_from_a_book_of_its_rule(tmp_path: Path) -> None:
    """A margin of 0.5 is 50 units of alpha-beta."""
    book, state = Book(GOMOKU), cast(State, GomokuState(15, 15, "renju"))
    state.play(112)
    key, cells = notation_of(GOMOKU).key_of(state)
    worths = {96: 20.0, 97: -20.0, 98: -40.0}
    book.put(key, [BookMove(cells.index(cell), worth, 12, worth) for cell, worth in worths.items()])
    path = tmp_path / "renju.book"
    path.write_bytes(book.packed())

    def played(seed: int, **values: object) -> tuple[int | None, str]:
        config = Config(game="gomoku", playouts=50, threads=1, book=str(path), seed=seed, **values)  # type: ignore[arg-type]
        move, note, _ = decide(config, 112)
        return move, note

    assert {played(seed, rules="renju") for seed in range(8)} == {(96, "book"), (97, "book")}
    assert {played(seed, rules="renju", book_margin=0.0) for seed in range(4)} == {(96, "book")}
    assert played(1)[1] != "book", "freestyle is another game"


def decide(config: Config, *moves: int) -> tuple[int | None, str, str]:
    player = Player(config)
    try:
        for number, move in enumerate(moves):
            player.play(number % 2, move)
        decision = player.genmove(MoveRequest(len(moves) % 2))
        return decision.move, decision.info.note, decision.notice
    finally:
        player.close()


def config_of(path: Path | str, **values: object) -> Config:
    return Config(game="reversi", player="alphabeta", playouts=200, threads=1, book=str(path), **values)  # type: ignore[arg-type]


def test_play_is_varied_within_the_margin(path: Path) -> None:
    seen = {decide(config_of(path, seed=seed), F5)[:2] for seed in range(12)}
    assert seen == {(F6, "book"), (D6, "book")}
    assert {decide(config_of(path, seed=seed, book_margin=0.0), F5)[0] for seed in range(6)} == {F6}
    assert decide(config_of("none", seed=1), F5)[1] == ""


def test_what_is_not_in_the_book_is_searched(path: Path) -> None:
    assert decide(config_of(path, seed=1), F5, D6)[1] != "book"
    assert decide(config_of(path, seed=1, level=3), F5)[1] != "book"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "it is no opening book for reversi"),
        (b"nonsense", "Not a gzipped file"),
        (gzip.compress(b"tengen-book 1 go\n"), "it is no opening book for reversi"),
        (gzip.compress(b"tengen-book 1 reversi\nXO d3:1:1:1\n"), "it is damaged"),
        (gzip.compress(b"tengen-book 1 reversi\n" + b"-" * 64 + b"\n"), "it is damaged"),
        (gzip.compress(b"tengen-book 1 reversi\n" + b"\xff" * 70)[:-9], "it is damaged"),
    ],
    ids=["empty", "no gzip", "another game", "short position", "no moves", "cut off"],
)
def test_files_that_are_no_books_are_said_once_and_the_search_plays(tmp_path: Path, data: bytes, why: str) -> None:
    file = tmp_path / "bad.book"
    file.write_bytes(data)
    with pytest.raises(BookError, match="cannot read the opening book '.*bad.book': .*" + why):
        read(file, REVERSI)
    player = Player(config_of(file, seed=1))
    try:
        first = player.genmove(MoveRequest(0))
        second = player.genmove(MoveRequest(1))
    finally:
        player.close()
    assert why in first.notice and first.notice.endswith("the search plays without it") and not second.notice
    assert first.move is not None and second.move is not None


def test_a_line_that_cannot_be_read_and_a_file_that_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "odd.book"
    file.write_bytes(gzip.compress(f"tengen-book 1 reversi\n{key_of(after())[0]} d3:x:1:1\n".encode()))
    move, note, notice = decide(config_of(file, seed=1))
    assert move is not None and note != "book" and "cannot be read" in notice
    assert "No such file" in decide(config_of(tmp_path / "none.book", seed=1))[2]
    go = Config(game="go", player="uct", playouts=50, threads=1, seed=1, book=str(file))
    assert "go has no opening book" in decide(go)[2]
