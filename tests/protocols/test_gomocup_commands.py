"""Every command of the Gomocup protocol: what is sent, what is answered. Moves come from the player without a search."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gomocup_client import QUICK, is_move, say

from tengen.engine.config import Config

ABOUT = 'name="Tengen", version="'

# lines sent after START 15 -> the replies after its OK; "move": any move on the board
REPLIES = [
    (["BEGIN"], ["move"]),
    (["TURN 7,7"], ["move"]),
    (["turn 7,7"], ["move"]),
    (["TURN 7,7\r"], ["move"]),
    (["TURN 7 , 7"], ["move"]),
    (["  TURN\t7,7  "], ["move"]),
    (["TURN 15,0"], ["ERROR 15,0 is not on the board"]),
    (["TURN -1,0"], ["ERROR -1,0 is not on the board"]),
    (["TURN"], ["ERROR '' is not x,y"]),
    (["TURN 7"], ["ERROR '7' is not x,y"]),
    (["TURN 7,7,7"], ["ERROR '7,7,7' is not x,y"]),
    (["TURN 99999999999999999999,1"], ["ERROR '99999999999999999999,1' is not x,y"]),
    (["PLAY 7,7", "TURN 7,7"], ["7,7", "ERROR 7,7 is occupied"]),
    (["PLAY 7,7", "PLAY 7,7"], ["7,7", "ERROR 7,7 is occupied"]),
    (["PLAY 3,4", "BEGIN"], ["3,4", "ERROR the board is not empty"]),
    (["PLAY 3,4", "TAKEBACK 3,4", "BEGIN"], ["3,4", "OK", "move"]),
    (["TAKEBACK 3,4"], ["ERROR 3,4 is empty"]),
    (["TAKEBACK 20,20"], ["ERROR 20,20 is not on the board"]),
    (["PLAY 1,1", "PLAY 2,2", "PLAY 3,3", "TAKEBACK 1,1", "PLAY 1,1", "TAKEBACK 3,3", "TAKEBACK 2,2"],
     ["1,1", "2,2", "3,3", "OK", "1,1", "OK", "OK"]),
    (["PLAY 7,7", "RESTART", "PLAY 7,7"], ["7,7", "OK", "7,7"]),
    (["BOARD", "DONE"], ["move"]),
    (["BOARD", "7,7,1", "8,8,2", "DONE"], ["move"]),
    (["BOARD", "7,7,1", "8,8,1", "9,9,1", "DONE"], ["move"]),
    (["BOARD", "7,7,2", "8,8,2", "9,9,3", "done"], ["move"]),
    (["BOARD", "7, 7, 1", "", "8,8 ,2\r", "DONE"], ["move"]),
    (["BOARD", "7,7,1", "7,7,2", "DONE"], ["ERROR 7,7 is named twice"]),
    (["BOARD", "7,15,1", "DONE", "BEGIN"], ["ERROR 7,15 is not on the board", "move"]),
    (["BOARD", "7,7", "DONE"], ["ERROR '7,7' is not x,y,field"]),
    (["BOARD", "hello", "DONE"], ["ERROR 'hello' is not x,y"]),
    (["PLAY 7,7", "BOARD", "8,8,2", "9,9,9,9", "DONE", "PLAY 7,7"],
     ["7,7", "ERROR '9,9,9,9' is not x,y", "ERROR 7,7 is occupied"]),
    (["BOARD", "7,7,1", "INFO timeout_turn 5", "8,8,2", "DONE"], ["move"]),
    (["BOARD", "7,7,1", "RESTART", "BEGIN"], ["ERROR BOARD without DONE", "OK", "move"]),
    (["BOARD", "7,7,1", "END", "BEGIN"], []),
    (["RECTSTART 10,20", "PLAY 9,19", "PLAY 10,0"], ["OK", "9,19", "ERROR 10,0 is not on the board"]),
    (["RECTSTART 10"], ["ERROR '10' is not x,y"]),
    (["START 20", "PLAY 19,19"], ["OK", "19,19"]),
    (["START 4"], ["ERROR a board of 4x4 is not supported, only sides from 5 to 25"]),
    (["START 26", "PLAY 14,14"], ["ERROR a board of 26x26 is not supported, only sides from 5 to 25", "14,14"]),
    (["START", "START x"], ["ERROR '' is no board size", "ERROR 'x' is no board size"]),
    (["START 15 extra"], ["OK"]),
    (["FOO bar", "DONE", "SUGGEST 7,7"], ["UNKNOWN command 'FOO'", "UNKNOWN command 'DONE'", "UNKNOWN command 'SUGGEST'"]),
    (["", "   ", "\r"], []),
    (["END", "BEGIN"], []),
    (["end"], []),
    # INFO never gets a reply, whatever it says
    (["INFO", "INFO foo", "INFO foo bar baz 1 2 3", "INFO rule", "INFO rule x", "INFO timeout_turn", "info TIME_LEFT -5",
      "INFO time_left 2147483647", "INFO timeout_turn 1e3", "INFO max_memory 9223372036854775807",
      "INFO max_memory -1", "INFO folder C:\\a b\\c", "INFO evaluate 7,7", "INFO game_type 1",
      "INFO timeout_turn " + "9" * 5000, "INFO caution_factor 3", "INFO max_depth 9", "INFO checkmate 1"], []),
    # rules
    (["INFO rule 0", "START 15"], ["OK"]),
    (["INFO rule 1", "START 15"], ["OK"]),
    (["INFO rule 4", "START 15"], ["OK"]),
    (["INFO rule 8", "START 15"], ["OK"]),
    (["INFO rule 9", "START 15"], ["OK"]),
    (["INFO rule 2", "START 15"], ["OK"]),
    (["INFO rule 12", "ABOUT", "BEGIN", "BEGIN"],
     [ABOUT, "ERROR rule 12 is not supported", "ERROR rule 12 is not supported"]),
    (["INFO rule 64", "BOARD", "7,7,1", "DONE", "INFO rule 0", "BEGIN"], ["ERROR rule 64 is not supported", "move"]),
    (["INFO rule -1", "START 15"], ["ERROR rule -1 is not supported"]),
    # Yixin-Board
    (["YXBOARD", "7,7,1", "8,8,2", "DONE", "PLAY 7,7"], ["ERROR 7,7 is occupied"]),
    (["yxshowforbid"], ["FORBID ."]),
    (["yxstop", "STOP", "yxhashclear", "yxblockreset"], []),
    (["YXBLOCK", "7,7", "8,8", "done", "yxblockundo", "7,7", "done"], []),
    (["YXBLOCK", "70,7", "done"], ["ERROR 70,7 is not on the board"]),
    (["yxnbest 1"], ["move"]),
    (["yxbalanceone 0"], ["move"]),
    (["yxsetdatabase a.db", "yxquerydatabaseall", "7,7", "done", "PLAY 7,7"],
     ["MESSAGE yxsetdatabase is not supported: this engine has no database",
      "MESSAGE yxquerydatabaseall is not supported: this engine has no database", "7,7"]),
    # swap2
    (["SWAP2BOARD", "1,1", "DONE"], ["ERROR SWAP2BOARD has 0, 3 or 5 stones, not 1"]),
    (["SWAP2BOARD", "1,1", "1,1", "2,2", "DONE"], ["ERROR 1,1 is named twice"]),
    (["SWAP2BOARD", "1,1", "15,1", "2,2", "DONE"], ["ERROR 15,1 is not on the board"]),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "replies"), REPLIES, ids=lambda part: " | ".join(part)[:60])
def test_replies(lines: list[str], replies: list[str]) -> None:
    got = say("START 15", *lines)
    assert got[0] == "OK"
    assert len(got) == len(replies) + 1, got
    for ours, wanted in zip(got[1:], replies, strict=True):
        assert is_move(ours) if wanted == "move" else ours.startswith(wanted), got
    assert say.stderr == ""


# before START
@pytest.mark.parametrize(
    "line", ["BEGIN", "TURN 7,7", "TAKEBACK 7,7", "PLAY 7,7", "RESTART", "BOARD\nDONE", "YXNBEST 1"]
)
def test_no_game_before_start(line: str) -> None:
    assert say(line) == ["ERROR no game has been started"]


@pytest.mark.parametrize(
    "line", [b"\xff\xfe\x00", b"\x00", b"TURN\x007,7", b"\xef\xbb\xbfSTART 15", b"\x1b[31m", "😀 1".encode()]
)
def test_strange_bytes(line: bytes) -> None:
    got = say("START 15", line, "ABOUT")
    assert got[0] == "OK" and got[-1].startswith(ABOUT)
    assert all(32 <= ord(character) < 127 for text in got for character in text)


def test_about_is_one_line_that_managers_can_read() -> None:
    (line,) = say("ABOUT", config=replace(QUICK, name='A "B"', version_string="1.2"))
    assert line == """name="A 'B'", version="1.2", author="Tengen developers", country="International\""""


def test_about_needs_no_player() -> None:
    def never(config: Config) -> None:
        raise AssertionError

    assert say("INFO rule 64", "ABOUT", make=never)[0].startswith(ABOUT)


def test_start_forgets_the_game_and_keeps_what_info_said() -> None:
    lines = ["INFO rule 4", "INFO timeout_turn 5", "START 15", "PLAY 7,7", "START 15", "PLAY 7,7", "YXSHOWFORBID"]
    assert say(*lines) == ["OK", "7,7", "OK", "7,7", "FORBID ."]


# stones, black first -> forbidden points
RENJU = [
    ("7,7 7,8 8,6 8,8 7,9 8,5 8,10 8,11", "FORBID 0608."),
    ("7,7 0,0 8,7 0,2 9,7 0,4 10,7 0,6 12,7 0,8", "FORBID 1107."),
    ("7,7 0,0 8,7 0,2 9,7 0,4 10,7 0,6", "FORBID ."),
    ("3,7 0,0 4,7 0,2 5,7 0,4 7,7 0,6 8,7 0,8", "FORBID 0607."),
]


@pytest.mark.parametrize("rule", [2, 4])
@pytest.mark.parametrize("command", ["YXBOARD", "BOARD"])
@pytest.mark.parametrize(("stones", "forbidden"), RENJU)
def test_forbidden_points(stones: str, forbidden: str, command: str, rule: int) -> None:
    lines = [f"{stone},{1 + number % 2}" for number, stone in enumerate(stones.split())]
    got = say(f"INFO rule {rule}", "START 15", "YXSTOP", command, *lines, "DONE", "yxshowforbid")
    if command == "YXBOARD":
        assert got == ["OK", forbidden]
    assert got[-1].startswith("FORBID ") and got[-1].endswith(".")


def test_the_opponent_may_play_what_is_forbidden() -> None:
    """An overline of Black, who is the opponent; the game goes on and every later move is answered."""
    black = ["3,7", "4,7", "5,7", "7,7", "8,7", "6,7", "9,9"]
    got = say("INFO rule 4", "START 15", *(f"TURN {stone}" for stone in black))
    assert len(got) == 8 and all(map(is_move, got[1:])) and len(set(got[1:])) == 7


def test_only_forbidden_points_are_left() -> None:
    """A board whose one empty point makes Black six: some point is answered, then the board is full."""
    rows = ["XXX.XX", "OOXOOX", "XXOXXO", "OOXOOX", "XXOXXO", "OOXOOX"]
    lines = [
        f"{x},{y},{1 if stone == 'X' else 2}"
        for y, row in enumerate(rows)
        for x, stone in enumerate(row)
        if stone != "."
    ]
    lines.sort(key=lambda line: not line.endswith("1"))  # the first stone is Black's
    got = say("INFO rule 4", "START 6", "BOARD", *lines, "DONE", "RESTART", "BOARD", *lines, "3,0,2", "DONE")
    assert got == ["OK", "3,0", "OK", "ERROR the board is full"]


def test_the_game_is_over_and_the_manager_does_not_know() -> None:
    got = say("START 15", *(f"TURN {x},3" for x in range(7)), "TAKEBACK 3,3", "TURN 3,3")
    moves = [line for line in got[1:] if line != "OK"]
    assert len(got) == 10 and all(map(is_move, moves))


def test_blocked_points_are_not_played() -> None:
    corner = [f"{x},{y}" for x in range(5) for y in range(5) if (x, y) != (2, 3)]
    assert say("START 5", "YXBLOCK", *corner, "DONE", "BEGIN") == ["OK", "2,3"]


def test_stones_of_a_block_are_bounded() -> None:
    lines = [f"{number % 15},{number // 15 % 15},1" for number in range(20_000)]
    assert say("START 15", "BOARD", *lines, "DONE", "PLAY 0,0") == ["OK", "ERROR 0,0 is named twice", "0,0"]


def test_a_setting_that_cannot_be_is_said_at_start() -> None:
    def impossible(config: Config) -> None:
        raise ValueError("no such thing")

    assert say("START 15", "ABOUT", make=impossible)[0] == "ERROR cannot play: no such thing"
