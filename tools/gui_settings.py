"""The settings that a person pastes into a GUI to attach the engine: for each game the GUIs that play it (`tengen
doctor`)."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tengen.engine.games import get_game

LIZZIE = ("--name", "KataGo", "--version-string", "1.15")
"""Lizzie chooses its dialect by these."""

FRONT_ENDS = {"pbrain-tengen": ["gomocup"], "tengen-uci": ["uci"], "tengen-xboard": ["xboard"]}
"""The commands of the installed scripts for programs that pass no arguments."""


class Launch(NamedTuple):
    """The arguments that start the engine for one game: over GTP, and over the game's own protocol, if it has them."""

    gtp: list[str]
    native: list[str]


class Gui(NamedTuple):
    """One GUI: its name, where in it an engine is added, and the lines to paste there."""

    name: str
    where: str
    lines: Callable[[Launch], Sequence[str]]


def program(name: str = "tengen") -> list[str]:
    """Return the command, with absolute paths, that starts an installed script; through the interpreter if there is no
    script."""
    file = f"{name}.exe" if sys.platform == "win32" else name
    script = Path(sysconfig.get_path("scripts")) / file
    found = str(script) if script.exists() else shutil.which(name)
    if found:
        return [str(Path(found).absolute())]
    return [str(Path(sys.executable).absolute()), "-m", "tengen.tools", *FRONT_ENDS.get(name, [])]


def quoted(words: Sequence[str]) -> str:
    """A command line as one text."""
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def settings(launches: dict[str, Launch]) -> str:
    """The settings of every GUI that plays one of the games of `launches`, game by game."""
    lines, known = [], {gui.name: gui for gui in GUIS}
    for game, launch in launches.items():
        conventions = get_game(game).conventions
        lines.append(conventions.title)
        for gui in (known[name] for name in conventions.guis):
            lines.append(f"  {gui.name:12} {gui.where}")
            lines += [f"                 {line}" for line in gui.lines(launch)]
    return "\n".join(lines)


def _gtp(launch: Launch) -> list[str]:
    return [quoted([*program(), *launch.gtp])]


def _native(launch: Launch) -> list[str]:
    return [quoted([*program(), *launch.native])]


def _sabaki(launch: Launch) -> list[str]:
    path, *first = program()
    entry = {"name": "Tengen", "path": path, "args": shlex.join([*first, *launch.gtp]), "commands": ""}
    return [
        f"name:       {entry['name']}",
        f"path:       {entry['path']}",
        f"arguments:  {entry['args']}",
        "or in settings.json:",
        f'"engines.list": [{json.dumps(entry, ensure_ascii=False)}]',
    ]


def _lizzie(launch: Launch) -> list[str]:
    words = list(launch.gtp)
    for option in LIZZIE[::2]:
        if option in words:
            at = words.index(option)
            del words[at : at + 2]
    return [quoted([*program(), *words, *LIZZIE])]


def _katrain(launch: Launch) -> list[str]:
    path, *first = program()
    return [path] if not first else ["install the package: KaTrain takes one path, without arguments"]


def _qgo(launch: Launch) -> list[str]:
    path, *first = program()
    link = str(Path(path).with_name("tengen-gnugo"))
    return [
        f"once:       {quoted(['ln', '-s', path, link])}",
        f"path:       {link}",
        f"arguments:  {quoted([*first, *launch.gtp])}",
    ]


def _piskvork(launch: Launch) -> list[str]:
    return [quoted(program("pbrain-tengen"))]


def _cutechess(launch: Launch) -> list[str]:
    words = [*program(), *launch.native]
    entry = {"name": "Tengen", "protocol": "uci", "command": quoted(words)}
    return [
        f"command:    {entry['command']}",
        "or in engines.json:",
        json.dumps(entry, ensure_ascii=False),
        "or on the command line of cutechess-cli:",
        f"-engine name=Tengen proto=uci cmd={shlex.quote(words[0])} "
        + " ".join(f"arg={shlex.quote(word)}" for word in words[1:]),
    ]


def _arena(launch: Launch) -> list[str]:
    path, *first = program("tengen-uci")
    return [
        f"file:       {path}",
        f"parameters: {quoted([*first, *launch.native[1:]]) or '(none)'}",
    ]


def _uci_alone(launch: Launch) -> list[str]:
    """A program that starts an engine without arguments: options are UCI's then."""
    path, *first = program("tengen-uci")
    return [path] if not first else ["install the package: this program starts an engine without arguments, tengen-uci"]


def _xboard(launch: Launch) -> list[str]:
    words = [*program(), "xboard", *launch.native[1:]]
    return [
        f"command:    {quoted(words)}",
        "or on the command line:",
        f"xboard -fcp {quoted([quoted(words)])}",
    ]


def _lichess_bot(launch: Launch) -> list[str]:
    """It passes a program nothing but --name=value."""
    path, *first = program("tengen-uci")
    if first:
        return ["install the package: lichess-bot takes a program without arguments, tengen-uci"]
    file = Path(path)
    options = [f"    {word.removeprefix('--')}" for word in _assigned(launch.native[1:])]
    return [
        "engine:",
        f"  dir: {json.dumps(str(file.parent), ensure_ascii=False)}",
        f"  name: {json.dumps(file.name)}",
        '  protocol: "uci"',
        *(["  engine_options:", *options] if options else []),
        "  uci_options:",
        "    Move Overhead: 100",
        "    Threads: 1",
        "    Hash: 256",
    ]


def _assigned(words: Sequence[str]) -> list[str]:
    """ "--level 3 --ponder" as YAML's lines "level: 3" and "ponder: null"."""
    lines: list[str] = []
    for word in words:
        if word.startswith("--"):
            lines.append(f"{word.removeprefix('--')}: null")
        elif lines:
            lines[-1] = lines[-1].removesuffix("null") + json.dumps(word, ensure_ascii=False)
    return lines


GUIS = (
    Gui("Sabaki", "Engines > Show Engines Sidebar > Manage Engines > Add:", _sabaki),
    Gui("GoGui", "Program > New Program, command:", _gtp),
    Gui("Lizzie", "engine command (LizzieYzy as well):", _lizzie),
    Gui("KaTrain", "General & Engine settings, path to the KataGo executable; it needs a network:", _katrain),
    Gui("Quarry", "Preferences > GTP Engines > Add, command line:", _gtp),
    Gui("qGo", "Preferences > Computer engine > Add; a path not ending in gnugo would not work:", _qgo),
    Gui("Piskvork", "Players > ..., choose the file; it takes no arguments, the rules are Piskvork's:", _piskvork),
    Gui("Yixin-Board", "in the place of its engine.exe; also any manager that speaks Gomocup's protocol:", _native),
    Gui("NBoard", "Engine > Select Opponent > Add Engine, command:", _native),
    Gui("cutechess", "Tools > Settings > Engines > Add:", _cutechess),
    Gui("Arena", "Engines > Install New Engine, choose the file:", _arena),
    Gui("lichess-bot", "in config.yml:", _lichess_bot),
    Gui("En Croissant", "Engines > Add New > Local, choose the file:", _uci_alone),
    Gui("XBoard", "Engine > Load New 1st Engine (WinBoard, SCID and PyChess as well), engine command:", _xboard),
    Gui("BanksiaGUI", "add a UCI engine; PyChess and others as well, command:", _native),
)
"""Every GUI; which of them play a game says its `Conventions.guis`."""
