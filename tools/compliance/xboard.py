"""XBoard's protocol (CECP, version 2), as XBoard, WinBoard, SCID and python-chess use it."""

# ruff: noqa: E501 - a table: one question a row

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from tengen.tools.compliance.check import Check, Step, check, presuming
from tengen.tools.compliance.dialect import Sentinel, Unframed, has_word, no_audit

WORDS = ("feature", "move", "pong", "hint:", "error", "illegal", "1-0", "0-1", "1/2-1/2", "resign", "offer", "tellopponent", "tellothers",
         "tellall", "telluser", "tellusererror", "askuser", "tellics", "tellicsnoalias", "stat01:", "setup", "piece", "++", "--")  # fmt: skip
THINKING = r"(\s*\d+\S? .*\n)*"
FIRST = r"([a-h]2[a-h][34]|b1[ac]3|g1[fh]3|[a-h][34]|N[acfh]3)"
MOVE = rf"{THINKING}move {FIRST}"
REPLY = r"(move|1-0|0-1|1/2-1/2|resign)\b"
SHORT = "st 0.05"
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
MATE_IN_1 = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
BROKEN = {"no FEN at all": "garbage", "no kings": "8/8/8/8/8/8/8/8 w - - 0 1", "nine ranks": "8/8/8/8/8/8/8/8/8 w - - 0 1",
          "a king in check that is not to move": "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1"}  # fmt: skip

TABLE = tuple(presuming((
    check("features", r"protover 2 => (?s:.*)done=1(?s:.*)", "protover is not answered with features that end with done=1: XBoard waits two seconds, "
          "python-chess refuses the engine."),
    check("ping", "ping 5 => pong 5", "ping is not answered: XBoard waits for it between games."),
    check("go", f"easy\\nnopost|||new|||{SHORT}|||go => {MOVE}", "go gives no legal move."),
    check("a reply", f"new|||{SHORT}|||usermove e2e4 => {THINKING}move [a-hNO].*", "It does not answer a move with one of its own after 'new'."),
    check("force", f"new|||force|||usermove e2e4 =>|||usermove e7e5 =>|||{SHORT}|||go => {THINKING}move .*", "It moves in force mode, or not after it."),
    check("undo", f"new|||force|||usermove e2e4|||undo|||{SHORT}|||go => {MOVE}", "It does not take back a move."),
    check("remove", f"new|||force|||usermove e2e4|||usermove e7e5|||remove|||{SHORT}|||go => {MOVE}", "It does not take back two moves."),
    check("setboard", f"new|||force|||setboard {MATE_IN_1}|||{SHORT}|||go => {THINKING}move (d1d8|Rd8#?)(\\n1-0.*)?", "It does not take a position, or "
          "misses a mate in one."),
    check("mated", f"new|||force|||setboard {MATED}|||{SHORT}|||go => (0-1.*|resign)?", "It moves where it is mated.", should=True),
    check("illegal move", "new|||force|||usermove e2e5 => Illegal move.*e2e5", "An illegal move is not refused with 'Illegal move': XBoard cannot take it "
          "back."),
    check("unknown command", "xyzzy 1 2 => Error .*xyzzy.*", "An unknown command is not answered with 'Error (unknown command)'.", should=True),
    check("ping behind a move", f"new\\n{SHORT}\\ngo\\nping 7 => {MOVE}\\npong 7", "pong comes before the move that the engine was to make: races "
          "between games."),
    check("move now", f"new|||st 20\\ngo\\n? => {MOVE}|||{SHORT}", "'?' does not have it move at once.", should=True),
    check("force while it thinks", f"new|||st 20\\ngo\\nforce\\nping 8 => {THINKING}pong 8|||{SHORT}", "It goes on thinking after 'force', or moves.",
          should=True),
    check("clocks", f"new|||level 0 0:02 0|||time 50|||otim 50|||go => {MOVE}|||{SHORT}", "level, time and otim give no move."),
    check("depth", f"new|||sd 2|||go => {MOVE}|||new|||{SHORT}", "sd gives no move."),
    check("thinking lines", f"new|||post|||sd 4|||go => (\\s*\\d+\\S? -?\\d+ \\d+ \\d+.*\\n)+move {FIRST}|||nopost|||new", "post shows no lines of "
          "'ply score time nodes variation': GUIs show nothing.", should=True),
    check("analysis", f"new|||analyze\\nexit\\nping 9 => (?s:(?!.*move ).*)pong 9|||new|||{SHORT}", "It moves in analyze mode, or does not leave it.",
          should=True),
    check("what has no answer", "accepted ping\\nrejected setscore\\nrandom\\nhard\\neasy\\npost\\nnopost\\ncomputer\\nname x\\nrating 1 2\\nresult * {x} =>",
          "It answers what has no answer.", should=True),
    *(check(f"setboard with {name}", f"new|||force|||setboard {fen} => (tellusererror .*|Error .*|Illegal .*)|||new|||{SHORT}|||go => {MOVE}",
            f"'setboard' with {name} ends it or is taken; people set up such positions.", should=True) for name, fen in BROKEN.items()),
    check("CR LF", f"ping 6\\r => pong 6|||new\\r|||{SHORT}\\r|||go\\r => {MOVE}", "It does not accept lines that end with CR LF."),
), {"ping": "ping", "go": "go"}))  # fmt: skip


class XBoard(Unframed):
    """The dialect of one engine."""

    kind = "xboard"
    own_lines = "'ping 900000000' and the like"
    sanity = "go"
    quit = "quit"
    quit_seconds = 5.0
    hello = f"xboard\nprotover 2\nnew\n{SHORT}"
    busy = "new\nanalyze"
    busy_ends = False
    facts = {"features": "protover 2"}

    audit = staticmethod(no_audit)

    def __init__(self) -> None:
        self._features: set[str] = set()

    def sentinel(self, number: int) -> Sentinel:
        """A ping with a number that no other line uses."""
        return Sentinel(f"ping {number}", lambda line: line.split() == ["pong", str(number)])

    def awaited(self, send: str) -> str | None:
        """The move of an engine that is to make one; the sentinel, a ping, comes behind it anyway."""
        last = send.strip().split("\n")[-1]
        if last.strip() in ("go", "?"):
            return REPLY
        return r"pong" if has_word(last, "ping") else None

    def is_comment(self, line: str) -> bool:
        """Lines for the debug file may come at any time."""
        return line.startswith("#")

    def is_noise(self, line: str) -> bool:
        """XBoard passes over other lines; python-chess warns of them. The book's lines begin with a blank."""
        words = line.split()
        return bool(words) and line[0] not in " \t#" and words[0].lower() not in WORDS and not words[0][0].isdigit()

    def learn(self, answers: Mapping[str, str]) -> dict[str, str]:
        """Name and options."""
        text = answers.get("features", "")
        self._features = set(re.findall(r"\b\w+=\d\b", text))
        name = re.search(r'myname="([^"]*)"', text)
        options = re.findall(r'option="([^"]*?) -', text)
        return {"name": name[1] if name else "(none)", "options": ", ".join(options) or "(none)"}

    def checks(self) -> Sequence[Check]:
        """All rows that the features leave: moves without `usermove` and no `setboard` where those are not asked for."""
        rows = [row for row in TABLE if "setboard=1" in self._features or not _has(row, "setboard")]
        if "usermove=1" in self._features:
            return rows
        return [row._replace(steps=tuple(map(_bare, row.steps))) for row in rows]

    def valid(self, dice: random.Random) -> str:
        """Every command but quit and those of an analysis, whose end is a word that ends engines; small pings."""
        return dice.choice([
            "new", "force", "go\n?", "playother", "usermove e2e4\n?", "usermove e7e5", "undo", "remove", "?", f"ping {dice.randint(0, 9)}",
            f"setboard {MATED}", f"setboard {MATE_IN_1}", f"setboard {dice.choice(list(BROKEN.values()))}", f"sd {dice.randint(1, 3)}",
            f"st {dice.choice(['0.01', '1', '0.05'])}", "level 40 0:01 0", "level 0 1 1", f"time {dice.randint(1, 200)}", "otim 100",
            "post", "nopost", "hard", "easy", "draw", "result 1-0 {White mates}", "hint", "bk", "name x", "rating 1 2", "computer",
            f"memory {dice.choice([70, 80])}", "cores 1", "nps 0", "variant normal", "variant fischerandom", "accepted ping", "random",
        ])  # fmt: skip

    def guard(self, line: str) -> str:
        """The move at once, and short moves again."""
        return f"?\n{SHORT}"


def _has(row: Check, word: str) -> bool:
    return any(step.send.startswith(word) for step in row.steps)


def _bare(step: Step) -> Step:
    return step._replace(send=step.send.replace("usermove ", ""))
