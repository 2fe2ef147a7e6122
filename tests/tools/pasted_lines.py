"""Lines of the documents as a person pastes them, and what a test types in the place of some."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from checkout import FAKES


class Change(NamedTuple):
    """What the test types in the place of a part of a line, and why."""

    pattern: str
    instead: str
    why: str


CHECKED = {0, 1}
"""Exit codes of `tengen photo`: 1 asks to look at the result, which is written."""
ENGINES = ("new", "old", "other")


class Line(NamedTuple):
    """One thing to paste: a line of a shell block, or a whole Python block."""

    text: str
    is_python: bool

    def typed(self, changes: Sequence[Change]) -> str:
        """What the test types."""
        if self.is_python:
            return f"python - <<'PYTHON'\n{self.text}\nPYTHON"
        text = self.text
        for change in changes:
            text = re.sub(change.pattern, change.instead, text)
        return text


def lines_of(text: str) -> list[Line]:
    """The lines of the sh and python blocks of a page, in order; blocks inside of a list are indented."""
    lines = []
    for indent, language, block in re.findall(r"^( *)```(sh|python)\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL):
        plain = re.sub(rf"^{indent}", "", block, flags=re.MULTILINE)
        rows = [plain.rstrip("\n")] if language == "python" else plain.splitlines()
        lines += [Line(row, language == "python") for row in rows if row.strip()]
    return lines


def marked(lines: Sequence[Line], changes: Sequence[Change]) -> list[str]:
    """What the shell reads for these lines: each one between its number and its exit code."""
    parts = []
    for number, line in enumerate(lines):
        parts += [f"echo; echo @@ {number}", line.typed(changes), f"code=$?; echo; echo @@ {number} $code"]
    return parts


def codes(output: str) -> dict[int, int]:
    """The exit code of each line, from the output of the shell."""
    return {int(n): int(code) for n, code in re.findall(r"^@@ (\d+) (\d+)$", output, re.MULTILINE)}


def said(output: str, number: int) -> str:
    """What one line printed."""
    return output.partition(f"\n@@ {number}\n")[2].partition("\n@@ ")[0]


def stand_ins(folder: Path) -> None:
    """Programs that the documents measure and that are not ours: `gnugo`, and the chess engines ./new, ./old and ./other."""
    gnugo = f"exec {shlex.quote(sys.executable)} -m tengen.tools gtp --playouts 5 --threads 1 --memory 80"
    chess = f"exec {shlex.quote(sys.executable)} {shlex.quote(str(FAKES / 'match_engines.py'))} uci"
    for path, command in ((folder / "bin" / "gnugo", gnugo), *((folder / name, chess) for name in ENGINES)):
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{command}\n")
        path.chmod(0o755)
