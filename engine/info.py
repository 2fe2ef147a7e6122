"""The report of a search: the same shape from every search, filled while it runs and when it ends."""

from __future__ import annotations

from typing import NamedTuple


class Proof(NamedTuple):
    """A proven result for the side to move: 1 win, 0 draw, -1 loss.

    plies: as far as the search went; forced play behind that (fours in Gomoku) makes the game longer.
    """

    result: int
    plies: int


class FinalScore(NamedTuple):
    """The score at the end of the game as a network expects it of play like its own, for the side to move."""

    mean: float
    deviation: float
    """Standard deviation."""


class Line(NamedTuple):
    """One candidate move. Every value is for the side to move at the root.

    win/draw/loss: probabilities, sum 1. score: expected margin in the game's unit (points, discs, centipawns).
    final_score: where a network says how it scatters.
    lcb: lower confidence bound of the win probability. prior: 0..1. pv begins with `move`.
    bound: what the score is of the true one, an "estimate", no more than it ("lower"), no less ("upper"), or "exact".
    depth, seldepth: plies that the search looked ahead, on the whole (in a tree: the mean length of its paths) and at
    most. terms: (name, value) of what a search that weighs several terms found, such as reversi's `mix`.
    """

    move: int
    pv: tuple[int, ...]
    visits: int
    win: float
    draw: float = 0.0
    loss: float = 0.0
    score: float = 0.0
    final_score: FinalScore | None = None
    lcb: float = 0.0
    prior: float = 0.0
    bound: str = "estimate"
    proof: Proof | None = None
    depth: int = 0
    seldepth: int = 0
    terms: tuple[tuple[str, float], ...] = ()

    @property
    def expected(self) -> float:
        """The expected result, 0..1: a draw counts half."""
        return self.win + self.draw / 2


class Info(NamedTuple):
    """A whole report: lines best first, root totals, and ownership when it was asked for.

    expected: the expected result at the root, 0..1, a draw counting half; draw: the probability of one. visits: of the
    root. playouts: of this search. nodes: positions in the tree. probes: of endgame tables in the search, with an
    answer. seconds: since the search began. hashfull: 0..1 of the memory budget. ownership: width*height floats in
    -1..1, row-major from the top, +1 = owned by the side to move.
    note: by which rule the move was chosen, where the search did not choose it.
    """

    lines: tuple[Line, ...] = ()
    to_move: int = 0
    visits: int = 0
    playouts: int = 0
    nodes: int = 0
    probes: int = 0
    seconds: float = 0.0
    expected: float = 0.5
    draw: float = 0.0
    score: float = 0.0
    final_score: FinalScore | None = None
    hashfull: float = 0.0
    ownership: tuple[float, ...] = ()
    note: str = ""

    @property
    def best(self) -> Line | None:
        """The line the search would play."""
        return self.lines[0] if self.lines else None
