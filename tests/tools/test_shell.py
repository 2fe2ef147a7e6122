"""Completion scripts in real shells, and the manual page: every command, every option."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tengen.tools import cli
from tengen.tools.shell.described import commands, describe
from tengen.tools.shell.manual import page
from tengen.tools.shell.scripts import SHELLS

# what is typed -> what is offered
TYPED = [
    ("gtp --gam", ["--game"]),
    ("gtp --game g", ["go", "gomoku"]),
    ("help ph", ["photo"]),
    ("compliance --kind u", ["uci"]),
    ("xb", ["xboard"]),
    ("xboard --bo", ["--book", "--book-margin"]),
    ("completion ", ["bash", "fish", "zsh"]),
    ("completion z", ["zsh"]),
    ("photo --overl", ["--overlay"]),
    ("gomo", ["gomocup"]),
]


def of_bash(script: Path, typed: str) -> list[str]:
    words = shlex.join(["tengen", *typed.split(" ")])
    line = f"source {shlex.quote(str(script))}; COMP_WORDS=({words}); "
    line += 'COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tengen; printf "%s\\n" "${COMPREPLY[@]}"'
    return subprocess.run(["bash", "--norc", "-c", line], capture_output=True, text=True, check=True).stdout.split()


def of_fish(script: Path, typed: str) -> list[str]:
    line = f"source {shlex.quote(str(script))}; complete -C {shlex.quote('tengen ' + typed)}"
    done = subprocess.run(["fish", "--no-config", "-c", line], capture_output=True, text=True, check=True)
    return [row.split("\t")[0] for row in done.stdout.splitlines()]


@pytest.mark.parametrize("shell, ask", [("bash", of_bash), ("fish", of_fish)])
def test_a_shell_completes_what_is_typed(shell: str, ask, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_text(SHELLS[shell](commands()), "utf-8")
    for typed, offered in TYPED:
        assert sorted(ask(script, typed)) == offered, typed


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_knows_every_command_and_option(shell: str) -> None:
    text = SHELLS[shell](commands())
    for one in commands():
        assert one.name in text
        for option in one.options:
            for name in option.names:
                assert (name.lstrip("-") if shell == "fish" else name) in text, (one.name, name)
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=text, capture_output=True, text=True).returncode == 0


def test_the_command_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    for shell, write in SHELLS.items():
        assert cli.main(["completion", shell]) == 0
        assert capsys.readouterr().out == write(commands())
    assert cli.main(["completion", "tcsh"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_manual_page_has_every_command_and_option() -> None:
    lines = list(page(commands(), "1.2.3"))
    text = "\n".join(lines)
    for name in cli.COMMANDS:
        assert f".SS tengen {name}" in lines
        for option in describe(name).options:
            if "--help" not in option.names:
                assert all(name.replace("-", r"\-") in text for name in option.names)
    assert not [line for line in lines if line.startswith(("'", ".")) and line.split()[0] not in
                (".TH", ".SH", ".SS", ".TP", ".B", ".IR")]  # fmt: skip


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_troff_has_no_complaint() -> None:
    text = "\n".join(page(commands(), "1.2.3"))
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=text, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr[:500]
    assert "tengen COMMAND [options]" in re.sub("\x1b\\[[0-9]*m|.\x08", "", done.stdout)
