"""`tengen doctor [options of tengen gtp]`: checks the installation, plays a move through the real process and
prints settings to paste into a GUI. Exit code 0 when everything works, 1 when a check failed.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import sysconfig
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from tengen.tools.arguments import Parser

DIALOGUE = ("1 name", "2 protocol_version", "3 boardsize 9", "4 clear_board", "5 genmove b", "6 quit")
ANSWER_S = 60.0


class Failed(Exception):
    """A check that found something wrong; the message is one sentence with the remedy."""


def command(options: Sequence[str]) -> list[str]:
    """The command, with absolute paths, that starts the engine for a GUI."""
    name = "tengen.exe" if sys.platform == "win32" else "tengen"
    script = Path(sysconfig.get_path("scripts")) / name
    found = str(script) if script.exists() else shutil.which("tengen")
    start = [str(Path(found).absolute())] if found else [str(Path(sys.executable).absolute()), "-m", "tengen.tools"]
    return [*start, "gtp", *options]


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
    state = _core.GoState(9, 9)
    if len(state.legal_moves()) not in (81, 82):
        raise Failed("the native core does not know the rules of Go; install Tengen again")
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


def answers(output: str) -> list[str]:
    """The GTP responses in what the process printed, in order, without their framing."""
    found = [block.strip() for block in output.replace("\r", "").split("\n\n")]
    return [block for block in found if block]


def check_process(words: Sequence[str]) -> str:
    """The real process answers, plays a legal move and ends."""
    start = time.monotonic()
    try:
        done = subprocess.run(
            words, input="\n".join(DIALOGUE) + "\n", capture_output=True, text=True, encoding="utf-8",
            errors="replace", timeout=ANSWER_S,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Failed(f"{shlex.join(words)} did not answer within {ANSWER_S:.0f} s") from None
    except OSError as error:
        raise Failed(f"{shlex.join(words)} does not start: {error}") from error
    last = done.stderr.strip().splitlines()[-1:]
    if done.returncode != 0:
        raise Failed(f"{shlex.join(words)} ended with exit code {done.returncode}: {''.join(last) or 'no message'}")
    replies = answers(done.stdout)
    if len(replies) != len(DIALOGUE) or not all(reply[:2] == f"={n}" for n, reply in enumerate(replies, 1)):
        raise Failed(f"{shlex.join(words)} does not speak GTP; it printed {done.stdout[:200]!r}")
    return f"plays {replies[4][2:].strip()} on an empty 9x9 board ({time.monotonic() - start:.1f} s in all)"


def settings(words: Sequence[str]) -> str:
    """What a person pastes into the GUIs."""
    program, arguments = words[0], list(words[1:])
    quoted = subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
    sabaki = {"name": "Tengen", "path": program, "args": shlex.join(arguments), "commands": ""}
    return "\n".join(
        [
            "Sabaki    Preferences > Engines > Add:",
            f"            name:       {sabaki['name']}",
            f"            path:       {sabaki['path']}",
            f"            arguments:  {sabaki['args']}",
            "          or in settings.json:",
            f'            "engines.list": [{json.dumps(sabaki, ensure_ascii=False)}]',
            "GoGui     Program > New Program, command:",
            f"            {quoted}",
            "Lizzie    engine command:",
            f"            {quoted} --name KataGo --version-string 1.15",
        ]
    )


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
    from tengen.tools import options

    options.add_to(parser)


def run(values: Namespace) -> int:
    """Run every check, then print the settings."""
    words = command(passed_on(values))
    checks: tuple[tuple[str, Callable[[], str]], ...] = (
        ("interpreter", check_python),
        ("native core", check_core),
        ("packages", check_packages),
        ("engine process", lambda: check_process(words)),
    )
    passed = [report(title, check) for title, check in checks]
    print()
    if not all(passed):
        print("Something is wrong; see FAILED above.")
        return 1
    print(settings(words))
    return 0


def passed_on(values: Namespace) -> list[str]:
    """The options given, spelt again for the engine's own command line, with absolute paths."""
    words: list[str] = []
    for field, value in vars(values).items():
        option = "--" + field.replace("_", "-")
        if field == "ponder":
            words.append(option if value else "--no-ponder")
        elif field == "set":
            words += [word for name, number in value.items() for word in (option, f"{name}={number:g}")]
        elif field in ("config", "log", "file_root"):
            words += [option, str(Path(value).absolute())]
        else:
            words += [option, value]
    return words
