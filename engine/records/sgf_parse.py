"""Trees of SGF games, as sgfmill's grammar reads them, and the rest of damaged ones (`sgf_scan`) with messages.

Of FF[1] to FF[3], names in small letters and long ones are read too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from sgfmill import sgf_grammar

from tengen.engine.records.base import RecordError
from tengen.engine.records.sgf_scan import ENDS, scan
from tengen.engine.records.sgf_tokens import Repair, Token

TOLD = 4
"""Kinds of repair of one game that are told, the others are counted."""


class Node(dict[str, list[bytes]]):
    """The properties of a node. at: where it is in the file."""

    __slots__ = ("at",)

    def __init__(self, at: int = 0) -> None:
        self.at = at


class Game(NamedTuple):
    """A game of a file. tree: its nodes are `Node`s."""

    tree: sgf_grammar.Coarse_game_tree
    content: bytes
    repairs: list[Repair]

    @property
    def ends(self) -> str:
        """Describe an end of the file before the end of the game, "" if there is none."""
        last = self.repairs[-1].what if self.repairs else ""
        return last if last.startswith(ENDS) else ""

    def warnings(self) -> tuple[str, ...]:
        """A sentence for each of the first kinds of repair, with its first line."""
        counts = Counter(repair.what for repair in self.repairs)
        first = {repair.what: repair.at for repair in reversed(self.repairs)}
        out = []
        for what, count in [*counts.items()][:TOLD]:
            times = f" ({count} times)" if count > 1 else ""
            out.append(f"line {line_of(self.content, first[what])}: {what}{times}")
        if len(counts) > TOLD:
            out.append(f"{len(counts) - TOLD} more places of the file are repaired or left out")
        return tuple(out)


def games(content: bytes) -> Iterator[Game]:
    """The games of a file in UTF-8, one after the other; text around them is passed over.

    Raises RecordError for a file without one, and for one that is damaged everywhere.
    """
    at, found, ends = 0, 0, dict[int, int]()
    while scanned := scan(content, at, is_first=not found, ends=ends):
        at = max(scanned.end, at + 1)
        ends.update(scanned.later)
        if scanned.repairs and not any(token.kind == "name" for token in scanned.tokens):
            continue
        found += 1
        yield Game(_tree(scanned.tokens), content, scanned.repairs)
    if not found:
        raise RecordError("not an SGF file")


def line_of(content: bytes, at: int) -> int:
    """The number of a line, from 1, whatever ends lines."""
    end = b"\n" if b"\n" in content else b"\r"
    return content.count(end, 0, at) + 1


def main_line(tree: sgf_grammar.Coarse_game_tree) -> list[Node]:
    """The nodes of the first of all variations."""
    return list(sgf_grammar.main_sequence_iter(tree))


def _tree(tokens: list[Token]) -> sgf_grammar.Coarse_game_tree:
    """The tree of tokens that are balanced, which are used up: so many of them are large. A tree without a node of its
    own gives its branches to the one above."""
    top = sgf_grammar.Coarse_game_tree()
    stack, node, values = [top], Node(), list[bytes]()
    tokens.reverse()
    while tokens:
        token = tokens.pop()
        if token.kind == "value":
            values.append(token.text)
        elif token.kind == "name":
            values = node.setdefault(token.name, [])
        elif token.kind == ";":
            node = Node(token.at)
            stack[-1].sequence.append(node)
        elif token.kind == "(":
            stack.append(sgf_grammar.Coarse_game_tree())
        else:
            done = stack.pop()
            stack[-1].children += [done] if done.sequence else done.children
    first: sgf_grammar.Coarse_game_tree = top.children[0]
    return first
