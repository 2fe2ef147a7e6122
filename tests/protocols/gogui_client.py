"""GoGui 1.6 as an engine meets it: what it asks when a program is attached, what it believes, and how it keeps in step.

After its sources (GoGui.attachProgram, isGtpCompatibleWithGame, initGameRuler, GtpSynchronizer, AnalyzeShow): an engine
that lists `gogui-rules_*` is taken for one that decides which game is played and on what board, an open game goes; any
other gets the game that is open. The entries of its menu are believed to leave the board alone.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gtp_client import Process

from tengen.protocols.gtp.board import COLUMNS

RULER = {"gogui-rules_game_id", "gogui-rules_legal_moves", "gogui-rules_side_to_move"}
TYPES = set(
    "bwboard cboard dboard eplist gfx hstring hpstring none param plist pspairs pstring sboard string "
    "var varb varc varp varpo varw".split()
)
GFX = {"BLACK", "CIRCLE", "CLEAR", "COLOR", "INFLUENCE", "LABEL", "MARK", "SQUARE", "TEXT", "TRIANGLE", "VAR", "WHITE"}
Move = tuple[str, str]
"""Colour b or w, and a point or PASS."""


class GtpError(Exception):
    """What GoGui shows in a window: the text after "?"."""


class Engine:
    """One process and the commands that it lists (GtpClient)."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.supported: set[str] = set()

    def send(self, command: str) -> str:
        answer = self.process.ask(command, 60)
        assert answer[:1] in ("=", "?"), answer
        text = answer[1:].strip(" ").removesuffix("\n")
        if answer[0] == "?":
            raise GtpError(f"{command}: {text}")
        return text

    def greet(self) -> None:
        assert self.send("name") and self.send("protocol_version") == "2"
        self.send("version")
        self.supported = set(self.send("list_commands").split())
        if "gogui-interrupt" in self.supported:
            self.send("gogui-interrupt")


class Entry(NamedTuple):
    """One line of gogui-analyze_commands."""

    kind: str
    label: str
    command: str


class GoGui:
    """The program with one open game: its size and its moves."""

    def __init__(self, start: object, size: int = 19, moves: tuple[Move, ...] = (), komi: str = "6.5") -> None:
        """start: makes the process of the engine that will be attached; called again for a ruler."""
        self.start, self.size, self.moves, self.komi = start, size, list(moves), komi
        self.lost_game = False
        self.engine: Engine
        self.ruler: Engine | None = None
        self.menu: list[Entry] = []
        self.sent: list[Move] = []
        self.stones: dict[str, str] = {}

    def attach(self) -> None:
        self.engine = Engine(self.start())  # type: ignore[operator]
        self.engine.greet()
        if not self._is_compatible() and self.engine.supported >= RULER:
            self._attach_ruler()
        self.engine.send("name")
        self.engine.send("protocol_version")
        if "gogui-rules_board_size" in self.engine.supported:
            self._wants(self.engine.send("gogui-rules_board_size"))
        if "gogui-analyze_commands" in self.engine.supported:
            self.menu = _menu(self.engine.send("gogui-analyze_commands"))
        self._initialize()

    def _is_compatible(self) -> bool:
        supported = self.engine.supported
        if "gogui-rules_game_id" not in supported:
            return False
        game = self.engine.send("gogui-rules_game_id")
        if self.ruler is None:
            return game.lower() == "go"
        return game == self.ruler.send("gogui-rules_game_id")

    def _attach_ruler(self) -> None:
        """The same command line once more, to be asked for the rules."""
        self.ruler = Engine(self.start())  # type: ignore[operator]
        self.ruler.supported = set(self.ruler.send("list_commands").split())
        self.ruler.send("gogui-interrupt")
        assert self.ruler.send("gogui-rules_game_id")
        self._new_game(_size(self.ruler.send("gogui-rules_board_size")))

    def _wants(self, answer: str) -> None:
        if _size(answer) != self.size:
            self._new_game(_size(answer))

    def _new_game(self, size: int) -> None:
        self.lost_game = self.lost_game or bool(self.moves)
        self.size, self.moves = size, []

    # -- keeping in step (GtpSynchronizer) ----------------------------------------------------------------

    def _initialize(self) -> None:
        self.engine.send(f"boardsize {self.size}")
        self.engine.send("clear_board")
        for command in (f"komi {self.komi}", "time_settings 0 1 0"):
            if command.split()[0] in self.engine.supported:
                self.engine.send(command)
        self.sent = []
        if self.ruler is not None:
            self.ruler.send("clear_board")
        self._catch_up()

    def _catch_up(self) -> None:
        """Undo what is not on the board any more, play what is missing."""
        common = 0
        while common < min(len(self.moves), len(self.sent)) and self.moves[common] == self.sent[common]:
            common += 1
        if back := len(self.sent) - common:
            fast = "gg-undo" in self.engine.supported and back > 1
            for command in [f"gg-undo {back}"] if fast else ["undo"] * back:
                self.engine.send(command)
        missing = self.moves[common:]
        if len(missing) > 1 and "gogui-play_sequence" in self.engine.supported:
            self.engine.send("gogui-play_sequence " + " ".join(f"{side} {point}" for side, point in missing))
        else:
            for side, point in missing:
                self.engine.send(f"play {side} {point}")
        self.sent = list(self.moves)
        if self.ruler is not None:
            self.ruler.send("clear_board")
            for side, point in self.moves:
                self.ruler.send(f"play {side} {point}")
            self.stones = _stones(self.ruler.send("gogui-rules_board"), self.size)
        else:
            self.stones = {point: side for side, point in self.moves if point != "PASS"}  # nothing is captured in tests

    # -- what the user does -------------------------------------------------------------------------------

    @property
    def to_move(self) -> str:
        if self.ruler is not None:
            return self.ruler.send("gogui-rules_side_to_move")[0]
        return "b" if not self.moves else "w" if self.moves[-1][0] == "b" else "b"

    @property
    def is_over(self) -> bool:
        return self.ruler is not None and not self.ruler.send("gogui-rules_legal_moves")

    def click(self, point: str) -> None:
        """A move by hand; with a ruler only one that it calls legal."""
        if self.ruler is not None:
            assert re.search(rf"\b{point}\b", self.ruler.send("gogui-rules_legal_moves")), point
        self.moves.append((self.to_move, point))
        self._catch_up()

    def generate(self) -> str:
        """The computer plays for the side to move."""
        side = self.to_move
        point = self.engine.send(f"genmove {side}").upper()
        assert re.fullmatch(r"[A-Z]\d+|PASS|RESIGN", point), point
        if point != "RESIGN":
            self.moves.append((side, point))
            self.sent.append((side, point))
            self._catch_up()
        return point

    def back(self, count: int) -> None:
        del self.moves[len(self.moves) - count :]
        self._catch_up()

    def engine_board(self) -> dict[str, str]:
        """Point -> colour as the engine has it, whatever GoGui believes."""
        stones = {}
        for line in self.engine.send("showboard").splitlines():
            if row := re.match(r" *(\d+) ([.XO ]+)$", line):
                cells = row[2].split()
                stones |= {COLUMNS[x] + row[1]: "bw"["XO".index(c)] for x, c in enumerate(cells) if c != "."}
        return stones

    def run(self, entry: Entry, colour: str) -> str:
        """Choose an entry of the menu with `colour` selected, and read the answer as GoGui does."""
        words = entry.command.replace("%c", colour).replace("%m", self.to_move)
        assert "%" not in words, words
        answer = self.engine.send(words)
        getattr(self, f"_read_{entry.kind}", lambda answer: None)(answer)
        return answer

    def variation(self, answer: str, colour: str) -> list[Move]:
        """The moves of a `varc` answer, alternating from `colour` (words that are no points are left out)."""
        points = [word.upper() for word in answer.split() if re.fullmatch(r"(?i)[a-hj-z]\d+|pass", word)]
        return [("bw"[("bw".index(colour) + n) % 2], point) for n, point in enumerate(points)]

    def _read_dboard(self, answer: str) -> None:
        assert len([float(word) for word in answer.split()]) == self.size**2

    def _read_plist(self, answer: str) -> None:
        for word in answer.split():
            self._require_point(word)

    def _read_gfx(self, answer: str) -> None:
        for line in filter(None, answer.splitlines()):
            kind, *words = line.split()
            assert kind in GFX, line
            for word in {"LABEL": words[::2], "INFLUENCE": words[::2], "VAR": words[1::2]}.get(kind, []):
                self._require_point(word)

    def _read_param(self, answer: str) -> None:
        for line in filter(None, answer.splitlines()):
            assert re.fullmatch(r"\[(bool|string|list/\S+)\] \S+ .*", line), line

    def _require_point(self, word: str) -> None:
        found = re.fullmatch(r"([A-Z])(\d+)|(PASS)", word.upper())
        assert found, word
        assert found[3] or (found[1] in COLUMNS[: self.size] and 1 <= int(found[2]) <= self.size), word


def _size(answer: str) -> int:
    return int(answer.split()[0])


def _menu(answer: str) -> list[Entry]:
    entries = []
    for line in answer.splitlines():
        parts = line.strip().split("/")
        assert 3 <= len(parts) <= 5 and parts[0] in TYPES, line
        entries.append(Entry(*parts[:3]))
    assert len({entry.label for entry in entries}) == len(entries)
    return entries


def _stones(answer: str, size: int) -> dict[str, str]:
    """GoGui draws the first row of gogui-rules_board on top and counts from the bottom."""
    rows = [line.split() for line in answer.strip().splitlines()]
    assert len(rows) == size and all(len(row) == size for row in rows)
    return {
        f"{COLUMNS[x]}{size - y}": "bw"["XO".index(cell)]
        for y, row in enumerate(rows) for x, cell in enumerate(row) if cell != "."
    }  # fmt: skip
