"""What a person pastes into a GUI to attach the engine, by GUI. Printed by `tengen doctor`."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path


def program(name: str = "tengen") -> list[str]:
    """The command, with absolute paths, that starts an installed script; through the interpreter if there is none."""
    file = f"{name}.exe" if sys.platform == "win32" else name
    script = Path(sysconfig.get_path("scripts")) / file
    found = str(script) if script.exists() else shutil.which(name)
    if found:
        return [str(Path(found).absolute())]
    return [str(Path(sys.executable).absolute()), "-m", "tengen.tools", *(["gomocup"] if name != "tengen" else [])]


def quoted(words: Sequence[str]) -> str:
    """A command line as one text."""
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def settings(gtp: Sequence[str], common: Sequence[str]) -> str:
    """The settings of every GUI: `gtp` is the command for Go, `common` the options of every other front end."""
    start = next(n for n, word in enumerate(gtp) if word in ("gtp", "-m"))
    sabaki = {"name": "Tengen", "path": gtp[0], "args": shlex.join(gtp[start:]), "commands": ""}
    plain = [word for word in gtp if word not in ("--name", "--version-string")]
    lines = [
        "Go",
        "  Sabaki    Engines > Show Engines Sidebar > Manage Engines > Add:",
        f"              name:       {sabaki['name']}",
        f"              path:       {sabaki['path']}",
        f"              arguments:  {sabaki['args']}",
        "            or in settings.json:",
        f'              "engines.list": [{json.dumps(sabaki, ensure_ascii=False)}]',
        "  GoGui     Program > New Program, command:",
        f"              {quoted(gtp)}",
        "  Lizzie    engine command:",
        f"              {quoted(plain)} --name KataGo --version-string 1.15",
        "Gomoku, Renju",
        "  Piskvork  Players > ..., choose the file (Piskvork takes no arguments):",
        f"              {quoted(program('pbrain-tengen'))}",
        "  others    any manager that speaks the Gomocup protocol, command:",
        f"              {quoted([*program(), 'gomocup', *common])}",
        "  GoGui     Program > New Program, command:",
        f"              {quoted([*program(), 'gtp', '--game', 'gomoku', *common])}",
        "Reversi",
        "  NBoard    Engine > Select Opponent > Add Engine, command:",
        f"              {quoted([*program(), 'nboard', *common])}",
        "  GoGui     Program > New Program, command:",
        f"              {quoted([*program(), 'gtp', '--game', 'reversi', *common])}",
    ]
    return "\n".join(lines)
