"""XBoard's protocol: what a conversation answers, line by line."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import chess
import chess.polyglot
import pytest
from xboard_client import CONFIG, converse, fen_after, moves, say

from tengen.engine.games.chess.text import START
from tengen.protocols.chess import tasks
from tengen.protocols.chess.search import ChessSearch
from tengen.protocols.xboard import XBoard
from tengen.protocols.xboard.thinking import Thinking

FIRST = r"move ([a-h]2[a-h][34]|b1[ac]3|g1[fh]3)"
MATE_IN_1 = "setboard 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
FOOLS = ("force", "f2f3", "e7e5", "g2g4")
THINKING = re.compile(r"\d+ -?\d+ \d+ \d+ \d+ \d+ \d+\t\S.*")


def test_features_come_at_once_and_end() -> None:
    lines = say("xboard", "protover 2", "accepted ping", "rejected setscore")
    assert all(line.startswith("feature ") for line in lines) and lines[-1] == "feature done=1"
    text = " ".join(lines)
    for feature in (
        "ping=1",
        "setboard=1",
        "usermove=1",
        "sigint=0",
        'variants="normal,fischerandom"',
        "memory=1",
        "smp=1",
    ):
        assert f" {feature}" in text
    assert 'option="Elo -spin 1500 600 2850"' in text and 'option="Player -combo *alphabeta /// ' in text
    assert "myname=\"A 'B' 7\"" in " ".join(say("protover 2", config=replace(CONFIG, name='A "B"', version_string="7")))


# lines -> the answer, a regular expression of the whole
DIALOGUES = [
    (("ping 7",), "pong 7"),
    (("hello there",), r"Error \(unknown command\): hello there"),
    (("new", "e2e5"), "Illegal move: e2e5"),
    (("new", "Nf6", "usermove xyz"), "Illegal move: Nf6\nIllegal move: xyz"),
    (("force", "usermove e2e4", "usermove e2e4"), "Illegal move: e2e4"),
    (("force", "undo"), r"Error \(command not legal now\): undo"),
    (("force", "e2e4", "remove"), r"Error \(command not legal now\): remove"),
    (("exit",), r"Error \(command not legal now\): exit"),
    (("variant atomic",), r"Error \(unknown variant\): variant atomic"),
    (("pause",), r"Error \(unknown command\): pause"),
    (("sd x", "level 1", "option Xyzzy=1"), r"Error \(not a number\): sd x\nError \(not a number\): level 1\nError \(unknown option\): option Xyzzy=1"),
    (("setboard 8/8/8/8/8/8/8/8 w - - 0 1", "e2e4", "go"), r"tellusererror Illegal position \(.*\)\nIllegal move \(illegal position\): e2e4\nError \(command not legal now\): go"),
    (("setboard x", "new", "force", "e2e4"), r"tellusererror Illegal position .*"),
    (("new", "sd 3", "go"), FIRST),
    (("sd 2", "new", "st 0.05", "go", "ping 3"), f"{FIRST}\npong 3"),
    (("new", "nps 1000", "st 2", "go"), FIRST),
    (("new", "level 40 0:30 0", "time 50", "otim 3000", "go"), FIRST),
    (("new", "level 0 1 0", "time -500", "go"), FIRST),
    (("st 0.1", "new", "e2e4"), r"move [a-h][78][a-h][56]|move [bg]8[acfh]6"),
    (("new", "force", "e2e4", "st 0.1", "go"), r"move [a-h][78][a-h][56]|move [bg]8[acfh]6"),
    (("st 0.1", "new", MATE_IN_1, "go"), r"move d1d8\n1-0 \{White mates\}"),
    ((*FOOLS, "go"), r"move d8h4\n0-1 \{Black mates\}"),
    ((*FOOLS, "d8h4", "go"), r"0-1 \{Black mates\}"),
    (("force", "setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go"), r"1/2-1/2 \{Stalemate\}"),
    (("force", "setboard 7k/8/8/8/8/8/1q6/K7 w - - 0 1", "sd 3", "go"), r"offer draw\nmove a1b2\n1/2-1/2 \{Insufficient material\}"),
    (("force", "setboard k7/8/8/8/8/8/8/K6R w - - 99 90", "sd 1", "go"), r"offer draw\nmove \w+\n1/2-1/2 \{Draw by fifty-move rule\}"),
    (("edit", "#", "Ka1", "c", "Ka8", "Rh8", ".", "bk"), r" no moves of a book here\n"),
    (("draw", "rating 1 2", "name x", "ics -", "computer", "random", "hard", "easy", "post", "nopost", "result * {x}", "?"), ""),
    (("", " \t ping\t 4 ", "\ufeffping 5\r"), "pong 4\npong 5"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "answer"), DIALOGUES)
def test_dialogues(lines: tuple[str, ...], answer: str) -> None:
    got = "\n".join(say(*lines))
    assert re.fullmatch(answer, got), got


# lines -> the position after them
POSITIONS = [
    (("force", "e2e4", "usermove e7e5", "Nf3"), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"),
    (("force", "e2e4", "e7e5", "undo"), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
    (("force", "e2e4", "e7e5", "remove"), START),
    (("force", "e2e4", "new"), START),
    (("force", "setboard r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O-O"), "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"),
    (("force", "setboard 4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n"), "N3k3/8/8/8/8/8/8/4K3 b - - 0 1"),
    (("variant fischerandom", "force", "setboard 4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", "O-O"), "4k3/8/8/8/8/8/8/1R3RK1 b - - 1 1"),
    (("variant fischerandom", "force", "setboard 4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1", "e1b1"), "4k3/8/8/8/8/8/8/2KR2R1 b - - 1 1"),
    (("force", "edit", "#", "Ke1", "Rh1", "Pa2", "xa2", "c", "Ke8", "Ra8", "Pa7", "."), "r3k3/p7/8/8/8/8/8/4K2R w Kq - 0 1"),
    (("force", "a2a3", "edit", "xa3", "Pa2", "."), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"),
    (("force", "edit", "Ka1", "force", "e2e4"), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
    (("analyze", "e2e4", "undo", "d2d4", "exit"), "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "fen"), POSITIONS)
def test_positions(lines: tuple[str, ...], fen: str) -> None:
    assert fen_after(*lines) == fen


def test_thinking_is_shown_where_it_is_wanted() -> None:
    lines = say("post", "new", "sd 12", "go")
    assert len(lines) > 1 and all(THINKING.fullmatch(line) for line in lines[:-1])
    assert len(say("new", "sd 6", "go")) == 1
    mate = say("post", "new", "force", MATE_IN_1, "sd 3", "go")
    assert mate[0].split()[1] == "100001" and mate[0].endswith("\tRd8#")
    mated = say("post", "new", "force", "setboard 6k1/5ppp/8/8/8/8/r4PPP/1r4K1 w - - 0 1", "sd 3", "go")
    assert mated[-1] == "0-1 {Black mates}"
    losing = say("post", "new", "force", "setboard k7/8/8/8/8/7r/r7/6K1 w - - 0 1", "sd 6", "go")
    assert any(int(line.split()[1]) < -100_000 for line in losing if THINKING.fullmatch(line)), losing
    assert len([line for line in say("post", "option multipv=3", "new", "sd 3", "go") if line.startswith("3 ")]) >= 3


def test_it_plays_both_sides_to_the_end() -> None:
    """`go` after every move."""
    lines = say("new", "force", "setboard 7k/8/8/8/8/8/1R6/R6K w - - 0 1", "sd 8", *["go"] * 12)
    board = chess.Board("7k/8/8/8/8/8/1R6/R6K w - - 0 1")
    for word in moves(lines):
        board.push_uci(word)
    assert board.is_checkmate() and lines.count("1-0 {White mates}") >= 1


def test_weaker_players_move_by_nodes() -> None:
    """Without any time control."""
    for option in ("Level=1", "LimitStrength=1", "Nodes=300", "Player=random", "Player=minimax"):
        assert len(moves(say(f"option {option}", "new", "go"))) == 1, option


def test_options_and_what_has_a_command_of_its_own(tmp_path: Path) -> None:
    handler = XBoard(replace(CONFIG, file_root=str(tmp_path)))
    (tmp_path / "tables").mkdir()
    lines, said = converse(
        "memory 100", "cores 2", f"egtpath syzygy {tmp_path / 'tables'}", "egtpath syzygy /nowhere", "egtpath nalimov /x",
        "option Elo=1400", "option limitstrength=1", "option OwnBook=0", "option MoveOverhead=99999", "option EvalFile=../x",
        "option ClearHash", "option Player=nobody", handler=handler,
    )  # fmt: skip
    values = handler.settings.values
    assert (values["hash"], values["threads"], values["syzygypath"]) == (50, 2, str(tmp_path / "tables"))
    assert (values["uci_elo"], values["uci_limitstrength"], values["ownbook"]) == (1400, True, False)
    assert values["move overhead"] == 5000 and not said
    assert lines[0] == "Error (unknown kind of tables): egtpath nalimov /x"
    assert [line.split()[1] for line in lines[1:]] == ["Move", "EvalFile:", "Player"]
    assert all(line.startswith("tellusererror ") for line in lines[1:])


def test_moves_that_are_not_searched() -> None:
    everything = [move.uci() for move in chess.Board().legal_moves if move.uci() != "h2h3"]
    assert moves(say("new", *(f"exclude {word}" for word in everything), "sd 3", "go")) == ["h2h3"]
    assert moves(say("new", "exclude all", "include a2a3", "sd 3", "go")) == ["a2a3"]
    assert moves(say("new", "exclude all", "include all", "sd 3", "go")) != ["a2a3"]
    assert say("exclude e2e5") == ["Error (illegal move): exclude e2e5"]
    assert len(moves(say("new", "exclude all", "sd 3", "go"))) == 1


def test_the_book(tmp_path: Path) -> None:
    entry = chess.polyglot.zobrist_hash(chess.Board()).to_bytes(8, "big")
    book = b"".join(entry + move.to_bytes(2, "big") + weight.to_bytes(2, "big") + bytes(4)
                    for move, weight in ((0o1434 - 0o20, 1), (0o1333, 3)))  # fmt: skip
    (tmp_path / "book.bin").write_bytes(book)
    config = replace(CONFIG, book=str(tmp_path / "book.bin"))
    shown = say("bk", config=config)
    assert shown[-1] == "" and all(re.fullmatch(r" \w{4} \d+%", line) for line in shown[:-1])
    assert moves(say("new", "option OwnBook=1", "go", config=config))[0] in {line.split()[0] for line in shown[:-1]}
    assert "# the move is from the book" in say("protover 2", "new", "go", config=config)


def test_hints() -> None:
    (line,) = say("force", "hint")
    assert re.fullmatch(r"Hint: [a-h][1-8][a-h][1-8]", line)
    answers = say("new", "sd 4", "go", "hint")
    board = chess.Board()
    board.push_uci(moves(answers)[0])
    assert chess.Move.from_uci(answers[-1].removeprefix("Hint: ")) in board.legal_moves
    assert say("force", "setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "hint") == []


def test_draws_and_giving_up() -> None:
    """A draw is taken late by who is not better; who was hopeless for some moves gives up."""
    drawn = "setboard 8/8/4k3/4p3/4P3/4K3/8/8 w - - 0 1"
    shuffles = ["e3d3", "e6d6", "d3e3", "d6e6"] * 11
    assert "offer draw" not in say("force", drawn, "sd 4", "draw", "go")
    assert "offer draw" in say("force", drawn, *shuffles, "sd 12", "go", "draw")
    hopeless = "setboard 4k3/pppp4/8/8/8/8/qq3PPP/6K1 w - - 0 1"
    moved = """f2f3 a7a6 g2g3 b7b6 h2h3 c7c6 f3f4 d7d6 g3g4 a6a5 h3h4 b6b5 f4f5 c6c5 g4g5 d6d5
               h4h5 a5a4 f5f6 b5b4""".split()
    lines = ("force", hopeless, *moved, "sd 4", "go", "force", "undo", "go", "force", "undo", "go")
    assert say(*lines)[2:] == ["resign"]
    assert len(moves(say(*lines, config=replace(CONFIG, resign=0.0)))) == 3
    assert len(moves(say("force", hopeless, *lines[-8:]))) == 3  # too early in the game


def test_what_breaks_still_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*words: object, **more: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(ChessSearch, "_searched", broken)
        lines, said = converse("new", "sd 3", "go")
    assert re.fullmatch(FIRST, lines[-1]) and "Traceback" in said
    with monkeypatch.context() as patch:
        patch.setattr(Thinking, "_told", broken)
        patch.setattr("threading.excepthook", lambda what: None)
        assert converse("new", "sd 3", "go", "new", "ping 1")[0][-1] == "pong 1"
    monkeypatch.setattr(tasks, "task_of", broken)
    lines, said = converse("new", "sd 3", "go", "ping 1")
    assert (
        re.fullmatch(FIRST, lines[1]) and lines[0].startswith("tellusererror internal error") and lines[2] == "pong 1"
    )
    assert "Traceback" in said


def test_any_input_is_survived() -> None:
    lines = [
        b"\xff\xfe\x00",
        b"usermove",
        b"usermove \x00",
        b"go " + b"9" * 70_000,
        b"edit",
        b"Kz9",
        b"x" * 70_000,
        b"time",
        b".",
    ]
    answers, said = converse("sd 1", *lines, "new", "ping 5")
    assert answers[-1] == "pong 5" and not said
