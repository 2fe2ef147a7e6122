"""GTP 2, as Sabaki, GoGui and match managers use it, for Go, Gomoku and Reversi."""

# ruff: noqa: E501 - a table: one question a row

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from tengen.tools.compliance.check import Check, check
from tengen.tools.compliance.dialect import Sentinel

SIZES = {"go": 9, "gomoku": 15, "reversi": 8}
MOVES = {"go": ("D4", "E5", "C3"), "gomoku": ("D4", "E5", "C3"), "reversi": ("d3", "c3", "b3")}
GAME_IDS = {"go": "go", "gomoku": "gomoku", "othello": "reversi", "reversi": "reversi"}
MUST_KNOW = ("protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize",
             "clear_board", "komi", "play", "genmove")  # fmt: skip
SYNC = "Sabaki then says that the engine can't be synced and cannot use it for that position"

TABLE = (
    check("id is echoed", "17 name => =17 .+", "It does not repeat the number of a command: Lizzie, GoGui and every "
          "controller that pipelines cannot tell which answer belongs to what."),
    check("large id", "2147483647 name => =2147483647 .+", "It does not repeat the largest allowed number of a command, "
          "which controllers count up to.", should=True),
    check("protocol version", "protocol_version => = ?2", "It does not say that it speaks version 2: controllers refuse it."),
    check("name", "name => = ?[^\\n]+", "It has no name of one line, which every GUI shows."),
    check("version", "version => =[^\\n]*", "It has no version of one line; Lizzie reads one."),
    check("list_commands", "list_commands => = ?[\\w.-]+(\\n[\\w.-]+)*", "list_commands is not one command a line: GUIs "
          "switch off what they cannot find there."),
    check("known command", "known_command play => = ?true", "known_command does not say true of a known command: GoGui "
          "and match managers switch features off."),
    check("unknown command is not known", "known_command xyzzy_42 => = ?false", "known_command does not say false of an "
          "unknown command; an error here stops GoGui."),
    check("unknown command", "xyzzy_42 => \\? ?.+", "It does not refuse an unknown command with an error: controllers "
          "probe for extensions and take silence or success for one."),
    check("comments and empty lines", "\\n\\n# a comment\\n \\n =>", "It answers empty lines or comments: every later "
          "answer is then taken for the answer to another command."),
    check("comment after a command", "5 protocol_version # why => =5 2", "It does not cut off a comment after '#', as "
          "regression files have them.", should=True),
    check("CR LF", "5 protocol_version\\r => =5 2", "It does not accept lines that end with CR LF, as Windows programs "
          "send them."),
    check("tabs", "5\\tknown_command\\tplay => =5 true", "It does not take a tab for a blank, as the standard asks.",
          should=True),
    check("pipelining", "clear_board\\n1 name\\n2 version\\n3 protocol_version => =\\n\\n=1 .+\\n\\n=2.*\\n\\n=3 2", "It "
          "does not answer commands that arrive together one by one and in order; Sabaki sends a whole game at once."),
    check("same colour twice", "clear_board => =|||play b {0} => =|||play b {2} => =", f"It refuses two moves of one colour in a "
          f"row, as set-up stones and handicap are sent; {SYNC}.", games="go gomoku"),
    check("colour in any case", "clear_board => =|||play BLACK {0} => =|||play White {1} => =", f"It does not read colours in any "
          f"case; {SYNC}."),
    check("vertex in any case", "clear_board => =|||play b {0} => =|||play w {1} => =|||clear_board => =|||play b {upper} => =|||"
          "clear_board => =|||play b {lower} => =", f"It does not read vertices in any case; {SYNC}."),
    check("occupied point", "clear_board => =|||play b {0} => =|||play w {0} => \\? ?.+", "It accepts a stone on a stone: its board "
          "then differs from the GUI's."),
    check("off the board", "clear_board => =|||play b Z25 => \\? ?.+|||play b A0 => \\? ?.+|||play b I5 => \\? ?.+", "It accepts a "
          "vertex that is not on the board (or a column I, which GTP leaves out): games are recorded wrongly.",
          games="go gomoku"),
    check("play without arguments", "play => \\? ?.+|||play b => \\? ?.+", "It accepts 'play' without a move."),
    check("genmove", "clear_board => =|||genmove b => = ?([a-zA-Z]\\d+|(?i:pass|resign))", "It does not answer genmove with a vertex, "
          "pass or resign; nobody can play with it."),
    check("genmove for any side", "clear_board => =|||genmove w => = ?([a-zA-Z]\\d+|(?i:pass|resign))", "It does not move for White "
          "on an empty board, as after a handicap.", games="go"),
    check("genmove without a colour", "genmove => \\? ?.+", "It takes genmove without a colour for a command.", should=True),
    check("genmove is played", "clear_board => =|||genmove b => = ?.+|||undo => =|||play b {0} => =", "A move of genmove cannot be "
          "taken back; Sabaki does that at every variation.", needs="undo"),
    check("undo", "clear_board => =|||play b {0} => =|||undo => =|||play b {0} => =|||undo => =|||undo => \\? ?.+", "undo does not "
          f"work back to the empty board, or goes on below it; {SYNC}.", needs="undo"),
    check("komi", "komi 0 => =|||komi -3 => =|||komi 7 => =|||komi 6.5 => =", f"It refuses a komi of 0, a negative or a whole "
          f"one: Sabaki sends 0 where a file has none; {SYNC}.", games="go"),
    check("komi that is no number", "komi nothing => \\? ?.+", "It takes any text for komi and plays with another one than "
          "the user thinks."),
    check("boardsize that is no number", "boardsize big => \\? ?.+", "It takes any text for a board size."),
    check("impossible board size", "boardsize 1000 => \\? ?.+|||boardsize -1 => \\? ?.+|||boardsize 0 => \\? ?.+", "It accepts a "
          "board size that it cannot play: controllers try sizes and rely on the refusal."),
    check("boardsize clears", "boardsize {size} => =|||clear_board => =|||play b {0} => =|||boardsize {size} => =|||clear_board => =|||play b {0} => =",
          "After boardsize and clear_board stones of the last game stay."),
    check("showboard has no empty line", "showboard => = ?\\n?([^\\n]+\\n?)*", "showboard has an empty line inside, which ends a "
          "GTP answer: the controller takes the rest for the next one.", needs="showboard"),
    check("time settings", "time_settings 60 10 5 => =|||time_settings 0 1 1 => =", "It refuses time_settings: it will lose on "
          "time.", needs="time_settings"),
    check("time left", "time_left b 30 0 => =|||time_left w 10 5 => =", "It refuses time_left.", needs="time_left"),
    check("final score", "clear_board => =|||play b {0} => =|||play w pass => =|||play b pass => =|||final_score => [=?] ?.+", "final_score "
          "neither gives a score nor a reason.", needs="final_score", games="go"),
    check("handicap", "clear_board => =|||set_free_handicap D4 F6 => =", f"It refuses set_free_handicap; {SYNC}.",
          needs="set_free_handicap", games="go"),
    check("handicap on a used board", "clear_board => =|||play b {0} => =|||set_free_handicap F6 G7 => \\? ?.+", "It accepts handicap "
          "stones on a board with stones: its position then differs from the GUI's.", should=True,
          needs="set_free_handicap", games="go"),
    check("analysis ends", "clear_board => =|||1 lz-analyze 10\\n2 protocol_version => =1\\n?[\\s\\S]*\\n\\n=2 2", "The next command "
          "does not end its analysis with an empty line: Sabaki then waits for ever.", needs="lz-analyze", games="go"),
    check("Kata analysis ends", "clear_board => =|||1 kata-analyze 10\\n2 protocol_version => =1\\n?[\\s\\S]*\\n\\n=2 2", "The next "
          "command does not end its analysis with an empty line: Sabaki then waits for ever.", needs="kata-analyze", games="go"),
    check("a file that is missing", "loadsgf nothing.sgf => \\? ?.+", "loadsgf says that a missing file was read.", needs="loadsgf"),
    check("a folder as a file", "loadsgf / => \\? ?.+|||name => = ?.+", "'loadsgf /' does not get an error.", needs="loadsgf"),
    check("an empty file", "loadsgf empty.sgf => \\? ?.+|||name => = ?.+", "An empty SGF file does not get an error.", needs="loadsgf"),
    check("a truncated file", "loadsgf truncated.sgf|||name => = ?.+", "A truncated SGF file ends it.", needs="loadsgf"),
    check("a deeply nested file", "loadsgf deep.sgf|||name => = ?.+", "A deeply nested SGF file ends it.", needs="loadsgf"),
    check("a binary file", "loadsgf binary.sgf => \\? ?.+|||name => = ?.+", "A file that is no SGF does not get an error.", needs="loadsgf"),
    check("saving outside its folder", "printsgf ../x.sgf|||printsgf ../../x.sgf|||printsgf {top}/y.sgf|||name => = ?.+",
          "It does not survive a path outside its folder.", needs="printsgf"),
    check("saving where there is no folder", "printsgf missing/folder/x.sgf => \\? ?.+|||name => = ?.+", "printsgf says that it saved "
          "where there is no folder: the user loses the game.", needs="printsgf"),
)  # fmt: skip
FILES = {"empty.sgf": b"", "truncated.sgf": b"(;GM[1]FF[4]SZ[9];B[ee];W[", "deep.sgf": b"(;" * 50_000,
         "binary.sgf": bytes(range(256)) * 8}  # fmt: skip


class Gtp:
    """The dialect of one engine."""

    kind = "gtp"
    sanity = "genmove"
    quit = "quit"
    quit_seconds = 3.0
    facts = {"name": "name", "version": "version", "commands": "list_commands", "game": "gogui-rules_game_id"}

    def __init__(self, game: str | None = None) -> None:
        self.game = game or "go"
        self._is_told = game is not None
        self._commands: frozenset[str] = frozenset()

    @property
    def hello(self) -> str:
        """A small board and one second a move."""
        return f"boardsize {SIZES[self.game]}\nclear_board\ntime_settings 0 1 1"

    @property
    def busy(self) -> str:
        """A move that takes a while."""
        return f"time_settings 600 0 0\nboardsize {SIZES[self.game]}\nclear_board\ngenmove b"

    def sentinel(self, number: int) -> Sentinel:
        """A number that no other line uses."""
        return f"{number} protocol_version", lambda line: re.match(rf"[=?]{number}(?!\d)", line) is not None

    def awaited(self, send: str) -> str | None:
        """Answers come in order."""
        return None

    def is_comment(self, line: str) -> bool:
        """Nothing may be said unasked."""
        return False

    def is_noise(self, line: str) -> bool:
        """Where a line stands decides: see `audit`."""
        return False

    def learn(self, answers: Mapping[str, str]) -> dict[str, str]:
        """The commands, and the game where the engine tells it."""
        told = {name: answer.removeprefix("=").strip() for name, answer in answers.items() if answer.startswith("=")}
        self._commands = frozenset(told.get("commands", "").split())
        if not self._is_told:
            self.game = GAME_IDS.get(told.get("game", "").lower(), "go")
        known = {name: told.get(name, "(none)") for name in ("name", "version")}
        return known | {"game": self.game, "commands": str(len(self._commands))}

    def checks(self) -> Sequence[Check]:
        """The rows for the game and the commands that the engine lists, with one for each that it must list."""
        rows = [
            check(f"{command} is listed", f"known_command {command} => = ?true", f"It lacks '{command}', which every controller "
                  "uses.")
            for command in MUST_KNOW if command not in self._commands
        ]  # fmt: skip
        fits = (r for r in TABLE if not r.games or self.game in r.games)
        return rows + [self._fill(r) for r in fits if self._commands.issuperset(r.needs)]

    def _fill(self, row: Check) -> Check:
        first, second, third = MOVES[self.game]
        names = {"{0}": first, "{1}": second, "{2}": third, "{size}": str(SIZES[self.game]),
                 "{upper}": first.upper(), "{lower}": first.lower()}  # fmt: skip

        def fill(text: str) -> str:
            for name, value in names.items():
                text = text.replace(name, value)
            return text

        return row._replace(steps=tuple(step._replace(send=fill(step.send)) for step in row.steps))

    def valid(self, dice: random.Random) -> str:
        """Commands that the engine lists."""
        size = SIZES[self.game]
        colour = dice.choice(["b", "w", "black", "White", "B"])
        vertex = dice.choice("ABCDEFGHJKLMNOP"[:size]) + str(dice.randint(1, size)) if dice.random() < 0.93 else "pass"
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
        heads: list[str] = []
        is_inside = False
        for line in (line.rstrip() for line in reply):
            if is_inside:
                is_inside = bool(line)
            elif line[:1] in ("=", "?") and line:
                heads.append(line)
                is_inside = True
            elif line:
                return f"It writes lines outside an answer, which a controller takes for one: '{line[:80]}'."
        if len(heads) != len(asked):
            return f"It gave {len(heads)} answers to {len(asked)} commands: every later answer is taken for another command's."
        for number, head in zip(asked, heads, strict=True):
            if number.isdecimal() and re.match(rf"[=?]{number}(?!\d)", head) is None:
                return f"It answered command {number} with '{head[:80]}': the number is not the command's."
        return ""
