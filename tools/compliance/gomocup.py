"""The Gomocup ("new" Piskvork) protocol, as Piskvork, c-gomoku-cli and the tournament's judge use it."""

# ruff: noqa: E501 - a table: one question a row

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from tengen.tools.compliance.check import Check, check
from tengen.tools.compliance.dialect import Sentinel, has_word, no_audit

SPEAKS = re.compile(
    r"\d+,\d+( \d+,\d+)*|(OK|ERROR|UNKNOWN|MESSAGE|DEBUG|SUGGEST|SWAP|FORBID)\b.*|.*\bname\s*=.*", re.IGNORECASE
)
MOVE = r"\d+,\d+"
ABOUT = r'(?i)(?=.*\bname\s*=\s*").*'

TABLE = (
    check("ABOUT", f"ABOUT => {ABOUT}", 'ABOUT is not answered with one line name="...", ...: c-gomoku-cli ends the whole '
          "tournament."),
    check("ABOUT has a version", "ABOUT => (?i)(?=.*version\\s*=).*", "ABOUT names no version, author or country.", should=True),
    check("START 15", "START 15 => OK", "START is not answered with exactly OK; Piskvork and c-gomoku-cli accept nothing else."),
    check("START 20", "START 20 => OK", "It refuses a board of 20x20, which every manager expects."),
    check("START again", f"START 15 => OK|||BEGIN => {MOVE}|||START 15 => OK|||BEGIN => {MOVE}", "A second START does not begin a new "
          "game; c-gomoku-cli starts every game that way."),
    check("impossible size", "START 0 => ERROR.*|||START 1000 => ERROR.*|||START many => (ERROR|UNKNOWN).*|||START 15 => OK",
          "It does not refuse a board that it cannot play with ERROR."),
    check("BEGIN", f"START 15 => OK|||BEGIN => {MOVE}", "BEGIN is not answered with x,y."),
    check("TURN", f"START 15 => OK|||TURN 7,7 => (?!7,7$){MOVE}", "TURN is not answered with another point x,y."),
    check("TURN on a stone", f"START 15 => OK|||TURN 7,7 => {MOVE}|||TURN 7,7 => ERROR.*", "It accepts a stone on a stone, or goes "
          "silent: the manager waits until its time is over.", should=True),
    check("TURN off the board", "START 15 => OK|||TURN 99,99 => (ERROR|UNKNOWN).*|||TURN x => (ERROR|UNKNOWN).*|||START 15 => OK",
          "It does not refuse a point off the board with ERROR.", should=True),
    check("BOARD", f"START 15 => OK|||BOARD\\n7,7,1\\n8,8,2\\n7,8,1\\n9,9,2\\nDONE => {MOVE}", "BOARD is not answered with x,y: the "
          "tournament's judge begins every game with it."),
    check("empty BOARD", f"START 15 => OK|||BOARD\\nDONE => {MOVE}", "An empty BOARD is not answered with x,y: the judge begins every "
          "game with it."),
    check("BOARD in any order", f"START 15 => OK|||BOARD\\n8,8,2\\n9,9,2\\n7,8,1\\nDONE => {MOVE}", "It does not play on a BOARD whose "
          "stones come in any order."),
    check("finish a five", "START 15 => OK|||BOARD\\n3,7,1\\n3,8,2\\n4,7,1\\n4,8,2\\n5,7,1\\n5,8,2\\n6,7,1\\n6,8,2\\nDONE => (2,7|7,7)",
          "It does not finish its own row of four; x and y may be mixed up.", should=True),
    check("RESTART", f"START 15 => OK|||TURN 7,7 => {MOVE}|||RESTART => OK|||BEGIN => {MOVE}", "RESTART does not begin a new game on "
          "the same board."),
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
)  # fmt: skip


class Gomocup:
    """The dialect of one engine."""

    kind = "gomocup"
    sanity = "BEGIN"
    quit = "END"
    quit_seconds = 1.0
    hello = "START 15\nINFO timeout_turn 300\nINFO timeout_match 0\nINFO rule 0"
    busy = "START 20\nINFO timeout_turn 20000\nBEGIN"
    facts = {"about": "ABOUT"}

    audit = staticmethod(no_audit)

    def sentinel(self, number: int) -> Sentinel:
        """ABOUT: no other line of an examination asks it, and the rows of the table that do have read the answer."""
        return "ABOUT", lambda line: re.search(r"\bname\s*=", line, re.IGNORECASE) is not None

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
