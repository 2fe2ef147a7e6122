"""Go games in SGF (FF[3] and FF[4]): the main line of the first game of a file, over sgfmill's grammar.

Kept from harm: files over 4 MB and trees nested deeper than 1,000 are refused before they are parsed. Text comes in
any encoding that a byte order mark or CA names, else UTF-8, else Latin-1. Rectangular boards are read (SZ[9:13]).
Left out: variations, mark-up, comments, move annotations. Set-up stones after the first move restart the record there.
"""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Mapping, Sequence

from sgfmill import boards, sgf_grammar

from tengen.engine.games.base import BLACK, WHITE
from tengen.engine.records.base import Record, RecordError

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 1000
MAX_SIZE = 25
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_FACTS = ("AN", "BR", "BT", "CP", "DT", "EV", "GC", "GN", "ON", "OT", "PC", "RO", "SO", "TM", "US", "WR", "WT")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

Properties = Mapping[str, Sequence[bytes]]


def loads(data: bytes | str) -> Record:
    """Read the first game. Raises RecordError with one sentence."""
    if len(data) > MAX_BYTES:
        raise RecordError("the file is larger than 4 MB")
    text = data if isinstance(data, str) else _decode(data)
    content = text.lstrip("\ufeff").encode("utf-8", "replace")
    if _depth(content) > MAX_DEPTH:
        raise RecordError(f"the game tree is nested deeper than {MAX_DEPTH} levels")
    try:
        tree = sgf_grammar.parse_sgf_game(content)
        nodes: list[Properties] = list(sgf_grammar.main_sequence_iter(tree))
    except ValueError as error:
        raise RecordError(f"not an SGF file: {error}" if str(error) else "not an SGF file") from error
    return _Reader(nodes[0]).read(nodes)


load = loads


def dumps(record: Record) -> str:
    """Write a Go record as one SGF game without empty lines. Raises RecordError for a board SGF cannot hold."""
    if record.game != "go" or not (0 < record.width <= MAX_SIZE and 0 < record.height <= MAX_SIZE):
        raise RecordError("SGF holds Go games up to 25x25 only")
    nodes = [_root(record)]
    for colour, move in record.moves:
        nodes.append({"BW"[colour]: [_point_text(record, move)]})
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = nodes
    return bytes(sgf_grammar.serialise_game_tree(tree)).decode("utf-8")


def _root(record: Record) -> dict[str, list[bytes]]:
    """Root properties: the game, its facts and the set-up."""
    size = str(record.width) if record.width == record.height else f"{record.width}:{record.height}"
    root = {"FF": "4", "GM": "1", "CA": "UTF-8", "SZ": size}
    black, white = record.players
    facts = {"PB": black, "PW": white, "RE": record.result, "RU": record.rules or "", **record.properties}
    if record.komi is not None:
        facts["KM"] = f"{record.komi:g}"
    if record.handicap:
        facts["HA"] = str(record.handicap)
    if record.to_move is not None:
        facts["PL"] = "BW"[record.to_move]
    root.update({key: value for key, value in facts.items() if value})
    properties = {
        key: [sgf_grammar.escape_text(re.sub(r"\s+", " ", value).encode("utf-8", "replace"))]
        for key, value in root.items()
    }
    for key, stone in (("AB", 1), ("AW", 2)):
        cells = [cell for cell, value in enumerate(record.setup or b"") if value == stone]
        if cells:
            properties[key] = [_point_text(record, cell) for cell in cells]
    return properties


def _point_text(record: Record, move: int) -> bytes:
    if move >= record.width * record.height:
        return b""
    row, column = divmod(move, record.width)
    return (_LETTERS[column] + _LETTERS[row]).encode("ascii")


def _decode(data: bytes) -> str:
    """Text of a file: byte order mark, then CA, then UTF-8, then Latin-1. Wrong bytes become U+FFFD."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    named = re.search(rb"CA\s*\[\s*([A-Za-z0-9_.:-]{1,40})\s*\]", data[:65536])
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        encoding = codecs.lookup(named.group(1).decode("ascii")).name if named else "latin-1"
        return data.decode("latin-1" if encoding == "utf-8" else encoding, "replace")
    except (LookupError, UnicodeError):
        return data.decode("latin-1")


def _depth(content: bytes) -> int:
    """Deepest nesting of "(" outside property values: one pass, no recursion."""
    depth = deepest = 0
    for token in re.finditer(rb"\[(?:[^\]\\]|\\.)*\]?|[()]", content, re.DOTALL):
        if token.group() == b"(":
            depth += 1
            deepest = max(deepest, depth)
        elif token.group() == b")":
            depth -= 1
    return deepest


class _Reader:
    """Interprets the nodes of one main line."""

    def __init__(self, root: Properties) -> None:
        self.root = root
        if self._text("GM") not in ("", "1"):
            raise RecordError("the file holds a game other than Go")
        self.width, self.height = self._size()
        self.board = boards.Board(max(self.width, self.height))
        self.setup: bytes | None = None
        self.to_move: int | None = None
        self.moves: list[tuple[int, int]] = []

    def read(self, nodes: Sequence[Properties]) -> Record:
        for node in nodes:
            self._read_setup(node)
            self._read_moves(node)
        return Record(
            game="go",
            width=self.width,
            height=self.height,
            komi=self._komi(),
            rules=self._text("RU") or None,
            handicap=self._handicap(),
            setup=self.setup,
            to_move=self.to_move,
            moves=tuple(self.moves),
            players=(self._text("PB"), self._text("PW")),
            result=self._text("RE"),
            properties={key: self._text(key) for key in _FACTS if self._text(key)},
        )

    def _text(self, key: str) -> str:
        values = self.root.get(key) or [b""]
        return bytes(sgf_grammar.simpletext_value(values[0])).decode("utf-8", "replace").strip()

    def _size(self) -> tuple[int, int]:
        text = self._text("SZ") or "19"
        width, colon, height = text.partition(":")
        try:
            size = int(width), int(height if colon else width)
        except ValueError:
            raise RecordError(f"the board size '{text[:20]}' is not a number") from None
        if not (1 <= min(size) and max(size) <= MAX_SIZE):
            raise RecordError(f"the board size {text[:20]} is not between 1 and {MAX_SIZE}")
        return size

    def _komi(self) -> float | None:
        try:
            komi = float(self._text("KM").replace(",", "."))
        except ValueError:
            return None
        return komi if math.isfinite(komi) else None

    def _handicap(self) -> int:
        text = self._text("HA")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0

    def _read_setup(self, node: Properties) -> None:
        """AB, AW, AE and PL. Stones after a move make the board of that moment the new start."""
        changes = [(key, self._points(node[key])) for key in ("AB", "AW", "AE") if node.get(key)]
        if changes:
            self._replay()
            for key, cells in changes:
                for cell in cells:
                    row, column = divmod(cell, self.width)
                    self.board.board[row][column] = {"AB": "b", "AW": "w", "AE": None}[key]
            self.setup = self._stones()
            if self.moves:
                self.to_move = 1 - self.moves[-1][0]
                self.moves.clear()
        if node.get("PL") and not self.moves:
            side = bytes(node["PL"][0]).strip().upper()[:1]
            self.to_move = {b"B": BLACK, b"1": BLACK, b"W": WHITE, b"2": WHITE}.get(side, self.to_move)

    def _read_moves(self, node: Properties) -> None:
        for key, colour in (("B", BLACK), ("W", WHITE)):
            for value in node.get(key, ())[:1]:
                self.moves.append((colour, self._point(value, is_move=True)))

    def _replay(self) -> None:
        """Bring the board to the last move; needed only when stones are set up after it."""
        for colour, move in self.moves:
            row, column = divmod(move, self.width)
            if move < self.width * self.height and self.board.board[row][column] is None:
                self.board.play(row, column, "bw"[colour])

    def _stones(self) -> bytes:
        values = {None: 0, "b": 1, "w": 2}
        rows = self.board.board[: self.height]
        return bytes(values[stone] for row in rows for stone in row[: self.width])

    def _points(self, values: Sequence[bytes]) -> list[int]:
        """Cells of a point list; "aa:cc" is a rectangle."""
        cells: list[int] = []
        for value in values:
            first, colon, last = bytes(value).strip().partition(b":")
            if not colon:
                cells.extend([self._point(first)] if first else [])
                continue
            (top, left), (bottom, right) = (divmod(self._point(end), self.width) for end in (first, last))
            cells.extend(
                row * self.width + column
                for row in range(min(top, bottom), max(top, bottom) + 1)
                for column in range(min(left, right), max(left, right) + 1)
            )
        return cells

    def _point(self, value: bytes, is_move: bool = False) -> int:
        """Cell of two letters; for a move, nothing (or "tt" on boards up to 19) is a pass."""
        text = bytes(value).strip().decode("ascii", "replace")
        if is_move and (not text or (text == "tt" and max(self.width, self.height) <= 19)):
            return self.width * self.height
        column, row = (_LETTERS.find(letter) for letter in text) if len(text) == 2 else (-1, -1)
        if not (0 <= column < self.width and 0 <= row < self.height):
            raise RecordError(f"'{text[:10]}' is not a point of the board")
        return row * self.width + column
