"""The documents as a site: every page is in the navigation, the reference names all that the program has, links lead
somewhere, and mkdocs builds it without a warning and without anything from elsewhere."""

from __future__ import annotations

import doctest
import html
import os
import posixpath
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from checkout import ROOT

from tengen.engine.config import OPTIONS
from tengen.engine.games import GAMES, get_game
from tengen.engine.play.options import options_of
from tengen.tools import cli
from tengen.tools.dev import documents, reference, site
from tengen.tools.shell.described import commands

SETTINGS = ROOT / "mkdocs.yml"
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#[^)\s]*)?\)")
LOADED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"?([^\"\s>]+)|<link\b[^>]*\bhref=\"?([^\"\s>]+)")


@cache
def made() -> dict[str, str]:
    return site.generated()


def named(*page: str) -> str:
    """The text of a reference page as a person reads it."""
    return html.unescape(made()[f"reference/{'/'.join(page)}.md"]).replace("\\", "")


def test_every_page_is_in_the_navigation() -> None:
    entries = re.findall(r"^ +- [^:\n]+: (\S+\.md)$", SETTINGS.read_text("utf-8"), re.MULTILINE)
    here = {path.relative_to(ROOT / "docs").as_posix() for path in documents.pages()}
    assert len(entries) == len(set(entries))
    assert set(entries) == here | {*site.TOP.values(), "reference/index.md"}
    listed = re.findall(r"'(reference/[^']+\.md)'", str(reference.navigation()))
    assert {*listed, "reference/index.md"} == {page for page in made() if page.startswith("reference/")}


def test_every_command_has_its_page_with_every_option() -> None:
    for one in commands():
        text = named("commands", one.name)
        assert f"](commands/{one.name}.md)" in made()["reference/index.md"]
        for argument in one.arguments:
            if "--help" not in argument.names:
                assert all(name in text for name in argument.names or [argument.metavar]), (one.name, argument.names)
                assert argument.help.replace("`", "") in re.sub(r"`|</?code>", "", text), (one.name, argument.names)


def test_every_command_of_a_protocol_is_described() -> None:
    from tengen.protocols.gtp.registry import COMMANDS

    assert {one.command for one in reference.PROTOCOLS} <= set(cli.COMMANDS)
    for one in reference.PROTOCOLS:
        text = named("protocols", one.command)
        known = reference.registry(one)
        assert len(known) > 7 and all(f">{name}</code>" in text for name in known), one
        for name, entry in known.items():
            said = reference.said(getattr(entry, "function", entry))
            assert re.match(r"[A-Z`]", said) and said.endswith((".", "!")), f"{one.title} {name}: {said}"
    assert len(COMMANDS) == len(reference.registry(reference.PROTOCOLS[0]))
    assert ">UCI_LimitStrength</code>" in named("protocols", "uci")


def test_every_setting_is_there() -> None:
    assert all(f">{name}</code>" in named("settings") for name in OPTIONS)
    for game in GAMES:
        text = named("games", game)
        for player in get_game(game).players:
            own = [option.name for option in options_of(get_game(game), player) if option.name not in OPTIONS]
            part = text.partition(f"\n## {player}\n")[2].partition("\n## ")[0]
            assert all(f">{name}</code>" in part for name in own), (game, player)


def test_links_of_the_pages_that_are_made_lead_somewhere() -> None:
    """Those of `docs` are looked at by test_docs_links.py; here their pages and those that are made stand together."""
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*") if path.is_file()}
    count = 0
    for page, text in made().items():
        for target in filter(None, LINK.findall(text)):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
            assert path in pages or path in made(), f"{page}: {target}"
            count += 1
    assert count > 120


def test_links_of_the_documents_are_turned() -> None:
    for path in documents.pages():
        site.relinked(path.read_text("utf-8"), path.relative_to(ROOT).as_posix())
    with pytest.raises(ValueError, match="links to ../LICENSE, which is no page"):
        site.relinked("[the licence](../LICENSE)", "docs/go.md")


@pytest.mark.parametrize("module", [documents, reference, site], ids=lambda module: module.__name__)
def test_the_examples_in_docstrings_hold(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


def test_pictures_are_small() -> None:
    for path in (ROOT / "docs" / "howto").glob("*.png"):
        assert path.stat().st_size < 150_000, path


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("material")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)], cwd=ROOT, text=True,
        capture_output=True, timeout=300, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > 70
    for page in pages:
        loaded = [address for pair in LOADED.findall(page.read_text("utf-8")) for address in pair if address]
        assert loaded and not [address for address in loaded if "//" in address], page
        for address in loaded:
            assert address.startswith("data:") or (page.parent / address.partition("?")[0].lstrip("/")).exists(), (
                page,
                address,
            )
    assert "Piskvork" in (tmp_path / "search" / "search_index.js").read_text("utf-8")
