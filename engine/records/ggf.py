"""Othello games in GGF (Generic Game Format of GGS and NBoard): one game or many, "(;GM[Othello]...;)".

Cells are read left to right from a1 at the top left: `*` black, `O` white, `-` empty; BO ends with the side to move.
A move is `f5`, `f5/evaluation` or `f5/evaluation/seconds`, each part possibly empty; a pass is any of PA, PASS, --.
Tags are read in any case and order, TB, TW, RB, RW, KB, KW, KO, KM, CO... kept in `properties` under upper case.
Values end at the first "]": the format has no escape, so a "]" that is to be written becomes ")".
Left out: legality of moves, games on boards that are not square with an even side.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from tengen.engine.records import othello
from tengen.engine.records.base import Note, Record, RecordError, collect, decode, excerpt, first_of, refuse_changes

MAX_PROPERTIES = 2000
"""The most properties of one game; a real one has about 80."""
# Possessive, so that a hostile file costs one pass.
_KEY = re.compile(r"\s*+([A-Za-z]{1,8})\s*+\[")
_END = re.compile(r"\s*+;?+\s*+\)")
_BEGIN = re.compile(r"\(\s*+;")
_BOARD = re.compile(r"\s*+(\d{1,2}+)\s++(\S.*)", re.DOTALL)
_TAG = re.compile(r"[A-Z]{1,8}")
_RESULT = re.compile(r"\s*([+-]?\d{1,4}(?:\.\d{0,6})?)\s*(?::\s*([a-z]))?\s*", re.IGNORECASE)
_ENDINGS = {"r": "R", "t": "T"}
_BLACK, _WHITE, _EMPTY = "*xX", "Oo", "-._"
_NOTHING = "the file holds no GGF game"
_OWN_TAGS = ("GM", "PB", "PW", "BO", "B", "W")


def loads(data: bytes | str) -> Record:
    """Read the first game. Raises RecordError with one sentence."""
    return first_of(_games(decode(data)), _NOTHING)


def loads_all(data: bytes | str) -> list[Record]:
    """Read every game. Raises RecordError with one sentence, naming the game it concerns."""
    return collect(_games(decode(data)), _NOTHING)


def dumps(record: Record) -> str:
    """Write one game on one line. Raises RecordError for a game that GGF cannot hold."""
    size = record.width
    if record.game != othello.GAME or record.height != size or size not in othello.SIZES:
        raise RecordError("GGF holds Othello games on square boards only")
    refuse_changes(record, "GGF")
    tags = {"GM": "Othello", "PC": "Tengen", "PB": record.players[0], "PW": record.players[1]}
    tags.update((key, text) for key, text in record.properties.items() if _TAG.fullmatch(key) and key not in _OWN_TAGS)
    if "RE" not in tags or _result(tags["RE"]) != record.result:
        tags["RE"] = _result_text(record.result)
    tags.setdefault("TY", str(size))
    parts = [f"{key}[{_plain(value)}]" for key, value in tags.items() if value]
    parts.append(f"BO[{_board_text(record)}]")
    for number, (colour, move) in enumerate(record.moves):
        note = record.notes[number] if number < len(record.notes) else Note()
        parts.append(f"{'BW'[colour]}[{othello.move_text(move, size, 'PA').upper()}{_note_text(note)}]")
    return f"(;{''.join(parts)};)\n"


def _games(text: str) -> Iterator[Record]:
    """The games of a file one by one; text between them (a game count) is skipped."""
    position = 0
    while begin := _BEGIN.search(text, position):
        tags, position = _read_tags(text, begin.end())
        yield _interpret(tags)


def _read_tags(text: str, position: int) -> tuple[list[tuple[str, str]], int]:
    """The (tag, value) pairs of one game and where it ends. One pass, no backtracking over values."""
    tags: list[tuple[str, str]] = []
    while True:
        if end := _END.match(text, position):
            return tags, end.end()
        key = _KEY.match(text, position)
        if key is None:
            rest = text[position : position + 40].strip()
            raise RecordError(f"{excerpt(rest)} is not a GGF tag" if rest else "the game does not end with ';)'")
        close = text.find("]", key.end())
        if close < 0:
            raise RecordError(f"the value of {key[1].upper()} does not end with ']'")
        if len(tags) == MAX_PROPERTIES:
            raise RecordError(f"the game has more than {MAX_PROPERTIES} tags")
        tag, value = key[1].upper(), text[key.end() : close]
        if tag == "GM" and value.strip().lower() not in ("othello", "reversi"):
            raise RecordError(f"the game {excerpt(value.strip())} is not Othello")
        tags.append((tag, value))
        position = close + 1


def _interpret(tags: list[tuple[str, str]]) -> Record:
    """The Record of a game's tags; the first value of a tag counts."""
    facts: dict[str, str] = {}
    for key, value in tags:
        if key not in ("B", "W"):
            facts.setdefault(key, value.strip())
    if "GM" not in facts:
        raise RecordError("the GM tag is missing")
    size, cells, to_move = _board(facts.get("BO"))
    setup, first = othello.start_of(cells, to_move, size)
    played = [("BW".index(key), *_move(value, size)) for key, value in tags if key in ("B", "W")]
    notes = tuple(note for _, _, note in played)
    return Record(
        game=othello.GAME,
        width=size,
        height=size,
        setup=setup,
        to_move=first,
        moves=tuple((colour, move) for colour, move, _ in played),
        players=(facts.get("PB", ""), facts.get("PW", "")),
        result=_result(facts.get("RE", "")),
        properties={key: value for key, value in facts.items() if key not in _OWN_TAGS and value},
        notes=notes if any(note != Note() for note in notes) else (),
    )


def _board(text: str | None) -> tuple[int, bytes, int]:
    """(size, cells, side to move) of BO; without one, the usual start."""
    if text is None:
        return 8, othello.usual_start(8), 0
    parts = _BOARD.fullmatch(text)
    size = int(parts[1]) if parts else 0
    if parts is None or size not in othello.SIZES:
        raise RecordError(f"the board {excerpt(text)} does not begin with an even size")
    if len(parts[2]) > 4 * size * size + 100:
        raise RecordError(f"the board has more than {size * size} cells")
    letters = "".join(parts[2].split())
    if len(letters) != size * size + 1:
        raise RecordError(f"the board has {max(0, len(letters) - 1)} cells instead of {size * size}")
    cells = othello.cells_from(letters[:-1], _BLACK, _WHITE, _EMPTY)
    return size, cells, othello.side(letters[-1], _BLACK, _WHITE)


def _board_text(record: Record) -> str:
    size = record.width
    cells = othello.usual_start(size) if record.setup is None else record.setup
    if len(cells) != size * size:
        raise RecordError(f"the set-up has {len(cells)} cells instead of {size * size}")
    to_move = 0 if record.setup is None and record.to_move is None else record.first
    rows = ["".join("-*O"[cell] for cell in cells[row * size : (row + 1) * size]) for row in range(size)]
    return " ".join([str(size), *rows, "*O"[to_move]])


def _move(text: str, size: int) -> tuple[int, Note]:
    """Move and note of "f5/1.25/0.5"."""
    point, _, rest = text.partition("/")
    evaluation, _, seconds = rest.partition("/")
    return othello.move_from(point, size), Note(_number(evaluation), _number(seconds))


def _number(text: str) -> float | None:
    try:
        value = float(text[:40])
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _note_text(note: Note) -> str:
    """ "/evaluation/seconds" with two decimals, or "" for an empty note."""
    if note == Note():
        return ""
    evaluation, seconds = ("" if value is None else f"{value:.2f}" for value in note[:2])
    return f"/{evaluation}/{seconds}" if seconds else f"/{evaluation}"


def _result(text: str) -> str:
    """SGF's form of RE: "+12.00" is "B+12", "-4.00:r" (resigned) "W+R", "0" a draw; "" when it says nothing."""
    parts = _RESULT.fullmatch(text[:40])
    if parts is None:
        return ""
    score = float(parts[1])
    if score == 0:
        return "0"
    winner = "B" if score > 0 else "W"
    return f"{winner}+{_ENDINGS.get((parts[2] or '').lower()) or f'{abs(score):g}'}"


def _result_text(result: str) -> str:
    """RE of a result in SGF's form; a resignation or loss on time without a score counts 64."""
    if result == "0":
        return "+0.000"
    sign = {"B+": "+", "W+": "-"}.get(result[:2].upper())
    if sign is None:
        return "?"
    ending = result[2:].strip().lower()[:1]
    if ending in _ENDINGS:
        return f"{sign}64.000:{ending}"
    score = _number(result[2:])
    return f"{sign}{score:.3f}" if score else "?"


def _plain(text: str) -> str:
    """A value on one line without brackets."""
    return re.sub(r"\s+", " ", text).strip().replace("[", "(").replace("]", ")")
