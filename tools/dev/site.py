"""Hooks of mkdocs (`mkdocs.yml`): they add what the site takes from elsewhere in the checkout.

The reference pages are made from the program (`reference.py`). The documents at the top of the checkout become pages,
and links are turned so that they lead to the page of the site.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Any

from tengen.tools.dev import documents, reference

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

SECTION = "Reference"
"""The section of the navigation to which the reference pages are added."""
TOP = {name: name.lower() for name in documents.AT_THE_TOP} | {"README.md": "overview.md"}
"""Document at the top of the checkout -> its page. mkdocs takes `readme.md` for an index."""
LINK = re.compile(r"\[([^\[\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)")
SHORT_CODE = re.compile(r"<code>((?:[^<&]|&[#\w]+;){1,32})</code>")
FILE_NAME = re.compile(r"(?:docs/)?[\w-]+\.md")


def relinked(text: str, source: str) -> str:
    """Turn the links of a document, so that they lead from its page to the pages of the site; a link that is called by
    the name of a file is called by the title of its page.

    source: the path of the document in the checkout, as `docs/go.md`. Raises ValueError for a link to a file that the
    site does not have.

    >>> relinked("[a](docs/go.md#levels)", "README.md"), relinked("[b](../../README.md)", "docs/howto/go-sabaki.md")
    ('[a](go.md#levels)', '[b](../overview.md)')
    """
    here = posixpath.dirname(page_of(source) or "")

    def turned(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), found[2]))
        target = page_of(path)
        if target is None:
            raise ValueError(f"{source} links to {found[2]}, which is no page")
        called = documents.title(path) if FILE_NAME.fullmatch(found[1]) else found[1]
        return f"[{called}]({posixpath.relpath(target, here or '.')}{found[3] or ''})"

    return LINK.sub(turned, text)


def page_of(path: str) -> str | None:
    """Return the path on the site of a file of the checkout; None for a file that the site does not have."""
    return TOP.get(path) or (path.removeprefix("docs/") if path.startswith("docs/") else None)


def generated() -> dict[str, str]:
    """Return the path below `docs` of every page that no file there holds -> its Markdown."""
    top = {page: (documents.root() / name).read_text("utf-8") for name, page in TOP.items()}
    return {page: relinked(top[page], name) for name, page in TOP.items()} | reference.pages()


# -- called by mkdocs -------------------------------------------------------------------------------------------------


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the reference pages to the navigation."""
    entries: list[Any] = config.nav or []
    for entry in entries:
        if SECTION in entry:
            entry[SECTION].extend(reference.navigation())
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages."""
    from mkdocs.structure.files import File

    for path, text in generated().items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Mark short code, which is kept on one line."""
    return SHORT_CODE.sub(r'<code class="short">\1</code>', html)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn the links of the pages below `docs`."""
    file = page.file
    return relinked(markdown, posixpath.join("docs", file.src_uri)) if file.generated_by is None else markdown
