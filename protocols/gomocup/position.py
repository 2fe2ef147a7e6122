"""The board as the protocol tells it, kept in step with a Player.

The protocol names no colours, only "own" and "the opponent's"; sets may be uneven and in any order, stones may be
taken back anywhere, and a manager may place what the rules forbid. The stones in order are kept here; the player gets
them as moves where the rules allow, so that its tree and its clock know the game, and as a set-up otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest

from tengen.engine.games.base import BLACK, WHITE, IllegalMove, Rules
from tengen.engine.play.player import Player
from tengen.protocols.gomocup.framing import GomocupError

Stone = tuple[int, int]
"""(colour, cell)"""


class Position:
    """One board. us: our colour, None while nobody can know it."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._stones: dict[int, int] = {}
        self.us: int | None = None

    @property
    def stones(self) -> Sequence[Stone]:
        """Colour and cell of every stone, oldest first as far as that is known."""
        return [(colour, cell) for cell, colour in self._stones.items()]

    @property
    def width(self) -> int:
        return self._player.state.width

    @property
    def height(self) -> int:
        return self._player.state.height

    @property
    def next_colour(self) -> int:
        """The colour to move if both play in turn."""
        return len(self._stones) % 2

    def cell(self, x: int, y: int) -> int:
        """The cell of coordinates. Raises GomocupError."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise GomocupError(f"{x},{y} is not on the board")
        return y * self.width + x

    def empty_cell(self, x: int, y: int) -> int:
        """The same for a point that must be empty."""
        cell = self.cell(x, y)
        if cell in self._stones:
            raise GomocupError(f"{x},{y} is occupied")
        return cell

    def text(self, cell: int) -> str:
        """`x,y`"""
        y, x = divmod(cell, self.width)
        return f"{x},{y}"

    def is_empty(self, cell: int) -> bool:
        return cell not in self._stones

    def empty_cells(self) -> list[int]:
        """Those without a stone, from the middle outward."""
        middle_x, middle_y = (self.width - 1) / 2, (self.height - 1) / 2

        def distance(cell: int) -> float:
            y, x = divmod(cell, self.width)
            return (x - middle_x) ** 2 + (y - middle_y) ** 2

        return sorted(filter(self.is_empty, range(self.width * self.height)), key=distance)

    def new_game(self, width: int, height: int) -> None:
        """An empty board. Raises ValueError for a size that the game does not have; nothing changes then."""
        self._player.new_game(width, height)
        self._stones.clear()
        self.us = None

    def set_rules(self, rules: Rules) -> None:
        """Go on under other rules, whatever they say about the stones."""
        stones = self.stones
        self._player.clear()
        self._player.set_rules(rules)
        self.load(stones)

    def put(self, colour: int, cell: int) -> None:
        """A stone on an empty point, whether the rules allow it or not."""
        self._stones[cell] = colour
        try:
            self._player.play(colour, cell)
        except IllegalMove:
            self._set_up(1 - colour)

    def played(self, colour: int, cell: int) -> None:
        """The player has played this itself."""
        self._stones[cell] = colour

    def take(self, cell: int) -> None:
        """Take back any stone."""
        moves = self._player.moves
        colour = self._stones.pop(cell)
        if moves and moves[-1] == (colour, cell):
            self._player.undo()
        else:
            self.load(self.stones)
        if not self._stones:
            self.us = None

    def load(self, stones: Iterable[Stone]) -> None:
        """Replace the board, keeping the clock and the search results."""
        self._stones = {cell: colour for colour, cell in stones}
        self._player.undo(len(self._player.moves) + self._player.history.is_setup)
        to_move = self.next_colour if self.us is None else self.us
        try:
            self._player.play_sequence(in_turn(self.stones))
        except IllegalMove:
            self._set_up(to_move)

    def place(self, lines: Sequence[tuple[int, int, int]], *, in_order: bool) -> None:
        """Replace the board by (x, y, field): 1 own, 2 the opponent's, anything else is ignored; we move next.

        in_order: the first stone is Black's, as renju promises. Otherwise we are Black unless the opponent has more
        stones. Raises GomocupError for a point that is off the board or named twice; nothing changes then.
        """
        owners: dict[int, int] = {}
        for x, y, owner in lines:
            cell = self.cell(x, y)
            if owner not in (1, 2):
                continue
            if cell in owners:
                raise GomocupError(f"{x},{y} is named twice")
            owners[cell] = owner
        fields = list(owners.values())
        own, other = fields.count(1), fields.count(2)
        is_black = own >= other
        if in_order and fields:
            is_black = fields[0] == 1
        self.us = BLACK if is_black else WHITE
        self.load(((self.us if owner == 1 else 1 - self.us), cell) for cell, owner in owners.items())

    def _set_up(self, to_move: int) -> None:
        stones = bytearray(self.width * self.height)
        for cell, colour in self._stones.items():
            stones[cell] = colour + 1
        self._player.setup(bytes(stones), to_move)


def in_turn(stones: Sequence[Stone]) -> list[Stone]:
    """The stones in an order in which Black and White alternate; what one colour has too many comes last."""
    if all(colour == number % 2 for number, (colour, _) in enumerate(stones)):
        return list(stones)
    sides = [[stone for stone in stones if stone[0] == colour] for colour in (BLACK, WHITE)]
    return [stone for stone in chain.from_iterable(zip_longest(*sides)) if stone is not None]
