"""Games in SGF (FF[3] and FF[4]), main lines only, over sgfmill's grammar: Go GM[1], Othello GM[2], Gomoku GM[4].

What is parsed has been checked and is UTF-8 (`sgf_text`). Rectangular boards are read (SZ[9:13]), and TE, RD and KO as
Chinese servers used them. Points are two letters from the top left in every game ("aa"); in Othello and Gomoku also
"f5", with the rows of those games. A file without set-up stones begins with the usual start.
Left out: variations, mark-up, comments, move annotations. Set-up stones after the first move restart the record there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from sgfmill import boards, sgf_grammar

from tengen.engine.games import GAMES, get_game
from tengen.engine.games.base import BLACK, WHITE
from tengen.engine.records import othello, sgf_plain
from tengen.engine.records.base import Record, RecordError, collect, excerpt
from tengen.engine.records.points import point
from tengen.engine.records.replay import state_of
from tengen.engine.records.sgf_text import MAX_NODES, checked, unchecked

MAX_POINTS = 2_000_000
"""Of the set-ups of one game, with the whole board for every node that has one."""
MAX_SIZE = 25
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_FACTS = ("AN", "BR", "BT", "CP", "DT", "EV", "GC", "GN", "ON", "OT", "PC", "RO", "SO", "TM", "US", "WR", "WT")
_OLD = {"GN": "TE", "DT": "RD", "KM": "KO"}
"""What files of Chinese servers call these facts; elsewhere TE marks a good move and KO an illegal one."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")

Properties = Mapping[str, Sequence[bytes]]


@cache
def _numbers() -> dict[str, str]:
    """The games that SGF has, and their numbers in GM."""
    numbers = {game: get_game(game).conventions.sgf for game in GAMES}
    return {game: number for game, number in numbers.items() if number is not None}


def loads(data: bytes | str) -> Record:
    """Read the first game. Raises RecordError with one sentence."""
    content = unchecked(data)
    plain = _read_plain(content)
    return plain if plain is not None else read_tree(_parsed(checked(content)))


load = loads


def loads_all(data: bytes | str) -> list[Record]:
    """Read every game of a collection. Raises RecordError with one sentence, naming the game it concerns."""
    content = unchecked(data)
    plain = _read_plain(content)
    if plain is not None:
        return [plain]
    checked(content)
    try:
        trees = sgf_grammar.parse_sgf_collection(content)
    except ValueError as error:
        raise _refusal(error) from error
    return collect((read_tree(tree) for tree in trees), "not an SGF file")


def _parsed(content: bytes) -> sgf_grammar.Coarse_game_tree:
    try:
        return sgf_grammar.parse_sgf_game(content)
    except ValueError as error:
        raise _refusal(error) from error


def _read_plain(content: bytes) -> Record | None:
    """A game without anything unusual, the same as the grammar reads it; None for all others, also bad ones."""
    plain = sgf_plain.split(content)
    if plain is None or len(plain.moves) >= MAX_NODES:
        return None
    record = read_tree(_parsed(plain.root))
    width, height = record.width, record.height
    known = {b"": width * height}
    if max(width, height) <= 19:
        known[b"tt"] = width * height
    moves: list[tuple[int, int]] = []
    for colour, text in plain.moves:
        move = known.get(text)
        if move is None:
            column, row = (text[0] - 97, text[1] - 97) if len(text) == 2 else (-1, -1)
            if not (0 <= column < width and 0 <= row < height):
                return None
            move = known[text] = row * width + column
        moves.append((BLACK if colour == b"B" else WHITE, move))
    return None if record.moves else replace(record, moves=tuple(moves))


def _refusal(error: ValueError) -> RecordError:
    return RecordError(f"not an SGF file: {error}" if str(error) else "not an SGF file")


def read_tree(tree: sgf_grammar.Coarse_game_tree) -> Record:
    """The main line of a parsed game."""
    nodes: list[Properties] = list(sgf_grammar.main_sequence_iter(tree))
    return _Reader(nodes[0]).read(nodes)


def dumps(record: Record) -> str:
    """Write one SGF game without empty lines. Raises RecordError for a game or a board SGF cannot hold."""
    if record.game not in _numbers() or not (0 < record.width <= MAX_SIZE and 0 < record.height <= MAX_SIZE):
        raise RecordError("SGF holds games of Go, Gomoku and Othello up to 25x25 only")
    nodes = [_root(record)]
    for colour, move in record.moves:
        nodes.append({"BW"[colour]: [point_text(record, move)]})
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = nodes
    return bytes(sgf_grammar.serialise_game_tree(tree)).decode("utf-8")


def _root(record: Record) -> dict[str, list[bytes]]:
    """Root properties: the game, its facts and the set-up."""
    size = str(record.width) if record.width == record.height else f"{record.width}:{record.height}"
    root = {"FF": "4", "GM": _numbers()[record.game], "CA": "UTF-8", "SZ": size}
    black, white = record.players
    others = {key: text for key, text in record.properties.items() if key in _FACTS}
    facts = {"PB": black, "PW": white, "RE": record.result, "RU": record.rules or "", **others}
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
            properties[key] = [point_text(record, cell) for cell in cells]
    return properties


def point_text(record: Record, move: int) -> bytes:
    if move >= record.width * record.height:
        return b""
    row, column = divmod(move, record.width)
    return (_LETTERS[column] + _LETTERS[row]).encode("ascii")


class _Reader:
    """Interprets the nodes of one main line."""

    def __init__(self, root: Properties) -> None:
        self.root = root
        number = self._text("GM") or "1"
        games = {number: game for game, number in _numbers().items()}
        if number not in games:
            raise RecordError(f"the file holds a game other than Go, Gomoku and Othello (GM[{number[:10]}])")
        self.game = games[number]
        self.width, self.height = self._size()
        self.board = boards.Board(max(2, self.width, self.height))  # sgfmill has none of one point
        self.setup: bytes | None = None
        self.to_move: int | None = None
        self.moves: list[tuple[int, int]] = []
        self.points = 0

    def read(self, nodes: Sequence[Properties]) -> Record:
        for node in nodes:
            self._read_setup(node)
            self._read_moves(node)
        if self.game == othello.GAME and othello.is_usual(self.setup, self.to_move, self.width, self.height):
            self.setup = self.to_move = None
        return Record(
            game=self.game,
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
            properties={key: text for key in _FACTS if (text := self._fact(key))},
        )

    def _text(self, key: str) -> str:
        values = self.root.get(key) or [b""]
        text = bytes(sgf_grammar.simpletext_value(values[0])).decode("utf-8", "replace")
        return _CONTROL.sub(" ", text).strip()

    def _fact(self, key: str) -> str:
        """The text of a fact that old files may call by another name."""
        text = self._text(key)
        return text if text or key not in _OLD or self._text(_OLD[key]) in ("1", "2") else self._text(_OLD[key])

    def _size(self) -> tuple[int, int]:
        text = self._text("SZ") or str(get_game(self.game).default_size)
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
            komi = float(self._fact("KM").replace(",", "."))
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
            self._spend(self.width * self.height)
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

    def _spend(self, points: int) -> None:
        """Count what set-ups cost. Raises RecordError for a file of rectangles over rectangles."""
        self.points += points
        if self.points > MAX_POINTS:
            raise RecordError("the game sets up too many stones")

    def _replay(self) -> None:
        """Bring the board to the last move; needed only when stones are set up after it."""
        if self.game == othello.GAME and self.moves:
            record = Record(self.game, self.width, self.height, setup=self.setup, moves=tuple(self.moves))
            for cell, stone in enumerate(state_of(record).stones()):
                self.board.board[cell // self.width][cell % self.width] = (None, "b", "w")[stone]
            return
        for colour, move in self.moves:
            row, column = divmod(move, self.width)
            if move >= self.width * self.height or self.board.board[row][column] is not None:
                continue
            if self.game == "go":
                self.board.play(row, column, "bw"[colour])
            else:
                self.board.board[row][column] = "bw"[colour]

    def _stones(self) -> bytes:
        values = {None: 0, "b": 1, "w": 2}
        rows = self.board.board[: self.height]
        return bytes(values[stone] for row in rows for stone in row[: self.width])

    def _points(self, values: Sequence[bytes]) -> list[int]:
        """Cells of a point list; "aa:cc" is a rectangle."""
        cells: list[int] = []
        before = 0
        for value in values:
            self._spend(len(cells) - before)
            before = len(cells)
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
        if self.game != "go" and re.fullmatch(r"[A-Za-z][0-9]{1,2}", text):
            return point(self.game, self.width, self.height, text)
        column, row = (_LETTERS.find(letter) for letter in text) if len(text) == 2 else (-1, -1)
        if not (0 <= column < self.width and 0 <= row < self.height):
            raise RecordError(f"{excerpt(text, 10)} is not a point of the board")
        return row * self.width + column
