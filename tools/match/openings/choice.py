"""The openings of a run: of a file in its order or another, with their images, or drawn from the seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tengen.engine.games import get_game
from tengen.engine.games.hooks import hooks_of
from tengen.engine.records import pgn
from tengen.tools.match.notation import move_of
from tengen.tools.match.openings import chess_book, records
from tengen.tools.match.openings.drawn import draw, setting_of
from tengen.tools.match.openings.source import Tell
from tengen.tools.match.openings.start import start_state, texts_of
from tengen.tools.match.spec import GameSpec, Opening

ORDERS = ("sequential", "random")


@dataclass(frozen=True)
class OpeningsSpec:
    """file: None draws them from the seed. plies: moves of an opening at most; None: all of the file's, or as many as
    the game has in matches. order: of a file's openings. transform: also their rotations and mirror images."""

    file: str | None = None
    plies: int | None = None
    order: str = "random"
    transform: bool = False


def choose(
    spec: OpeningsSpec, game: GameSpec, count: int, seed: int, tell: Tell = lambda sentence: None
) -> list[Opening]:
    """At least one opening, for `count` pairs to go through again and again. tell: hears what of a file is left out.

    Raises ValueError.
    """
    if game.game == pgn.GAME:
        pgn.python_chess("a match of chess")  # which writes the games
    if spec.file is None:
        return _drawn(spec, game, count, seed)
    if game.game == pgn.GAME:
        if spec.transform:
            raise ValueError("chess has no rotations: leave out --transform")
        return chess_book.read(Path(spec.file), game, spec.plies, count, seed if spec.order == "random" else None, tell)
    found = records.read(Path(spec.file), game, spec.plies, tell)
    if spec.transform:
        found = _with_images(found, game)
    if spec.order == "random":
        random.Random(seed).shuffle(found)
    return found


def _drawn(spec: OpeningsSpec, game: GameSpec, count: int, seed: int) -> list[Opening]:
    setting = setting_of(game.game)
    plies = setting.plies if spec.plies is None else spec.plies
    kind, start = get_game(game.game), start_state(game)
    rows = draw(start, hooks_of(kind).is_sensible, setting.margin, plies, max(1, count), seed)
    return [Opening(f"random {number}", texts_of(start, game.game, row)) for number, row in enumerate(rows, 1)]


def _with_images(openings: Sequence[Opening], game: GameSpec) -> list[Opening]:
    """The openings, then their other images that keep the start, none twice."""
    found: dict[tuple[tuple[str, ...], str | None], Opening] = {}
    for image in setting_of(game.game).images:
        for opening in openings:
            if opening.position is not None and image:
                continue
            state = start_state(game, opening.position)
            cells = [_image(move_of(game.game, state, text), game.size, image) for text in opening.moves]
            moves = texts_of(state, game.game, cells)
            name = f"{opening.name} image {image}" if image else opening.name
            found.setdefault((moves, opening.position), replace(opening, name=name, moves=moves))
    return list(found.values())


def _image(move: int, size: int, image: int) -> int:
    """A cell under one of the 8 symmetries: 1 flips rows, 2 flips columns, 4 swaps rows and columns; a pass stays."""
    if move >= size * size:
        return move
    row, column = divmod(move, size)
    row = size - 1 - row if image & 1 else row
    column = size - 1 - column if image & 2 else column
    return column * size + row if image & 4 else row * size + column
