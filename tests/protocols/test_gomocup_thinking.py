"""What happens while the engine thinks: END, YXSTOP and INFO act at once, everything else waits and nothing is lost."""

from __future__ import annotations

import io
import queue
import time

import pytest
from gomocup_client import QUICK, InProcess, SlowPlayer, is_move, say

from tengen.engine.config import Config
from tengen.protocols import session
from tengen.protocols.gomocup import Gomocup
from tengen.protocols.session import Session

TURN = "INFO timeout_turn 60000"


@pytest.fixture
def talk():
    talk = InProcess()
    yield talk
    talk.end()


def silent(talk: InProcess, seconds: float = 0.15) -> bool:
    """Whether nothing comes for a while."""
    try:
        talk.lines.get(timeout=seconds)
    except queue.Empty:
        return True
    return False


@pytest.mark.parametrize("stop", ["YXSTOP", "stop", "YXSTOP\r"])
def test_stop_answers_at_once(talk: InProcess, stop: str) -> None:
    talk.begin(TURN)
    start = time.monotonic()
    talk.send(stop)
    assert is_move(talk.line()) and time.monotonic() - start < 3
    talk.send("ABOUT")
    assert talk.line().startswith("name=")


def test_a_stop_that_comes_with_its_question(talk: InProcess) -> None:
    start = time.monotonic()
    talk.send(f"START 15\n{TURN}\nBEGIN\nYXSTOP\nTURN 0,0\nYXSTOP")
    assert talk.line() == "OK"
    assert is_move(talk.line()) and is_move(talk.line()) and time.monotonic() - start < 3


@pytest.mark.parametrize(
    "line",
    ["INFO timeout_turn 0", "INFO timeout_turn 50", "INFO time_left 0", "INFO time_left -5", "info TIME_LEFT 20"],
)
def test_less_time_acts_at_once(talk: InProcess, line: str) -> None:
    talk.begin(TURN)
    time.sleep(0.06)
    start = time.monotonic()
    talk.send(line)
    assert is_move(talk.line()) and time.monotonic() - start < 3


@pytest.mark.parametrize("line", ["INFO timeout_turn 0", "INFO time_left 20"])
def test_less_time_that_comes_with_its_question(talk: InProcess, line: str) -> None:
    start = time.monotonic()
    talk.send(f"START 15\n{TURN}\nBEGIN\n{line}")
    assert talk.line() == "OK"
    assert is_move(talk.line()) and time.monotonic() - start < 3


def test_a_limit_that_is_not_reached_yet(talk: InProcess) -> None:
    talk.begin(TURN)
    start = time.monotonic()
    talk.send("INFO timeout_turn 700")
    assert is_move(talk.line())
    assert 0.3 < time.monotonic() - start < 3


@pytest.mark.parametrize(
    "line", ["INFO timeout_turn 90000", "INFO time_left 2147483647", "INFO foo 1", "INFO rule 1", "INFO"]
)
def test_other_information_does_not_disturb(talk: InProcess, line: str) -> None:
    talk.begin(TURN)
    talk.send(line)
    assert silent(talk)
    talk.send("YXSTOP")
    assert is_move(talk.line())


def test_information_for_a_later_command_does_not_disturb(talk: InProcess) -> None:
    talk.begin(TURN)
    talk.send("RESTART\nINFO timeout_turn 0")
    assert silent(talk)
    talk.send("YXSTOP")
    assert is_move(talk.line()) and talk.line() == "OK"


def test_nothing_is_lost(talk: InProcess) -> None:
    talk.begin(TURN)
    talk.send("\n".join(["ABOUT", "INFO rule 1", "FOO", "TAKEBACK 0,0", "PLAY 7,7"] + ["PLAY 7,7"] * 200))
    talk.send("YXSTOP")
    assert is_move(talk.line())
    assert talk.line().startswith("name=")
    assert talk.line() == "UNKNOWN command 'FOO'"
    assert talk.line() in ("OK", "ERROR 0,0 is empty")
    assert talk.line() == "7,7"
    assert [talk.line() for _ in range(200)] == ["ERROR 7,7 is occupied"] * 200


def test_end_while_thinking_writes_nothing(talk: InProcess) -> None:
    talk.begin(TURN)
    time.sleep(0.1)
    start = time.monotonic()
    talk.send("END")
    assert talk.line() == "EOF"
    assert time.monotonic() - start < 3
    assert talk.player.closed


def test_end_that_comes_with_the_question_is_answered_first(talk: InProcess) -> None:
    start = time.monotonic()
    talk.send(f"START 15\n{TURN}\nBEGIN\nEND")
    assert talk.line() == "OK" and is_move(talk.line()) and talk.line() == "EOF"
    assert time.monotonic() - start < 3


def test_the_end_of_input_is_an_end_after_a_while(talk: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "AFTERWARDS", 0.5)
    talk.begin(TURN)
    assert talk.end() < 5


def test_a_broken_search_is_still_answered(talk: InProcess) -> None:
    """A manager waits for a move until the time is over."""
    talk.send("START 15\nPLAY 7,7")
    assert talk.line() == "OK" and talk.line() == "7,7"
    talk.player.fail = ZeroDivisionError("on purpose")
    talk.send("TURN 0,0")
    assert is_move(talk.line())
    assert "on purpose" in talk.stderr.getvalue()


def test_time_counts_from_the_arrival_of_the_line() -> None:
    """What waited behind START has less time left; a script's next question has not begun before our last move."""

    class Patient(SlowPlayer):
        patience = 0.1

    made = []

    def make(config: Config) -> Patient:
        time.sleep(0.2)
        made.append(Patient(config))
        return made[-1]

    say("START 15", "INFO timeout_turn 1000", "BEGIN", "TURN 0,0", "RESTART", "BOARD", "7,7,2", "DONE", make=make)
    late = [asked["late"] for asked in made[0].asked]
    assert len(late) == 3
    assert late[0] >= 0.2 and max(late[1:]) < 0.1


def test_starting_counts_for_a_move_that_was_asked_for_meanwhile() -> None:
    """The judge writes START and the rest at once and stops the process; one that waits for OK has not begun its clock."""

    class Quick(SlowPlayer):
        patience = 0.0

    made = []
    say("START 15", "BEGIN", make=lambda config: made.append(Quick(config)) or made[0], startup=3.0)
    talk = InProcess(make=Quick, startup=3.0)
    talk.send("START 15")
    talk.line()
    talk.send("BEGIN")
    assert is_move(talk.line())
    assert 6.0 <= made[0].asked[0]["late"] < 9.0
    assert talk.player.asked[0]["late"] < 3.0
    talk.end()


def test_show_detail_reports() -> None:
    lines = say("START 15", "INFO show_detail 3", "BEGIN")
    assert lines[1:4] == [
        "MESSAGE REALTIME REFRESH",
        f"MESSAGE REALTIME POS {lines[-1]}",
        f"MESSAGE REALTIME BEST {lines[-1]}",
    ]
    assert lines[4].startswith("MESSAGE REALTIME VAL ") and lines[5].startswith("MESSAGE REALTIME PV ")
    assert any(line.startswith("MESSAGE (1) ") for line in lines) and is_move(lines[-1])
    assert all(line.startswith("MESSAGE ") for line in lines[1:-1])


@pytest.mark.parametrize(("rule", "proved"), [(0, False), (8, False), (4, False), (0, True), (1, True), (8, True)])
def test_a_mate_is_announced_where_there_is_one(rule: int, proved: bool) -> None:
    """OXXX..X is a four on the first gap and no more; .XXX..X.. is a win."""
    mine = [(3, 7), (4, 7), (5, 7), (8, 7)] if not proved else [(3, 7), (4, 7), (5, 7)]
    theirs = [(2, 7), (1, 2), (12, 2), (7, 13)] if not proved else [(1, 2), (12, 2), (7, 13)]
    first, second = (theirs + [(14, 14)], mine) if rule == 4 and not proved else (mine, theirs)
    stones = [xy for pair in zip(first, second, strict=False) for xy in pair] + list(first[len(second) :])
    board = [f"{x},{y},{1 if (x, y) in mine else 2}" for x, y in stones]
    config = Config(game="gomoku", player="uct", time=5.0, seed=1, threads=1, memory=80)
    lines = say(
        "START 15",
        f"INFO rule {rule}",
        "INFO max_node 300",
        "INFO show_detail 2",
        "BOARD",
        *board,
        "DONE",
        config=config,
    )
    told = [line for line in lines if line.startswith("MESSAGE (1) ")]
    assert is_move(lines[-1]) and told and told[-1].startswith("MESSAGE (1) +M") == proved, told


THREES = ["7,7,1", "8,6,1", "6,8,2", "7,6,1", "0,0,2", "0,2,2"]
CONFIG = Config(game="gomoku", player="alphabeta", time=5.0, seed=1, threads=1, memory=80)


def test_why_it_is_a_win_is_told_once() -> None:
    """Also to whom it is lost; nothing is told unless it was asked for."""
    words = ["START 15", "INFO show_detail 2", "BOARD", *THREES, "DONE"]
    told = [line for line in say(*words, config=CONFIG) if " wins " in line]
    assert len(told) == 1 and told[0].startswith("MESSAGE Black wins by threes and fours in "), told
    assert " (three) " in told[0] and told[0].endswith(" (five)")
    four = ["3,7,1", "4,7,2", "5,7,2", "6,7,2", "2,2,1", "7,7,2", "2,3,1", "4,3,1"]
    lost = [line for line in say("START 15", "INFO show_detail 3", "BOARD", *four, "DONE", config=CONFIG)]
    assert lost[-1] == "8,7" and not any("White wins by fours in 1" in line for line in lost)
    assert not any(" wins " in line for line in say("START 15", "BOARD", *THREES, "DONE", config=CONFIG))


def test_a_lost_game_is_told_too() -> None:
    open_four = ["3,7,2", "4,7,2", "5,7,2", "6,7,2", "2,2,1", "2,3,1", "9,3,1", "9,9,1"]
    told = [line for line in say("START 15", "INFO show_detail 2", "BOARD", *open_four, "DONE", config=CONFIG)]
    assert any(line.startswith("MESSAGE White wins by fours in 1 move: ") for line in told), told


@pytest.mark.parametrize("command", ["YXNBEST 3", "YXSEARCHDEFEND"])
def test_candidates(command: str) -> None:
    lines = say("START 15", command, config=QUICK)
    assert any(line.startswith("MESSAGE (1) ") for line in lines) and is_move(lines[-1])


def test_no_report_without_asking() -> None:
    assert all(not line.startswith("MESSAGE") for line in say("START 15", "BEGIN", "TURN 0,0"))


def test_a_script_in_a_file_takes_its_time(tmp_path) -> None:
    class Patient(SlowPlayer):
        patience = 0.2

    made, out = [], io.BytesIO()
    lines = ["START 15", "INFO timeout_turn 1000", "BEGIN", "INFO timeout_turn 0", "TURN 0,0", "TURN 0,1", "END"]
    script = tmp_path / "script"
    script.write_text("\r\n".join(lines))
    with open(script, "rb", buffering=0) as stdin:
        handler = Gomocup(QUICK, lambda config: made.append(Patient(config)) or made[0], startup=5.0)
        Session(handler).run(stdin, out, io.StringIO())
    assert [is_move(line) for line in out.getvalue().decode().splitlines()] == [False, True, True, True]
    assert max(asked["late"] for asked in made[0].asked) < 0.1
