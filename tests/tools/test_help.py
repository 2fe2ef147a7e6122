"""What help and documents say of games, players, rules and defaults is what the registries hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tengen.engine.games import GAMES, get_game, of_points
from tengen.engine.play.options import options_of
from tengen.tools import cli, options
from tengen.tools.arguments import Parser
from tengen.tools.gui_settings import GUIS, Launch

ROOT = Path(__file__).resolve().parent.parent.parent
FRONT_ENDS = {"gtp": of_points(), "doctor": list(GAMES), "xboard": ["chess"]} | {
    protocol: [game] for game in GAMES if (protocol := get_game(game).conventions.protocol)
}
NAMES = {name for game in GAMES for name in (*get_game(game).players, *get_game(game).rule_sets, *GAMES)}


def help_of(command: str) -> dict[str, str]:
    """Option -> its help."""
    parser = Parser(prog=command)
    cli.load(command).configure(parser)
    parser.format_help()
    return {action.dest: str(action.help) for action in parser._actions}


def names_in(text: str) -> set[str]:
    return {word for word in re.findall(r"[a-z0-9][a-z0-9-]*", text) if word in NAMES}


@pytest.mark.parametrize(("command", "games"), FRONT_ENDS.items(), ids=list(FRONT_ENDS))
def test_help_names_what_the_front_end_plays(command: str, games: list[str]) -> None:
    told = help_of(command)
    several = set(games) if len(games) > 1 else set()
    assert names_in(told["game"]) == set(games)
    assert names_in(told["player"]) == several | {name for game in games for name in get_game(game).players}
    assert names_in(told["rules"]) == several | {name for game in games for name in get_game(game).rule_sets}
    for game in games:
        known = get_game(game)
        assert f"{next(iter(known.players))} (the default)" in told["player"]
        assert known.default_rules.name in told["rules"]
    assert ("auto" in told["net"]) == ("go" in games)


@pytest.mark.parametrize("command", ["gomocup", "nboard"])
def test_help_tells_the_memory_that_is_taken(command: str) -> None:
    assert f"({options.SMALL_MEMORY})" in help_of(command)["memory"]


def test_help_is_made_late() -> None:
    """A front end that is started does not load the games for its help."""
    asked = []
    parser = Parser(prog="x")
    options.add_to(parser, lambda: asked.append(1) or ["chess"])  # type: ignore[func-returns-value]
    parser.parse_strictly(["--level", "3"])
    assert not asked
    assert "chess960" in parser.format_help() and asked


@pytest.mark.parametrize("game", GAMES)
def test_options_of_a_game_describe_this_game(game: str) -> None:
    known = get_game(game)
    told = {option.name: option.doc for option in options_of(known)}
    assert names_in(told["player"]) == set(known.players)
    assert names_in(told["rules"]) == set(known.rule_sets)
    others = {get_game(other).conventions.book for other in GAMES if other != game} - {""}
    assert not any(words in told["book"] for words in others)


@pytest.mark.parametrize("game", GAMES)
def test_the_configuration_page_lists_the_names_of_a_game(game: str) -> None:
    text = (ROOT / "docs" / "configuration.md").read_text("utf-8")
    known = get_game(game)
    missing = [name for name in (game, *known.players, *known.rule_sets) if f"`{name}`" not in text]
    assert not missing, missing


def test_no_page_installs_a_project_of_another_person() -> None:
    """The name `tengen` on the package index is not ours: pages install from a folder or a file."""
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        found = re.search(r"install\s+(-\S+\s+)*['\"]?tengen(\[|['\"\s`]|$)", page.read_text("utf-8"))
        assert not found, f"{page.name}: {found and found.group()}"


def test_guis_that_pass_no_arguments_get_a_program_without_any() -> None:
    native = Launch([], ["uci"])
    for name in ("En Croissant",):
        (gui,) = [gui for gui in GUIS if gui.name == name]
        assert all("tengen uci" not in line and not line.endswith(" uci") for line in gui.lines(native))
