"""UCI piece by piece: words of `go`, values of options, clocks, positions, `info` lines."""

from __future__ import annotations

import math

import pytest
from uci_client import CONFIG

from tengen.engine.games.chess_text import fen_of, state_from_fen
from tengen.engine.info import Info, Line, Proof
from tengen.engine.play.clock import LEAST, Overhead
from tengen.protocols.uci import go, options, report, setting, timing
from tengen.protocols.uci.position import Position, Unusable

OPTIONS = options.options_for(CONFIG)

# what follows `go` -> fields of it
WORDS = [
    ("", {}),
    ("depth 5", {"depth": 5}),
    ("depth 0", {"depth": 1}),
    ("nodes 100 depth 7", {"nodes": 100, "depth": 7}),
    ("movetime -5", {"movetime": 1}),
    ("mate 3", {"mate": 3}),
    ("infinite", {"is_infinite": True}),
    ("ponder wtime 10 btime 20", {"is_ponder": True, "times": (10, 20)}),
    ("wtime 100", {"times": (100, None)}),
    ("binc 3 btime -50 movestogo 4", {"times": (None, -50), "increments": (0, 3), "movestogo": 4}),
    ("winc -3 wtime 5", {"times": (5, None)}),
    ("movestogo 0 wtime 5", {"times": (5, None)}),
    ("searchmoves a2a3 h2h3 depth 4", {"moves": ("a2a3", "h2h3"), "depth": 4}),
    ("depth 2 searchmoves e7e8Q", {"depth": 2, "moves": ("e7e8q",)}),
    ("searchmoves infinite", {"is_infinite": True}),
    ("perft 3", {"perft": 3}),
    ("movetime 12.7", {"movetime": 12}),
    ("wtime 99999999999999999999999999", {"times": (go.MOST, None)}),
    ("depth 3 depth 4", {"depth": 4}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "fields"), WORDS)
def test_words_of_go(text: str, fields: dict[str, object]) -> None:
    assert go.parse(text.split()) == go.Go()._replace(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "note"), [
    ("depth", "go depth needs a number"), ("depth x nodes 5", "go depth needs a number"),
    ("fast depth 3", "go: 'fast' is ignored"), ("searchmoves a9a3 depth 1", "go searchmoves: 'a9a3' is no move"),
])  # fmt: skip
def test_words_that_mean_nothing_are_told(text: str, note: str) -> None:
    assert note in go.parse(text.split()).notes


def test_what_bounds_a_search() -> None:
    bounded = ("depth 1", "nodes 1", "movetime 1", "wtime 1", "perft 1")
    assert all(go.parse(text.split()).is_bounded for text in bounded)
    assert not any(go.parse(text.split()).is_bounded for text in ("", "infinite", "infinite depth 3", "mate 2"))
    assert go.parse(["mate", "2"]).may_answer and not go.parse(["infinite", "mate", "2"]).may_answer


# what follows `setoption` -> name, value
SETTINGS = [
    ("name Hash value 64", "hash", "64"),
    ("name  Clear   Hash ", "clear hash", None),
    ("NAME move overhead VALUE  30 ", "move overhead", "30"),
    ("name Debug Log File value my log.txt", "debug log file", "my log.txt"),
    ("name Debug Log File value", "debug log file", None),
    ("name x value value 3", "x", "value 3"),
]


@pytest.mark.parametrize(("text", "name", "value"), SETTINGS)
def test_the_words_of_setoption(text: str, name: str, value: str | None) -> None:
    found = setting.parse(text)
    assert (found.name, (found.value or "").strip() or None) == (name, value)


@pytest.mark.parametrize("text", ["", "name", "value 3", "Hash 3"])
def test_setoption_without_a_name(text: str) -> None:
    with pytest.raises(setting.Refused):
        setting.parse(text)


@pytest.mark.parametrize(("name", "given", "value", "is_told"), [
    ("hash", "64", 64, False), ("hash", "0", 1, True), ("hash", "9" * 400, options.MOST_HASH, True),
    ("hash", "-3", 1, True), ("threads", "2.0", 2, False), ("multipv", "100000", options.MOST_LINES, True),
    ("ponder", "TRUE", True, False), ("ponder", "off", False, False), ("player", "RANDOM", "random", False),
    ("evalfile", "<empty>", "", False),
])  # fmt: skip
def test_values_of_options(name: str, given: str, value: object, is_told: bool) -> None:
    found, remark = setting.value_of(OPTIONS[name], given)
    assert found == value and bool(remark) == is_told


@pytest.mark.parametrize(("name", "given"), [
    ("hash", "x"), ("hash", ""), ("hash", "nan"), ("ponder", "perhaps"), ("player", "nobody"),
    ("syzygypath", "a\x1b[31m"), ("book file", "x" * 5000),
])  # fmt: skip
def test_values_that_are_refused(name: str, given: str) -> None:
    with pytest.raises(setting.Refused):
        setting.value_of(OPTIONS[name], given)


def test_what_drivers_ask_of_the_options() -> None:
    """lichess-bot, cutechess and python-chess do not start an engine that lacks one of these."""
    lines = [options.option_line(option) for option in OPTIONS.values()]
    for name, most in (("Hash", 65536), ("Threads", 512), ("MultiPV", 218), ("Move Overhead", 5000)):
        line = next(line for line in lines if line.startswith(f"option name {name} type spin default "))
        low, high = (int(line.split()[line.split().index(word) + 1]) for word in ("min", "max"))
        assert low <= 1 and high >= most
    for name in ("Ponder", "UCI_Chess960", "UCI_ShowWDL", "UCI_AnalyseMode", "UCI_LimitStrength"):
        assert f"option name {name} type check default false" in lines
    for name in ("SyzygyPath", "Debug Log File", "Book File"):
        assert f"option name {name} type string default <empty>" in lines
    assert not any(line != line.rstrip() for line in lines)
    assert int(OPTIONS["uci_elo"].low) <= 1400 and int(OPTIONS["uci_elo"].high) >= 2800


def test_memory_and_hash_say_the_same() -> None:
    assert all(options.hash_of(options.memory_of(size)) == size for size in (1, 16, 100, 4096, 65536))


# seconds, increment, moves to go, moves left
CLOCKS = [(1, 0.01, None, 37), (60, 0, None, 40), (60, 1, None, 20), (300, 3, None, 15), (0.1, 0, None, 30), (10, 0, 1, 40),
          (10, 0, 40, 40), (10, 0.1, 2, 40), (0.03, 0.01, None, 30)]  # fmt: skip


@pytest.mark.parametrize(("left", "increment", "moves", "moves_left"), CLOCKS)
@pytest.mark.parametrize("overhead", [0.0, 0.01, 0.5])
def test_a_move_takes_a_share_of_the_clock(
    left: float, increment: float, moves: int | None, moves_left: float, overhead: float
) -> None:
    late = Overhead()
    seconds = timing.share(timing.Remaining(left, increment, moves), moves_left, overhead, late)
    assert LEAST <= seconds
    assert seconds + overhead < left or seconds == LEAST
    if moves is None:
        assert seconds <= max(LEAST, 0.5 * left)


@pytest.mark.parametrize("left", [0.0, -5.0, -1e9, 0.001])
def test_a_clock_that_is_over_leaves_the_least(left: float) -> None:
    assert timing.share(timing.Remaining(left, 0.0, None), 30, 0.01, Overhead()) == LEAST


def test_a_whole_game_keeps_within_its_clock() -> None:
    """Each move takes all that it may and 5 ms more."""
    late, left = Overhead(), 1.0
    for ply in range(400):
        left -= timing.share(timing.Remaining(left, 0.01, None), max(15, 40 - ply / 10), 0.01, late) + 0.005
        assert left > 0.03
        left += 0.01


def test_moves_to_go_share_the_time() -> None:
    late = Overhead(0.0)
    last, many = (timing.share(timing.Remaining(10.0, 0.0, moves), 40, 0.0, late) for moves in (1, 10))
    assert 7 < last < 9.5 and 0.8 < many < 2.0


def test_a_fixed_time_is_kept() -> None:
    late = Overhead(0.0)
    assert timing.fixed(1000, 0.01, late) == pytest.approx(0.99)
    assert timing.fixed(1, 0.01, late) == LEAST
    assert timing.fixed(100, 5.0, late) == pytest.approx(0.05)


def test_lost_time_is_learned() -> None:
    late, game = Overhead(0.0), object()
    lags = timing.Lags(late)
    first = timing.Remaining(10.0, 0.1)
    lags.told(game, 0, first)
    lags.spent(first, 0.5)
    lags.told(game, 2, timing.Remaining(9.5, 0.1))
    assert late.reserve() == pytest.approx(Overhead.FLOOR + 0.1)
    lags.spent(timing.Remaining(9.5, 0.1), 0.5)
    lags.told(object(), 4, timing.Remaining(8.0, 0.1))
    assert late.reserve() == pytest.approx(Overhead.FLOOR + 0.1)


def test_the_other_clock_stands_in() -> None:
    assert timing.remaining(go.parse("wtime 500 winc 7".split()), 1) == timing.Remaining(0.5, 0.0, None)
    assert timing.remaining(go.parse(["infinite"]), 0) is None


# what follows `position` -> the FEN after it (None: the start), what is told
POSITIONS = [
    ("startpos", None, ""),
    ("startpos moves", None, ""),
    ("startpos moves e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", ""),
    ("startpos moves e2e5", None, "illegal move e2e5 at ply 1 ignored from here"),
    ("startpos moves e2e4 e7e5 e2e4 a7a6", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
     "illegal move e2e4 at ply 3 ignored from here"),
    ("fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - moves E2E4", "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - - 0 1", ""),
    ("fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8q", "Q3k3/8/8/8/8/8/8/4K3 b - - 0 1", ""),
    ("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8", "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2", ""),
    ("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1", ""),
    ("startpos moves 0000", None, "illegal move 0000 at ply 1 ignored from here"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "fen", "remark"), POSITIONS)
def test_positions(text: str, fen: str | None, remark: str) -> None:
    position = Position()
    start = fen_of(position.state)
    assert position.set(text.split(), False) == remark
    assert fen_of(position.state) == (fen or start)


@pytest.mark.parametrize("text", [
    "", "somewhere", "fen", "fen garbage", "fen 8/8/8/8/8/8/8/8 w - - 0 1", "fen 8/8/8/8/8/8/8/K7 w - - 0 1",
    "fen 4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1", "fen 4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
    "fen kk6/8/8/8/8/8/8/KK6 w - - 0 1", "fen 9/9/9/9/9/9/9/9 w - - 0 1",
])  # fmt: skip
def test_positions_that_are_refused_change_nothing(text: str) -> None:
    position = Position()
    position.set("startpos moves e2e4".split(), False)
    before = fen_of(position.state)
    with pytest.raises(Unusable):
        position.set(text.split(), False)
    assert fen_of(position.state) == before
    assert position.set("startpos moves e2e4 e7e5".split(), False) == "" and len(position.moves) == 2


def test_a_game_that_goes_on_is_not_played_anew() -> None:
    position = Position()
    moves = "g1f3 g8f6 f3g1 f6g8 e2e4 e7e5".split()
    for plies in (2, 4, 6, 3, 6, 0, 5):
        start = position.start
        position.set(["startpos", "moves", *moves[:plies]], False)
        other = Position()
        other.set(["startpos", "moves", *moves[:plies]], False)
        assert fen_of(position.state) == fen_of(other.state) and position.start is start
        assert position.moves == other.moves
    position.set(["startpos", "moves", "e2e4", "c7c5"], False)
    assert fen_of(position.state).startswith("rnbqkbnr/pp1ppppp/8/2p5/4P3/")


def test_castling_is_written_as_the_gui_wants_it() -> None:
    fen = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    for is_chess960, text in ((False, "e1g1"), (True, "e1h1")):
        position = Position()
        position.set(fen.split(), is_chess960)
        move = position.move("e1g1")
        assert move == 4 | 7 << 6 and position.text(move) == text


def view(fen: str, **fields: object) -> report.View:
    state = state_from_fen(fen)
    return report.View(state, [state.situational_key], **fields)  # type: ignore[arg-type]


START = view("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")


def line(words: str, state: report.View = START, **fields: object) -> Line:
    """A line of these moves."""
    position, moves = state.state.copy(), []
    for word in words.split():
        moves.append(report.CHESS.move_from_text(position, word))
        position.play(moves[-1])
    return Line(moves[0], tuple(moves), 10, 0.4, 0.3, 0.3, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(("fields", "text"), [
    ({"score": 31.4}, "cp 31"), ({"score": -0.4}, "cp 0"), ({"score": 1e9}, "cp 30000"),
    ({"proof": Proof(0, 9), "score": 12.0}, "cp 0"), ({"proof": Proof(1, 5)}, "cp 20000"),
    ({"score": 5.0, "bound": "lower"}, "cp 5 upperbound"), ({"score": 5.0, "bound": "upper"}, "cp 5 lowerbound"),
])  # fmt: skip
def test_scores(fields: dict[str, object], text: str) -> None:
    assert score("e2e4", START, **fields) == text


def score(words: str, state: report.View, **fields: object) -> str:
    """What is told of a line's worth."""
    text, _ = report.info_line(line(words, state, **fields), 1, Info(), state)
    return text.partition(" score ")[2].partition(" nodes ")[0]


def test_mates_are_counted_by_their_variation() -> None:
    """The fool's mate: three plies before it, two, one."""
    position = START.state.copy()
    told = {}
    for number, word in enumerate("f2f3 e7e5 g2g4 d8h4".split()):
        now = report.View(position.copy(), [position.situational_key])
        rest = " ".join("f2f3 e7e5 g2g4 d8h4".split()[number:])
        told[number] = score(rest, now, proof=Proof(1 if number % 2 else -1, 4 - number))
        position.play(report.CHESS.move_from_text(position, word))
    assert told == {0: "mate -2", 1: "mate 2", 2: "mate -1", 3: "mate 1"}


def test_an_info_line_is_whole() -> None:
    info = Info((), playouts=1234, seconds=0.1239, hashfull=0.5)
    text, pv = report.info_line(line("e2e4 e7e5", score=31.0, depth=3, seldepth=5), 1, info, START)
    assert text == (
        "info depth 3 seldepth 5 multipv 1 score cp 31 nodes 1234 nps 9959 hashfull 500 tbhits 0 time 123 pv e2e4 e7e5"
    )
    assert len(pv.moves) == 2
    shown = report.info_line(line("e2e4"), 1, info, START._replace(shows_wdl=True))[0]
    assert " wdl 400 300 300 nodes " in shown


def test_no_number_is_strange() -> None:
    info = Info((), playouts=10**15, seconds=0.0, hashfull=1.5)
    text, _ = report.info_line(line("e2e4", score=-math.inf), 1, info, START)
    assert "." not in text and " time 0 " in text and " hashfull 1000 " in text and " cp -30000 " in text


def test_a_variation_ends_with_the_game() -> None:
    shuffle = "g1f3 g8f6 f3g1 f6g8 " * 3
    assert len(report.variation(START, line(shuffle).pv, is_proof=False).moves) == 8
    late = view("4k3/8/8/8/8/8/4P3/4K2R w - - 98 80")
    assert report.variation(late, line("h1h2 e8d8 h2h3", late).pv, is_proof=False).text == "h1h2 e8d8"
    illegal = (*line("e2e4").pv, 0)
    assert report.variation(START, illegal, is_proof=False).text == "e2e4"


def test_the_last_lines_are_about_the_move() -> None:
    lines: list[str] = []
    reports = report.Reports(lines.append, START._replace(lines=2))
    info = Info((line("e2e4 e7e5"), line("d2d4")), playouts=5)
    text, reply = reports.last(info, info.lines[1].move)
    assert [row.split(" pv ")[1] for row in text.splitlines()] == ["e2e4 e7e5", "d2d4", "d2d4"] and reply is None
    text, reply = reports.last(info, info.lines[0].move)
    assert text.splitlines()[-1].endswith(" multipv 1 " + text.splitlines()[-1].partition(" multipv 1 ")[2])
    assert text.splitlines()[-1].endswith("pv e2e4 e7e5") and reply is not None


def test_what_is_known_is_not_told_twice() -> None:
    lines: list[str] = []
    reports = report.Reports(lines.append, START)
    info = Info((line("e2e4 e7e5"),), playouts=5)
    reports(info)
    reports(info)
    assert len(lines) == 1
    assert reports.last(info, info.lines[0].move)[0] == ""
