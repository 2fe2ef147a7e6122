"""The growth of a book: the moves that cost least to come to are followed on (drop-out expansion, Lincke 2000).

A position is searched once, for its best few moves. A move is worth what its position is worth in turn where the book
has that, else what the search found. What it costs to come to a position is a ply's cost for every move on the way, and
whatever each of them gives away against the best one: so the lines that both sides want are the longest, near misses
are in the book, and bad moves are left to the search that plays the game.

A position stands at the ply at which it was found first. A move that leads back to an earlier ply, or to the same one,
is worth what the search found: so nothing depends on itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence, Set
from dataclasses import dataclass

from tengen.engine.games.base import Game, State
from tengen.engine.games.book import Book, BookMove

Searched = Sequence[tuple[int, float, int, bool]]
"""The best moves of a position: (cell, value, depth, is_exact) for the side to move."""


@dataclass(frozen=True)
class Follow:
    """The result of a move. key: the position after it, and forced passes; None: nothing follows (the game is over, or
    known exactly). sign: -1 where the other side moves there."""

    key: str | None
    sign: int


class Growth:
    """A book that is grown. starts: the positions that it begins with; none: the game's start. ply_cost, most_plies: as
    `Notation` has them; None: the game's own."""

    def __init__(
        self, book: Book, starts: Sequence[State] = (), *, ply_cost: float | None = None, most_plies: int | None = None
    ) -> None:
        self.book, self._notation = book, book.notation
        self._ply_cost = book.notation.ply_cost if ply_cost is None else ply_cost
        self._most_plies = book.notation.most_plies if most_plies is None else most_plies
        self._moves: dict[str, list[BookMove]] = {key: list(book.moves(key)) for key in book.keys()}
        self._follows: dict[str, list[Follow]] = {}
        self._starts = list(starts) or [new_state(book.game)]
        self.starts = list(dict.fromkeys(self._notation.key_of(state)[0] for state in self._starts))
        self._plies = dict.fromkeys(self.starts, 0)
        waiting = deque(self.starts)
        while waiting:  # breadth first: fewest plies
            key = waiting.popleft()
            if key in self._moves and key not in self._follows:
                self._follows[key] = self._followed(key)
                waiting.extend(one.key for one in self._follows[key] if one.key is not None)

    def __len__(self) -> int:
        return len(self._moves)

    @property
    def reached(self) -> Set[str]:
        """The positions of the book that its moves lead to from the starts."""
        return self._follows.keys()

    def add(self, key: str, searched: Searched) -> None:
        """Keep the results of a position."""
        self._moves[key] = [BookMove(cell, value, depth, value) for cell, value, depth, _ in searched]
        self._follows[key] = self._followed(key)

    def back_up(self) -> None:
        """Update the value of every move from the positions below it; the last plies first."""
        for key in sorted(self._follows, key=self._plies.__getitem__, reverse=True):
            moves = [
                move._replace(worth=self._worth_after(key, follow, move.searched))
                for move, follow in zip(self._moves[key], self._follows[key], strict=True)
            ]
            self._moves[key] = moves
            self.book.put(key, sorted(moves, key=lambda move: -move.worth))

    def worth(self, key: str) -> float:
        """Return the value of a position in the book, for its side to move."""
        return max(move.worth for move in self._moves[key])

    def next(self, count: int) -> list[str]:
        """The positions to search next, cheapest first; starts that are not in the book before all others."""
        if missing := [key for key in self.starts if key not in self._moves]:
            return missing[:count]
        costs = dict.fromkeys(self.starts, 0.0)
        open_: dict[str, float] = {}
        for key in sorted(self._follows, key=self._plies.__getitem__):
            if key not in costs:
                continue
            best = self.worth(key)
            for move, follow in zip(self._moves[key], self._follows[key], strict=True):
                if follow.key is None or self._plies[follow.key] <= self._plies[key]:
                    continue
                into = costs if follow.key in self._moves else open_
                cost = costs[key] + self._ply_cost + best - move.worth
                into[follow.key] = min(cost, into.get(follow.key, cost))
        return sorted(open_, key=lambda key: (open_[key], key))[:count]

    def line(self) -> list[int]:
        """The best moves for both sides from the first start, in cells of its board."""
        state, seen = self._starts[0].copy(), set[str]()
        found: list[int] = []
        while (key := self._notation.key_of(state)[0]) not in seen and (moves := self.book.find(state)):
            seen.add(key)
            found.append(moves[0].cell)
            state.play(moves[0].cell)
            pass_forced(state)
        return found

    def line_text(self) -> list[str]:
        """The same moves as the game writes them."""
        state, found = self._starts[0].copy(), list[str]()
        for move in self.line():
            found.append(self.book.game.move_to_text(state, move))
            state.play(move)
            pass_forced(state)
        return found

    def _worth_after(self, key: str, follow: Follow, searched: float) -> float:
        if follow.key is None or follow.key not in self._follows or self._plies[follow.key] <= self._plies[key]:
            return searched
        return follow.sign * self.worth(follow.key)

    def _followed(self, key: str) -> list[Follow]:
        return [
            Follow(None, 1) if abs(move.searched) >= self._notation.won else self._follow(key, move.cell)
            for move in self._moves[key]
        ]

    def _follow(self, key: str, cell: int) -> Follow:
        state, ply = self._notation.state_of(key), self._plies[key] + 1
        mover = state.to_move
        state.play(cell)
        pass_forced(state)
        if state.is_terminal() or ply >= self._most_plies:
            return Follow(None, 1)
        after = self._notation.key_of(state)[0]
        self._plies.setdefault(after, ply)
        return Follow(after, 1 if state.to_move == mover else -1)


def new_state(game: Game) -> State:
    """The usual start of a game."""
    return game.new_state(game.default_size, game.default_size, game.default_rules, 0.0)


def pass_forced(state: State) -> None:
    """Pass for a side that has no move."""
    while not state.is_terminal() and state.legal_moves() == [state.pass_move]:
        state.play(state.pass_move)
