"""Chess games in PGN, read and written through python-chess: any start, Chess960, many games in a file.

Of a game the main line is kept: variations, signs and free comments are left out, what comments say of evaluation
([%eval], in pawns from White's side) and of time ([%emt], "0.53s") is a move's note, with all other commands ([%clk],
[%csl], ...) as they are (pgn_comments.py). Results are PGN's.
Tags have SGF's names where SGF has them (Event EV, Site PC, Date DT, Round RO), else their own.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tengen.engine import extras
from tengen.engine.records.base import Note, Record, RecordError, collect, decode, excerpt, first_of
from tengen.engine.records.pgn_comments import LONGEST, MOST, comment_of, note_of
from tengen.engine.sentence import harmless

if TYPE_CHECKING:
    import chess

GAME = "chess"
CHESS960 = "chess960"
"""Its rules."""
RESULTS = ("1-0", "0-1", "1/2-1/2")
MAX_MOVES = 6_000
TAGS = {"Event": "EV", "Site": "PC", "Date": "DT", "Round": "RO"}
"""PGN's names and SGF's."""
_OWN_TAGS = ("White", "Black", "Result", "FEN", "SetUp", "Variant")
_UNKNOWN = re.compile(r"[?.\s-]*")
_TAG = re.compile(r"[A-Z][A-Za-z0-9_]{0,60}")
_BAD_MOVE = re.compile(r"(illegal|invalid|ambiguous) san: '([^']*)'")
_NOTHING = "the file holds no PGN game"


def loads(data: bytes | str) -> Record:
    """Read the first game. Raises RecordError with one sentence."""
    return first_of(_whole(data), _NOTHING)


def loads_all(data: bytes | str) -> list[Record]:
    """Read every game. Raises RecordError with one sentence, naming the game it concerns."""
    return collect(_whole(data), _NOTHING)


def loads_kept(data: bytes | str) -> list[Record | RecordError]:
    """Read every game of a file in its order; an error stands in place of a broken game. Raises RecordError where there
    is no game at all."""
    return [record for record, _ in parts(data)]


def parts(data: bytes | str) -> list[tuple[Record | RecordError, str]]:
    """The same, each with its own text."""
    found = list(_games(decode(data)))
    if not found:
        raise RecordError(_NOTHING)
    return found


def dumps(record: Record) -> str:
    """Write one game. Raises RecordError for one that PGN cannot hold."""
    return text_of(game_of(record))


def python_chess(user: str = "PGN") -> Any:
    """python-chess with its PGN. Raises RecordError with the remedy where it is not installed. user: who needs it."""
    try:
        import chess.pgn
    except ImportError as error:
        raise RecordError(extras.sentence(user, error) or str(error)) from None
    return chess


def game_of(record: Record) -> Any:
    """The record as a `chess.pgn.Game`. Raises RecordError."""
    lib = python_chess()
    if record.game != GAME:
        raise RecordError("PGN holds games of chess only")
    game = lib.pgn.Game()
    board = _board(lib, record)
    headers = game.headers
    for key, value in record.properties.items():
        tag = next((tag for tag, own in TAGS.items() if own == key), key)
        if _TAG.fullmatch(tag) and tag not in _OWN_TAGS and value.strip():
            headers[tag] = _plain(value.replace("-", ".") if tag == "Date" else value)
    headers["White"], headers["Black"] = (_plain(name) or "?" for name in record.players)
    headers["Result"] = record.result if record.result in RESULTS else "*"
    if record.position or board.chess960:
        game.setup(board)
    node = game
    for number, (colour, move) in enumerate(record.moves, 1):
        wanted = move_of(board, move)
        if colour != int(not board.turn) or wanted not in board.legal_moves:
            raise RecordError(f"move {number} is illegal")
        board.push(wanted)
        node = node.add_variation(wanted)
        node.comment = comment_of(record.notes[number - 1]) if number <= len(record.notes) else ""
    return game


def text_of(game: Any) -> str:
    """The PGN of a `chess.pgn.Game`, an empty line behind it."""
    return f"{game}\n\n"


def dense(board: chess.Board, move: chess.Move) -> int:
    """The engine's number of a move of python-chess."""
    end = move.to_square
    if board.is_castling(move) and not board.rooks & (1 << end) & board.occupied_co[board.turn]:
        end = end & 56 | (7 if end & 7 == 6 else 0)
    return move.from_square | end << 6 | ((move.promotion or 1) - 1) << 12


def move_of(board: Any, number: int) -> Any:
    """The move of python-chess of an engine's number."""
    lib = python_chess()
    promotion = number >> 12
    move = lib.Move(number & 63, number >> 6 & 63, promotion + 1 if promotion else None)
    if board.chess960 or not board.is_castling(move):
        return move
    side = 6 if move.to_square > move.from_square else 2
    return lib.Move(move.from_square, move.to_square & 56 | side)


def board_at(record: Record, turn: int) -> Any:
    """The `chess.Board` after so many moves of a legal record, without those."""
    board = _board(python_chess(), record)
    for _, move in record.moves[:turn]:
        board.push(move_of(board, move))
    return board.copy(stack=False)


def _board(lib: Any, record: Record) -> Any:
    try:
        board = lib.Board(record.position or lib.STARTING_FEN, chess960=record.rules == CHESS960)
    except ValueError as error:
        raise RecordError(f"the position {excerpt(record.position, 90)} is no FEN: {error}") from None
    board.chess960 = board.chess960 or board.has_chess960_castling_rights()
    return board


def _whole(data: bytes | str) -> Iterator[Record]:
    """The games; the first broken one ends the reading."""
    for record, _ in _games(decode(data)):
        if isinstance(record, RecordError):
            raise record
        yield record


def _games(text: str) -> Iterator[tuple[Record | RecordError, str]]:
    lib = python_chess()
    visitor = _visitor(lib)
    handle = io.StringIO(text)
    while True:
        begin = handle.tell()
        found = lib.pgn.read_game(handle, Visitor=visitor)
        if found is None:
            return
        record = found.record()
        if record is not None:
            yield record, text[begin : handle.tell()]


def _visitor(lib: Any) -> Any:
    """What python-chess tells of a game, as a class that it makes one of for each."""

    class Reading(lib.pgn.BaseVisitor):  # type: ignore[misc]
        def begin_game(self) -> None:
            self.headers: dict[str, str] = {}
            self.moves: list[tuple[int, int]] = []
            self.comments: dict[int, list[str]] = {}
            self.error = ""
            self.board: Any = None

        def visit_header(self, tagname: str, tagvalue: str) -> None:
            if len(self.headers) < 200:
                self.headers.setdefault(tagname, tagvalue.replace('\\"', '"').replace("\\\\", "\\"))

        def visit_board(self, board: Any) -> None:
            if self.board is None:
                self.board = board.copy(stack=False)

        def begin_variation(self) -> Any:
            return lib.pgn.SKIP

        def visit_comment(self, comment: str) -> None:
            found = self.comments.setdefault(len(self.moves), [])
            if len(found) < MOST:
                found.append(comment[:LONGEST])

        def visit_move(self, board: Any, move: Any) -> None:
            if self.error:
                return
            if not move:
                self.error = f"move {len(self.moves) + 1} is none (--)"
            elif len(self.moves) == MAX_MOVES:
                self.error = f"there are more than {MAX_MOVES} moves"
            else:
                self.moves.append((int(not board.turn), dense(board, move)))

        def visit_result(self, result: str) -> None:
            self.headers.setdefault("Result", result)

        def handle_error(self, error: Exception) -> None:
            if self.error:
                return
            bad = _BAD_MOVE.match(str(error))
            where = f"move {len(self.moves) + 1}, {excerpt(bad[2])}, is {bad[1]}" if bad else ""
            self.error = where or excerpt(str(error), 120)

        def result(self) -> Any:
            return self

        def record(self) -> Record | RecordError | None:
            """None for text that is no game."""
            if self.error:
                return RecordError(self.error)
            if not self.headers and not self.moves:
                return None
            try:
                return _record(lib, self.headers, self.board, self.moves, self.comments)
            except RecordError as error:
                return error

    return Reading


def _record(
    lib: Any, headers: dict[str, str], board: Any, moves: list[tuple[int, int]], comments: dict[int, list[str]]
) -> Record:
    if board.uci_variant != "chess":
        raise RecordError(f"a game of {excerpt(str(board.uci_variant))}, not of chess")
    rules = CHESS960 if board.chess960 else None
    position = "" if board.fen() == lib.STARTING_FEN else board.fen()
    notes = tuple(note_of(" ".join(comments.get(number, ())), colour) for number, (colour, _) in enumerate(moves, 1))
    facts = {TAGS.get(tag, tag): value.strip() for tag, value in headers.items() if tag not in _OWN_TAGS}
    if "DT" in facts:
        facts["DT"] = facts["DT"].replace(".", "-") if "?" not in facts["DT"] else ""
    record = Record(
        game=GAME,
        width=8,
        height=8,
        rules=rules,
        position=position,
        to_move=int(not board.turn) if position else None,
        moves=tuple(moves),
        players=(_known(headers.get("White", "")), _known(headers.get("Black", ""))),
        result=headers["Result"] if headers.get("Result") in RESULTS else "",
        properties={key: value for key, value in facts.items() if _known(value)},
        notes=notes if any(note != Note() for note in notes) else (),
    )
    if position:
        from tengen.engine.records.replay import start_of

        start_of(record)
    return record


def _known(text: str) -> str:
    """A value of a tag; "" for "?", "-" and the like."""
    return "" if _UNKNOWN.fullmatch(text) else text.strip()


def _plain(text: str) -> str:
    """A value on one line as PGN writes it."""
    return harmless(" ".join(text.split())).replace("\\", "\\\\").replace('"', '\\"')
