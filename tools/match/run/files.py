"""Games as files of their own formats: SGF (Go), PSQ (Gomoku), GGF (Reversi), PGN (chess)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from tengen.engine import files
from tengen.engine.games import get_game
from tengen.engine.records import get_format
from tengen.engine.records.base import Note, Record
from tengen.tools.match.openings.start import moves_of, start_state
from tengen.tools.match.spec import GameResult, GameSpec, Opening, Reason


def record_format(game: str) -> str:
    """The format that games of it are written in, which is the ending of their names."""
    return get_game(game).conventions.record


def write(folder: Path, result: GameResult, game: GameSpec, opening: Opening) -> Path:
    """Write a game to FOLDER/ID.EXTENSION. Raises ValueError for moves that are none, OSError."""
    path = folder / f"{result.id}.{record_format(game.game)}"
    text = get_format(record_format(game.game)).dumps(record_of(result, game, opening))
    draft = path.with_name(path.name + ".new")
    with files.writing(path):
        draft.write_text(text, "utf-8", "replace")
        os.replace(draft, path)
    return path


def missing(
    folder: Path, results: Iterable[GameResult], game: GameSpec, openings: Sequence[Opening]
) -> list[tuple[GameResult, Opening]]:
    """Games that are recorded but have no file, with their openings: a writer may have been killed in between."""
    there = set(os.listdir(folder))
    return [
        (row, openings[(row.round - 1) % len(openings)])
        for row in results
        if f"{row.id}.{record_format(game.game)}" not in there and row.id.isalnum()
    ]


def record_of(result: GameResult, game: GameSpec, opening: Opening) -> Record:
    """The opening and the moves as a record of the engine's. Raises ValueError."""
    state = start_state(game, opening.position)
    conventions = get_game(game.game).conventions
    has_points = conventions.has_points
    moves = moves_of(state, game.game, (*opening.moves, *(row.move for row in result.moves)))
    turns = [(state.to_move + number) % 2 for number in range(len(moves))]
    # evaluations of a record are in the game's unit where a format says so (PGN: pawns), which scores are not
    thought = [Note(row.score if has_points else None, row.seconds) for row in result.moves]
    is_usual = opening.position is None or state.state_key == start_state(game).state_key
    return Record(
        game=game.game,
        width=state.width,
        height=state.height,
        komi=game.komi if conventions.has_komi else None,
        rules=game.rules or None,
        setup=None if is_usual or not has_points else state.stones(),
        position="" if is_usual or has_points else opening.position or "",
        to_move=None if is_usual else state.to_move,
        moves=tuple(zip(turns, moves, strict=True)),
        players=(result.first, result.second),
        result=_result(result, conventions.record),
        properties=_properties(result, opening) if conventions.record == "pgn" else _date(result),
        notes=(*[Note()] * len(opening.moves), *thought),
    )


def _date(result: GameResult) -> dict[str, str]:
    return {"DT": result.start[:10]} if result.start else {}


def _properties(result: GameResult, opening: Opening) -> dict[str, str]:
    """The tags of a PGN."""
    facts = {"EV": "Tengen match", "RO": result.id, "Opening": opening.name}
    return {**_date(result), **facts, "Termination": result.detail or result.reason.value}


def _result(result: GameResult, form: str) -> str:
    """Write a result as the format does: "B+3.5", "W+R", "0", "Void" in SGF; "1-0" in PGN."""
    if form == "pgn":
        return result.result
    if result.reason is Reason.VOID:
        return "Void" if form == "sgf" else ""
    if result.result == "1/2-1/2":
        return "0"
    winner = "B" if result.result == "1-0" else "W"
    if result.reason is Reason.SCORE and result.score:
        return f"{winner}+{abs(result.score):g}"
    ending = {Reason.RESIGN: "R", Reason.TIME: "T"}.get(result.reason, "F" if result.culprit else "")
    return f"{winner}+{ending}" if form == "sgf" or ending in ("R", "T") else f"{winner}+"
