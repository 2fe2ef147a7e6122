"""Links between the documents lead somewhere: to a file, and to a heading of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from checkout import ROOT

from tengen.tools.dev import documents

PAGES = [*sorted(ROOT.glob("*.md")), *documents.pages()]
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)")


def anchors(path: Path) -> set[str]:
    """The anchors that GitHub makes of the headings of a page."""
    text = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text("utf-8")):
        path = (page.parent / target).resolve() if target else page
        assert path.exists(), target
        assert not anchor or anchor in anchors(path), f"{target}#{anchor}"


def test_links_are_found() -> None:
    assert sum(len(LINK.findall(page.read_text("utf-8"))) for page in PAGES) > 60
