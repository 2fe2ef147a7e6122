"""UCI conversations, line by line, in this process."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from uci_client import CONFIG, MATE_IN_1, MATED, STALEMATE, best, converse, field, say, told, variations
from whole_sets import portion

from tengen.engine.evaluators import shipped
from tengen.protocols.uci import go_search, go_task

FIRST = r"[a-h]2[a-h][34]|b1[ac]3|g1[fh]3"
INFO = re.compile(
    r"info depth \d+ seldepth \d+ multipv \d+ score (cp -?\d+|mate -?\d+)( wdl \d+ \d+ \d+)? nodes \d+ nps \d+ "
    r"hashfull \d+ tbhits \d+ time \d+ pv( [a-h][1-8][a-h][1-8][nbrq]?)+"
)


def test_the_greeting() -> None:
    lines = say("uci")
    assert lines[0].startswith("id name Tengen ") and lines[1].startswith("id author ") and lines[-1] == "uciok"
    assert all(line.startswith("option name ") for line in lines[2:-1]) and not any(
        line.endswith(" ") for line in lines
    )
    assert say("uci", config=replace(CONFIG, name="A B", version_string="7"))[0] == "id name A B 7"
    assert say("isready") == ["readyok"]


@pytest.mark.parametrize("go", [
    "go depth 3", "go nodes 100", "go movetime 20", "go wtime 200 btime 200 winc 0 binc 0", "go wtime 100", "go btime 100",
    "go wtime -50 btime -50", "go wtime 0 btime 0", "go depth 0", "go nodes 0", "go movetime 0", "go depth 2 movetime 10000",
    "go movestogo 1 wtime 100 btime 100", "go wtime 200 depth 2 movetime 500 nodes 10000", "go nodes 1",
])  # fmt: skip
def test_every_way_to_go_has_a_move(go: str) -> None:
    lines = say("position startpos", go)
    assert len(best(lines)) == 1 and re.fullmatch(FIRST, best(lines)[0])
    assert lines[-1].startswith("bestmove ") and variations(lines) and lines[-2] == variations(lines)[-1]
    assert all(INFO.fullmatch(line) for line in variations(lines))
    assert field(lines[-2], "pv") == best(lines)[0]
    if " ponder " in lines[-1]:
        assert lines[-2].split(" pv ")[1].split()[1] == lines[-1].split()[3]


def test_depth_and_nodes_are_kept() -> None:
    assert field(say("go depth 6")[-2], "depth") == "6"
    assert int(field(say("go nodes 3000")[-2], "nodes")) < 3300


def test_several_lines() -> None:
    lines = say("setoption name MultiPV value 3", "position startpos", "go depth 4")
    last = variations(lines)[-4:]
    assert [field(line, "multipv") for line in last] == ["1", "2", "3", "1"] and last[0] == last[3]
    assert len({field(line, "pv") for line in last}) == 3


def test_the_chances_are_told_on_request() -> None:
    lines = say("setoption name UCI_ShowWDL value true", "go depth 3")
    chances = [int(word) for word in lines[-2].split(" wdl ")[1].split()[:3]]
    assert sum(chances) == 1000 and min(chances) >= 0
    assert "wdl" not in say("go depth 3")[-2]


def test_a_mate_is_told_in_moves() -> None:
    lines = say(f"position fen {MATE_IN_1}", "go depth 3")
    assert " score mate 1 " in lines[-2] and best(lines) == ["d1d8"] and "ponder" not in lines[-1]
    assert best(say(f"position fen {MATE_IN_1}", "go mate 1")) == ["d1d8"]


@pytest.mark.parametrize(("fen", "score"), [(MATED, "mate 0"), (STALEMATE, "cp 0")])
@pytest.mark.parametrize("go", ["depth 3", "movetime 10", "wtime 5"])
def test_a_game_that_is_over_has_no_move(fen: str, score: str, go: str) -> None:
    assert say(f"position fen {fen}", f"go {go}")[-2:] == [f"info depth 0 score {score}", "bestmove (none)"]


def test_searchmoves() -> None:
    assert best(say("go searchmoves a2a3 depth 2")) == ["a2a3"]
    assert best(say("go depth 2 searchmoves h2h4 a2a3"))[0] in ("h2h4", "a2a3")
    lines = say("go searchmoves e2e5 a2a3 depth 2")
    assert best(lines) == ["a2a3"] and told(lines) == ["searchmoves: e2e5 illegal here, ignored"]
    assert re.fullmatch(FIRST, best(say("go searchmoves e2e5 depth 2"))[0])


def test_perft_counts_by_moves() -> None:
    lines = say("go perft 3")
    assert "e2e4: 600" in lines and "Nodes searched: 8902" in lines and not best(lines)
    assert "Nodes searched: 1" in say("go perft 0") and "Nodes searched: 20" in say("perft 1")
    kiwi = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    lines = say(f"position fen {kiwi}", "go perft 2")
    assert "Nodes searched: 2039" in lines and "e1g1: 43" in lines


def test_chess960() -> None:
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    lines = say("setoption name UCI_Chess960 value true", f"position fen {fen}", "go perft 2", "go depth 2")
    assert "Nodes searched: 528" in lines
    castle = "position fen 4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1"
    assert "e1g1: 1" in say(castle, "go perft 1")
    assert "e1h1: 1" in say("setoption name UCI_Chess960 value true", castle, "go perft 1")


def test_illegal_moves_and_positions_are_told() -> None:
    assert told(say("position startpos moves e2e5", "d"))[0] == "illegal move e2e5 at ply 1 ignored from here"
    lines = told(say("position startpos moves e2e4", "position fen garbage", "d"))
    assert (
        lines[0].startswith("invalid fen: ")
        and "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" in lines
    )


def test_drawn_by_the_counters_is_no_end() -> None:
    """A draw that somebody would have to claim is searched like any position."""
    shuffle = "position startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 3
    assert re.fullmatch(FIRST, best(say(shuffle, "go depth 3"))[0])
    lines = say("position fen 4k3/8/8/8/8/8/4P3/4K2R w - - 100 80", "go depth 3")
    assert best(lines) != ["(none)"] and variations(lines)


ROOTS = [
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 100 80", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 150 80",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 9999 900", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
]  # fmt: skip
STILL_MOVES = [
    "8/8/4k3/8/8/4K3/8/8 w - - 0 1", "8/8/4k3/8/8/3NK3/8/8 b - - 0 1", "8/8/4k3/5b2/8/3BK3/8/8 w - - 160 90",
    "4k3/8/8/8/8/8/4P3/4K2R b - - 150 90", "7k/5K2/8/6B1/8/8/8/8 b - - 0 1",
]  # fmt: skip


@pytest.mark.parametrize("player", ["alphabeta", "minimax", "random"])
@pytest.mark.parametrize("fen", [*ROOTS, *STILL_MOVES])
def test_whoever_plays_has_a_move_while_there_is_one(player: str, fen: str) -> None:
    lines = say(f"setoption name Player value {player}", f"position fen {fen}", "go nodes 2000")
    assert best(lines) != ["(none)"] and int(field(lines[-2], "nodes")) > 0
    if fen in ROOTS and player != "random":
        assert best(lines) == ["d1d8"] and " score mate 1 " in lines[-2]


def test_the_game_goes_on_after_its_end() -> None:
    moves = "position fen 8/8/4k3/8/8/3NK3/8/8 w - - 148 90 moves d3f4 e6e5 f4d3 e5e6"
    assert best(say(moves, "go depth 3")) != ["(none)"] and not told(say(moves))


def test_castling_is_no_move_of_a_king_elsewhere() -> None:
    lines = say("position fen r5k1/8/8/8/8/8/8/4K3 b kq - 0 1", "go perft 1")
    assert not any(line.startswith("g8a8") for line in lines)
    shown = say("setoption name UCI_Chess960 value true", "position fen r5k1/8/8/8/8/8/8/4K3 b q - 0 1", "go perft 1")
    assert "g8a8: 1" in shown


def test_a_mate_by_a_table_is_told_in_moves() -> None:
    lines = say("position fen 8/8/8/4k3/8/8/8/KBN5 w - - 0 1", "go nodes 2000")
    assert re.search(r" score mate \d+ ", lines[-2])


def test_go_that_is_not_understood_ends() -> None:
    lines = say("go movetime abc", "isready")
    assert len(best(lines)) == 1 and "go movetime needs a number" in told(lines)


def test_values_of_options_that_do_not_fit() -> None:
    lines = told(say("setoption name Hash value 0", "setoption name hash value x", "setoption name Xyzzy value 1",
                     "setoption", "setoption name Ponder value perhaps"))  # fmt: skip
    assert lines[0] == "Hash must be a whole number from 1 to 1048576: it is 1 now"
    assert lines[1].startswith("Hash must be ") and lines[2] == "no option is called 'xyzzy'"
    assert len(lines) == 5


def test_what_is_no_command() -> None:
    assert told(say("xyzzy 1 2")) == ["unknown command 'xyzzy'"]
    assert say("", "   ", "\t", "stop", "ponderhit", "register later", "debug off", "\r") == []
    assert say("please stop", "  isready \t") == ["readyok"]
    assert say("joho debug on", "now isready") == ["readyok"]
    assert not best(say("please go depth 1")) and told(say("please go depth 1"))


def test_white_space_and_line_ends() -> None:
    assert best(say("  position \t startpos  moves   e2e4 ", "go \t depth   1\r"))[0][1] in "6785"
    assert say(b"\xef\xbb\xbfisready\r") == ["readyok"]
    assert say(b"isready\x00") and say(b"\xff\xfe isready")


def test_a_stronger_and_a_weaker_player() -> None:
    weak = ("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 600")
    moves = {best(say(*weak, "go movetime 2000", config=replace(CONFIG, seed=seed)))[0] for seed in range(12)}
    assert len(moves) > 2
    lines = say(*weak, "go movetime 2000")
    assert int(field(lines[-2], "nodes")) < 2000 and field(lines[-2], "pv") == best(lines)[0]
    assert field(lines[-2], "multipv") == "1"
    full = say(*weak, "setoption name UCI_AnalyseMode value true", "go nodes 20000")
    assert int(field(full[-2], "nodes")) > 10000
    level = say("setoption name Level value 1", "go movetime 2000")
    assert int(field(level[-2], "nodes")) < 2000


def test_nodes_whatever_the_gui_asks() -> None:
    lines = say("setoption name Nodes value 200", "go wtime 100000 btime 100000")
    assert int(field(lines[-2], "nodes")) < 400


def test_another_player() -> None:
    lines = say("setoption name Player value random", "go wtime 1000 btime 1000", "setoption name Player value alphabeta",
                "go depth 2")  # fmt: skip
    assert len(best(lines)) == 2 and told(say("setoption name Player value nobody"))


def test_what_a_person_may_ask() -> None:
    lines = told(say("d"))
    assert "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" in lines and "Legal moves: 20" in lines
    by_network, by_tables = told(say("eval"))[0], told(say("setoption name EvalFile value none", "eval"))[0]
    assert by_network.startswith("Final evaluation: ") and by_network.endswith("(white side, network)")
    assert by_tables.startswith("Final evaluation: ") and by_tables.endswith("(white side, tables)")
    assert "(in check)" in told(say(f"position fen {MATED}", "eval"))[0]


def test_bench_repeats() -> None:
    counts = {next(line for line in say("bench 3") if line.startswith("Nodes searched")) for _ in range(2)}
    assert len(counts) == 1


def test_debugging_tells_the_time() -> None:
    assert any(line.startswith("time 0.") for line in told(say("debug on", "go wtime 1000 btime 1000")))


@pytest.mark.parametrize(("name", "value"), [
    ("EvalFile", "../x"), ("EvalFile", "missing.safetensors"), ("SyzygyPath", "/nonexistent"), ("SyzygyPath", "missing"),
    ("Book File", "../book.bin"), ("Book File", "missing.bin"), ("Debug Log File", "../x.log"), ("Debug Log File", "x.py"),
])  # fmt: skip
def test_files_that_are_refused(tmp_path: Path, name: str, value: str) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "x.py").write_text("kept")
    (tmp_path / "x").write_text("kept")
    (tmp_path / "book.bin").write_bytes(bytes(16))
    lines = say(f"setoption name {name} value {value}", "go depth 1", config=replace(CONFIG, file_root=str(inner)))
    assert len(told(lines)) == 1 and told(lines)[0].startswith(f"{name}: ") and len(best(lines)) == 1
    assert (inner / "x.py").read_text() == "kept" and not (tmp_path / "x.log").exists()


def test_weights_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "w.safetensors").write_bytes(b"no weights")
    config = replace(CONFIG, file_root=str(tmp_path))
    lines = say("setoption name EvalFile value w.safetensors", "isready", "go depth 2", config=config)
    assert len(told(lines)) == 1 and len(best(lines)) == 1
    assert len(best(say("setoption name EvalFile value none", "go depth 2"))) == 1


def test_a_search_that_breaks_still_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*words: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(go_search.GoSearch, "_searched", broken)
    lines = say("go depth 3", errors=True)
    assert told(lines) == ["internal error: ZeroDivisionError"] and re.fullmatch(FIRST, best(lines)[0])
    assert lines[-2].startswith("info depth 1 ")


def test_a_command_that_breaks_does_not_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(go_task, "search", lambda *words: 1 // 0)
    lines, said = converse("go depth 3", "isready")
    assert "Traceback" in said and "readyok" in lines and re.fullmatch(FIRST, best(lines)[0])


def test_garbage_never_ends_it() -> None:
    dice = random.Random(7)
    words = "uci isready setoption name value Hash position startpos fen moves e2e4 go depth 1 nodes -3 stop debug on".split()
    lines: list[str | bytes] = [bytes(dice.randrange(256) for _ in range(dice.randrange(60))) for _ in range(50)]
    lines += [" ".join(dice.choices(words, k=dice.randrange(1, 9))) for _ in range(portion(80))]
    lines = [line.replace(b"\n", b"") if isinstance(line, bytes) else line for line in lines]
    answers = say(*lines, "ucinewgame", "setoption name MultiPV value 1", "position startpos", "go depth 1")
    assert re.fullmatch(FIRST, best(answers)[-1])


def test_a_game_that_goes_on_keeps_what_was_found() -> None:
    """The second search of the same game is not made of nothing."""
    moves = "position startpos moves e2e4 e7e5 g1f3 b8c6"
    kept = say("position startpos moves e2e4 e7e5", "go depth 9", moves, "go depth 7")
    fresh = say("position startpos moves e2e4 e7e5", "go depth 9", "ucinewgame", moves, "go depth 7")
    assert int(field(kept[-2], "nodes")) < int(field(fresh[-2], "nodes"))


def test_without_the_network_that_is_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation that lost it plays on by the tables, and says so once."""
    monkeypatch.setattr(shipped, "folders", lambda: (tmp_path,))
    answers = say("isready", "position startpos", "go depth 3", "position startpos moves e2e4", "go depth 3")
    assert len(best(answers)) == 2 and len(variations(answers)) >= 2
    assert sum("tengen-chess.safetensors" in line for line in told(answers)) == 1
