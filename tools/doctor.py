"""`tengen doctor [options of tengen gtp]`: checks the installation, plays a move through each front end's real process
and prints settings to paste into a GUI: of the game that is named, else of all. Exit code 0 when everything works, 1
when a check failed; an extra that is not installed is no failure.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tengen.engine import extras
from tengen.engine.config import Config
from tengen.engine.games import GAMES, get_game, of_points
from tengen.tools.arguments import Parser
from tengen.tools.gui_settings import Launch, program, settings

ANSWER_S = 60.0
OF_ONE_GAME = (
    "game", "player", "rules", "book", "book_margin", "net", "precision", "device", "set", "config", "name",
    "version_string", "file_root", "log", "temperature",
)  # fmt: skip
"""Options that hold in the game that they were given for: when none is named, in Go."""
NO_FILES = ("auto", "none", "shipped")
"""What `--net` and `--book` take beside files."""
GTP_ALONE = ("game", "file_root", "net", "precision", "device")
"""Options that the other front ends have no use for; UCI has some for `file_root`."""


class Dialogue(NamedTuple):
    """One front end: what a GUI says, and how to find the engine's move in all that came back (None: it is wrong)."""

    words: list[str]
    lines: Sequence[str]
    find_move: Callable[[str], str | None]
    board: str


class Failed(Exception):
    """A check that found something wrong; the message is one sentence with the remedy."""


def check_python() -> str:
    """The interpreter (pip refuses one that is too old)."""
    return f"Python {sys.version.split()[0]} at {sys.executable}"


def check_core() -> str:
    """The native core imports and knows the rules."""
    from tengen.engine.version import __version__

    try:
        from tengen.engine import _core
    except ImportError as error:
        raise Failed(str(error)) from error
    boards = (_core.GoState(9, 9), 82), (_core.GomokuState(15, 15), 225), (_core.ReversiState(), 4)
    for state, moves in (*boards, (_core.ChessState(), 20)):
        if len(state.legal_moves()) != moves:
            raise Failed(f"the native core does not know its rules ({type(state).__name__}); install Tengen again")
    return f"Tengen {__version__}, native core works"


def check_packages() -> str:
    """The packages of the base installation."""
    from importlib.metadata import version

    names = ("numpy", "sgfmill")
    for name in names:
        try:
            __import__(name)
        except ImportError as error:
            raise Failed(f"the package {name} does not import ({error}); run 'pip install {name}'") from error
    return ", ".join(f"{name} {version(name)}" for name in names)


def gtp_move(output: str) -> str | None:
    """The vertex in the answers to the GTP dialogue."""
    blocks = [block.strip() for block in output.replace("\r", "").split("\n\n") if block.strip()]
    if len(blocks) != 6 or not all(block[:2] == f"={number}" for number, block in enumerate(blocks, 1)):
        return None
    return blocks[4][2:].strip()


def gomocup_move(output: str) -> str | None:
    """The move in the answers to the Gomocup dialogue."""
    lines = output.split()
    return lines[1] if len(lines) == 2 and lines[0] == "OK" and re.fullmatch(r"\d+,\d+", lines[1]) else None


def nboard_move(output: str) -> str | None:
    """The move in the answers to the NBoard dialogue."""
    found = re.search(r"^=== ([A-H][1-8])\b", output, re.MULTILINE | re.IGNORECASE)
    return found.group(1) if found else None


def uci_move(output: str) -> str | None:
    """The move in the answers to the UCI dialogue."""
    found = re.search(r"^uciok$(?s:.*)^readyok$(?s:.*)^bestmove ([a-h][1-8][a-h][1-8])", output, re.MULTILINE)
    return found.group(1) if found else None


def xboard_move(output: str) -> str | None:
    """The move in the answers to the dialogue of XBoard's protocol."""
    found = re.search(r"^feature done=1$(?s:.*)^move ([a-h][1-8][a-h][1-8])", output, re.MULTILINE)
    return found.group(1) if found else None


def launches(values: Namespace) -> dict[str, Launch]:
    """Return the commands that start each game: the one that the options or their file name with all of them, else
    every game."""
    game = _named_game(values)
    if game is not None:
        gtp = ["gtp", *([] if hasattr(values, "game") or game == Config.game else ["--game", game]), *passed_on(values)]
        has_gtp = game in of_points()
        unused = [name for name in GTP_ALONE if has_gtp or name != "file_root"]
        return {game: Launch(gtp if has_gtp else [], _native(game, passed_on(values, leave_out=unused)))}
    common = passed_on(values, leave_out=OF_ONE_GAME)
    native = {game: words for game in GAMES if (words := _native(game, common))}
    over_gtp = {game: ["gtp", "--game", game, *common] for game in of_points()}
    others = {game: Launch(over_gtp.get(game, []), words) for game, words in native.items()}
    return {Config.game: Launch(["gtp", *passed_on(values)], [])} | others


def _native(game: str, options: list[str]) -> list[str]:
    protocol = get_game(game).conventions.protocol
    return [protocol, *options] if protocol else []


def dialogues(starts: dict[str, Launch]) -> dict[str, Dialogue]:
    """Every front end that plays one of the games, over GTP the first of them."""
    game, launch = next(iter(starts.items()))
    kind = get_game(game)
    size = kind.conventions.match.size or kind.default_size
    gtp = ("1 name", "2 protocol_version", f"3 boardsize {size}", "4 clear_board", "5 genmove b", "6 quit")
    found: dict[str, Dialogue] = {}
    if launch.gtp:
        found["gtp"] = Dialogue([*program(), *launch.gtp], gtp, gtp_move, f"an empty {size}x{size} board")
    native = {start.native[0]: [*program(), *start.native] for start in starts.values() if start.native}
    gomocup = ("START 15", "INFO timeout_turn 1000", "BEGIN", "END")
    if words := native.get("gomocup"):
        found["gomocup"] = Dialogue(words, gomocup, gomocup_move, "an empty Gomoku board")
    if words := native.get("nboard"):
        nboard = ("nboard 2", "set depth 1", "go", "quit")
        found["nboard"] = Dialogue(words, nboard, nboard_move, "a Reversi board")
    if words := native.get("uci"):
        found["uci"] = Dialogue(words, ("uci", "isready", "go movetime 200", "quit"), uci_move, "a chess board")
        start, *options = next(start.native for start in starts.values() if start.native[:1] == ["uci"])
        lines = ("xboard", "protover 2", "new", "st 0.2", "go")
        found["xboard"] = Dialogue([*program(), "xboard", *options], lines, xboard_move, "a chess board")
    return found


def _named_game(values: Namespace) -> str | None:
    """The game that the options or their file name, None where they name none.

    What is wrong with them is for the front end to say.
    """
    from tengen.engine.config import ConfigError
    from tengen.tools.options import config_from

    try:
        games = {config_from(values, Config(game=game)).game for game in GAMES}
    except ConfigError:
        return None
    return games.pop() if len(games) == 1 else None


def tell_extras() -> None:
    """A line for each extra: whether it is there, and how to get it."""
    for name, extra in extras.EXTRAS.items():
        lacking = extras.missing(name)
        mark = "--" if lacking else "ok"
        remedy = f" not installed; to have it: {extra.first}{extras.install_line(name)}" if lacking else " installed"
        print(f"{mark:7} extra {name}: {extra.gives},{remedy}")


def tell_networks() -> None:
    """Lines on Go's networks: those that are played by where nothing else is said (`--net auto`), also by ranks."""
    from tengen.engine.evaluators.katago.finding import SHIPPED, choose, find_networks
    from tengen.engine.play.outside import taught_of, taught_sentence
    from tengen.tools.net.listing import SIZES, ranks_told, sizes_taken

    found = find_networks()
    taken = list(dict.fromkeys(filter(None, (choose(found, (size, size)) for size in SIZES))))
    if not taken:
        there = f"{len(found)} found, none of use" if found else "none found"
        print(f"--      networks: {there}, so that uct plays Go; 'tengen net get' fetches one")
        return
    names = [f"{one.known.header.name} ({one.path}) on {sizes_taken(found, one)}" for one in taken if one.known]
    if extras.missing("nets"):
        print(f"--      networks: uct plays Go for want of the extra nets; with it {' and '.join(names)}")
        return
    print(f"ok      networks: {len(found)} found, --net auto takes {' and '.join(names)}")
    for one in taken:
        if told := taught_sentence(taught_of(one.path)):
            print(f"--      {one.path.name} was taught {told}: elsewhere its figures are guesses")
    if told := ranks_told():
        print(f"ok      ranks: {told}")
    if all(one.owner == SHIPPED for one in taken):
        print("--      stronger networks for Go: 'tengen net get' lists and fetches them")


def check_process(name: str, dialogue: Dialogue) -> str:
    """The real process answers, plays a move and ends."""
    start, words = time.monotonic(), dialogue.words
    try:
        done = subprocess.run(
            words, input="\n".join(dialogue.lines) + "\n", capture_output=True, text=True, encoding="utf-8",
            errors="replace", timeout=ANSWER_S,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Failed(f"{shlex.join(words)} did not answer within {ANSWER_S:.0f} s") from None
    except OSError as error:
        raise Failed(f"{shlex.join(words)} does not start: {error}") from error
    last = done.stderr.strip().splitlines()[-1:]
    if done.returncode != 0:
        raise Failed(f"{shlex.join(words)} ended with exit code {done.returncode}: {''.join(last) or 'no message'}")
    move = dialogue.find_move(done.stdout)
    if move is None:
        raise Failed(f"{shlex.join(words)} does not speak its protocol ({name}); it printed {done.stdout[:200]!r}")
    return f"plays {move} on {dialogue.board} ({time.monotonic() - start:.1f} s in all)"


def report(title: str, check: Callable[[], str]) -> bool:
    """Run one check and print its line; whether it passed."""
    try:
        print(f"ok      {title}: {check()}", flush=True)
    except Failed as failure:
        print(f"FAILED  {title}: {failure}", flush=True)
        return False
    return True


def configure(parser: Parser) -> None:
    """Declare the options: those of `tengen gtp`, which are checked and put into the settings."""
    from tengen.engine.games import GAMES
    from tengen.tools import options

    options.add_to(parser, lambda: list(GAMES))


def run(values: Namespace) -> int:
    """Run every check, then print the settings."""
    starts = launches(values)
    checks: tuple[tuple[str, Callable[[], str]], ...] = (
        ("interpreter", check_python),
        ("native core", check_core),
        ("packages", check_packages),
        *((f"tengen {name}", partial(check_process, name, dialogue)) for name, dialogue in dialogues(starts).items()),
    )
    passed = [report(title, check) for title, check in checks]
    tell_extras()
    tell_networks()
    print()
    if not all(passed):
        print("Something is wrong; see FAILED above.")
        return 1
    print(settings(starts))
    return 0


def passed_on(values: Namespace, leave_out: Sequence[str] = ()) -> list[str]:
    """The options given, spelt again for the engine's own command line, with absolute paths."""
    words: list[str] = []
    for field, value in vars(values).items():
        if field in leave_out:
            continue
        option = "--" + field.replace("_", "-")
        if field == "ponder":
            words.append(option if value else "--no-ponder")
        elif field == "set":
            words += [word for name, given in value.items() for word in (option, f"{name}={given}")]
        elif field in ("config", "log", "file_root") or (field in ("book", "net") and value not in NO_FILES):
            words += [option, str(Path(value).absolute())]
        else:
            words += [option, value]
    return words
