"""A judged board for people: sentences, a diagram, marks on the picture."""

from __future__ import annotations

import numpy as np

from tengen.engine.games.vertex import COLUMNS, GTP
from tengen.tools.photo.geometry import Image, Lattice
from tengen.tools.photo.territory import Territory

_GLYPHS = {(1, 1): "X", (2, 2): "O", (1, 2): "x", (2, 1): "o", (0, 1): "b", (0, 2): "w", (0, 0): "."}
_SIDES = ("Black", "White")


def diagram(territory: Territory) -> str:
    """The board as text, coordinates on the left and below: X O alive, x o dead, b w territory, . nobody's."""
    size = len(territory.stones)
    lines = [
        f"{size - row:2} " + " ".join(_glyph(territory, row, column) for column in range(territory.stones.shape[1]))
        for row in range(size)
    ]
    return "\n".join([*lines, "   " + " ".join(COLUMNS[: territory.stones.shape[1]])])


def draw(image: Image, lattice: Lattice, territory: Territory) -> Image:
    """A copy of the picture with a square of its owner's colour on each point of territory, a cross on dead stones."""
    from tengen.tools.photo.draw import BLACK as INK
    from tengen.tools.photo.draw import WHITE as PAPER
    from tengen.tools.photo.draw import polygon, polyline, square

    picture = image.copy()
    edge = max(1, round(lattice.cell() / 20))
    for row, column in np.argwhere((territory.owner > 0) & (territory.owner != territory.stones)).tolist():
        colours = (INK, PAPER) if territory.owner[row, column] == 1 else (PAPER, INK)
        polygon(picture, square(lattice, column, row, 0.2 + 0.05), colours[1])
        polygon(picture, square(lattice, column, row, 0.2), colours[0])
    for chain in territory.dead:
        for row, column in chain:
            quad = square(lattice, column, row, 0.33)
            for ends in (quad[[0, 2]], quad[[1, 3]]):
                polyline(picture, ends, (40, 40, 230), 2 * edge, edge=1, is_closed=False)
    return picture


def sentences(territory: Territory) -> list[str]:
    """Return the sentences for a player: the margin, how it comes about, the stones taken off, and what is not sure."""
    one, rules = territory, territory.rules
    found = [f"{one.margin} by {rules.name} rules with komi {one.komi:g}, if the game ended here"]
    found += one.supposed
    black, white = (f"{points:g}" for points in one.points)
    neutral = int((one.owner == 0).sum())
    found.append(f"{rules.scoring}: Black {black}, White {white}; {neutral} point{'' if neutral == 1 else 's'} neutral")
    if rules.scoring == "territory":
        found.append(
            "prisoners are not in the picture: their difference was worked out from the stones on the board, as if "
            "both sides had made equally many moves, without handicap"
            + (" (the second margin: if Black made one more)" if one.other is not None else "")
        )
    for colour, side in enumerate(_SIDES, 1):
        names = [_name(one, chain) for chain in one.dead if one.stones[chain[0]] == colour]
        if names:
            found.append(f"{side}'s dead stones, if both agree: {', '.join(names)}")
    found += [f"seki: {_SIDES[int(one.stones[chain[0]]) - 1]}'s {_name(one, chain)}" for chain in one.seki]
    for chain in one.doubtful:
        found.append(f"not sure, look at it: {_SIDES[int(one.stones[chain[0]]) - 1]}'s {_name(one, chain)}")
    if not one.is_finished:
        found.append("the game does not look finished: a border is open")
    return found


def _name(territory: Territory, chain: tuple[tuple[int, int], ...]) -> str:
    """ "C3 (2 stones)"."""
    (row, column), (height, width) = chain[0], territory.stones.shape
    vertex = GTP.text(row * width + column, width, height)
    return f"{vertex} ({len(chain)} stone{'' if len(chain) == 1 else 's'})"


def _glyph(territory: Territory, row: int, column: int) -> str:
    stone, owner = int(territory.stones[row, column]), int(territory.owner[row, column])
    return _GLYPHS.get((stone, owner), "?")
