"""Openings of chess: PGN, EPD and FEN. A book may hold tens of thousands: only those that will be played are read."""

from __future__ import annotations

import random
from pathlib import Path

from tengen.engine.games import get_game
from tengen.engine.games.base import State
from tengen.engine.games.hooks import hooks_of
from tengen.engine.history import History
from tengen.engine.records import epd, pgn
from tengen.engine.records.base import Record
from tengen.engine.sentence import printable
from tengen.tools.match.openings.parts import Part, parts
from tengen.tools.match.openings.source import LeftOut, Tell, content, files_of, named
from tengen.tools.match.openings.start import start_state, texts_of
from tengen.tools.match.spec import GameSpec, Opening

LONGEST_NAME = 200
"""Letters of an opening's name."""


def read(path: Path, game: GameSpec, plies: int | None, count: int, seed: int | None, tell: Tell) -> list[Opening]:
    """Openings of a file or folder; seed: None takes the first ones. One that cannot be played is left out and told.

    Raises ValueError where there is none, and naming a file that cannot be read.
    """
    rows: list[tuple[Path, str, str, Part]] = []
    for file in files_of(path):
        with named(file):
            name, data = content(file)
        kind = "pgn" if name.lower().endswith(".pgn") else "epd"
        kept = parts(data.decode("utf-8-sig", "replace"), kind)
        rows += [(file, f"{Path(name).stem} {number}", kind, part) for number, part in enumerate(kept, 1)]
    if seed is not None:
        random.Random(seed).shuffle(rows)
    found: list[Opening] = []
    left_out = LeftOut(path, tell)
    for file, name, kind, part in rows:
        try:
            found.append(_opening((pgn if kind == "pgn" else epd).loads(part.text), name, game, plies))
        except ValueError as error:
            left_out.add(file, part.line, f"opening {name}: {error}")
        if len(found) == max(1, count):
            break
    left_out.check(len(found))
    return found


def _opening(record: Record, name: str, game: GameSpec, plies: int | None) -> Opening:
    """Raises ValueError where nothing is left to play."""
    name = printable(record.properties.get("Opening") or record.properties.get("id") or name, LONGEST_NAME)
    kind = get_game(game.game)
    position = record.position or None
    start = start_state(game, position)
    moves = [move for _, move in record.moves[:plies]]
    history = History(start)
    for move in moves:
        history.play(history.state.to_move, move, kind.default_rules.repetition)
    if history.is_drawn(kind.default_rules.repetition) or _is_over(game, history.state):
        what = "its moves end the game; cut them with --plies" if moves else "it is no position to play from"
        raise ValueError(what)
    return Opening(name, texts_of(start, game.game, moves), position)


def _is_over(game: GameSpec, state: State) -> bool:
    """Whether the judge would end a game here."""
    return state.is_terminal() or hooks_of(get_game(game.game)).is_drawn(state)
