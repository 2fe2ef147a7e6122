"""Chess games as PGN, positions as FEN and EPD."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tengen.engine import records
from tengen.engine.games import get_game
from tengen.engine.games.chess.text import START, fen_of
from tengen.engine.records import Record, RecordError, epd, pgn
from tengen.engine.records.base import Note
from tengen.engine.records.replay import start_of, state_of

pytest.importorskip("chess")

GAME = """[Event "Cup \\"A\\""]
[Site "Rome"]
[Date "2024.01.31"]
[Round "3"]
[White "Ann, A"]
[Black "?"]
[Result "1-0"]
[ECO "C20"]

1. e4 {[%eval 0.3] [%emt 0:00:01.500] good} e5 (1... c5 2. Nf3 (2. c3)) 2. Qh5 $6 {-0.25/12 0.53s} Nc6
3. Bc4 Nf6?? ; what
4. Qxf7# 1-0
"""
FISCHER = """[White "x"]
[Variant "Chess960"]
[FEN "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 2 9"]

9. O-O O-O-O 10. Rb7 Rd7 *
"""


def uci(record: Record) -> list[str]:
    """The moves of a record as UCI writes them."""
    game, state, words = get_game("chess"), start_of(record), []
    for colour, move in record.moves:
        words.append(game.move_to_text(state, move))
        state.play_as(colour, move)
    return words


def test_a_game() -> None:
    record = pgn.loads(GAME)
    assert uci(record) == "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7".split()
    assert (record.players, record.result, record.position, record.rules) == (("Ann, A", ""), "1-0", "", None)
    assert record.properties == {"EV": 'Cup "A"', "PC": "Rome", "DT": "2024-01-31", "RO": "3", "ECO": "C20"}
    assert record.notes[:3] == (Note(0.3, 1.5), Note(), Note(-0.25, 0.53)) and len(record.notes) == 7
    assert state_of(record).is_terminal() and state_of(record).result() == 1
    again = pgn.loads(pgn.dumps(record))
    assert replace(again, notes=()) == replace(record, notes=())
    assert again.notes[:3] == record.notes[:3]
    assert '[Event "Cup \\"A\\""]' in pgn.dumps(record) and "(" not in pgn.dumps(record).partition("\n\n")[2]


# Comments on the first move, and what is written of them.
COMMANDS = [
    ("{[%clk 0:03:00]}", "[%clk 0:03:00]"),
    ("{ [%eval 0.17] [%clk 0:10:00] }", "[%eval 0.17] [%clk 0:10:00]"),
    ("{[%clk 0:09:58.3]} {[%emt 0:00:01.7]}", "[%emt 0:00:01.700] [%clk 0:09:58.3]"),
    ("{[%eval #-3] [%clk 1:00:00] mate}", "[%eval #-3] [%clk 1:00:00]"),
    ("{[%eval 0.25,18]}", "[%eval 0.25,18]"),
    ("{good move [%csl Ge4,Rd5][%cal Ge2e4,Re7e5] indeed}", "[%csl Ge4,Rd5] [%cal Ge2e4,Re7e5]"),
    ("(1. d4 {[%clk 9:00:00]}) {[%clk 0:01:00]}", "[%clk 0:01:00]"),
    ("{[%clk 0:01:00] [%clk 0:02:00]}", "[%clk 0:01:00]"),
    ('{[%timestamp 12] [%tqu "En",""]}', '[%timestamp 12] [%tqu "En",""]'),
    ("{[%clk\n0:01:00]}", "[%clk 0:01:00]"),
    ("{[%wdl 12 900 88]}", "[%wdl 12 900 88]"),
    ("{+0.25/12 0.53s [%clk 0:01:00]}", "[%eval 0.25] [%emt 0:00:00.530] [%clk 0:01:00]"),
    ("{[%clk 0:00:10] [%emt 12]}", "[%clk 0:00:10] [%emt 12]"),
    ("{[%clk] [%] [% x] [%clk 0:01:00 nothing}", ""),
    ("{[%x \x1b[31m] plain}", ""),
]


@pytest.mark.parametrize(("comment", "written"), COMMANDS, ids=range(len(COMMANDS)))
def test_what_comments_tell_programs_is_kept(comment: str, written: str) -> None:
    record = pgn.loads(f"1. e4 {comment} e5 *\n")
    text = " ".join(pgn.dumps(record).partition("\n\n")[2].split())
    assert text == (f"1. e4 {{ {written} }} 1... e5 *" if written else "1. e4 e5 *")
    assert pgn.loads(pgn.dumps(record)).notes == record.notes


def test_commands_are_bounded() -> None:
    many = " ".join(f"[%c{number} x]" for number in range(500))
    (note, _) = pgn.loads(f"1. e4 {{{many}}} e5 *\n").notes
    assert len(note.commands) == 20


def test_chess960_castles_by_taking_the_rook() -> None:
    record = pgn.loads(FISCHER)
    assert (record.rules, record.to_move) == ("chess960", 0)
    assert record.position == "1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq - 2 9"
    assert record.moves[:2] == ((0, 4 | 7 << 6), (1, 60 | 57 << 6)) and uci(record)[:2] == ["e1h1", "e8b8"]
    text = pgn.dumps(record)
    assert '[Variant "Chess960"]' in text and "9. O-O O-O-O 10. Rb7" in text and pgn.loads(text) == record


def test_castling_and_promotions_of_standard_chess() -> None:
    record = pgn.loads('[FEN "r3k2r/P7/8/8/8/8/7p/R3K3 b kq - 0 1"]\n\n1... O-O-O 2. a8=N h1=Q+ 3. Ke2 *\n')
    assert record.moves[0] == (1, 60 | 56 << 6) and uci(record) == "e8c8 a7a8n h2h1q e1e2".split()
    assert record.to_move == 1 and pgn.loads(pgn.dumps(record)) == record


def test_a_file_of_games_goes_on_after_a_broken_one() -> None:
    text = f'{GAME}\n[Event "bad"]\n\n1. e4 e5 2. Kxe8 *\n\n{FISCHER}\n[Variant "Atomic"]\n\n1. e4 *\n'
    first, second, third, fourth = pgn.loads_kept(text)
    assert isinstance(first, Record) and isinstance(third, Record) and third == pgn.loads(FISCHER)
    assert isinstance(second, RecordError) and str(second) == "move 3, 'Kxe8', is illegal"
    assert str(fourth) == "a game of 'atomic', not of chess"
    with pytest.raises(RecordError, match="^game 2: move 3, 'Kxe8', is illegal$"):
        pgn.loads_all(text)
    assert pgn.loads_all(GAME + "\n" + FISCHER) == [first, third]


BAD = [
    ("", "the file holds no PGN game"),
    ("hello world\n", "the file holds no PGN game"),
    ('[FEN "8/8/8/8 w - - 0 1"]\n\n*\n', "'expected 8 rows"),
    ('[FEN "8/8/8/8/8/8/8/4K3 w - - 0 1"]\n\n*\n', "king"),
    ("1. e4 -- 2. d4 *\n", "move 2 is none"),
    ("1. e4 e5 2. Nd2 *\n", "move 3, 'Nd2', is illegal"),
    ("1. e4 e5 2. Ne2 Nf6 3. Nc3 *\n", "move 5, 'Nc3', is ambiguous"),
    ("1. " + "Nf3 Nf6 Ng1 Ng8 " * 2000 + "*\n", "there are more than 6000 moves"),
]


@pytest.mark.parametrize(("text", "sentence"), BAD, ids=range(len(BAD)))
def test_what_is_no_game_is_told_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(RecordError) as error:
        pgn.loads_all(text)
    assert sentence in str(error.value) and "\n" not in str(error.value) and len(str(error.value)) < 200


def test_hostile_files_end_soon() -> None:
    for text in (
        "(" * 500_000,
        "1. e4 " + "(" * 500_000,
        "{" * 500_000,
        '[A "b"]\n' * 50_000 + "\n*",
        "1. e4 {" + "x\n" * 200_000,
    ):
        try:
            pgn.loads_all(text)
        except RecordError as error:
            assert "\n" not in str(error)


NOT_WRITTEN = [
    (Record("go", 9, 9), "PGN holds games of chess only"),
    (Record("chess", 8, 8, moves=((0, 0),)), "move 1 is illegal"),
    (Record("chess", 8, 8, moves=((1, 12 | 28 << 6),)), "move 1 is illegal"),
    (Record("chess", 8, 8, position="x"), "is no FEN"),
]


@pytest.mark.parametrize(("record", "sentence"), NOT_WRITTEN)
def test_what_pgn_cannot_hold(record: Record, sentence: str) -> None:
    with pytest.raises(RecordError, match=sentence):
        pgn.dumps(record)


def test_tags_stay_one_line() -> None:
    record = Record(
        "chess", 8, 8, players=("a\nb", 'c"d\\'), properties={"EV": "x\n[y]", "bad tag": "z", "Result": "0-1"}
    )
    text = pgn.dumps(record)
    again = pgn.loads(text)
    assert again.players == ("a b", 'c"d\\') and again.properties == {"EV": "x [y]"} and again.result == ""


def test_formats_are_recognised() -> None:
    assert records.format_of("", GAME) == records.format_of("", FISCHER) == records.format_of("a.pgn") == "pgn"
    assert records.format_of("", "% a comment\n" + GAME) == "pgn"
    assert (
        records.format_of("", f"# comment\n{START}\n")
        == records.format_of("", "4k3/8/8/8/8/8/8/4K3 b - - bm Kd8;")
        == "fen"
    )
    assert records.format_of("x.epd") == records.format_of("x.fen") == "fen"


POSITIONS = [
    # line, FEN, what it is known by
    (START, START, {}),
    ("4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", {}),
    (
        '4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 Kd2; id "a; b";',
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        {"bm": "e4 Kd2", "id": "a; b"},
    ),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 7; fmvn 30; am Kf1", "4k3/8/8/8/8/8/4P3/4K3 w - - 7 30", {"am": "Kf1"}),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 3 9 ;D1 6 ;D2 30", "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9", {"D1": "6", "D2": "30"}),
    ("4k3/8/8/8/8/8/4P3/4K3 b - -1 12 ; bm Kd8\0", "4k3/8/8/8/8/8/4P3/4K3 b - - 1 12", {"bm": "Kd8"}),
    (
        "4k3/8/8/8/8/8/4P3/4K3 w - - ; bm Kd2 + e4 ; id A.01 ",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        {"bm": "Kd2 + e4", "id": "A.01"},
    ),
    ("4k3/8/8/8/8/8/4P3/4K3 b", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", {}),
]


@pytest.mark.parametrize(("line", "fen", "facts"), POSITIONS)
def test_positions(line: str, fen: str, facts: dict[str, str]) -> None:
    record = epd.loads(f"# comment\n\n{line}\n")
    assert fen_of(state_of(record)) == fen and record.properties == facts  # type: ignore[arg-type]
    assert (record.position or START) == fen and record.to_move == (
        "wb".index(fen.split()[1]) if record.position else None
    )
    assert fen_of(state_of(epd.loads(epd.dumps(record)))) == fen  # type: ignore[arg-type]


def test_positions_are_written() -> None:
    assert epd.dumps(pgn.loads(GAME)) == "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4\n"
    line = '4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 7; fmvn 30; bm e4 Kd2; id "one";\n'
    assert epd.dumps(epd.loads(line)) == line
    with pytest.raises(RecordError, match="positions of chess only"):
        epd.dumps(Record("go", 9, 9))


def test_lists_of_positions_go_on_after_a_bad_line() -> None:
    lines = f'{START}\nhello\n4k3/8/8/8/8/8/8/8 w - -\n4k3/8/8/8/8/8/8/4K3 w - - bm "x\n'
    found = epd.loads_kept(lines)
    assert isinstance(found[0], Record) and [str(error) for error in found[1:]] == [
        "'hello' is no position: a FEN has six fields",
        "White does not have exactly one king",
        "'bm \"x' is no operation of EPD",
    ]
    with pytest.raises(RecordError, match="^game 2: 'hello' is no position"):
        epd.loads_all(lines)
    with pytest.raises(RecordError, match="no chess position"):
        epd.loads("# nothing\n")


@pytest.mark.parametrize(
    "name",
    ["perft/sunfish_perft.epd", "perft/ethereal_fischer960.epd", "tactics/wac_sunfish.epd", "tactics/kaufman.epd"],
)
def test_shared_positions(shared: Callable[[str], Path], name: str) -> None:
    found = records.read_all(shared(f"data/chess/{name}"))
    assert len(found) > 20 and all(record.properties for record in found)
