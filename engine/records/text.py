"""Games as people type them: diagrams, lists of moves and offset openings, of every game.

A game is any of these, in this order, and is separated from the next by an empty line:

    game: gomoku            facts, one a line: game, size, rules, komi, handicap, black, white, result, to move;
    size: 15x15             any other name is kept as a property; lines that begin with # % ; // are comments
    . . X O                 a diagram of the set-up: . - + _ empty, X x # * @ b 1 black, O o w 2 white; blanks between
                            cells, row numbers and a row of letters may be there or not
    moves: h8 i9 g7         the moves, blanks and "moves:" may be missing; "b:h8" gives the colour where it does not
                            alternate; or an offset opening: "0,0, 1,-1" counts from the centre, y downward

Points: Gomoku `h8` has all letters and row 1 at the bottom, Go `D4` skips the letter I and has row 1 at the bottom,
Reversi `f5` has row 1 at the top; a pass is "pass", "pa" or "--". Where the file and the caller do not name the game,
it is guessed from the diagram's size (8x8 Reversi, 15x15 and 20x20 Gomoku, else Go) or from the moves: offsets are
Gomoku, a list that is legal from the start of Reversi is Reversi, any other Gomoku.
In Reversi, passes that a list leaves out are put in; that needs legal moves. Elsewhere moves are not checked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain

from tengen.engine.games import get_game, of_points
from tengen.engine.games.base import BLACK
from tengen.engine.records import diagram, othello
from tengen.engine.records.base import Record, RecordError, collect, decode, excerpt, first_of, lines_of, refuse_changes
from tengen.engine.records.points import list_moves, offset_moves, word_of

_FACT = re.compile(r"\s*([A-Za-z][A-Za-z_]{1,15}(?: [a-z]{1,10})?)\s*:\s*(.*)")
_SIZE = re.compile(r"(\d{1,2})(?:\s*[xX:]\s*(\d{1,2}))?")
_OFFSETS = re.compile(r"\s*-?\d+\s*,\s*-?\d")
_REVERSI = re.compile(r"(?:[bw]:)?(?:d3|c4|f5|e6)(?![0-9])", re.IGNORECASE)
_KNOWN = ("game", "size", "rules", "komi", "handicap", "black", "white", "result", "to move", "moves")
_MAX_LINE = 50_000
_NOTHING = "the file holds neither a diagram nor moves"


def loads(data: bytes | str, game: str | None = None) -> Record:
    """Read the first game; `game` names the game where the text does not. Raises RecordError with one sentence."""
    return first_of(_games(decode(data), game), _NOTHING)


def loads_all(data: bytes | str, game: str | None = None) -> list[Record]:
    """Read every game; lists of moves are one game a line. Raises RecordError with one sentence."""
    return collect(_games(decode(data), game), _NOTHING)


def dumps(record: Record) -> str:
    """Write one game: facts, a diagram when there is a set-up, moves. Notes are left out. Raises RecordError."""
    if record.game not in of_points():
        raise RecordError(f"text holds no games of {record.game}")
    refuse_changes(record, "text")
    facts = {
        "game": record.game,
        "size": f"{record.width}x{record.height}",
        "rules": record.rules or "",
        "komi": "" if record.komi is None else f"{record.komi:g}",
        "handicap": str(record.handicap or ""),
        "black": record.players[0],
        "white": record.players[1],
        "result": record.result,
        "to move": "" if record.to_move is None else ("black", "white")[record.to_move],
    }
    others = {
        key: text
        for key, text in record.properties.items()
        if _FACT.fullmatch(f"{key}: ") and key.lower() not in _KNOWN
    }
    lines = [f"{key}: {' '.join(text.split())}" for key, text in (*facts.items(), *others.items()) if text.strip()]
    if record.setup is not None:
        lines += diagram.rows_text(record.setup, record.width)
    if record.moves or record.setup is None:
        lines.append(f"moves: {_moves_text(record)}".rstrip())
    return "\n".join(lines) + "\n"


def _moves_text(record: Record) -> str:
    words, expected = [], record.to_move or BLACK
    for colour, move in record.moves:
        word = word_of(record, move)
        words.append(word if colour == expected else f"{'bw'[colour]}:{word}")
        expected = 1 - colour
    return " ".join(words)


def _games(text: str, game: str | None) -> Iterator[Record]:
    """The games of a file; facts stand for their block of lines only."""
    if game is not None and game not in of_points():
        raise RecordError(f"text holds no games of {excerpt(game)}")
    facts: dict[str, str] = {}
    rows: list[str] = []
    is_used = False
    for line in chain(lines_of(text), ("",)):
        if len(line) > _MAX_LINE:
            raise RecordError(f"a line is longer than {_MAX_LINE} characters")
        content = line.strip()
        if not content:
            if rows:
                yield _game(facts, rows, None, game)
            if rows or is_used:
                facts, rows, is_used = {}, [], False
            continue
        fact = _FACT.fullmatch(content)
        if fact and fact[1].lower() != "moves":
            _note(facts, fact)
        elif fact is None and diagram.is_row(content):
            rows.append(content)
            if len(rows) > diagram.MAX_ROWS + 2:
                raise RecordError(f"the diagram has more than {diagram.MAX_ROWS} rows")
        elif not content.startswith(("%", "//", "#", ";")):
            yield _game(facts, rows, fact[2] if fact else content, game)
            rows, is_used = [], True


def _note(facts: dict[str, str], fact: re.Match[str]) -> None:
    """Remember a line "name: text"."""
    key = fact[1].lower()
    facts[key if key in _KNOWN else fact[1]] = fact[2].strip()
    if len(facts) > 100:
        raise RecordError("a game has more than 100 facts")


def _game(facts: Mapping[str, str], rows: list[str], moves: str | None, game: str | None) -> Record:
    """One game of its facts, the rows of its diagram and the line of its moves."""
    size = _size(facts.get("size"))
    setup: bytes | None = None
    if rows:
        setup, width = diagram.cells_of(rows)
        drawn = (width, len(setup) // width)
        if size not in (None, drawn):
            raise RecordError(f"the diagram is {drawn[0]}x{drawn[1]}, not {facts['size']}")
        size = drawn
    named = facts.get("game", game or "").lower()
    if named and named not in of_points():
        raise RecordError(f"{excerpt(named)} is not a game that text can hold")
    if named or moves is None or size is not None:
        return _record(facts, named or _guess(size, moves), size, setup, moves)
    if _REVERSI.match(moves):
        try:
            return _record(facts, othello.GAME, None, None, moves)
        except RecordError:
            pass
    return _record(facts, "gomoku", None, None, moves)


def _record(
    facts: Mapping[str, str], game: str, size: tuple[int, int] | None, setup: bytes | None, moves: str | None
) -> Record:
    width, height = size or _size_for(game, moves)
    handicap = facts.get("handicap", "")
    to_move = _side(facts.get("to move"))
    if game == othello.GAME and othello.is_usual(setup, to_move, width, height):
        setup = to_move = None
    record = Record(
        game=game,
        width=width,
        height=height,
        komi=_komi(facts.get("komi", "")),
        rules=facts.get("rules") or None,
        handicap=int(handicap) if re.fullmatch("[0-9]{1,3}", handicap) else 0,
        setup=setup,
        to_move=to_move,
        players=(facts.get("black", ""), facts.get("white", "")),
        result=facts.get("result", ""),
        properties={key: text for key, text in facts.items() if key not in _KNOWN},
    )
    if moves is None:
        return record
    reader = offset_moves if _OFFSETS.match(moves) else list_moves
    return replace(record, moves=reader(record, moves))


def _guess(size: tuple[int, int] | None, moves: str | None) -> str:
    """The game of a board's size."""
    if moves is not None and _OFFSETS.match(moves):
        return "gomoku"
    usual = {(get_game(game).default_size,) * 2: game for game in of_points()} | {(20, 20): "gomoku"}
    return usual.get(size or (0, 0), "go")


def _size_for(game: str, moves: str | None) -> tuple[int, int]:
    """The usual size of the game; Gomoku takes 20x20 where the moves need it."""
    size = get_game(game).default_size
    if game == "gomoku" and moves is not None:
        if _OFFSETS.match(moves):
            far = any(abs(int(number)) > 7 for number in re.findall(r"-?\d{1,3}", moves))
        else:
            far = re.search(r"[p-t]\d|[a-t](?:1[6-9]|20)(?!\d)", moves, re.IGNORECASE) is not None
        size = 20 if far else size
    return size, size


def _size(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    parts = _SIZE.fullmatch(text.strip())
    size = (int(parts[1]), int(parts[2] or parts[1])) if parts else (0, 0)
    if not (2 <= min(size) and max(size) <= diagram.MAX_ROWS):
        raise RecordError(f"the board size {excerpt(text.strip())} is not between 2 and {diagram.MAX_ROWS}")
    return size


def _komi(text: str) -> float | None:
    try:
        komi = float(text[:40])
    except ValueError:
        return None
    return komi if math.isfinite(komi) else None


def _side(text: str | None) -> int | None:
    if text is None:
        return None
    return othello.side(text.strip().lower()[:1], "bx*", "wo")
