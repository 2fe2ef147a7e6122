"""The documents of the checkout: their paths, and the command lines that their code blocks hold."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import tengen

OWN = "python -m tengen.tools.match.own "
"""A program of ours beside `tengen` that documents call."""
START = re.compile(rf"(?:^|[|&;=] *)((?:tengen |{re.escape(OWN)}).*)$")
FENCED = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^    .*\n)+", re.MULTILINE)
ENDS = {"|", "&&", ";", ">"}
AT_THE_TOP = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
"""Documents beside the folder `docs`."""


def root() -> Path:
    """Return the checkout. Only an editable install has one."""
    return Path(str(tengen.__file__)).parent


def pages() -> list[Path]:
    """Return every document below `docs`, sorted."""
    return sorted((root() / "docs").rglob("*.md"))


def title(path: str) -> str:
    """Return the first heading of a document. path: below the checkout, as `docs/go.md`."""
    first = (root() / path).read_text("utf-8").partition("\n")[0]
    return first.removeprefix("# ").strip()


def command_lines(text: str) -> Iterator[str]:
    """Yield the command lines of the code blocks of a page, fenced or indented."""
    for block in FENCED.findall(text) + INDENTED.findall(FENCED.sub("", text)):
        for line in block.replace("\\\n", " ").splitlines():
            if found := START.search(line.strip()):
                yield found.group(1)


def words_of(line: str) -> list[str]:
    """Return the words of a command line, up to a pipe or a redirection."""
    words = shlex.split(line, comments=True)
    end = next((place for place, word in enumerate(words) if word in ENDS), len(words))
    return words[:end]
