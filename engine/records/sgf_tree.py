"""One game of an SGF file as it is, to write into: comments, properties and variations at the moves of its main line.

Whatever the file has stays, in its order: variations, marks, properties that nobody here knows. Text becomes UTF-8.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sgfmill import sgf_grammar

from tengen.engine.records import sgf
from tengen.engine.records.base import Record, RecordError
from tengen.engine.records.sgf_parse import games
from tengen.engine.records.sgf_read import Lines, Reader
from tengen.engine.records.sgf_text import content_of

Node = dict[str, list[bytes]]
Moves = Sequence[tuple[int, int]]


class GameTree:
    """Nodes of the main line, and what branches off behind each."""

    def __init__(self, data: bytes | str, number: int = 1) -> None:
        """The game of that number, from 1. Raises RecordError with one sentence."""
        found = list(games(content_of(data)))
        self.games = len(found)
        """The number of games in the file."""
        if not 1 <= number <= len(found):
            raise RecordError(f"there is no game {number}: the file holds {len(found)}")
        game = found[number - 1]
        reader = Reader(game)
        self.record: Record = replace(reader.read(), lines=Lines(game.content, number - 1))
        self._nodes, self._branches = _main_line(game.tree)
        self._at = self._turns(reader.at)
        self._nodes[0]["CA"] = [b"UTF-8"]

    def comment(self, turn: int, text: str) -> None:
        """Add to the comment after so many moves, behind the existing text."""
        node = self._nodes[self._at[turn]]
        old = node.get("C", [b""])[0].rstrip()
        node["C"] = [old + (b"\n\n" if old else b"") + sgf_grammar.escape_text(text.encode("utf-8", "replace"))]

    def has(self, turn: int, *keys: str) -> bool:
        """Whether the node after so many moves has one of the properties."""
        return any(key in self._nodes[self._at[turn]] for key in keys)

    def put(self, turn: int, properties: Mapping[str, str]) -> None:
        """Give the node after so many moves properties that it has not; the others stay."""
        node = self._nodes[self._at[turn]]
        for key, value in properties.items():
            node.setdefault(key, [sgf_grammar.escape_text(value.encode("utf-8", "replace"))])

    def mark(self, turn: int, key: str, move: int) -> None:
        """Mark a point after so many moves; not where the node has marks of its own, and no pass."""
        if move < self.record.width * self.record.height:
            self.put(turn, {key: sgf.point_text(self.record, move).decode("ascii")})

    def branch(self, turn: int, moves: Moves, comment: str) -> None:
        """Add a variation after so many moves; not behind the last, where it would become the game."""
        node = self._before_next(turn)
        if node + 1 >= len(self._nodes) or not moves:
            return
        tree = sgf_grammar.Coarse_game_tree()
        tree.sequence = [{"BW"[colour]: [sgf.point_text(self.record, move)]} for colour, move in moves]
        tree.sequence[0]["C"] = [sgf_grammar.escape_text(comment.encode("utf-8", "replace"))]
        self._branches[node].append(tree)

    def _before_next(self, turn: int) -> int:
        """The node of the position in which the next move is made: behind stones that are set up after the last one."""
        later = range(self._at[turn] + 1, self._at[turn + 1]) if turn + 1 < len(self._at) else range(0)
        changed = [node for node in later if any(key in self._nodes[node] for key in ("AB", "AW", "AE"))]
        return changed[-1] if changed else self._at[turn]

    def dumps(self) -> str:
        """The game in SGF."""
        root = tree = sgf_grammar.Coarse_game_tree()
        tree.sequence = []
        for node, branches in zip(self._nodes, self._branches, strict=True):
            tree.sequence.append(node)
            if branches:
                rest = sgf_grammar.Coarse_game_tree()
                rest.sequence = []
                tree.children = [rest, *branches]
                tree = rest
        return bytes(sgf_grammar.serialise_game_tree(root)).decode("utf-8", "replace")

    def _turns(self, at: list[int]) -> list[int]:
        """The node that shows the position after 0, 1, ... moves, `at` being those of the moves; a move in the first
        node gets one of its own."""
        moves: Node = {key: self._nodes[0].pop(key) for key in ("B", "W") if key in self._nodes[0]}
        if moves:
            self._nodes.insert(1, moves)
            self._branches.insert(0, [])
            at = [node + 1 for node in at]
        if len({*at}) < len(at):
            raise RecordError("the file has more than one move in a node")
        return [at[0] - 1 if at else 0, *at]


def _main_line(tree: sgf_grammar.Coarse_game_tree) -> tuple[list[Node], list[list[sgf_grammar.Coarse_game_tree]]]:
    nodes, branches = list[Node](), list[list[sgf_grammar.Coarse_game_tree]]()
    for part in _parts(tree):
        nodes += part.sequence
        branches += [[] for _ in part.sequence[:-1]] + [list(part.children[1:])]
    return nodes, branches


def _parts(tree: sgf_grammar.Coarse_game_tree) -> Iterator[sgf_grammar.Coarse_game_tree]:
    while True:
        yield tree
        if not tree.children:
            return
        tree = tree.children[0]
