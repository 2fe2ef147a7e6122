"""SGF as servers write it, one node a move and nothing set up on the way: cut at the first move without a parser.

Of ten thousands of games the grammar takes four fifths of the time. What is otherwise in any way is left to it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# Not with a bracket in it that may begin another value: then the one before it was not closed (`sgf_scan`).
_VALUE = rb"\[(?:[^\[\]\\]++|\\.|\[(?<![A-Z][A-Z]\[)(?![a-z]{2}\]))*+\]\s*+"
_ROOT = rb"\s*+(\(\s*+;\s*+(?:[A-Z]{1,2}+\s*+(?:%b)++)*+)" % _VALUE
_FACTS = rb"\s*+(?:(?!(?:B|W|AB|AW|AE|PL)\s*+\[|(?:BL|WL|OB|OW|MN)\s*+\[[^\[\]]*+\[)[A-Z]{1,2}+\s*+(?:%b)++)*+" % _VALUE
_PLAIN = re.compile(rb"%b((?:;\s*+[BW]\[[a-z]{0,2}+\]%b)++)\)\s*+" % (_ROOT, _FACTS), re.DOTALL)
_MOVE = re.compile(rb";\s*+([BW])\[([a-z]{0,2}+)\]%b" % _FACTS, re.DOTALL)


class Plain(NamedTuple):
    """A file that consists of a root and its first node's tree only, and the (colour, point) of each move after it."""

    root: bytes
    moves: list[tuple[bytes, bytes]]


def split(content: bytes) -> Plain | None:
    """The two parts of one plain game in UTF-8, None for everything else. A root may have a move itself."""
    found = _PLAIN.fullmatch(content)
    return Plain(found[1] + b")", _MOVE.findall(found[2])) if found else None
