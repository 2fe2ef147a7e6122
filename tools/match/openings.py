"""Openings of a match: from a file or folder of games, positions or move lists, or drawn from a seed.

SGF, PSQ, GGF, OBF and move lists (points, or offsets from the centre) through the records of the engine; PGN and EPD
through python-chess. Every opening is checked by the rules; one that cannot be played is an error that names it.
Left out: set-up positions of Go and Gomoku, which not every protocol can be told.
"""

from __future__ import annotations

import io
import random
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tengen.engine import extras, files
from tengen.engine.games import get_game
from tengen.engine.games.base import State
from tengen.engine.games.hooks import hooks_of
from tengen.engine.records import format_of, read_all
from tengen.engine.records.base import Record, RecordError, decode, lines_of
from tengen.engine.records.points import list_moves, offset_moves
from tengen.tools.match.notation import move_of, move_text
from tengen.tools.match.random_openings import draw, is_playable, setting_of
from tengen.tools.match.spec import GameSpec, Opening

LARGEST = 512 << 20
"""Bytes of a file of openings."""
ORDERS = ("sequential", "random")
_FACT = re.compile(r"\s*[A-Za-z][\w ]*:\s")
_OFFSETS = re.compile(r"\s*-?\d{1,3}\s*,")


@dataclass(frozen=True)
class OpeningsSpec:
    """file: None draws them from the seed. plies: moves of an opening at most; None: all of the file's, or as many as
    the game has in matches. order: of a file's openings. transform: also their rotations and mirror images."""

    file: str | None = None
    plies: int | None = None
    order: str = "random"
    transform: bool = False


def choose(spec: OpeningsSpec, game: GameSpec, count: int, seed: int) -> list[Opening]:
    """At least one opening, for `count` pairs to go through again and again. Raises ValueError."""
    if spec.file is None:
        return _drawn(spec, game, count, seed)
    if game.game == "chess":
        return _from_book(spec, count, seed)
    found = _read(Path(spec.file), game, spec.plies)
    if spec.transform:
        found = _with_images(found, game)
    if spec.order == "random":
        random.Random(seed).shuffle(found)
    return found


def start_state(game: GameSpec, position: str | None = None) -> State:
    """The position before an opening's moves. Not for chess. Raises ValueError."""
    kind = get_game(game.game)
    kind.check_size(game.size, game.size)
    rules = hooks_of(kind).parse_rules(kind, game.rules) if game.rules else kind.default_rules
    state = kind.new_state(game.size, game.size, rules, game.komi)
    if position is not None:
        record = read_all(position.encode(), "obf")[0]
        if record.setup is not None:
            state.setup(record.setup, record.first)  # type: ignore[attr-defined]
    return state


def first_mover(opening: Opening) -> bool:
    """Whether the first player is to move after an opening (else the second one is)."""
    if opening.position is None:
        begins = True
    else:
        is_fen = "/" in opening.position  # where White is the first player
        begins = opening.position.split()[1][0] in ("w" if is_fen else "Xx*Bb@#")
    return begins == (len(opening.moves) % 2 == 0)


def _drawn(spec: OpeningsSpec, game: GameSpec, count: int, seed: int) -> list[Opening]:
    setting = setting_of(game.game)
    plies = setting.plies if spec.plies is None else spec.plies
    if game.game == "chess":
        return [Opening(f"random {number}", moves) for number, moves in enumerate(_chess_walks(plies, count, seed), 1)]
    kind, start = get_game(game.game), start_state(game)
    rows = draw(start, hooks_of(kind).is_sensible, setting.margin, plies, max(1, count), seed)
    return [Opening(f"random {number}", _texts(start, game.game, row)) for number, row in enumerate(rows, 1)]


def _texts(start: State, game: str, moves: Sequence[int]) -> tuple[str, ...]:
    return tuple(move_text(game, start, move) for move in moves)


def _files(path: Path) -> list[Path]:
    """The file, or all files of a folder in the order of their names."""
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))


def _read(path: Path, game: GameSpec, plies: int | None) -> list[Opening]:
    """Every opening of a file or folder."""
    found: list[Opening] = []
    for file in _files(path):
        with _named(file):
            found += _openings_of(*_content(file), game, plies)
    if not found:
        raise ValueError(f"there are no openings in '{path}'")
    return found


@contextmanager
def _named(file: Path) -> Iterator[None]:
    """Name the file that an error concerns."""
    try:
        yield
    except OSError as error:
        raise ValueError(f"cannot read the openings '{file}': {error.strerror}") from None
    except (ValueError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"openings '{file}': {error}") from None


def _content(file: Path) -> tuple[str, bytes]:
    """Name and bytes of a file; of the first one in a ZIP."""
    if file.suffix.lower() != ".zip":
        return file.name, files.read(file, LARGEST)
    with files.open_regular(file) as opened, zipfile.ZipFile(opened) as archive:
        inner = next((part for part in archive.infolist() if not part.is_dir()), None)
        if inner is None:
            raise ValueError("the archive is empty")
        with archive.open(inner) as unpacked:
            data = unpacked.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise ValueError(f"'{inner.filename}' is larger than {files.size_text(LARGEST)}")
        return inner.filename, data


def _openings_of(name: str, data: bytes, game: GameSpec, plies: int | None) -> list[Opening]:
    stem = Path(name).stem
    found = []
    for number, record in enumerate(_records(name, data, game), 1):
        try:
            found.append(_opening(f"{stem} {number}", record, game, plies))
        except ValueError as error:
            raise ValueError(f"opening {number}: {error}") from None
    return found


def _records(name: str, data: bytes, game: GameSpec) -> list[Record]:
    """The records of a file; bare lists of moves are read for the board of the match."""
    kind = format_of(name, data)
    text = decode(data) if kind == "text" else ""
    lines = [line for line in lines_of(text) if line.strip() and not line.lstrip().startswith(("#", "%", "//", ";"))]
    if kind != "text" or any(_FACT.match(line) for line in lines) or _position_format(game):
        return read_all(data, kind)
    board = Record(game.game, game.size, game.size)
    found = []
    for number, line in enumerate(lines, 1):
        try:
            moves = (offset_moves if _OFFSETS.match(line) else list_moves)(board, line)
        except RecordError as error:
            raise RecordError(f"line {number}: {error}") from None
        found.append(replace(board, moves=moves))
    return found


def _position_format(game: GameSpec) -> str | None:
    """The format that positions of the game are given in; of chess, another function knows."""
    return get_game(game.game).conventions.position


def _opening(name: str, record: Record, game: GameSpec, plies: int | None) -> Opening:
    """One record as an opening. Raises ValueError with the reason why it is none for this match."""
    if record.game != game.game:
        raise ValueError(f"a game of {record.game}, not of {game.game}")
    if (record.width, record.height) != (game.size, game.size):
        raise ValueError(f"the board is {record.width}x{record.height}, not {game.size}x{game.size}")
    position = None
    if record.setup is not None and any(record.setup):
        if not _position_format(game):
            raise ValueError("positions can be set up in Reversi and chess only")
        from tengen.engine.records import obf

        position = obf.dumps(replace(record, moves=(), properties={})).strip()
    state = start_state(game, position)
    moves = [move for _, move in record.moves[:plies]]
    colours = [colour for colour, _ in record.moves[:plies]]
    if any(colour != (state.to_move + number) % 2 for number, colour in enumerate(colours)):
        raise ValueError("the moves do not alternate between Black and White")
    if not is_playable(state, moves):
        raise ValueError("a move is illegal or ends the game")
    return Opening(name, _texts(state, game.game, moves), position)


def _with_images(openings: Sequence[Opening], game: GameSpec) -> list[Opening]:
    """The openings, then their other images that keep the start, none twice."""
    found: dict[tuple[tuple[str, ...], str | None], Opening] = {}
    for image in setting_of(game.game).images:
        for opening in openings:
            if opening.position is not None and image:
                continue
            state = start_state(game, opening.position)
            cells = [_image(move_of(game.game, state, text), game.size, image) for text in opening.moves]
            moves = _texts(state, game.game, cells)
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


def chess_module() -> Any:
    """python-chess. Raises ValueError with the remedy when it is not installed."""
    try:
        import chess.pgn
    except ImportError as error:
        raise ValueError(extras.sentence("a match of chess", error) or str(error)) from None
    return chess


def _from_book(spec: OpeningsSpec, count: int, seed: int) -> list[Opening]:
    """Openings of PGN and EPD files. A book may hold tens of thousands: only those that will be played are read."""
    if spec.transform:
        raise ValueError("chess has no rotations: leave out --transform")
    chess_module()
    rows: list[tuple[Path, str, Callable[[str], Opening], str]] = []
    for file in _files(Path(str(spec.file))):
        with _named(file):
            name, data = _content(file)
            text = data.decode("utf-8-sig", "replace")
            is_pgn = name.lower().endswith(".pgn")
            parts = re.split(r"\n\s*\n(?=\s*\[)", text) if is_pgn else text.splitlines()
            kept = [part for part in parts if part.strip() and (is_pgn or not part.startswith("#"))]
            stem = Path(name).stem
            rows += [(file, f"{stem} {number}", _pgn if is_pgn else _epd, part) for number, part in enumerate(kept, 1)]
    if not rows:
        raise ValueError(f"there are no openings in '{spec.file}'")
    if spec.order == "random":
        random.Random(seed).shuffle(rows)
    found = []
    for file, name, reader, part in rows[: max(1, count)]:
        with _named(file):
            opening = reader(part)
            opening = replace(opening, name=opening.name or name, moves=opening.moves[: spec.plies])
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


def _chess_walks(plies: int, count: int, seed: int) -> Iterator[tuple[str, ...]]:
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
