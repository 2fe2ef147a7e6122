"""The Gomocup ("new" Piskvork) protocol, as Piskvork, c-gomoku-cli and the tournament's judge use it."""

# ruff: noqa: E501 - a table: one question a row

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from tengen.tools.compliance.check import Check, check, presuming
from tengen.tools.compliance.dialect import Reading, Sentinel, Unframed, has_word, no_audit

SPEAKS = re.compile(
    r"\d+,\d+( \d+,\d+)*|(OK|ERROR|UNKNOWN|MESSAGE|DEBUG|SUGGEST|SWAP|FORBID)\b.*|.*\bname\s*=.*", re.IGNORECASE
)
POINT = r"(\d|1[0-4])"
MOVE = f"{POINT},{POINT}"
"""Any point of 15x15, the board of the table."""
ABOUT = r'(?i)(?=.*\bname\s*=\s*").*'
REFUSAL = re.compile(r"(?i)ERROR|UNKNOWN")
TOO_MANY = "too many answers"
FOURS = r"BOARD\n3,10,1\n3,4,2\n4,10,1\n4,4,2\n5,10,1\n5,4,2\n6,10,1\n6,4,2\nDONE"
"""Both sides have four in a row; 2,10 and 7,10 win at once."""
MOST_LINES = 12
"""Lines of a reply in which a right answer is looked for."""
LATE = 0.4
"""Seconds in which a second move would come, when a thread of its own thinks; the table asks for moves in 0.3 s."""
BASES = {"ABOUT": "ABOUT", "START": "START 15", "BEGIN": "BEGIN", "TURN": "TURN", "BOARD": "BOARD"}
"""Beginning of a line -> the row that examines it: `presuming`."""

TABLE = tuple(presuming((
    check("ABOUT", f"ABOUT => {ABOUT}", 'ABOUT is not answered with one line name="...", ...: c-gomoku-cli ends the whole '
          "tournament."),
    check("ABOUT has a version", "ABOUT => (?i)(?=.*version\\s*=).*", "ABOUT names no version, author or country.", should=True),
    check("START 15", "START 15 => OK", "START is not answered with exactly OK; Piskvork and c-gomoku-cli accept nothing else."),
    check("START 20", "START 20 => OK", "It refuses a board of 20x20, which every manager expects."),
    check("impossible size", "START 0 => ERROR.*|||START 1000 => ERROR.*|||START many => (ERROR|UNKNOWN).*|||START 15 => OK",
          "It does not refuse a board that it cannot play with ERROR."),
    check("BEGIN", f"START 15 => OK|||BEGIN => {MOVE}", "BEGIN is not answered with x,y on the board."),
    check("TURN", f"START 15 => OK|||TURN 7,7 => (?!7,7$){MOVE}", "TURN is not answered with another point x,y."),
    check("START again", f"START 15 => OK|||BEGIN => {MOVE}|||START 15 => OK|||BEGIN => {MOVE}", "A second START does not begin a new "
          "game; c-gomoku-cli starts every game that way."),
    check("START clears the board", f"START 15 => OK|||TURN 7,7 => {MOVE}|||START 15 => OK|||TURN 7,7 => (?!7,7$){MOVE}", "After START stones of "
          "the last game stay: c-gomoku-cli, which sends no RESTART, cannot play a second game with it.", should=True),
    check("TURN on a stone", f"START 15 => OK|||TURN 7,7 => {MOVE}|||TURN 7,7 => ERROR.*", "It accepts a stone on a stone, or goes "
          "silent: the manager waits until its time is over.", should=True),
    check("TURN off the board", "START 15 => OK|||TURN 99,99 => (ERROR|UNKNOWN).*|||TURN x => (ERROR|UNKNOWN).*|||START 15 => OK",
          "It does not refuse a point off the board with ERROR.", should=True),
    check("BOARD", f"START 15 => OK|||BOARD\\n7,7,1\\n8,8,2\\n7,8,1\\n9,9,2\\nDONE => (?!(7,7|8,8|7,8|9,9)$){MOVE}", "BOARD is not answered "
          "with a free point x,y: the tournament's judge begins every game with it."),
    check("empty BOARD", f"START 15 => OK|||BOARD\\nDONE => {MOVE}", "An empty BOARD is not answered with x,y: the judge begins every "
          "game with it."),
    check("BOARD in any order", f"START 15 => OK|||BOARD\\n8,8,2\\n9,9,2\\n7,8,1\\nDONE => (?!(8,8|9,9|7,8)$){MOVE}", "It does not play on "
          "a BOARD whose stones come in any order."),
    check("x before y", f"START 15 => OK|||{FOURS} => (?!(10,2|10,7|4,2|4,7)$){MOVE}", "It answers y,x where x,y is asked for: its moves "
          "land elsewhere."),
    check("1 is its own stone", f"START 15 => OK|||{FOURS} => (?!(2,4|7,4)$){MOVE}", "With four in a row it blocks the other's four: it "
          "takes the stones of BOARD that end with 1, its own, for the opponent's, or does not see that it wins.", should=True,
          presumes="x before y"),
    check("RESTART", f"START 15 => OK|||TURN 7,7 => {MOVE}|||RESTART => OK|||TURN 7,7 => (?!7,7$){MOVE}", "RESTART does not begin a new "
          "game on the same board."),
    check("TAKEBACK", f"START 15 => OK|||BOARD\\n7,7,1\\n8,8,2\\nDONE => {MOVE}|||TAKEBACK 8,8 => OK", "TAKEBACK is not answered with "
          "OK: undo in Piskvork hangs.", should=True),
    check("INFO is silent", "INFO timeout_turn 500 =>|||INFO timeout_match 0 =>|||INFO time_left 2147483647 =>|||INFO max_memory 0 =>"
          "|||INFO game_type 1 =>|||INFO rule 0 =>|||INFO xyzzy 1 2 3 =>", "It answers INFO, which has no answer: managers "
          "take the next line for the move."),
    check("INFO after the start", f"START 15 => OK|||INFO timeout_turn 200\\nINFO timeout_match 0\\nINFO time_left 2147483647\\nBEGIN => {MOVE}",
          "INFO lines before BEGIN change its answer; every manager sends them."),
    check("no match clock", f"START 15 => OK|||INFO timeout_match 0\\nINFO timeout_turn 300\\nBEGIN => {MOVE}", "timeout_match 0 means no limit; "
          "it gives no move."),
    check("unknown command", "XYZZY 1 2 => UNKNOWN.*", "It does not answer an unknown command with UNKNOWN: managers probe for "
          "extensions."),
    check("CR LF", f"START 15\\r => OK|||BEGIN\\r => {MOVE}", "It does not accept lines that end with CR LF, as Piskvork sends them."),
), BASES))  # fmt: skip


def due(send: str) -> int:
    """Count the answers that some lines get: INFO, BOARD and its stones get none."""
    count = 0
    is_board = False
    for line in send.split("\n"):
        word = line.strip().split(" ")[0].upper()
        is_silent = word in ("", "INFO", "END") or is_board and word != "DONE"
        is_board = (is_board or word in ("BOARD", "SWAP2BOARD")) and word != "DONE"
        count += not is_silent and not is_board
    return count


class Gomocup(Unframed):
    """The dialect of one engine."""

    kind = "gomocup"
    own_lines = "ABOUT"
    sanity = "BEGIN"
    fresh = "START clears the board"
    quit = "END"
    quit_seconds = 1.0
    hello = "START 15\nINFO timeout_turn 300\nINFO timeout_match 0\nINFO rule 0"
    busy = "START 20\nINFO timeout_turn 20000\nBEGIN"
    busy_ends = True
    facts = {"about": "ABOUT"}

    audit = staticmethod(no_audit)

    def sentinel(self, number: int) -> Sentinel:
        """ABOUT: no other line of an examination asks it, and the rows of the table that do have read the answer."""
        return Sentinel("ABOUT", lambda line: re.search(r"\bname\s*=", line, re.IGNORECASE) is not None)

    def awaited(self, send: str) -> str | None:
        """Any line but a comment, except after INFO: engines may drop words while they think."""
        last = send.strip().split("\n")[-1]
        return None if not last or has_word(last, "INFO", "BOARD", "END") else r"(?!MESSAGE|DEBUG)."

    def is_comment(self, line: str) -> bool:
        """MESSAGE and DEBUG may come at any time."""
        return line.startswith(("MESSAGE", "DEBUG"))

    def is_noise(self, line: str) -> bool:
        """Piskvork takes any other line for a broken answer."""
        return SPEAKS.fullmatch(line.strip()) is None

    def readings(self, send: str, lines: Sequence[str]) -> Iterator[Reading]:
        """Without other lines, and then with as many answers as commands. An error is never left out."""
        yield from super().readings(send, lines)
        wanted = due(send)
        if not 0 < wanted < len(lines) <= MOST_LINES:
            return
        sentence = f"It gives {len(lines)} answers where {wanted} is right: the next line that it says is taken for the next answer."
        for kept in combinations(range(len(lines)), wanted):
            strays = tuple(line for at, line in enumerate(lines) if at not in kept)
            if not any(REFUSAL.match(line) for line in strays):
                yield Reading("\n".join(lines[at] for at in kept), strays, TOO_MANY, sentence)

    def late(self, send: str) -> float:
        """Two moves for one come from two threads."""
        last = send.strip().split("\n")[-1]
        return LATE if has_word(last, "BEGIN", "TURN", "DONE") else 0.0

    def learn(self, answers: Mapping[str, str]) -> dict[str, str]:
        """ABOUT says it all."""
        return {"about": answers.get("about") or "(none)"}

    def checks(self) -> Sequence[Check]:
        """All rows."""
        return TABLE

    def valid(self, dice: random.Random) -> str:
        """Every command but ABOUT and END."""

        def point() -> str:
            return f"{dice.randrange(15)},{dice.randrange(15)}"

        stones = "\n".join(f"{point()},{1 + i % 2}" for i in range(dice.randrange(7)))
        return dice.choice([
            f"START {dice.choice([10, 15, 20])}", "BEGIN", f"TURN {point()}", f"TURN {point()}", f"BOARD\n{stones}\nDONE",
            "RESTART", f"TAKEBACK {point()}", "RECTSTART 15,10", f"INFO timeout_turn {dice.randint(1, 60)}",
            f"INFO timeout_match {dice.randint(0, 2000)}", "INFO max_memory 83886080", "INFO game_type 1",
            f"INFO rule {dice.randrange(10)}", f"INFO time_left {dice.randint(1, 900)}", f"INFO evaluate {point()}",
            "SWAP2BOARD\nDONE", f"PLAY {point()}",
        ])  # fmt: skip

    def guard(self, line: str) -> str:
        """Close an open BOARD, and short moves again."""
        done = "DONE\n" if "board" in line.lower() and "DONE" not in line else ""
        return (done + ("INFO timeout_turn 60\nINFO timeout_match 0" if "time" in line.lower() else "")).rstrip("\n")
