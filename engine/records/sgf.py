"""Games in SGF, main lines only: Go GM[1], Othello GM[2], Gomoku GM[4].

What is parsed has been checked and is UTF-8 (`sgf_text`). Rectangular boards are read (SZ[9:13]), and TE, RD and KO as
Chinese servers used them. Points are two letters from the top left in every game ("aa"); in Othello and Gomoku also
"f5", with the rows of those games. A file without set-up stones begins with the usual start.
Damaged files are read as far as they can be (`sgf_scan`), and what was not plain is told (`Record.warnings`).
Left out: variations, mark-up, comments, move annotations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from sgfmill import sgf_grammar

from tengen.engine.games import get_game
from tengen.engine.games.base import BLACK, WHITE
from tengen.engine.records import sgf_plain
from tengen.engine.records.base import Change, Record, RecordError, collect
from tengen.engine.records.go_facts import OWN, is_misread
from tengen.engine.records.sgf_parse import games
from tengen.engine.records.sgf_read import FACTS, LETTERS, MAX_SIZE, MIN_SIZE, Lines, numbers, record_of
from tengen.engine.records.sgf_text import MAX_NODES, checked, unchecked
from tengen.engine.version import __version__


def loads(data: bytes | str) -> Record:
    """Read the first game. Raises RecordError with one sentence."""
    content = unchecked(data)
    plain = _read_plain(content)
    return plain if plain is not None else record_of(next(games(checked(content))))


load = loads


def loads_all(data: bytes | str) -> list[Record]:
    """Read every game of a collection. Raises RecordError with one sentence, naming the game it concerns."""
    content = unchecked(data)
    plain = _read_plain(content)
    if plain is not None:
        return [plain]
    found = games(checked(content))
    return collect((record_of(game, number) for number, game in enumerate(found)), "not an SGF file")


def _read_plain(content: bytes) -> Record | None:
    """A game without anything unusual, the same as the grammar reads it; None for all others, also bad ones."""
    plain = sgf_plain.split(content)
    if plain is None or len(plain.moves) >= MAX_NODES:
        return None
    root = next(games(plain.root))
    if root.repairs:
        return None
    record = record_of(root)
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
    return None if record.moves else replace(record, moves=tuple(moves), lines=Lines(content, 0))


def dumps(record: Record) -> str:
    """Write one SGF game without empty lines. Raises RecordError for a game or a board SGF cannot hold."""
    if record.game not in numbers() or not all(MIN_SIZE <= side <= MAX_SIZE for side in (record.width, record.height)):
        raise RecordError("SGF holds games of Go, Gomoku and Othello from 2x2 to 25x25 only")
    nodes, changes = [_root(record)], {change.after: change for change in record.changes}
    for number, (colour, move) in enumerate(record.moves, 1):
        nodes.append({"BW"[colour]: [point_text(record, move)]})
        if number in changes:
            nodes.append(_change(record, changes[number]))
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = nodes
    return bytes(sgf_grammar.serialise_game_tree(tree)).decode("utf-8")


def _root(record: Record) -> dict[str, list[bytes]]:
    """Root properties: the game, its facts and the set-up."""
    size = str(record.width) if record.width == record.height else f"{record.width}:{record.height}"
    root = {"FF": "4", "GM": numbers()[record.game], "CA": "UTF-8", "SZ": size}
    black, white = record.players
    others = {key: text for key, text in record.properties.items() if key in FACTS}
    facts = {"PB": black, "PW": white, "RE": record.result, "RU": record.rules or "", **others}
    if record.komi is not None:
        facts["KM"] = f"{record.komi:g}"
        if get_game(record.game).conventions.has_komi and is_misread(facts["KM"]):
            facts["AP"] = f"{OWN}:{__version__}"
    if record.handicap:
        facts["HA"] = str(record.handicap)
    if record.to_move is not None:
        facts["PL"] = "BW"[record.to_move]
    root.update({key: value for key, value in facts.items() if value})
    properties = {
        key: [sgf_grammar.escape_text(re.sub(r"\s+", " ", value).encode("utf-8", "replace"))]
        for key, value in root.items()
    }
    setup = [(cell, stone) for cell, stone in enumerate(record.setup or b"") if stone]
    return {**properties, **_stones(record, setup)}


def _stones(record: Record, setup: Iterable[tuple[int, int]]) -> dict[str, list[bytes]]:
    """AB, AW and AE of stones by cell."""
    out: dict[str, list[bytes]] = {}
    for cell, stone in setup:
        out.setdefault(("AE", "AB", "AW")[stone], []).append(point_text(record, cell))
    return out


def _change(record: Record, change: Change) -> dict[str, list[bytes]]:
    """A node that sets up stones in mid-game; of a point that comes more than once, the last."""
    side = {} if change.to_move is None else {"PL": [b"BW"[change.to_move : change.to_move + 1]]}
    return {**_stones(record, dict(change.stones).items()), **side}


def point_text(record: Record, move: int) -> bytes:
    if move >= record.width * record.height:
        return b""
    row, column = divmod(move, record.width)
    return (LETTERS[column] + LETTERS[row]).encode("ascii")
