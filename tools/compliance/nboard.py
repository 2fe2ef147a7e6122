"""The NBoard protocol of Reversi programs."""

# ruff: noqa: E501 - a table: one question a row

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from tengen.tools.compliance.check import Check, check, presuming
from tengen.tools.compliance.dialect import Sentinel, Unframed, has_word, no_audit

START = "-" * 27 + "O*" + "-" * 6 + "*O" + "-" * 27 + " *"
GGF = f"(;GM[Othello]PC[NBoard]PB[x]PW[y]RE[?]TI[15:00]TY[8]BO[8 {START}]%s;)"
WORDS = ("===", "search", "book", "nodestats", "status", "set", "analysis", "learn", "learned", "pong", "error")
FIRST = r"(?i:d3|c4|f5|e6)"
THINKING = r"((search|book) .*\n)*"
ANSWER = rf"{THINKING}=== {FIRST}(/-?[\d.]*(/[\d.]+)?|\s.*)?"

TABLE = tuple(presuming((
    check("go", f"set game {GGF % ''}|||go => {ANSWER}", "go is not answered with '=== MOVE' and a legal move; NBoard waits for ever."),
    check("go does not move", f"set game {GGF % ''}|||go => {ANSWER}|||go => {ANSWER}", "It plays its answer on its own board: NBoard sends "
          "the move itself, so that it would be played twice."),
    check("move", f"set game {GGF % ''}|||move F5|||go => " + THINKING + "=== (?i:d6|f4|f6)\\b.*", "It does not follow 'move'."),
    check("move with value and time", f"set game {GGF % ''}|||move f5/0.50/1.2|||go => " + THINKING + "=== (?i:d6|f4|f6)\\b.*", "It does not read the value and "
          "time after a move, as NBoard sends them."),
    check("moves in the game", f"set game {GGF % 'B[F5//0.01]W[D6]'}|||go => " + THINKING + "=== (?i:c3|c4|c5|c6|c7)\\b.*", "It does not play the "
          "moves in the GGF text."),
    check("unknown command", "xyzzy 1 2 =>", "It does not ignore an unknown line, as the protocol asks."),
    check("ping while thinking", f"set depth 30|||set game {GGF % ''}|||go\\nping 31 => (?s:.*)pong 31(?s:.*)|||set depth 1", "It does not answer "
          "ping while it thinks: NBoard takes it for dead."),
    check("hint", f"set game {GGF % ''}|||hint 2 => (?s:.*)\\b(search|book) {FIRST}(?s:.*)", "hint gives no 'search' line: NBoard shows no values."),
    check("contempt", "set contempt 0 =>", "It answers 'set contempt', which has no answer.", should=True),
    check("CR LF", f"set game {GGF % ''}\\r|||go\\r => {ANSWER}", "It does not accept lines that end with CR LF."),
    check("broken game", f"set game (;GM[Othello|||set game {GGF % ''}|||go => {ANSWER}", "A broken GGF text ends it or leaves it without a "
          "position."),
    check("illegal move", f"set game {GGF % ''}|||move A1|||set game {GGF % ''}|||go => {ANSWER}", "An illegal move ends it."),
), {"go": "go"}))  # fmt: skip


class NBoard(Unframed):
    """The dialect of one engine."""

    kind = "nboard"
    own_lines = "'ping 900000000' and the like"
    sanity = "go"
    quit = "quit"
    quit_seconds = 3.0
    hello = "nboard 2\nset depth 1"
    busy = f"set depth 40\nset game {GGF % ''}\ngo"
    busy_ends = True
    facts = {"hello": "nboard 2\nset depth 1"}

    audit = staticmethod(no_audit)

    def sentinel(self, number: int) -> Sentinel:
        """A ping with a number that no other line uses."""
        return Sentinel(f"ping {number}", lambda line: line.split() == ["pong", str(number)])

    def awaited(self, send: str) -> str | None:
        """ping ends thinking, so the answer of a search is waited for."""
        last = send.strip().split("\n")[-1]
        if "ping" in last:
            return r"pong"
        return r"===" if has_word(last, "go") else r"search|book" if has_word(last, "hint") else None

    def is_comment(self, line: str) -> bool:
        """status, nodestats and set myname may come at any time; search lines belong to an answer."""
        return line.split()[:1] in (["status"], ["nodestats"], ["set"], ["learn"], []) and line != ""

    def is_noise(self, line: str) -> bool:
        """NBoard ignores other lines; other hosts do not."""
        return line.split()[:1] != [] and line.split()[0] not in WORDS

    def learn(self, answers: Mapping[str, str]) -> dict[str, str]:
        """The name comes with `set depth`."""
        names = re.findall(r"^set myname (\S+)", answers.get("hello", ""), re.MULTILINE)
        return {"name": names[-1] if names else "(none)"}

    def checks(self) -> Sequence[Check]:
        """All rows; the searches of the table first forget earlier ones by their own `set game`."""
        return TABLE

    def valid(self, dice: random.Random) -> str:
        """Every command but quit; pings with small numbers."""
        moves = dice.choice(["", "B[F5]W[D6]", "B[F5//0.01]W[F6]B[E6]"])
        return dice.choice([
            "nboard 2", f"set depth {dice.randint(1, 3)}", "set contempt 0", "set game " + GGF % moves, "set game " + GGF % "",
            f"move {dice.choice(['F5', 'D3', 'c4/0.1/0.5', 'PA', 'E6//2'])}", f"hint {dice.randint(1, 3)}", "go",
            f"ping {dice.randint(0, 9)}", "learn", "analyze",
        ])  # fmt: skip

    def guard(self, line: str) -> str:
        """Shallow searches again."""
        return "set depth 1" if "depth" in line.lower() else ""
