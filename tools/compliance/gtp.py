"""GTP 2, as Sabaki, GoGui and match managers use it, for Go, Gomoku and Reversi."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from tengen.tools.compliance.check import Check, Step, check, presuming
from tengen.tools.compliance.dialect import Reading, Sentinel
from tengen.tools.compliance.games import BY_ID, FACTS, GO
from tengen.tools.compliance.gtp_table import BASES, REFUSED, TABLE

LARGE = 19
"""The size for Go engines that refuse 9x9."""
LETTERS = "ABCDEFGHJKLMNOPQRST"
MUST_KNOW = ("protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize",
             "clear_board", "komi", "play", "genmove")  # fmt: skip
NOT_ASKED = re.compile(r"(?i)quit|exit|bye|shutdown|save|write|print|dump|train|bench|self|auto|loop|test")
"""Listed commands that are not called: they end an engine, write files or work for hours."""
PROBE = 2.0
"""Seconds for a command of the engine's own, which may well take longer."""
FRAMING = "framing"
LISTED_AFTER = "unknown command"
"""The row after which the listed commands are tried; those that do not exist are not asked for any more."""
DENIED = "known_command does not say true of a command in list_commands: controllers that ask so leave it out."
NOT_THERE = (
    "It lists commands and says that they do not exist: a controller that builds on the list fails in the middle of a "
    "game."
)
NUMBERS = "Its answers have not the number of their command: controllers cannot tell which answer belongs to what."
WITHOUT_NUMBERS = "protocol_version\nname\nprotocol_version"
HEAD = re.compile(r"[=?]")
NUMBER = re.compile(r"^([=?])\d*")

FILES = {"empty.sgf": b"", "truncated.sgf": b"(;GM[1]FF[4]SZ[9];B[ee];W[", "deep.sgf": b"(;" * 50_000,
         "binary.sgf": bytes(range(256)) * 8}  # fmt: skip


class Gtp:
    """The dialect of one engine."""

    kind = "gtp"
    sanity = "genmove"
    fresh = ""
    is_framed = True
    quit = "quit"
    quit_seconds = 3.0
    busy_ends = True
    facts = {"name": "name", "version": "version", "commands": "list_commands", "game": "gogui-rules_game_id",
             "size": f"boardsize {FACTS[GO].size}"}  # fmt: skip

    def __init__(self, game: str | None = None) -> None:
        self.game = game or GO
        self._is_told = game is not None
        self._commands: tuple[str, ...] = ()
        self._numbers: bool | None = None
        self._is_large = False

    @property
    def size(self) -> int:
        """The size of the board on which it is examined."""
        return LARGE if self._is_large and self.game == GO else FACTS[self.game].size

    @property
    def own_lines(self) -> str:
        """See `sentinel`."""
        return "'900000000 protocol_version' and the like" if self.has_numbers else WITHOUT_NUMBERS.replace("\n", ", ")

    @property
    def has_numbers(self) -> bool:
        """Whether the first answer of all had its number, as long as nothing else is known."""
        return self._numbers is not False

    @property
    def hello(self) -> str:
        """A small board and one second a move."""
        return f"boardsize {self.size}\nclear_board\ntime_settings 0 1 1"

    @property
    def busy(self) -> str:
        """A move that takes a while."""
        return f"time_settings 600 0 0\nboardsize {self.size}\nclear_board\ngenmove b"

    def sentinel(self, number: int) -> Sentinel:
        """A number that no other line uses; for an engine without numbers three answers that nothing else gives."""
        if self._numbers is False:
            return Sentinel(WITHOUT_NUMBERS, _three_answers(), 3)
        is_own = re.compile(rf"[=?]{number}(?!\d)").match

        def is_end(line: str) -> bool:
            if self._numbers is None and HEAD.match(line):
                self._numbers = is_own(line) is not None
                return True
            return is_own(line) is not None

        return Sentinel(f"{number} protocol_version", is_end)

    def without_numbers(self) -> bool:
        """Switch to conversations without numbers; the rows with numbers then find the fault."""
        is_new = self._numbers is not False
        self._numbers = False
        return is_new

    def readings(self, send: str, lines: Sequence[str]) -> Iterator[Reading]:
        """One answer for each command, without further answers and lines between them; then with the right numbers."""
        asked = [line.split()[0] for line in send.split("\n") if line.split("#")[0].strip()]
        count = len(asked)
        answers, outside = frames(lines)
        if len(answers) < count:
            return
        if outside or len(answers) > count > 0:
            strays = (*outside, *answers[count:])
            sentence = _outside(outside[0]) if outside else _count(len(answers), count)
            yield Reading("\n\n".join(answers[: count or None]), strays, FRAMING, sentence)
        numbers = [word if word.isdecimal() else "" for word in asked]
        right = [NUMBER.sub(rf"\g<1>{number}", one) for number, one in zip(numbers, answers, strict=False)]
        wrong = tuple(one for one, fixed in zip(answers, right, strict=False) if one != fixed)
        if wrong:
            yield Reading("\n\n".join(right), wrong, "id is echoed", NUMBERS)

    def late(self, send: str) -> float:
        """Answers come in order."""
        return 0.0

    def awaited(self, send: str) -> str | None:
        """Answers come in order."""
        return None

    def is_comment(self, line: str) -> bool:
        """Nothing may be said unasked."""
        return False

    def is_noise(self, line: str) -> bool:
        """Whether a line is noise, by its place: see `audit`."""
        return False

    def learn(self, answers: Mapping[str, str]) -> dict[str, str]:
        """The commands, and the game where the engine tells it."""
        good = {name: answer for name, answer in answers.items() if answer.startswith("=")}
        told = {name: re.sub(r"^=\d*", "", answer).strip() for name, answer in good.items()}
        self._commands = tuple(dict.fromkeys(told.get("commands", "").split()))
        if not self._is_told:
            self.game = BY_ID.get(told.get("game", "").lower(), GO)
        self._is_large = answers.get("size", "").startswith("?")
        known = {name: told.get(name, "(none)") for name in ("name", "version")}
        return known | {"game": self.game, "commands": str(len(self._commands))}

    def checks(self) -> Sequence[Check]:
        """The rows for the game and the commands that the engine lists, with one for each that it must list."""
        rows = [
            check(f"{command} is listed", f"known_command {command} => = ?true",
                  f"It lacks '{command}', which every controller uses.")
            for command in MUST_KNOW if command not in self._commands
        ]  # fmt: skip
        names = {self.game, f"{self.game}{self.size}"}
        fits = (r for r in TABLE if not r.games or names.intersection(r.games))
        rows += [self._fill(r) for r in fits if set(self._commands).issuperset(r.needs)]
        rows = [row._replace(presumes=row.presumes + row.needs) for row in presuming(rows, BASES)]
        at = next(at for at, row in enumerate(rows) if row.name == LISTED_AFTER) + 1
        return rows[:at] + [row for command in self._commands for row in _listed(command)] + rows[at:]

    def _fill(self, row: Check) -> Check:
        first, second, third = FACTS[self.game].moves
        names = {"{0}": first, "{1}": second, "{2}": third, "{size}": str(self.size),
                 "{upper}": first.upper(), "{lower}": first.lower()}  # fmt: skip
        patterns = {"{vertex}": any_vertex(self.size), "{first}": FACTS[self.game].first or any_vertex(self.size)}

        def fill(text: str, values: Mapping[str, str]) -> str:
            for name, value in values.items():
                text = text.replace(name, value)
            return text

        steps = (Step(fill(step.send, names), fill(step.expect, patterns)) for step in row.steps)
        return row._replace(steps=tuple(steps))

    def valid(self, dice: random.Random) -> str:
        """Commands that the engine lists."""
        size = self.size
        colour = dice.choice(["b", "w", "black", "White", "B"])
        vertex = dice.choice(LETTERS[:size]) + str(dice.randint(1, size)) if dice.random() < 0.93 else "pass"
        lines = [
            "name", "version", "list_commands", "known_command play", f"boardsize {size}", "clear_board",
            f"komi {dice.choice(['0', '6.5', '-3'])}", *[f"play {colour} {vertex}"] * 5, f"genmove {colour}", "undo",
            "showboard", f"fixed_handicap {dice.randint(2, 5)}", "place_free_handicap 4", "set_free_handicap D4 F6",
            f"time_left {colour} {dice.randint(0, 9)} {dice.randint(0, 3)}", "final_score", "loadsgf nothing.sgf 5",
            "final_status_list dead", f"printsgf game{dice.randint(0, 3)}.sgf", f"reg_genmove {colour}", "gg-undo 2",
            "gogui-play_sequence B D4 W E5", "kgs-rules chinese", "loadsgf truncated.sgf", "kata-set-rules japanese",
        ]  # fmt: skip
        return dice.choice(
            [line for line in lines if not self._commands or line.split()[0] in self._commands] or ["name"]
        )

    def guard(self, line: str) -> str:
        """One second a move again."""
        return "time_settings 0 1 1" if "time" in line.lower() else ""

    def audit(self, sent: Sequence[str], reply: Sequence[str]) -> str:
        """One framed answer for every command, in order, with its number."""
        asked = [line.split()[0] for text in sent for line in text.split("\n") if line.strip()]
        answers, outside = frames(reply)
        if outside:
            return _outside(outside[0])
        if len(answers) != len(asked):
            return _count(len(answers), len(asked))
        for number, answer in zip(asked, answers, strict=True):
            if number.isdecimal() and re.match(rf"[=?]{number}(?!\d)", answer) is None:
                head = answer.split("\n")[0][:80]
                return f"It answered command {number} with '{head}': the number is not the command's."
        return ""


def any_vertex(size: int) -> str:
    """A regular expression for any point of a board."""
    return f"(?i:[{LETTERS[:size]}]({'|'.join(str(row) for row in range(1, size + 1))}))"


def frames(reply: Sequence[str]) -> tuple[list[str], list[str]]:
    """The answers of a reply, and the lines that are in none."""
    answers: list[str] = []
    outside: list[str] = []
    is_inside = False
    for line in (line.rstrip() for line in reply):
        if is_inside and line:
            answers[-1] += f"\n{line}"
        elif line and HEAD.match(line):
            answers.append(line)
        elif line:
            outside.append(line)
        is_inside = bool(line) and (is_inside or HEAD.match(line) is not None)
    return answers, outside


def _outside(line: str) -> str:
    return f"It writes lines outside an answer, which a controller takes for one: '{line[:80]}'."


def _count(answers: int, commands: int) -> str:
    return (
        f"It gave {answers} answer{'s' * (answers != 1)} to {commands} command{'s' * (commands != 1)}: every later "
        "answer is taken for another command's."
    )


def _three_answers() -> Callable[[str], bool]:
    """Whether a line is the third of three answers: the version, another, the version."""
    seen: list[bool] = []

    def is_end(line: str) -> bool:
        if HEAD.match(line):
            seen.append(re.fullmatch(r"=\d*\s*2\s*", line) is not None)
        return seen[-3:] == [True, False, True]

    return is_end


def _listed(command: str) -> list[Check]:
    """What the engine says of a command that it lists."""
    denied = check("known_command denies a listed command", f"known_command {command} => = ?true", DENIED, should=True,
                   presumes="known command")  # fmt: skip
    refused = check("a listed command is refused", f"{command} => (?is:(?!{REFUSED}$).*)", NOT_THERE)
    return [denied] if NOT_ASKED.search(command) else [denied, refused._replace(probe=PROBE)]
