"""Interpret the nodes of an SGF game: its main line as a `Record`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from sgfmill import sgf_grammar

from tengen.engine.games import GAMES, get_game
from tengen.engine.games.base import BLACK, WHITE
from tengen.engine.games.vertex import GTP
from tengen.engine.records import othello
from tengen.engine.records.base import CUT, Change, Record, RecordError, excerpt
from tengen.engine.records.points import point
from tengen.engine.records.replay import rules_said
from tengen.engine.records.sgf_parse import Game, Node, games, line_of, main_line

MAX_POINTS = 2_000_000
"""The most points of the set-ups of one game, with the whole board for every node that has one."""
MIN_SIZE, MAX_SIZE = 2, 25
LETTERS = "abcdefghijklmnopqrstuvwxyz"
FACTS = ("AN", "BR", "BT", "CP", "DT", "EV", "GC", "GN", "ON", "OT", "PC", "RO", "SO", "TM", "US", "WR", "WT")
_OLD = {"GN": "TE", "DT": "RD", "KM": "KO"}
"""What files of Chinese servers call these facts; elsewhere TE marks a good move and KO an illegal one."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_SIZE = re.compile(r"([-+]?\d{1,9})(?:\s*[:,xX×*]\s*([-+]?\d{1,9}))?(?:路|줄|路盘)?")
_MOVE = re.compile(rb";\s*[BW]\[[a-z]{2}")
_STONES = {"AB": BLACK + 1, "AW": WHITE + 1, "AE": 0}

Properties = Mapping[str, Sequence[bytes]]


@cache
def numbers() -> dict[str, str]:
    """The games that SGF has, and their numbers in GM."""
    known = {game: get_game(game).conventions.sgf for game in GAMES}
    return {game: number for game, number in known.items() if number is not None}


@dataclass(frozen=True)
class Lines:
    """The lines of a game's moves in a file, found on request; content: the file in UTF-8, game: from 0."""

    content: bytes
    game: int

    def line(self, number: int) -> int:
        """See `base.Lines`."""
        for count, game in enumerate(games(self.content)):
            if count == self.game:
                reader = Reader(game)
                reader.read()
                nodes, at = reader.nodes, reader.at
                last = nodes[at[number - 1]] if number <= len(at) else nodes[reader.read_to]
                return line_of(self.content, last.at)
        raise ValueError(f"there is no game {self.game}")


class Reader:
    """Interprets the main line of one game. After `read`: at: the node of each move; read_to: the last one that was
    looked at."""

    def __init__(self, game: Game) -> None:
        self.nodes: list[Node] = main_line(game.tree)
        self.at: list[int] = []
        self.read_to = 0
        self._content = game.content
        self._root: Properties = self.nodes[0]
        self._warnings = list(game.warnings())
        self._ends = game.ends
        for name, values in self._root.items():
            if name not in ("C", "GC") and any(b"[" in value and _MOVE.search(value) for value in values):
                self._tell(f"{name}[ ] has a move in it: is a bracket missing?")
        number = self._text("GM") or "1"
        known = {number: game for game, number in numbers().items()}
        if number not in known:
            raise RecordError(f"the file holds a game other than Go, Gomoku and Othello (GM[{number[:10]}])")
        self._game = known[number]
        self._width, self._height = self._size()
        self._cells = self._width * self._height
        self._setup: bytearray | None = None
        self._to_move: int | None = None
        self._changes: list[Change] = []
        self._moves: list[tuple[int, int]] = []
        self._points_spent = 0

    def read(self) -> Record:
        """The main line up to its end, or to the first point that is not on the board."""
        for number, node in enumerate(self.nodes):
            self.read_to = number
            try:
                self._read_setup(node)
                self._read_moves(node)
            except _NoPoint as error:
                self._stop(node, str(error))
                break
        if self._ends and not self._moves and not any(self._setup or b""):
            raise RecordError(f"not an SGF file: {self._ends}")
        setup = None if self._setup is None else bytes(self._setup)
        if self._game == othello.GAME and othello.is_usual(setup, self._to_move, self._width, self._height):
            setup = self._to_move = None
        rules = self._text("RU")
        return Record(
            game=self._game,
            width=self._width,
            height=self._height,
            komi=self._komi(rules),
            rules=rules or None,
            handicap=self._handicap(),
            setup=setup,
            to_move=self._to_move,
            moves=tuple(self._moves),
            players=(self._text("PB"), self._text("PW")),
            result=self._text("RE"),
            properties={key: text for key in FACTS if (text := self._fact(key))},
            changes=tuple(self._kept_changes()),
            warnings=tuple(self._warnings + [said for said in [rules_said(self._game, rules)] if said]),
        )

    def _stop(self, node: Node, reason: str) -> None:
        """Nothing is read from here on. Raises RecordError when nothing was read before."""
        if not self._moves and not any(self._setup or b""):
            raise RecordError(reason)
        line, number = line_of(self._content, node.at), len(self._moves) + 1
        self._warnings.append(f"line {line}: move {number} is illegal: {reason}{CUT}")

    def _text(self, key: str) -> str:
        values = self._root.get(key) or [b""]
        text = bytes(sgf_grammar.simpletext_value(values[0])).decode("utf-8", "replace")
        return _CONTROL.sub(" ", text).strip()

    def _fact(self, key: str) -> str:
        """The text of a fact that old files may call by another name."""
        text = self._text(key)
        return text if text or key not in _OLD or self._text(_OLD[key]) in ("1", "2") else self._text(_OLD[key])

    def _size(self) -> tuple[int, int]:
        text = self._text("SZ") or str(get_game(self._game).default_size)
        found = _SIZE.fullmatch(text)
        if found is None:
            raise RecordError(f"the board size '{text[:20]}' is not a number")
        size = int(found[1]), int(found[2] or found[1])
        if not (MIN_SIZE <= min(size) and max(size) <= MAX_SIZE):
            raise RecordError(f"the board size {text[:20]} is not between {MIN_SIZE} and {MAX_SIZE}")
        return size

    def _komi(self, rules: str) -> float | None:
        text = self._fact("KM")
        if get_game(self._game).conventions.has_komi:
            from tengen.engine.records.go_facts import komi_of, komi_of_rules

            maker = " ".join(bytes(value).decode("utf-8", "replace") for value in self._root.get("AP", ()))
            komi, said = komi_of(text, maker)
            self._warnings += [said] if said else []
            return komi_of_rules(rules) if komi is None else komi
        try:
            value = float(text.replace(",", "."))
        except ValueError:
            return None
        return value if math.isfinite(value) else None

    def _handicap(self) -> int:
        text = self._text("HA")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0

    def _read_setup(self, node: Properties) -> None:
        """AB, AW, AE and PL: of the start before the first move, of a change after it."""
        stones = [(cell, stone) for key, stone in _STONES.items() if node.get(key) for cell in self._points(node[key])]
        if stones:
            self._spend(self._cells)
            if len({cell for cell, _ in stones}) < len({*stones}):
                self._tell("a point is set up twice at a time")
        side = self._side(node)
        if not self._moves:
            if stones or any(node.get(key) for key in _STONES):
                self._setup = self._setup or bytearray(self._cells)
                for cell, stone in stones:
                    self._setup[cell] = stone
            self._to_move = self._to_move if side is None else side
        elif stones or side is not None:
            self._change(stones, side)

    def _change(self, stones: list[tuple[int, int]], side: int | None) -> None:
        after = len(self._moves)
        if self._changes and self._changes[-1].after == after:
            before = self._changes.pop()
            stones = [*before.stones, *stones]
            side = before.to_move if side is None else side
        self._changes.append(Change(after, tuple(sorted(dict(stones).items())), side))

    def _kept_changes(self) -> list[Change]:
        """Without those that only say who moves, where that is plain from the moves."""
        kept = []
        for change in self._changes:
            after = self._moves[change.after][0] if change.after < len(self._moves) else None
            usual = 1 - self._moves[change.after - 1][0] if after is None else change.to_move
            if change.stones or change.to_move != usual:
                kept.append(change if after is None else change._replace(to_move=None))
        return kept

    def _side(self, node: Properties) -> int | None:
        """The colour to move, from PL."""
        if not node.get("PL"):
            return None
        side = bytes(node["PL"][0]).strip().upper()[:1]
        return {b"B": BLACK, b"1": BLACK, b"W": WHITE, b"2": WHITE}.get(side)

    def _read_moves(self, node: Properties) -> None:
        for key, colour in (("B", BLACK), ("W", WHITE)):
            values = node.get(key, ())
            if len(values) > 1:
                self._tell("a move has more than one point: the first is taken")
            for value in values[:1]:
                self._moves.append((colour, self._point(value, is_move=True)))
                self.at.append(self.read_to)

    def _spend(self, points: int) -> None:
        """Count what set-ups cost. Raises RecordError for a file of rectangles over rectangles."""
        self._points_spent += points
        if self._points_spent > MAX_POINTS:
            raise RecordError("the game sets up too many stones")

    def _points(self, values: Sequence[bytes]) -> list[int]:
        """Cells of a point list; "aa:cc" is a rectangle."""
        cells: list[int] = []
        before = 0
        for value in _one_by_one(values):
            self._spend(len(cells) - before)
            before = len(cells)
            first, colon, last = bytes(value).strip().partition(b":")
            if not colon:
                cells.extend([self._point(first)] if first else [])
                continue
            (top, left), (bottom, right) = (divmod(self._point(end), self._width) for end in (first, last))
            cells.extend(
                row * self._width + column
                for row in range(min(top, bottom), max(top, bottom) + 1)
                for column in range(min(left, right), max(left, right) + 1)
            )
        return cells

    def _point(self, value: bytes, is_move: bool = False) -> int:
        """Cell of two letters; for a move, nothing (or "tt" on boards up to 19) is a pass. Raises _NoPoint."""
        text = bytes(value).strip().decode("ascii", "replace")
        if is_move and (not text or (text == "tt" and max(self._width, self._height) <= 19)):
            return self._cells
        if re.fullmatch(r"[A-Za-z][0-9]{1,2}", text) or (is_move and text.lower() in ("pass", "--")):
            if get_game(self._game).conventions.points is GTP:
                self._tell(f"{excerpt(text, 10)} is no point of SGF: it is read as people write points")
            try:
                return point(self._game, self._width, self._height, text)
            except RecordError as error:
                raise _NoPoint(str(error)) from None
        plain = text.lower()
        column, row = (LETTERS.find(letter) for letter in plain) if len(plain) == 2 else (-1, -1)
        if not (0 <= column < self._width and 0 <= row < self._height):
            raise _NoPoint(f"{excerpt(text, 10)} is not a point of the board")
        if plain != text:
            self._tell(f"points are written in capitals, as {excerpt(text, 10)}")
        return row * self._width + column

    def _tell(self, sentence: str) -> None:
        """Warn, of each kind once."""
        kind = sentence.split("'")[-1], sentence.split("'")[0]
        if not any((said.split("'")[-1], said.split("'")[0]) == kind for said in self._warnings):
            self._warnings.append(sentence)


def _one_by_one(values: Sequence[bytes]) -> Iterator[bytes]:
    """Points of which several stand in one value, as some programs write them."""
    for value in values:
        yield from re.split(rb"[,\s]+", bytes(value).strip())


class _NoPoint(RecordError):
    """A value that is no point of the board."""


def record_of(game: Game, number: int = 0) -> Record:
    """The main line of a parsed game, the one of that number, from 0, in its file. Raises RecordError."""
    return replace(Reader(game).read(), lines=Lines(game.content, number))
