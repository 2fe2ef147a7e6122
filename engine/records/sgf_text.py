"""The text of an SGF file before it is parsed: its encoding, what would hurt the parser, trees without a semicolon.

Files over 4 MB, trees nested deeper than 1,000 and more than 200,000 nodes are refused. Text comes in UTF-8, in what a
byte order mark or CA names, or in what it most plausibly is (`encoding`).
"""

from __future__ import annotations

import re

from tengen.engine.records.base import RecordError
from tengen.engine.records.encoding import decode

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 1000
MAX_NODES = 200_000
# Possessive, so that a hostile file costs one pass.
_CHARSET = re.compile(rb"(?<![A-Za-z])(?:CA|ca|(?i:charset))\s*\[([^\]\\]{0,100})\]")
_START = re.compile(rb"\(\s*+(;|[A-Z]{1,2}+\s*+\[)")
_VALUE = rb"\[(?:[^\]\\]++|\\.)*+\]?+"
_TREE = re.compile(rb"(%b)|\((?=\s*+[A-Z]{1,2}+\s*+\[)" % _VALUE, re.DOTALL)
_TOKEN = re.compile(rb"%b|[();]" % _VALUE, re.DOTALL)


def content_of(data: bytes | str) -> bytes:
    """The file in UTF-8, checked for what would hurt the parser. Raises RecordError."""
    return checked(unchecked(data))


def unchecked(data: bytes | str) -> bytes:
    """The file in UTF-8. Raises RecordError when it is too long."""
    if len(data) > MAX_BYTES:
        raise RecordError("the file is larger than 4 MB")
    text = data if isinstance(data, str) else decode(data, named_encoding(data)).text
    return _with_semicolons(text.lstrip("\ufeff").encode("utf-8", "replace"))


def checked(content: bytes) -> bytes:
    """The same content. Raises RecordError for what would hurt the parser."""
    depth, nodes = _measure(content)
    if depth > MAX_DEPTH:
        raise RecordError(f"the game tree is nested deeper than {MAX_DEPTH} levels")
    if nodes > MAX_NODES:
        raise RecordError(f"the file has more than {MAX_NODES} nodes")
    return content


def named_encoding(data: bytes) -> str:
    """Return the value of CA, "" if there is none near the beginning."""
    named = _CHARSET.search(data[:65536])
    return named[1].decode("ascii", "replace").strip() if named else ""


def _with_semicolons(content: bytes) -> bytes:
    """Files of some Chinese servers begin "(TE[": the mark of a tree's first node is put in."""
    start = _START.search(content)
    if start is None or start[1] == b";":
        return content
    return content[: start.start()] + _TREE.sub(lambda token: token[1] or b"(;", content[start.start() :])


def _measure(content: bytes) -> tuple[int, int]:
    """Deepest nesting of "(" and number of ";" outside property values: one pass, no recursion."""
    depth = deepest = nodes = 0
    for token in _TOKEN.finditer(content):
        mark = token.group()
        if mark == b"(":
            depth += 1
            deepest = max(deepest, depth)
        elif mark == b")":
            depth -= 1
        elif mark == b";":
            nodes += 1
    return deepest, nodes
