"""The networks that were found, as a table."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from tengen.engine.evaluators.katago import KATAGO_GAME
from tengen.engine.evaluators.katago.finding import Found, choose, find_networks, places
from tengen.engine.evaluators.katago.model import Glance
from tengen.engine.evaluators.katago.tail import ENDING
from tengen.engine.files import open_regular
from tengen.engine.games import get_game
from tengen.engine.play.networks import network_of_ranks
from tengen.engine.sentence import printable

HEAD = ("auto", "name", "version", "blocks", "size", "sha256", "where")
GET_ONE = "'tengen net get' fetches one; others (.bin.gz) may be saved in the first of these folders."
SIZES = (9, 13, 19)
"""The sizes of boards for which the network of auto is shown."""
DIGITS = 12
"""The digits of a digest in the table."""


def show() -> int:
    """Print them."""
    found = find_networks()
    if not found:
        print("No network was found. Looked in:")
        print("\n".join(f"  {place.owner:7} {short(place.folder)}" for place in places()))
        print(GET_ONE)
        return 0
    rows = [HEAD, *(_row(one, sizes_taken(found, one)) for one in found if one.known is not None)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    if len(rows) > 1:
        for row in rows:
            print("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
    for one in found:
        if one.known is None:
            print(f"-  {short(one.path)}: {one.problem}")
    if any(choose(found, (size, size)) for size in SIZES):
        print("--net auto takes the one with the size of the board before it, never one by name.")
    if told := ranks_told():
        print(f"{told}.")
    return 0


def ranks_told() -> str:
    """The network that ranks play by, in words; "" where there is none."""
    path = network_of_ranks(KATAGO_GAME)
    if path is None:
        return ""
    ranks = [rank for one in get_game(KATAGO_GAME).players.values() for rank in one.ranks]
    name, size = path.name.removesuffix(ENDING), megabytes(path.stat().st_size)
    return f"--rank {ranks[0]} to {ranks[-1]} plays by {name} where no network is named: {size}, {short(path)}"


def sizes_taken(found: list[Found], one: Found) -> str:
    """The sizes of boards for which auto takes one of those that were found, for people: 9x9 19x19."""
    return " ".join(f"{size}x{size}" for size in SIZES if choose(found, (size, size)) is one)


def _row(one: Found, sizes: str) -> tuple[str, ...]:
    assert one.known is not None
    header = one.known.header
    return (
        "by name" if one.by_name else sizes,
        header.name,
        str(header.version),
        shape(one.known),
        megabytes(one.size),
        digest(one.path)[:DIGITS],
        f"{short(one.path)} ({one.owner})",
    )


def shape(known: Glance) -> str:
    """Blocks and channels of the trunk."""
    return f"{known.blocks}x{known.channels}"


def megabytes(size: int) -> str:
    """The size of a file."""
    return f"{size / 1e6:.1f} MB"


def digest(path: Path) -> str:
    """The SHA-256 of a file, read in pieces; "" when it cannot be read."""
    try:
        with open_regular(path) as file:
            found = hashlib.sha256()
            while piece := file.read(1 << 20):
                found.update(piece)
            return found.hexdigest()
    except OSError:
        return ""


def short(path: Path) -> str:
    """A path with ~ for the user's folder, on one line."""
    home = str(Path.home())
    text = str(path)
    return printable("~" + text.removeprefix(home) if text.startswith(home + os.sep) else text)
