"""The programs accept every command line in the documents: options, kinds of values, names of settings."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import ROOT

from tengen.engine.games import GAMES, get_game
from tengen.engine.play.options import options_of
from tengen.tools import cli
from tengen.tools.arguments import Parser
from tengen.tools.match.own import __main__ as own

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
OWN = "python -m tengen.tools.match.own "
START = re.compile(rf"(?:^|[|&;=] *)((?:tengen |{re.escape(OWN)}).*)$")
ENDS = {"|", "&&", ";", ">"}
PLAYING = ("gtp", "gomocup", "nboard", "uci", "xboard")


def command_lines(text: str) -> Iterator[str]:
    """The command lines of the code blocks of a page, fenced or indented."""
    fenced = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    blocks = fenced.findall(text) + re.findall(r"(?:^    .*\n)+", fenced.sub("", text), re.MULTILINE)
    for block in blocks:
        for line in block.replace("\\\n", " ").splitlines():
            if found := START.search(line.strip()):
                yield found.group(1)


def words_of(line: str) -> list[str]:
    """The words of a command line, up to a pipe or a redirection."""
    words = shlex.split(line, comments=True)
    end = next((place for place, word in enumerate(words) if word in ENDS), len(words))
    return words[:end]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_every_command_line_is_accepted(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in command_lines(page.read_text("utf-8")):
        words, parser = words_of(line), Parser(prog="tengen")
        if line.startswith(OWN):
            own.configure(parser)
            rest = words[3:]
        else:
            assert words[1] in cli.COMMANDS, line
            cli.load(words[1]).configure(parser)
            rest = words[2:]
        try:
            parser.parse_strictly(rest)
        except SystemExit:
            pytest.fail(f"{page.name}: {line}\n{capsys.readouterr().err}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_settings_of_players_are_called_alike(page: Path) -> None:
    known = {
        option.name for game in map(get_game, GAMES) for player in game.players for option in options_of(game, player)
    }
    for line in command_lines(page.read_text("utf-8")):
        words = words_of(line)
        if words[1] in PLAYING:
            named = {
                word.partition("=")[0] for before, word in zip(words, words[1:], strict=False) if before == "--set"
            }
            assert named <= known, f"{page.name}: {line}"


def test_command_lines_are_found() -> None:
    assert sum(1 for page in PAGES for _ in command_lines(page.read_text("utf-8"))) > 120
