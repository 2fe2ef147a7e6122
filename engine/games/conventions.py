"""Conventions of a game outside of Tengen: record formats, protocols of its own, what a match of it begins with."""

from __future__ import annotations

from typing import NamedTuple

from tengen.engine.games.vertex import GTP, Vertices

EVERY_IMAGE = tuple(range(8))
"""1 flips rows, 2 flips columns, 4 swaps rows and columns; their sums are the eight symmetries of a square board."""


class MatchSetting(NamedTuple):
    """The usual match of a game.

    size, komi, rules: None as the game has them. plies: moves of an opening drawn at random. margin: how far from the
    edge they stay; None: any move. images: the symmetries of a board that keep the position before the first move.
    longest: plies after which a game is stopped; None: three times the points of the board.
    """

    size: int | None = None
    komi: float | None = None
    rules: str | None = None
    plies: int = 2
    margin: int | None = None
    images: tuple[int, ...] = EVERY_IMAGE
    longest: int | None = None

    def length(self, cells: int) -> int:
        """Plies after which a game on a board of so many points is stopped."""
        return self.longest or 3 * cells


class Conventions(NamedTuple):
    """The facts about a game that other programs use.

    sgf: its number in SGF's GM property, None where it has none. record, position: the formats of its own that a match
    writes games in and takes positions from. protocol: the front end that speaks a protocol of its own.
    book: what a file of openings to play from is, in the words of a help text; "" where none is played from.
    has_points: a move is a point of the board or a pass, stones say what is on it: so GTP, diagrams and SGF have it.
    counts_discs: a game is won by discs, by no more than the board has cells. points: how its records write points;
    GTP writes those of every game alike. has_komi: White gets points for moving second, and a weaker Black more stones:
    engines are told komi and rules over GTP, records keep both. is_agreed: after the last move the players agree which
    stones are dead. has_margin: it counts by how much a game is won. finds_networks: networks for it are looked for on
    this machine. title: what it is called in a list of games. guis: programs that play it, by their names in
    `tools/gui_settings.py`.
    """

    sgf: str | None = None
    record: str = "text"
    position: str | None = None
    protocol: str | None = None
    match: MatchSetting = MatchSetting()
    book: str = ""
    has_points: bool = True
    counts_discs: bool = False
    points: Vertices = GTP
    has_komi: bool = False
    is_agreed: bool = False
    has_margin: bool = True
    finds_networks: bool = False
    title: str = ""
    guis: tuple[str, ...] = ()
