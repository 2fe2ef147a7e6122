"""Moves from an opening book, before any search: varied within a margin, and none where a person set a level."""

from __future__ import annotations

import math
import random

from tengen.engine.games.base import Game
from tengen.engine.games.book import Book, BookError, BookMove, read
from tengen.engine.info import Info, Line
from tengen.engine.play.request import MoveRequest
from tengen.engine.play.situation import Situation
from tengen.engine.search.base import Root

NONE = "none"


class Openings:
    """The book of one player; the file is read when the first move is asked for."""

    def __init__(self, game: Game, path: str) -> None:
        self._game, self._path = game, path
        self._book: Book | None = None
        self.notice = ""
        """A sentence for the user when the file cannot be used; it is said once, and the search plays."""

    def choose(self, now: Situation, request: MoveRequest, root: Root, generator: random.Random) -> Info | None:
        """Return the book's moves of the position, the move to play first; None if the search has to think."""
        self.notice = ""
        if self._path == NONE or now.config.level is not None:
            return None
        if request.allow or request.avoid or any(request.held_back):
            return None
        if now.level.temperature > 0:
            return None
        try:
            self._book = read(self._path, self._game) if self._book is None else self._book
            moves = self._book.find(root.state)
        except BookError as error:
            self._path, self.notice = NONE, f"{error}; the search plays without it"
            return None
        if not moves:
            return None
        notation = self._book.notation
        margin = now.config.book_margin * notation.step
        fair = [move for move in moves if move.worth >= moves[0].worth - margin]
        chosen = generator.choice(fair)
        return report(root, [chosen, *(move for move in moves if move is not chosen)], notation.odds)


def report(root: Root, moves: list[BookMove], odds: float) -> Info:
    """Moves of a book as the report of a search. odds: the value of a position with winning chances of e to 1."""
    lines = tuple(line_of(move, odds) for move in moves)
    best = lines[0]
    return Info(lines, root.state.to_move, expected=best.win, score=best.score, note="book")


def line_of(move: BookMove, odds: float) -> Line:
    """A move of a book as a search reports one."""
    win = 1 / (1 + math.exp(-max(-40.0, min(40.0, move.worth / odds))))
    return Line(move.cell, (move.cell,), 0, win, loss=1 - win, score=move.worth, lcb=win, depth=move.depth)
