"""A small GTP engine for Go that does nothing wrong, with faults to plant: each is one line where it belongs.

large-only is none of them: it then refuses every board but 19x19.
"""

from __future__ import annotations

import math
import sys
import time

LETTERS = "ABCDEFGHJKLMNOPQRST"
COLOURS = {"b": "b", "black": "b", "w": "w", "white": "w"}
COMMANDS = [
    "protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "clear_board", "komi",
    "play", "genmove", "undo", "final_score", "showboard",
]  # fmt: skip
FAULTS = {
    # how it talks
    "no-id": "the answer to `name` has no number",
    "ids-refused": "a command with a number is an unknown command",
    "ids-ignored": "a command with a number has no answer",
    "wrong-id": "every answer has the number 1",
    "extra": "undo is answered twice",
    "noise": "a line of its own before the answer to undo",
    "chatter": "a line of its own before every answer",
    "banner": "a line of its own at the start",
    "one-line-feed": "no empty line after an answer",
    "comment": "a comment is a command",
    "any-command": "success for unknown commands",
    # lists
    "unlisted": "genmove is not in the list",
    "listed-refused": "two commands in the list that it does not have",
    "undo-refused": "undo is in the list, and an unknown command",
    "twice-listed": "a command stands twice in the list",
    "denied": "known_command says false of undo",
    # moves
    "fixed": "genmove is E5, whatever stands there",
    "blind": "genmove goes through the points one after the other, whatever stands there",
    "unplayed": "genmove does not play its move",
    "off-board": "genmove answers a point off the board",
    "ko": "a ko may be retaken at once",
    "ko-for-ever": "a ko may never be retaken",
    "suicide": "a stone without a liberty is accepted",
    "no-capture": "captured stones stay",
    "occupied": "a stone on a stone is accepted",
    "kept": "clear_board keeps the stones",
    "no-play": "play is refused",
    "undo-below": "undo goes on below the empty board",
    "any-size": "every number is a board size",
    # the rest
    "nan": "nan and inf are a komi",
    "any-komi": "any text is a komi",
    "banana": "final_score is a word",
    "crash": "a vertex off the board ends it",
    "hang": "nan makes it hang",
    "escape": "printsgf writes any file",
    "stays": "quit does not end it",
    "mute-quit": "quit has no answer",
}


def is_number(text: str) -> bool:
    """Whether it is digits alone; `re` takes longer to load than the rest of the engine."""
    return text.isascii() and text.isdigit()


class Refusal(Exception):
    """The text of an error."""


class Engine:
    """A board, what stood on it before, and one method for each command."""

    def __init__(self, faults: set[str]) -> None:
        self.faults = faults
        self.size = 19
        self.stones: dict[str, str] = {}
        self.history: list[dict[str, str]] = []
        self.ko = ""
        self.komi = 0.0
        self.next = 0
        self.commands = [name for name in COMMANDS if not (name == "genmove" and "unlisted" in faults)]
        self.commands += ["frobnicate", "gg-undo"] * ("listed-refused" in faults) + ["name"] * (
            "twice-listed" in faults
        )
        self.commands += ["printsgf"] * ("escape" in faults)

    # -- the board -----------------------------------------------------------------------------------------

    def around(self, point: str) -> list[str]:
        x, y = LETTERS.index(point[0]), int(point[1:])
        near = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        return [f"{LETTERS[a]}{b}" for a, b in near if 0 <= a < self.size and 1 <= b <= self.size]

    def dead(self, point: str, stones: dict[str, str]) -> set[str]:
        """The group at a point if it has no liberty."""
        group, todo = {point}, [point]
        while todo:
            for near in self.around(todo.pop()):
                if near not in stones:
                    return set()
                if stones[near] == stones[point] and near not in group:
                    group.add(near)
                    todo.append(near)
        return group

    def put(self, colour: str, point: str) -> None:
        """Play a stone by the rules, as the faults have them."""
        if point in self.stones and "occupied" not in self.faults:
            raise Refusal("illegal move")
        if self.ko == colour + point and "ko" not in self.faults:
            raise Refusal("illegal move")
        after = self.stones | {point: colour}
        taken: set[str] = set()
        for near in self.around(point):
            if after.get(near, colour) != colour and "no-capture" not in self.faults:
                taken |= self.dead(near, after)
        after = {at: who for at, who in after.items() if at not in taken}
        group = self.dead(point, after)
        if group and not {"suicide", "no-capture"} & self.faults:
            raise Refusal("illegal move")
        self.history.append(self.stones)
        self.stones = after
        free = [near for near in self.around(point) if near not in after]
        is_ko = len(taken) == 1 and set(free) == taken and all(after.get(near) != colour for near in self.around(point))
        if "ko-for-ever" not in self.faults or not self.ko:
            self.ko = ("w" if colour == "b" else "b") + free[0] if is_ko else ""

    def vertex(self, text: str) -> str:
        """A point, or "" for a pass."""
        point = text.upper()
        if point == "PASS":
            return ""
        is_row = is_number(point[1:]) and point[1] != "0" and int(point[1:]) <= self.size
        if not is_row or point[0] not in LETTERS[: self.size]:
            if "crash" in self.faults and point == "Z25":
                raise SystemExit(3)
            raise Refusal("invalid vertex")
        return point

    def colour(self, text: str) -> str:
        if text.lower() not in COLOURS:
            raise Refusal("invalid color")
        return COLOURS[text.lower()]

    # -- commands ------------------------------------------------------------------------------------------

    def protocol_version(self) -> str:
        return "2"

    def name(self) -> str:
        return "Fake"

    def version(self) -> str:
        return "1.0"

    def known_command(self, command: str = "") -> str:
        return "true" if command in self.commands and not (command == "undo" and "denied" in self.faults) else "false"

    def list_commands(self) -> str:
        return "\n".join(self.commands)

    def quit(self) -> str:
        return ""

    def boardsize(self, size: str) -> str:
        least = 19 if "large-only" in self.faults else 2
        if not is_number(size.removeprefix("-")) or not least <= int(size) <= 19 and "any-size" not in self.faults:
            raise Refusal("unacceptable size")
        self.size = min(max(int(size), 2), 19)
        self.stones, self.history, self.ko = {}, [], ""
        return ""

    def clear_board(self) -> str:
        if "kept" not in self.faults:
            self.stones, self.history, self.ko, self.next = {}, [], "", 0
        return ""

    def komi_(self, komi: str) -> str:
        try:
            value = float(komi)
        except ValueError:
            value = math.nan if "any-komi" not in self.faults else 0.0
        if not math.isfinite(value) and not ("nan" in self.faults and komi.removeprefix("-") in ("nan", "inf")):
            raise Refusal("komi not a float")
        self.komi = value
        return ""

    def play(self, colour: str, vertex: str) -> str:
        who, point = self.colour(colour), self.vertex(vertex)
        if "no-play" in self.faults:
            raise Refusal("not now")
        if point:
            self.put(who, point)
        else:
            self.history.append(self.stones)
            self.ko = ""
        return ""

    def genmove(self, colour: str) -> str:
        who = self.colour(colour)
        if "fixed" in self.faults or "off-board" in self.faults:
            self.history.append(self.stones)
            self.stones = self.stones | {"E5": who}
            return "E5" if "fixed" in self.faults else "U20"
        for point in [f"{x}{y}" for y in (5, *range(1, self.size + 1)) for x in LETTERS[: self.size] if y <= self.size][
            self.next :
        ]:
            if "blind" in self.faults:
                self.next += 1
                self.history.append(self.stones)
                self.stones = self.stones | {point: who}
                return point
            if point in self.stones:
                continue
            try:
                self.put(who, point)
            except Refusal:
                continue
            if "unplayed" in self.faults:
                self.stones = self.history.pop()
            return point
        return "pass"

    def undo(self) -> str:
        if "undo-refused" in self.faults:
            raise Refusal("unknown command")
        if not self.history and "undo-below" not in self.faults:
            raise Refusal("cannot undo")
        self.stones, self.ko = self.history.pop() if self.history else {}, ""
        return ""

    def final_score(self) -> str:
        if "banana" in self.faults:
            return "banana"
        black, white = (sum(who == colour for who in self.stones.values()) for colour in "bw")
        score = black - white - self.komi
        return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"

    def showboard(self) -> str:
        rows = range(self.size, 0, -1)
        return "\n" + "\n".join("".join(self.stones.get(f"{x}{y}", ".") for x in LETTERS[: self.size]) for y in rows)

    def printsgf(self, path: str) -> str:
        try:
            open(path, "w").close()
        except OSError as error:
            raise Refusal(str(error)) from None
        return ""

    def run(self, words: list[str]) -> str:
        """The answer to a command without its number. Raises Refusal."""
        name = words[0]
        if name not in {*self.commands, "genmove"} or name in ("frobnicate", "gg-undo"):
            if "any-command" in self.faults:
                return ""
            raise Refusal("unknown command")
        try:
            return getattr(self, {"komi": "komi_"}.get(name, name))(*words[1:])
        except TypeError:
            raise Refusal("syntax error") from None


def talk(faults: set[str]) -> None:
    """Answer stdin until its end or quit."""
    engine = Engine(faults)
    if "banner" in faults:
        print("Fake 1.0, all rights reserved", flush=True)
    for line in sys.stdin:
        text = (line if "comment" in faults else line.split("#")[0]).replace("\t", " ").strip()
        number, words = "", text.split()
        if words and words[0].isdecimal() and "ids-refused" not in faults:
            number, words = words[0], words[1:]
        if not words or number and "ids-ignored" in faults:
            continue
        if "hang" in faults and "nan" in line:
            time.sleep(3600)
        sign = "="
        try:
            answer = engine.run(words)
        except Refusal as refusal:
            sign, answer = "?", str(refusal)
        if "chatter" in faults or "noise" in faults and words[0] == "undo":
            print("loading the network")
        number = "1" if "wrong-id" in faults else "" if "no-id" in faults and words[0] == "name" else number
        end = "" if "one-line-feed" in faults else "\n"
        is_mute = "mute-quit" in faults and words[0] == "quit"
        print("" if is_mute else f"{sign}{number} {answer}\n{end}", end="")
        print("= \n\n" if "extra" in faults and words[0] == "undo" else "", end="", flush=True)
        if words[0] == "quit" and "stays" not in faults:
            return
