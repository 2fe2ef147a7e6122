"""The programs accept every command line in the documents: options, kinds of values, names of settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkout import ROOT

from tengen.engine.games import GAMES, get_game
from tengen.engine.play.options import options_of
from tengen.tools import cli
from tengen.tools.arguments import Parser
from tengen.tools.dev import documents
from tengen.tools.dev.documents import OWN, command_lines, words_of
from tengen.tools.match.own import __main__ as own

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *documents.pages()]
PLAYING = ("gtp", "gomocup", "nboard", "uci", "xboard")


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
