"""Openings of chess, through python-chess: PGN and EPD files, and random legal moves."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tengen.engine import extras
from tengen.tools.match.openings.source import content, files_of, named
from tengen.tools.match.spec import Opening


def chess_module() -> Any:
    """python-chess. Raises ValueError with the remedy when it is not installed."""
    try:
        import chess.pgn
    except ImportError as error:
        raise ValueError(extras.sentence("a match of chess", error) or str(error)) from None
    return chess


def read(path: Path, plies: int | None, count: int, seed: int | None) -> list[Opening]:
    """Openings of PGN and EPD files. A book may hold tens of thousands: only those that will be played are read."""
    chess_module()
    rows: list[tuple[Path, str, Callable[[str], Opening], str]] = []
    for file in files_of(path):
        with named(file):
            name, data = content(file)
            text = data.decode("utf-8-sig", "replace")
            is_pgn = name.lower().endswith(".pgn")
            parts = re.split(r"\n\s*\n(?=\s*\[)", text) if is_pgn else text.splitlines()
            kept = [part for part in parts if part.strip() and (is_pgn or not part.startswith("#"))]
            stem = Path(name).stem
            rows += [(file, f"{stem} {number}", _pgn if is_pgn else _epd, part) for number, part in enumerate(kept, 1)]
    if not rows:
        raise ValueError(f"there are no openings in '{path}'")
    if seed is not None:
        random.Random(seed).shuffle(rows)
    found = []
    for file, name, reader, part in rows[: max(1, count)]:
        with named(file):
            opening = reader(part)
            opening = replace(opening, name=opening.name or name, moves=opening.moves[: plies])
            _check_chess(opening)
            found.append(opening)
    return found


def _pgn(text: str) -> Opening:
    chess = chess_module()
    game = chess.pgn.read_game(io.StringIO(text))
    if game is None or game.errors:
        raise ValueError(f"a game of the PGN is wrong: {game.errors[0] if game else 'there is none'}")
    board = game.board()
    position = None if board.fen() == chess.STARTING_FEN else board.fen()
    return Opening(game.headers.get("Opening", ""), tuple(move.uci() for move in game.mainline_moves()), position)


def _check_chess(opening: Opening) -> None:
    """Raises ValueError when nothing is left to play."""
    chess = chess_module()
    board = chess.Board() if opening.position is None else chess.Board(opening.position)
    for move in opening.moves:
        board.push_uci(move)
    if _is_over(board):
        raise ValueError(f"opening {opening.name}: its moves end the game; cut them with --plies")


def _is_over(board: Any) -> bool:
    """Whether the judge would end a game here."""
    return bool(board.is_game_over() or board.is_fifty_moves() or board.is_repetition())


def _epd(line: str) -> Opening:
    chess = chess_module()
    board = chess.Board(None)
    operations: dict[str, Any] = {}
    try:
        fields = line.split()
        if len(fields) >= 6 and fields[4].isdecimal():
            board.set_fen(" ".join(fields[:6]))
        else:
            operations = board.set_epd(line)
    except (ValueError, IndexError) as error:
        raise ValueError(f"'{line[:80]}' is no EPD: {error}") from None
    if not board.is_valid() or board.is_game_over():
        raise ValueError(f"'{line[:80]}' is no position to play from")
    return Opening(str(operations.get("id", "")), (), board.fen())


def walks(plies: int, count: int, seed: int) -> Iterator[tuple[str, ...]]:
    """Random legal moves; none repeats while there are others."""
    chess, dice = chess_module(), random.Random(seed)
    seen: set[tuple[str, ...]] = set()
    for _ in range(max(1, count)):
        for _ in range(50):
            board = chess.Board()
            for _ in range(plies):
                if legal := sorted(move.uci() for move in board.legal_moves):
                    board.push_uci(dice.choice(legal))
            moves = tuple(move.uci() for move in board.move_stack)
            if moves not in seen and not _is_over(board):
                break
        if moves not in seen and _is_over(board):
            raise ValueError(f"random openings of {plies} moves end the game: take fewer")
        seen.add(moves)
        yield moves
