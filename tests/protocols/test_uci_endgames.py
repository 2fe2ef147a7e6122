"""Endgame tables under UCI: moves that keep the result, results inside the search, and tables that are damaged.

The tables are the real ones of three men (data/syzygy).
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import chess
import pytest
from uci_client import CONFIG, best, field, say, told

from tengen.engine._core import chess_ending
from tengen.engine.games.chess.syzygy import SyzygyError, Tablebases, opened
from tengen.engine.games.chess.text import state_from_fen
from tengen.engine.limits import Limits
from tengen.engine.play.player import Player
from tengen.engine.play.request import MoveRequest

FILES = Path(__file__).parent.parent / "data" / "syzygy"
ROOK = "8/8/8/4k3/8/8/8/K6R w - - 0 1"
TAKES = "8/8/8/4k3/8/8/1r6/K6R w - - 0 1"
"""Four men: the king takes a rook, and the other one wins."""
PROMOTES = "7k/P7/8/8/8/8/6p1/K7 w - - 0 1"
"""Four men; who promotes first takes the other's queen or is taken."""
MANY = "8/2k5/1r6/3p4/3P4/1R6/2K5/8 w - - 0 1"
USE = "setoption name SyzygyPath value tables"


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    folder = tmp_path / "tables"
    shutil.copytree(FILES, folder)
    return folder


@pytest.fixture
def known(tables: Path) -> Iterator[Tablebases]:
    own = Tablebases(str(tables))
    yield own
    own.close()


def asked(tables: Tablebases, board: chess.Board) -> int | None:
    """As the core asks."""
    sets = (
        board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK], board.pawns, board.knights, board.bishops,
        board.rooks, board.queens, board.kings,
    )  # fmt: skip
    return tables.result(sets, board.turn, -1 if board.ep_square is None else board.ep_square)


def drawn_boards(pieces: str, count: int, seed: int) -> Iterator[chess.Board]:
    """Legal positions of these pieces (letters as in a FEN) on random squares, either side to move."""
    source = random.Random(seed)
    while count:
        board = chess.Board(None)
        for square, letter in zip(source.sample(range(64), len(pieces)), pieces, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = source.random() < 0.5
        if board.is_valid() and not board.is_game_over():
            count -= 1
            yield board


def test_what_the_tables_keep(known: Tablebases) -> None:
    won = known.probe(state_from_fen(ROOK))
    assert won is not None and won.result == 1 and 9 << 6 in won.moves  # the king comes nearer
    assert len(won.moves) == 3 < len(list(chess.Board(ROOK).legal_moves))
    lost = known.probe(state_from_fen("8/8/8/4k3/8/8/8/K6R b - - 0 1"))
    assert lost is not None and lost.result == -1
    drawn = known.probe(state_from_fen("8/8/8/8/8/8/6k1/K6R b - - 0 1"))
    assert drawn is not None and drawn.result == 0 and drawn.moves == (14 | 7 << 6,)  # it takes the rook
    late = known.probe(state_from_fen(ROOK.replace(" 0 1", " 95 80")))
    assert late is not None and late.result == 0  # no mate in five moves
    assert known.probe(state_from_fen(chess.STARTING_FEN)) is None
    assert known.probe(state_from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")) is None
    assert known.pieces == 3


def test_without_distances_every_move_that_wins_is_kept(tables: Path) -> None:
    for file in tables.glob("*.rtbz"):
        file.unlink()
    won = Tablebases(str(tables)).probe(state_from_fen(ROOK))
    assert won is not None and won.result == 1 and len(won.moves) > 10 and 9 << 6 in won.moves


def test_results_are_those_of_the_core(known: Tablebases) -> None:
    """King and pawn against king, which the core knows by a table of its own; rook and queen, which always win but for
    what is taken at once."""
    for board in drawn_boards("KPk", 400, 1):
        ending = chess_ending(state_from_fen(board.fen()))
        assert ending is not None
        _, worth, is_drawn, _ = ending
        assert asked(known, board) == (0 if is_drawn else 1 if worth > 0 else -1), board.fen()
    for board in drawn_boards("KRk", 200, 2):
        may_take = any(board.is_capture(move) for move in board.legal_moves)
        assert asked(known, board) == (0 if may_take else 1 if board.turn == chess.WHITE else -1), board.fen()


def test_a_search_that_reaches_the_tables(tables: Path) -> None:
    config = replace(CONFIG, file_root=str(tables.parent))
    without = say(f"position fen {PROMOTES}", "go depth 10", config=config)
    lines = say(
        USE, "setoption name SyzygyProbeDepth value 1", f"position fen {PROMOTES}", "go depth 10", config=config
    )
    assert int(field(without[-2], "tbhits")) == 0 < int(field(lines[-2], "tbhits"))
    assert field(lines[-2], "cp").startswith("199") and best(lines) == ["a7a8q"] and not told(lines)
    deep = say(
        USE, "setoption name SyzygyProbeDepth value 100", f"position fen {PROMOTES}", "go depth 10", config=config
    )
    assert int(field(deep[-2], "tbhits")) == 0
    lost = say(USE, f"position fen {PROMOTES.replace(' w', ' b')}", "go depth 12", config=config)
    assert not told(lost) and best(lost) == ["g2g1q"]
    four = say(USE, "setoption name SyzygyProbeDepth value 1", f"position fen {TAKES}", "go depth 9", config=config)
    assert best(four) == ["a1b2"] and field(four[-2], "cp") == "19999" and int(field(four[-2], "tbhits")) > 0


def test_folders_that_are_named_again(tables: Path) -> None:
    config = replace(CONFIG, file_root=str(tables.parent))
    ask = ("setoption name SyzygyProbeDepth value 1", f"position fen {PROMOTES}")
    none = "setoption name SyzygyPath value"
    again = (USE, "ucinewgame", f"position fen {TAKES}", "go depth 10")  # no answer that is remembered
    lines = say(USE, *ask, "go depth 10", none, "isready", *again, config=config)
    ends = [line for line, after in zip(lines, lines[1:], strict=False) if after.startswith("bestmove")]
    assert len(ends) == 2 and all(int(field(line, "tbhits")) > 0 for line in ends) and not told(lines)


def test_what_was_found_outlives_isready(tables: Path) -> None:
    config = replace(CONFIG, file_root=str(tables.parent))
    position = f"position fen {MANY}"
    straight = say(USE, position, "go depth 12", "go depth 12", config=config)
    asked_between = say(USE, position, "go depth 12", "isready", "go depth 12", config=config)
    assert field(asked_between[-2], "nodes") == field(straight[-2], "nodes")


@pytest.mark.threads
def test_threads_ask_at_once(tables: Path) -> None:
    config = replace(CONFIG, file_root=str(tables.parent))
    ask = ("setoption name Threads value 4", USE, "setoption name SyzygyProbeDepth value 1")
    lines = say(*ask, f"position fen {MANY}", "go depth 9", f"position fen {PROMOTES}", "go depth 12", config=config)
    assert len(best(lines)) == 2 and best(lines)[1] == "a7a8q" and not told(lines)
    assert int(field(lines[-2], "tbhits")) > 0


def test_a_move_that_the_tables_know(tables: Path) -> None:
    config = replace(CONFIG, file_root=str(tables.parent))
    lines = say(USE, "setoption name UCI_ShowWDL value true", f"position fen {ROOK}", "go depth 2", config=config)
    board = chess.Board(ROOK)
    board.push_uci(best(lines)[0])
    assert asked(opened(str(tables)), board) == -1 and int(field(lines[-2], "tbhits")) > 0
    assert " score cp 20000 " in lines[-2] and " wdl 1000 0 0 " in lines[-2]
    lines = say(USE, f"position fen {ROOK}", "go depth 2 searchmoves h1h2", config=config)
    assert best(lines) == ["h1h2"]


def test_a_won_ending_is_won(tables: Path) -> None:
    """By what is played with a hundred nodes a move against whatever the tables keep."""
    config = replace(CONFIG, file_root=str(tables.parent))
    own = opened(str(tables))
    for seed, pieces in enumerate(("KRk", "KQk", "KPk")):
        for board in drawn_boards(pieces, 2, seed):
            result = asked(own, board)
            while not board.is_game_over(claim_draw=True):
                lines = say(USE, f"position fen {board.fen()}", "go nodes 100", config=config)
                board.push_uci(best(lines)[0])
            outcome = board.outcome(claim_draw=True)
            assert outcome is not None
            assert (outcome.winner is chess.WHITE) == (result != 0), board.fen()


def test_a_damaged_table_is_left_out(tables: Path) -> None:
    config = replace(CONFIG, file_root=str(tables.parent))
    rook = tables / "KRvK.rtbw"
    rook.write_bytes(rook.read_bytes()[:100])
    queen = ROOK.replace("R", "Q")
    lines = say(
        USE, f"position fen {ROOK}", "go depth 1", "go depth 1", f"position fen {queen}", "go depth 1", config=config
    )
    assert len(told(lines)) == 1 and told(lines)[0].startswith("SyzygyPath: 'KRvK.rtbw' is left out, since ")
    assert len(best(lines)) == 3 and " score cp 20000 " in lines[-2]
    found = "setoption name SyzygyProbeDepth value 1"
    inside = say(USE, found, f"position fen {TAKES}", "go depth 6", config=config)
    assert len(told(inside)) == 1 and "'KRvK.rtbw' is left out" in told(inside)[0] and len(best(inside)) == 1


def test_folders_that_are_of_no_use_are_told_once(tables: Path) -> None:
    config = replace(CONFIG, file_root=str(tables.parent))
    (tables.parent / "empty").mkdir()
    lines = say("setoption name SyzygyPath value empty", "go depth 1", "go depth 1", config=config)
    assert len(told(lines)) == 1 and "no tables" in told(lines)[0] and len(best(lines)) == 2
    with pytest.raises(SyzygyError):
        Tablebases(str(tables.parent / "missing"))


def test_the_same_folders_are_opened_once(tables: Path) -> None:
    one = opened(str(tables))
    assert opened(str(tables)) is one
    one.close()
    assert one.probe(state_from_fen(ROOK)) is None and asked(one, chess.Board(ROOK)) is None
    assert opened(str(tables)) is not one


def test_a_player_takes_the_folders_as_an_option(tables: Path) -> None:
    config = replace(CONFIG, set={"alphabeta.syzygy": str(tables), "alphabeta.tables_depth": 1})
    player = Player(config)
    player.begin(state_from_fen(PROMOTES))
    info = player.genmove(MoveRequest(0, Limits(depth=8), play=False, resign=False)).info
    assert info.probes > 0 and info.score > 19_900
    player.close()
    with pytest.raises(ValueError, match="no tables"):
        Player(replace(CONFIG, set={"alphabeta.syzygy": str(tables.parent)})).prepare()
