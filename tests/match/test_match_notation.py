"""Gomoku's letters: one alphabet, with an I, in games, openings, records and the report; GTP alone skips it."""

from __future__ import annotations

import asyncio
import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest
from match_games import CALM, GAMES, fake, task

from tengen.engine import records, toml
from tengen.engine.records.points import point, point_text
from tengen.tools.match.drivers import make_driver
from tengen.tools.match.game.referee import digest, play_game
from tengen.tools.match.notation import from_vertex, move_of, move_text, to_vertex
from tengen.tools.match.openings.start import start_state
from tengen.tools.match.report import build
from tengen.tools.match.run import files, store
from tengen.tools.match.spec import GameResult, GameSpec, MoveRecord, Opening, Reason

GOMOKU = GAMES["gomocup"]
PAIRS = [("a1", "A1"), ("h8", "H8"), ("i9", "J9"), ("j10", "K10"), ("o15", "P15"), ("y25", "Z25")]


@pytest.mark.parametrize(("text", "vertex"), PAIRS)
def test_gtp_has_no_letter_i(text: str, vertex: str) -> None:
    assert to_vertex("gomoku", text) == vertex and from_vertex("gomoku", vertex) == text
    assert to_vertex("go", vertex) == vertex == from_vertex("go", vertex)


@pytest.mark.parametrize("game", ["go", "gomoku", "reversi"])
def test_every_cell_is_written_as_records_write_it(game: str) -> None:
    size = 8 if game == "reversi" else 25
    state = start_state(GameSpec(game, size=size))
    for cell in range(size * size):
        text = move_text(game, state, cell)
        assert text == point_text(game, size, size, cell)
        assert move_of(game, state, text) == cell == point(game, size, size, text)


@pytest.mark.parametrize("answer", ["I8", "Z99", "?", "h", "22", "<b>"])
def test_what_is_no_vertex_stays_none(answer: str) -> None:
    """An engine that writes I over GTP means another point than it should: that is no legal move."""
    with pytest.raises(ValueError, match="no cell"):
        move_of("gomoku", start_state(GOMOKU), from_vertex("gomoku", answer))


def test_a_game_over_two_protocols_has_one_alphabet(tmp_path: Path) -> None:
    opening = Opening("x", ("i9", "h8", "j10"))

    async def play() -> GameResult:
        gtp = make_driver(fake("gtp", name="a", game="gomoku"), tmp_path / "gtp.log")
        gomocup = make_driver(fake("gomocup", name="b"), tmp_path / "gomocup.log")
        try:
            return await play_game(task(opening=opening), GOMOKU, gtp, gomocup, (CALM, CALM))
        finally:
            await gtp.kill()
            await gomocup.kill()

    result = asyncio.run(play())
    assert result.culprit is None and result.reason is Reason.FIVE, result
    said = (tmp_path / "gtp.log").read_text("utf-8")
    assert "play b J9\n" in said and "play w H8\n" in said and "play b K10\n" in said
    assert "8,6,2" in (tmp_path / "gomocup.log").read_text("utf-8")
    assert all(row.move == row.move.lower() for row in result.moves)
    record = records.read(files.write(tmp_path, result, GOMOKU, opening))
    played = [point_text("gomoku", 15, 15, move) for _, move in record.moves]
    assert played == [*opening.moves, *(row.move for row in result.moves)]


def old_folder(path: Path) -> GameResult:
    """A run as earlier releases wrote it: GTP's letters."""
    engines = [{"name": name, "command": "engine"} for name in "ab"]
    (path / store.RUN).write_text(toml.dumps({"game": "gomoku", "size": 15, "games": 2, "engine": engines}), "utf-8")
    (path / store.OPENINGS).write_text('{"name": "x", "moves": ["J9", "H8"], "position": null}\n', "utf-8")
    moves = tuple(MoveRecord(text, 0.5) for text in ("K10", "A1", "O15"))
    result = GameResult("000001a", 1, "a", "b", "x", "1-0", Reason.RESIGN, moves=moves, round=1, hash="h")
    (path / store.GAMES).write_text(json.dumps(result.to_json()) + "\n", "utf-8")
    return result


def test_a_folder_of_an_earlier_release_is_read(tmp_path: Path) -> None:
    before = old_folder(tmp_path)
    (found,) = store.read(tmp_path)
    assert [row.move for row in found.moves] == ["j10", "a1", "n15"]
    assert replace(found, moves=()) == replace(before, moves=())
    assert store.read_openings(tmp_path) == [Opening("x", ("i9", "h8"))]
    assert '["j10",0.5,null]' in build(tmp_path).read_text("utf-8")


def test_a_game_that_repeats_one_of_an_earlier_release_is_known() -> None:
    before = hashlib.sha256("\n".join(["gomoku", "15", "", "J9", "H8"]).encode()).hexdigest()[:16]
    assert digest(GOMOKU, None, ("i9", "h8")) == before
