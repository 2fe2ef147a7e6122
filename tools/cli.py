"""The `tengen` command: finds the subcommand, imports it alone, and turns every failure into one sentence.

Exit codes: 0 done, 1 the command itself reports a failure, 2 the command line or the configuration is wrong,
130 interrupted. A subcommand is a module with `configure(parser)` and `run(values) -> exit code`.
"""

from __future__ import annotations

import gc
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple, Protocol

from tengen.engine.config import nearest
from tengen.engine.sentence import excerpt
from tengen.tools.arguments import Parser, plain_dashes, sentence

COLLECTED = 50_000
"""New objects until Python looks for cycles among them. What a front end imports makes many objects and few cycles:
with 700, Python's own number, looking for them takes 7 % of the time until the first answer."""


class Command(NamedTuple):
    """One subcommand: the module that holds it and its line in the help."""

    module: str
    summary: str


COMMANDS = {
    "play": Command("play.command", "play a game in the terminal against Tengen, another program or a person"),
    "watch": Command("play.watch", "watch two players or programs play in the terminal"),
    "web": Command("web.command", "a page in the browser to play, analyse and review all games"),
    "gtp": Command("gtp", "speak GTP on stdin/stdout, for Sabaki, GoGui, Lizzie and match managers"),
    "gomocup": Command("gomocup", "speak the Gomocup protocol, for Piskvork, Yixin-Board and c-gomoku-cli"),
    "nboard": Command("nboard", "speak the NBoard protocol on stdin/stdout, for NBoard and other Reversi programs"),
    "uci": Command("uci", "speak UCI on stdin/stdout, for cutechess, Arena, lichess-bot and other chess programs"),
    "xboard": Command("xboard", "speak XBoard's protocol on stdin/stdout, for XBoard, WinBoard, SCID (chess)"),
    "analysis": Command("analysis", "speak KataGo's JSON analysis protocol on stdin/stdout, for KaTrain"),
    "review": Command("review.command", "analyse games of all kinds: annotated file, picture, mistakes"),
    "doctor": Command("doctor", "check the installation and print settings to paste into a GUI"),
    "net": Command("net.command", "list, check and measure the KataGo networks on this machine"),
    "options": Command("listing", "list what can be set of a player: kinds, defaults, bounds"),
    "init": Command("init", "write a configuration with every setting of a player, commented"),
    "bench": Command("bench", "measure the speed of the native core"),
    "benchmark": Command("benchmark.command", "find the threads and the batch by which a player thinks fastest here"),
    "convert": Command("convert", "convert game records: SGF, GGF, OBF, PSQ, RenLib, WTHOR, text"),
    "solve": Command("solve.command", "solve endings of Reversi exactly (OBF), search suites of chess (EPD)"),
    "book": Command("book.command", "grow an opening book by searching it"),
    "openings": Command("openings.command", "find balanced openings of Gomoku by searching them"),
    "defence": Command("defence.command", "collect Gomoku positions that lost games could last hold, and try them"),
    "photo": Command("photo.command", "read the position on a board from a photo, a screenshot or a diagram"),
    "train": Command("train.commands.train", "train a network by self-play, show what it has learned, list the runs"),
    "selfplay": Command("train.commands.selfplay", "a network plays against itself: games to learn from or to look at"),
    "export": Command("train.commands.export", "take a network out of a run, to play with it"),
    "tune": Command("tune.command", "improve the numbers of a player by games against itself"),
    "compliance": Command("compliance.command", "say in words what an engine does wrong in its protocol"),
    "match": Command("match.command", "play a match between two engines, ours or others, and measure the difference"),
    "tournament": Command("match.tournament", "play engines against each other and rate them all"),
    "rate": Command("match.rate", "rate an engine by games against opponents of known rating"),
    "completion": Command("shell.completion", "print the completion script of bash, zsh or fish"),
    "man": Command("shell.manual", "print the manual page, for man"),
    "perft": Command("perft", "count the positions of a game down to a depth"),
}


class CommandModule(Protocol):
    """The interface of a subcommand's module."""

    def configure(self, parser: Parser) -> None: ...
    def run(self, values: Namespace) -> int: ...


def usage() -> str:
    """The help of the whole program."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:{width}}  {command.summary}" for name, command in COMMANDS.items()]
    return "\n".join(
        ["usage: tengen COMMAND [options]", "", "commands:", *lines, "",
         "  tengen help COMMAND     the options of one command, also: tengen COMMAND --help",
         "  tengen --version        the version",
         "  --debug                 show where an error came from"]
    )  # fmt: skip


def load(name: str) -> CommandModule:
    """Import the module of a subcommand."""
    module: CommandModule = import_module(f"tengen.tools.{COMMANDS[name].module}")
    return module


def dispatch(words: Sequence[str]) -> int:
    """Run one command line. Raises SystemExit for mistakes in it."""
    if len(words) > 1 and words[0] == "help":
        words = [words[1], "--help"]
    if not words or words[0] in ("-h", "--help", "help"):
        print(usage(), file=sys.stdout if words else sys.stderr)
        return 0 if words else 2
    name = words[0]
    if name in ("--version", "-V", "version"):
        from tengen.engine.version import __version__

        print(f"tengen {__version__}")
        return 0
    if name not in COMMANDS:
        kind = "option" if name.startswith("-") else "command"
        hint = nearest(name, ("--version", "--help", "--debug") if kind == "option" else COMMANDS)
        print(f"tengen: unknown {kind} {excerpt(name, 60)}{hint}. See 'tengen --help'.", file=sys.stderr)
        return 2
    module, summary = load(name), COMMANDS[name].summary
    parser = Parser(prog=f"tengen {name}", description=f"{summary[:1].upper()}{summary[1:]}.")
    module.configure(parser)
    return module.run(parser.parse_strictly(words[1:]))


def _missing(words: Sequence[str], error: Exception) -> str | None:
    """Which extra a command lacks, when it could not import something of one."""
    if not isinstance(error, ImportError):
        return None
    from tengen.engine import extras

    return extras.sentence(f"tengen {words[0]}", error)


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    gc.set_threshold(COLLECTED, 10, 10)
    words = [plain_dashes(word) for word in (sys.argv[1:] if arguments is None else arguments)]
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]
    try:
        code = dispatch(words)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2 if stop.code else 0
    except KeyboardInterrupt:
        _make_room()
        return 130
    except BrokenPipeError:
        _leave_stdout()
        return 1
    except Exception as error:
        if debug:
            raise
        _make_room()
        if isinstance(error, OSError) and error.filename is None:
            _leave_stdout()  # perhaps its disk is full
        if isinstance(error, (ValueError, OSError, ImportError)):
            print(f"tengen: {_missing(words, error) or sentence(error)}", file=sys.stderr)
            return 2
        if isinstance(error, MemoryError):
            print(f"tengen: there is not enough memory for this{_of(error)}", file=sys.stderr)
            return 2
        what = f"unexpected {type(error).__name__}: {sentence(error)}"
        print(f"tengen: {what} (run again with --debug)", file=sys.stderr)
        return 2


def _of(error: Exception) -> str:
    """What a sentence says of an error beside its kind."""
    return f" ({sentence(error)})" if str(error) else ""


def _make_room() -> None:
    """The line of progress of a command that ended early is taken away, if it had begun one."""
    live = sys.modules.get("tengen.tools.live")
    if live is not None:
        live.close()


def _leave_stdout() -> None:
    """What could not be written is not tried again: the interpreter would complain while it closes stdout."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except OSError:
        pass
