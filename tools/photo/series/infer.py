"""Readings of the frames of one game -> the moves that explain them best.

A beam search over legal lines of our core. A line's score is the log likelihood of all frames so far under its
positions, less what its moves and corrections cost, plus the outlook of its position (`evidence.outlook`). Between two
frames there may be any number of moves. A frame that contradicts a line in too many points counts as a bad one (a
lattice one line off, a picture of something else) and costs the same whatever it shows.

Costs are in nats and were chosen by hand from what they mean (exp(-4) = 0.02), not fitted to any series.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.tools.photo.groups import breathless
from tengen.tools.photo.results import Point
from tengen.tools.photo.series.certainty import at_odds, doubts_of
from tengen.tools.photo.series.evidence import PLACE, Table, likelihoods, outlook
from tengen.tools.photo.series.line import Line, Step, begin, usual
from tengen.tools.photo.series.proposals import proposals

FIRST, FURTHER = PLACE, PLACE + 0.5
"""A move since the frame before, and each one more."""
REPEAT = {"go": 2.0, "gomoku": 2.0, "reversi": 8.0}
"""A move of the colour that had just moved, or White's first."""
CORRECT = 8.0
"""A stone taken back, pushed or read in the wrong colour for a while."""
NEAR = 0.0005
"""A line of distance from the move before, 8 at most: for orders that nothing else decides."""
BAD = 20.0
"""A frame that is wrong as a whole: more than three points misread."""
STONE = PLACE + 0.5
"""A stone of the set-up; dearer than one played, for points that the first frames do not show."""
WIDTH, KEPT, SCORE = 12, 20, 40.0
"""Lines that go on within a gap, lines kept after a frame, and how much worse than the best they may be."""
PATIENCE = 3
"""Moves in a row that may make things worse before no more are tried."""


@dataclass(frozen=True)
class Move:
    """One move, the frame that shows it first, and its doubts, as sentences."""

    colour: int
    move: int
    frame: int
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Inferred:
    """The game: set-up (size * size bytes, None for the usual start), moves, and the frames that fitted to nothing.

    odd: frames that were used but show other stones than the game.
    """

    game: str
    size: int
    setup: bytes | None
    moves: tuple[Move, ...]
    bad: tuple[int, ...] = ()
    odd: tuple[int, ...] = ()

    @property
    def doubtful(self) -> int:
        return sum(bool(move.doubts) for move in self.moves)


@dataclass(frozen=True)
class Node:
    """A line in the beam: the score of the frames so far, with and without the one at hand and what comes after."""

    line: Line
    score: float
    value: float = 0.0
    gap: int = 0
    bad: tuple[int, ...] = ()


def infer(
    frames: Sequence[NDArray[np.float32]], game: str, progress: Callable[[int], None] = lambda frame: None
) -> Inferred:
    """The game that explains the frames, each (size, size, 4) as `Reading.probabilities`, in order of time.

    Raises ValueError without frames, for frames of different shapes and for a size that the game does not have.
    """
    if not frames or any(frame.shape != (len(frames[0]), len(frames[0]), 4) for frame in frames):
        raise ValueError("a series needs frames of one size")
    size = len(frames[0])
    table = likelihoods(frames)
    ahead = outlook(table, game)
    search = Search(game, size, table, ahead)
    beam = [Node(search.start(), 0.0)]
    for frame in range(len(table)):
        beam = search.advance(beam, frame)
        progress(frame + 1)
    best = beam[0]
    steps = best.line.steps()
    doubts = doubts_of(table, steps)
    moves = tuple(Move(*step, tuple(doubt)) for step, doubt in zip(steps, doubts, strict=True))
    odd = tuple(frame for frame in at_odds(table, best.line.way()) if frame not in best.bad)
    return Inferred(game, size, best.line.setup, moves, best.bad, odd)


class Search:
    """The beam over one series."""

    def __init__(self, game: str, size: int, table: Table, ahead: Table) -> None:
        self.game, self.size, self.table, self.ahead = game, size, table, ahead
        self.points = np.arange(size * size)

    def start(self) -> Line:
        """The position before the first frame: the usual one, or with the stones that the frames begin with."""
        worth = self.table[0] + self.ahead[0]
        base = np.frombuffer(usual(self.game, self.size), np.uint8).astype(np.intp)
        costs = np.full_like(worth, STONE)
        costs[:, Point.EMPTY] = 0
        costs[base > 0, Point.EMPTY] = STONE
        costs[self.points, base] = 0
        stones = (worth - costs).argmax(-1)
        if self.game == "go":
            for group in breathless(stones.reshape(self.size, self.size)):
                stones[[row * self.size + column for row, column in group.spots]] = Point.EMPTY
        return begin(self.game, self.size, bytes(stones.astype(np.uint8)))

    def advance(self, beam: list[Node], frame: int) -> list[Node]:
        """The best lines after this frame, best first."""
        worth = self.table[frame] + self.ahead[frame]
        layer = [self._valued(Node(node.line, node.score, 0.0, 0, node.bad), worth) for node in beam]
        pool, best, idle = [self._unmoved(node, frame) for node in layer], max(n.value for n in layer), 0
        while layer and idle < PATIENCE:
            layer = self._expanded(layer, worth, frame)
            pool += [self._scored(node, frame) for node in layer]
            top = max((node.value for node in layer), default=-np.inf)
            best, idle = (top, 0) if top > best else (best, idle + 1)
        return distinct(pool, KEPT)

    def _expanded(self, layer: list[Node], worth: NDArray[np.float32], frame: int) -> list[Node]:
        """The best lines with one thing more than those of the layer."""
        found = []
        for node in layer:
            for line, is_correction in proposals(node.line, self.size, worth, frame, corrections=True):
                cost = CORRECT if is_correction else (FURTHER if node.gap else FIRST) + self._distance(node.line, line)
                cost += REPEAT[self.game] * (line.breaks - node.line.breaks)
                gap = node.gap + (not is_correction)
                found.append(self._valued(Node(line, node.score - cost, 0.0, gap, node.bad), worth))
        return distinct(found, WIDTH)

    def _distance(self, before: Line, after: Line) -> float:
        """The price of a move far from the one before it."""
        if before.step is None or after.step is None:
            return 0.0
        ends = divmod(before.step.move, self.size), divmod(after.step.move, self.size)
        rows, columns = (abs(a - b) for a, b in zip(*ends, strict=True))
        return NEAR * min(8, max(rows, columns))

    def _valued(self, node: Node, worth: NDArray[np.float32]) -> Node:
        """With the value by which lines are compared before this frame is added to the score."""
        value = node.score + float(worth[self.points, node.line.stones].sum())
        return Node(node.line, node.score, value, node.gap, node.bad)

    def _scored(self, node: Node, frame: int) -> Node:
        """With this frame in the score."""
        score = node.score + float(self.table[frame][self.points, node.line.stones].sum())
        return Node(node.line, score, node.value, 0, node.bad)

    def _unmoved(self, node: Node, frame: int) -> Node:
        """The same for a line without moves since the last frame, which may take the frame for a bad one."""
        now, stones = self.table[frame], node.line.stones
        held = now[self.points, stones]
        lack = now.max(-1) - held
        added = (stones == Point.EMPTY) & (lack > 0)
        bad = float(now.max(-1).sum() - BAD - np.minimum(FURTHER, lack[added]).sum())
        score = float(held.sum())
        if bad <= score:
            return self._scored(node, frame)
        return Node(node.line, node.score + bad, node.value + bad - score, 0, (*node.bad, frame))


def distinct(nodes: list[Node], most: int) -> list[Node]:
    """The best nodes, best first, one for each position, none much worse than the best."""
    kept: dict[int, Node] = {}
    for node in sorted(nodes, key=lambda node: -node.value):
        if kept and node.value < next(iter(kept.values())).value - SCORE:
            break
        kept.setdefault(node.line.key, node)
        if len(kept) == most:
            break
    return list(kept.values())


__all__ = ["Inferred", "Move", "Step", "infer"]
