"""Files of games to learn from: the arrays of `games.py` in one .npz, written whole or not at all, checked when read.

The same games make the same bytes. A file says in `header` (JSON) its version, the game and the rules that its games
name. Nothing is unpickled; what is damaged or does not fit together is refused in one sentence.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine import atomic, files, npz
from tengen.engine.games import get_game
from tengen.engine.games.base import Rules
from tengen.engine.games.hooks import hooks_of
from tengen.tools.train.data import labels
from tengen.tools.train.data.game import PlayedGame
from tengen.tools.train.data.games import A_GAME, COLUMNS, Games, together

VERSION = 1
LARGEST, LARGEST_UNPACKED = npz.LARGEST, npz.LARGEST_UNPACKED
"""Bytes of a file, and of its arrays."""
_LATER = ("ratings", *labels.KINDS)
"""Arrays that files have only where there is something in them."""


class ShardError(ValueError):
    """A file that holds no games that can be learned from; the message is one sentence without the file's name."""


@dataclass(frozen=True)
class ShardEntry:
    """What a manifest says of a shard. rows: positions that count; weight: the sum of theirs."""

    name: str
    sha256: str
    games: int
    rows: int
    weight: float

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> ShardEntry:
        """Raises ValueError for what is none."""
        try:
            entry = cls(**facts)
        except TypeError:
            raise ValueError("the manifest's entry of a shard has other fields") from None
        if not isinstance(entry.name, str) or Path(entry.name).name != entry.name or not isinstance(entry.sha256, str):
            raise ValueError("the manifest's entry of a shard names no file")
        if not all(isinstance(count, int) and count >= 0 for count in (entry.games, entry.rows)):
            raise ValueError("the manifest's entry of a shard counts nothing")
        return entry


def write(path: Path, games: Games | Sequence[PlayedGame]) -> ShardEntry:
    """Write a shard, on the disk when this returns. Raises ShardError for games that are none, OSError."""
    packed = games if isinstance(games, Games) else together(games)
    check(packed)
    header = json.dumps({"version": VERSION, "game": packed.game, "rules": packed.rules})
    buffer = io.BytesIO()
    columns = {name: array for name, array in packed.columns.items() if len(array) or name not in _LATER}
    arrays: dict[str, Any] = {"header": np.frombuffer(header.encode(), np.uint8), **columns}
    np.savez_compressed(buffer, **arrays)
    data = buffer.getvalue()
    atomic.write(path, data)
    return _entry(path, data, packed)


def read(path: Path, sha256: str | None = None) -> Games:
    """The games of a shard. sha256: what the manifest says of it. Raises ShardError, OSError."""
    data = files.read(path, LARGEST)
    if sha256 is not None and hashlib.sha256(data).hexdigest() != sha256:
        raise ShardError("it is not the file that the manifest names (sha256)")
    return loads(data)


def read_named(path: Path, sha256: str | None = None) -> Games:
    """The same; a ShardError names the file."""
    try:
        return read(path, sha256)
    except ShardError as error:
        raise ShardError(f"'{path}': {error}") from None


def inspect(path: Path) -> ShardEntry:
    """What a manifest would say of a shard that is there. Raises ShardError, OSError."""
    data = files.read(path, LARGEST)
    return _entry(path, data, loads(data))


def loads(data: bytes) -> Games:
    """The games of a shard's bytes. Raises ShardError."""
    try:
        arrays = npz.Arrays(data, LARGEST_UNPACKED)
        game, rules = _header(arrays)
        named = {name: kind for name, kind in COLUMNS.items() if name not in _LATER or name in arrays}
        columns = {name: np.zeros(0, kind) for name, kind in COLUMNS.items()}
        columns |= {name: _array(arrays, name, kind) for name, kind in named.items()}
    except ShardError:
        raise
    except (ValueError, KeyError, RecursionError) as error:
        raise ShardError(f"it is damaged or no shard ({str(error) or type(error).__name__})") from None
    games = Games(game, rules, columns)
    check(games)
    return games


def check(games: Games) -> None:
    """Raises ShardError, a sentence, unless everything in the arrays is within its bounds."""
    column, game = games.columns, get_game(games.game)
    rules = [_rules(games.game, name) for name in games.rules]
    count = len(column["width"])
    _demand(count > 0 and all(len(column[name]) == count for name in A_GAME), "its games are not all described")
    _demand(bool(np.all((column["rule"] >= 0) & (column["rule"] < len(rules)))), "a game names rules that it lacks")
    _demand(bool((column["length"] > 0).all()), "a game has no moves")
    _demand(int(column["length"].sum(dtype=np.int64)) == len(column["moves"]), "its moves are not all there")
    openings = (column["first"] >= 0) & (column["first"] <= column["length"])
    _demand(bool(openings.all()), "an opening is longer than its game")
    _demand(bool(np.isfinite(column["komi"]).all() and (abs(column["komi"]) < 1000).all()), "a komi is out of bounds")
    _demand(bool(np.isin(column["outcome"], (0, 0.5, 1)).all()), "an outcome is not 0, 0.5 or 1")
    _demand(not np.isnan(column["margin"]).any(), "a margin is no number")
    _demand(len(column["ratings"]) in (0, 2 * count), "its games do not have two ratings each")
    _check_boards(column, game, rules)
    _check_positions(column)
    for holds, otherwise in labels.checks(column):
        _demand(holds, otherwise)


def _check_boards(column: Mapping[str, NDArray[Any]], game: Any, rules: list[Rules]) -> None:
    """Sizes that the game has, moves and owners that these have."""
    sizes = column["width"].astype(np.int64) << 8 | column["height"]
    bounds = np.zeros(len(sizes), np.int64)
    for size in np.unique(sizes):
        width, height = int(size) >> 8, int(size) & 255
        try:
            game.check_size(width, height)
        except ValueError:
            raise ShardError(f"{game.name} has no board of {width}x{height}") from None
        bounds[sizes == size] = game.new_state(width, height, rules[0], 0.0).move_bound
    moves = column["moves"]
    _demand(bool(np.all((moves >= 0) & (moves < np.repeat(bounds, column["length"])))), "a move is none of its board")
    cells = column["width"].astype(np.int64) * column["height"]
    _demand(bool(np.all((column["owned"] == 0) | (column["owned"] == cells))), "owners do not fit the board")
    _demand(int(column["owned"].sum(dtype=np.int64)) == len(column["owners"]), "its owners are not all there")
    _demand(bool((abs(column["owners"].astype(np.int16)) <= 1).all()), "an owner is not -1, 0 or 1")
    targeted = column["targeted"]
    if len(targeted):
        _demand(len(targeted) == len(moves), "its targets are not all described")
        targets, of_moves = column["target_moves"], np.repeat(bounds, column["length"])
        _demand(int(targeted.sum(dtype=np.int64)) == len(targets), "its targets are not all there")
        fit = (targets >= 0) & (targets < np.repeat(of_moves, targeted))
        _demand(bool(fit.all()), "a target is no move of its board")


def _check_positions(column: Mapping[str, NDArray[Any]]) -> None:
    """Weights, values and shares."""
    weights, values, shares = column["weights"], column["values"], column["target_shares"]
    plies = len(column["moves"])
    _demand(len(weights) in (0, plies) and len(values) in (0, 3 * plies), "positions lack a weight or a value")
    _demand(bool((np.isfinite(weights) & (weights >= 0)).all()), "a weight is negative or no number")
    _demand(not np.isinf(values).any(), "a value is infinite")
    chances = values.reshape(-1, 3)[:, :2]
    _demand(not ((chances < -1e-3) | (chances > 1.001)).any(), "a chance is not between 0 and 1")
    _demand(len(shares) == len(column["target_moves"]), "its targets are not all there")
    _demand(bool((np.isfinite(shares) & (shares >= 0)).all()), "a share is negative or no number")
    if len(column["targeted"]):
        ends = np.cumsum(column["targeted"], dtype=np.int64)
        sums = np.diff(np.concatenate([[0.0], np.cumsum(shares, dtype=np.float64)])[np.concatenate([[0], ends])])
        _demand(bool((abs(sums - 1) < 0.01)[column["targeted"] > 0].all()), "the shares of a target do not add up to 1")


def _header(arrays: npz.Arrays) -> tuple[str, tuple[str, ...]]:
    """The game and the rules."""
    facts = json.loads(_array(arrays, "header", "u1").tobytes())
    if not isinstance(facts, dict) or facts.get("version") != VERSION:
        raise ShardError(f"it is not of version {VERSION}")
    game, rules = facts.get("game"), facts.get("rules")
    if not isinstance(game, str) or not isinstance(rules, list) or not all(isinstance(name, str) for name in rules):
        raise ShardError("it does not say of which game and rules it is")
    get_game(game)
    return game, tuple(rules)


def _array(arrays: npz.Arrays, name: str, kind: str) -> NDArray[Any]:
    """One array of one axis."""
    found = arrays[name]
    if found.dtype != np.dtype(kind) or found.ndim != 1:
        raise ShardError(f"its {name} are of another type or length")
    return found


def _rules(game: str, name: str) -> Rules:
    from tengen.engine.sentence import excerpt

    try:
        return hooks_of(get_game(game)).parse_rules(get_game(game), name)
    except ValueError:
        raise ShardError(f"{game} has no rules {excerpt(name, 40)}") from None


def _entry(path: Path, data: bytes, games: Games) -> ShardEntry:
    return ShardEntry(path.name, hashlib.sha256(data).hexdigest(), len(games), games.rows, float(games.totals.sum()))


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ShardError(otherwise)
