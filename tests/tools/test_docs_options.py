"""The documents call options and settings what the program calls them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tengen.tools import cli
from tengen.tools.arguments import Parser
from tengen.tools.dev import documents
from tengen.tools.match.command import configure
from tengen.tools.match.settings import engine

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *documents.pages()]
COMMAND = re.compile(r"(?:^|[\s/`])tengen (\w+)([^`#|\n]*)")
OPTION = re.compile(r"(?<![\w'-])--[a-z][a-z0-9-]*")


def options_of(command: str) -> set[str]:
    parser = Parser(prog=command)
    cli.load(command).configure(parser)
    return {*parser.option_names(), "--help", "--debug"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_every_option_of_a_command_line_exists(page: Path) -> None:
    text = page.read_text("utf-8").replace("\\\n", " ")
    for command, rest in COMMAND.findall(text):
        if command in cli.COMMANDS:
            words = re.sub(r"'[^']*'|\"[^\"]*\"?", "", rest)  # what another program is told stands in quotes
            unknown = set(OPTION.findall(words)) - options_of(command)
            assert not unknown, f"{page.name}: tengen {command} {rest.strip()}"


def test_settings_of_engines_are_called_alike() -> None:
    known = {*engine._ENGINE_KEYS, *engine._PLAYER_KEYS, *engine.ALIASES}
    text = (ROOT / "docs" / "match.md").read_text("utf-8")
    table = text.partition("| setting | |")[2].partition("\n\n")[0]
    told = set(re.findall(r"`([a-z_]+)=", table))
    assert {"command", "protocol", "directory", "time", "tc"} <= told <= known
    parser = Parser(prog="match")
    configure(parser)
    text = parser.format_help().partition("\noptions:")[2].partition("--each")[0]
    shown = set(re.findall(r"\b([a-z_]+)=", text))
    assert {"command", "protocol", "name", "player"} <= shown <= known
