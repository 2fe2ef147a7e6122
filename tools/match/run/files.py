"""Games as files of their own formats: SGF (Go), PSQ (Gomoku), GGF (Reversi), PGN (chess)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tengen.engine.games import get_game
from tengen.engine.records import get_format, obf
from tengen.engine.records.base import Note, Record
from tengen.tools.match.notation import move_of
from tengen.tools.match.openings.chess_book import chess_module
from tengen.tools.match.openings.start import start_state
from tengen.tools.match.spec import GameResult, GameSpec, Opening, Reason


def record_format(game: str) -> str:
    """The format that games of it are written in, which is the ending of their names."""
    return "pgn" if game == "chess" else get_game(game).conventions.record


def write(folder: Path, result: GameResult, game: GameSpec, opening: Opening) -> Path:
    """Write a game to FOLDER/ID.EXTENSION. Raises ValueError for moves that are none, OSError."""
    path = folder / f"{result.id}.{record_format(game.game)}"
    text = _pgn(result, opening) if game.game == "chess" else _record_text(result, game, opening)
    draft = path.with_name(path.name + ".new")
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


def _record_text(result: GameResult, game: GameSpec, opening: Opening) -> str:
    return get_format(record_format(game.game)).dumps(record_of(result, game, opening))


def record_of(result: GameResult, game: GameSpec, opening: Opening) -> Record:
    """The opening and the moves as a record of the engine's. Not for chess. Raises ValueError."""
    state = start_state(game, opening.position)
    cells = [move_of(game.game, state, text) for text in (*opening.moves, *(row.move for row in result.moves))]
    turns = [(state.to_move + number) % 2 for number in range(len(cells))]
    notes = [Note()] * len(opening.moves) + [Note(row.score, row.seconds) for row in result.moves]
    setup = None if opening.position is None else obf.loads(opening.position).setup
    return Record(
        game=game.game,
        width=game.size,
        height=game.size,
        komi=game.komi if game.game == "go" else None,
        rules=game.rules or None,
        setup=setup,
        to_move=None if setup is None else state.to_move,
        moves=tuple(zip(turns, cells, strict=True)),
        players=(result.first, result.second),
        result=_result(result, game.game),
        properties={"DT": result.start[:10]} if result.start else {},
        notes=tuple(notes),
    )


def _result(result: GameResult, game: str) -> str:
    """As SGF writes it: "B+3.5", "W+R", "0", "Void"."""
    if result.reason is Reason.VOID:
        return "Void" if game == "go" else ""
    if result.result == "1/2-1/2":
        return "0"
    winner = "B" if result.result == "1-0" else "W"
    if result.reason is Reason.SCORE and result.score:
        return f"{winner}+{abs(result.score):g}"
    ending = {Reason.RESIGN: "R", Reason.TIME: "T"}.get(result.reason, "F" if result.culprit else "")
    return f"{winner}+{ending}" if game == "go" or ending in ("R", "T") else f"{winner}+"


def _pgn(result: GameResult, opening: Opening) -> str:
    chess: Any = chess_module()
    board = chess.Board(opening.position) if opening.position else chess.Board()
    game = chess.pgn.Game()
    game.setup(board)
    for name, value in (
        ("Event", "Tengen match"), ("Date", result.start[:10].replace("-", ".") or "????.??.??"),
        ("Round", result.id), ("White", result.first), ("Black", result.second), ("Result", result.result),
        ("Opening", opening.name), ("Termination", result.detail or result.reason.value),
    ):  # fmt: skip
        game.headers[name] = " ".join(value.split())
    node = game
    for number, text in enumerate((*opening.moves, *(row.move for row in result.moves))):
        node = node.add_variation(chess.Move.from_uci(text))
        if number >= len(opening.moves):
            node.comment = f"{result.moves[number - len(opening.moves)].seconds:.3f}s"
    return f"{game}\n\n"
