"""Many games side by side as flat arrays: 30 bytes a game, 2 a move, and the findings at positions.

A game of self-play costs about 70 bytes a position in memory (visit counts of a quarter of them), one of a record 2.
`shards.py` keeps the same arrays in files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.nets.targets import stored
from tengen.tools.train.data import labels
from tengen.tools.train.data.game import PlayedGame, Taught

COLUMNS = {
    "width": "u1", "height": "u1", "rule": "<i2", "komi": "<f8", "first": "<i4", "margin": "<f8", "outcome": "<f4",
    "rating": "<f8", "length": "<i4", "owned": "<i4", "moves": "<i2", "weights": "<f4", "values": "<f4",
    "targeted": "<u2", "target_moves": "<i2", "target_shares": "<f4", "owners": "i1", "ratings": "<f4", **labels.KINDS,
}  # fmt: skip
"""Name -> type. `rule` is a number in `rules`; `rating` NaN: unknown; `length` and `owned`: how many `moves` and
`owners` a game has; `weights`, `values`, `targeted` (how many `target_moves` a position has) are empty where all have
the usual: 1 from `first` on, nothing found, the move that was played. `ratings`: two a game, of who moves first and of
the other, NaN: unknown; empty if all are. Columns of `labels` are empty if no position was labelled."""
A_GAME = ("width", "height", "rule", "komi", "first", "margin", "outcome", "rating", "length", "owned")

_OPTIONAL = ("weights", "values", "targeted", *labels.MARKS)
_WORDS = ("target_moves", "target_shares")
"""What one of these counts."""


@dataclass(frozen=True, eq=False)
class Games(Sequence[PlayedGame]):
    """Games of one kind (`game`) on any boards, by any of `rules`."""

    game: str
    rules: tuple[str, ...]
    columns: dict[str, NDArray[Any]]

    def __len__(self) -> int:
        return len(self.columns["width"])

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The place of the first move of each game, and the end of the last game."""
        return _offsets(self.columns["length"])

    @cached_property
    def owner_starts(self) -> NDArray[np.int64]:
        """The same of owners."""
        return _offsets(self.columns["owned"])

    @cached_property
    def target_starts(self) -> NDArray[np.int64]:
        """The place of the first target of each position, game after game; one number if there are no targets."""
        return _offsets(self.columns["targeted"])

    @cached_property
    def label_starts(self) -> dict[str, NDArray[np.int64]]:
        """The place of the first number of each position in each array of labels; none if no position was labelled."""
        if not len(self.columns["taught"]):
            return {}
        return {name: _offsets(labels.lengths(self.columns, one)) for name, one in stored().items()}

    @cached_property
    def sums(self) -> NDArray[np.float64]:
        """The weights of all positions before each one; one number where all weights are the usual."""
        return np.concatenate([[0.0], np.cumsum(self.columns["weights"], dtype=np.float64)])

    def weights(self, number: int) -> NDArray[np.float32]:
        """How much each position of a game counts."""
        start, end = self.starts[number : number + 2]
        if len(self.columns["weights"]):
            return self.columns["weights"][start:end]
        return _usual_weights(int(end - start), int(self.columns["first"][number]))

    @cached_property
    def totals(self) -> NDArray[np.float64]:
        """The sum of each game's weights."""
        if not len(self.columns["weights"]):
            return np.asarray(self.columns["length"] - self.columns["first"], np.float64)
        return np.asarray(self.sums[self.starts[1:]] - self.sums[self.starts[:-1]])

    @cached_property
    def rows(self) -> int:
        """Positions that count."""
        weights = self.columns["weights"]
        return int(np.count_nonzero(weights)) if len(weights) else int(self.totals.sum())

    def part(self, first: int, last: int) -> Games:
        """The games from one number to before another, in the same memory."""
        start, end = (int(at) for at in self.starts[[first, last]])
        owners = slice(*self.owner_starts[[first, last]])
        targets = slice(*self.target_starts[[start, end]]) if len(self.columns["targeted"]) else slice(0, 0)
        places = {
            **dict.fromkeys(A_GAME, slice(first, last)), "moves": slice(start, end), "owners": owners,
            "weights": slice(start, end), "values": slice(3 * start, 3 * end), "targeted": slice(start, end),
            "target_moves": targets, "target_shares": targets, "ratings": slice(2 * first, 2 * last),
            **dict.fromkeys(labels.MARKS, slice(start, end)), **dict.fromkeys(stored(), slice(0, 0)),
            **{name: slice(*starts[[start, end]]) for name, starts in self.label_starts.items()},
        }  # fmt: skip
        return Games(self.game, self.rules, {name: array[places[name]] for name, array in self.columns.items()})

    @cached_property
    def ratings(self) -> NDArray[np.float32]:
        """games x 2, of who moves first and of the other; NaN: unknown."""
        found = self.columns["ratings"].reshape(-1, 2)
        return found if len(found) else np.full((len(self), 2), np.nan, np.float32)

    def __getitem__(self, number: int) -> PlayedGame:  # type: ignore[override]
        column = self.columns
        if not 0 <= number < len(self):
            raise IndexError("no such game")
        start, end = (int(at) for at in self.starts[number : number + 2])
        values = column["values"].reshape(-1, 3)[start:end] if len(column["values"]) else _nothing_found(end - start)
        first, last = (int(at) for at in self.owner_starts[number : number + 2])
        width, height = int(column["width"][number]), int(column["height"][number])
        offsets, targets = np.zeros(end - start + 1, np.int32), slice(0, 0)
        if len(column["targeted"]):
            all_offsets = self.target_starts[start : end + 1]
            offsets, targets = (all_offsets - all_offsets[0]).astype(np.int32), slice(all_offsets[0], all_offsets[-1])
        rating = float(column["rating"][number])
        return PlayedGame(
            self.game, width, height, self.rules[column["rule"][number]], float(column["komi"][number]),
            column["moves"][start:end], int(column["first"][number]), self.weights(number), values,
            offsets, column["target_moves"][targets], column["target_shares"][targets],
            float(column["margin"][number]), float(column["outcome"][number]),
            column["owners"][first:last].reshape(height, width) if last > first else None,
            _known(rating),
            (_known(self.ratings[number, 0]), _known(self.ratings[number, 1])),
            self._taught(start, end),
        )  # fmt: skip

    def _taught(self, start: int, end: int) -> Taught | None:
        column = self.columns
        if not len(column["taught"]):
            return None
        plies = np.flatnonzero(column["taught"][start:end]).astype(np.int32)
        said = {
            name: column[name][slice(*starts[[start, end]])].reshape(len(plies), -1)
            for name, starts in self.label_starts.items() if len(column[name]) and len(plies)
        }  # fmt: skip
        return Taught(plies, said, column["blind"][start:end].astype(np.bool_))

    def __iter__(self) -> Iterator[PlayedGame]:
        return (self[number] for number in range(len(self)))


def together(games: Sequence[PlayedGame]) -> Games:
    """Games as arrays. Raises ValueError when there are none, or of two kinds."""
    kinds = {game.game for game in games}
    if len(kinds) != 1:
        raise ValueError("a shard holds games of one kind" if kinds else "a shard without games")
    rules = tuple(sorted({game.rules for game in games}))
    columns: dict[str, Any] = {
        "width": [game.width for game in games],
        "height": [game.height for game in games],
        "rule": [rules.index(game.rules) for game in games],
        "komi": [game.komi for game in games],
        "first": [game.first for game in games],
        "margin": [game.margin for game in games],
        "outcome": [game.outcome for game in games],
        "rating": [np.nan if game.rating is None else game.rating for game in games],
        "length": [len(game.moves) for game in games],
        "owned": [0 if game.owners is None else game.owners.size for game in games],
        "moves": np.concatenate([game.moves for game in games]),
        "owners": np.concatenate([[], *(game.owners.ravel() for game in games if game.owners is not None)]),
        "ratings": _ratings(np.array([game.ratings for game in games], np.float32).reshape(-1, 2)),
        **_positions(games),
        **labels.side_by_side(games),
    }
    return Games(kinds.pop(), rules, {name: np.asarray(columns[name], kind) for name, kind in COLUMNS.items()})


def join(parts: Sequence[Games]) -> Games:
    """Games one after the other, in memory of their own. Raises ValueError when they are of two kinds."""
    if len({part.game for part in parts}) != 1:
        raise ValueError("games of one kind are learned from")
    rules = tuple(sorted({name for part in parts for name in part.rules}))
    usual = [name for name in COLUMNS if name not in (*_OPTIONAL, "ratings", *stored())]
    columns = {name: np.concatenate([part.columns[name] for part in parts]) for name in usual}
    numbers = [np.array([rules.index(name) for name in part.rules], np.int16)[part.columns["rule"]] for part in parts]
    columns["rule"] = np.concatenate(numbers)
    columns["ratings"] = _ratings(np.concatenate([part.ratings for part in parts]))
    for name in _OPTIONAL:
        is_there = any(len(part.columns[name]) for part in parts)
        arrays = [_all_of(part, name) if is_there else part.columns[name] for part in parts]
        columns[name] = np.concatenate(arrays).astype(COLUMNS[name], copy=False)
    for name, one in stored().items():
        is_there = any(len(part.columns[name]) for part in parts)
        arrays = [labels.filled(part.columns, one) if is_there else part.columns[name] for part in parts]
        columns[name] = np.concatenate(arrays)
    return Games(parts[0].game, rules, columns)


def _all_of(games: Games, name: str) -> NDArray[Any]:
    """An optional array, also where all of it is the usual."""
    plies = len(games.columns["moves"])
    if len(games.columns[name]) or not plies:
        return games.columns[name]
    if name == "weights":
        return np.concatenate([games.weights(number) for number in range(len(games))])
    return np.full(3 * plies, np.nan, np.float32) if name == "values" else np.zeros(plies, COLUMNS[name])


def _known(rating: float) -> float | None:
    return None if np.isnan(rating) else float(rating)


def _ratings(found: NDArray[np.float32]) -> NDArray[np.float32]:
    """The column of games x 2 ratings."""
    return found.ravel() if np.isfinite(found).any() else np.zeros(0, np.float32)


def _positions(games: Sequence[PlayedGame]) -> dict[str, Any]:
    """What was found at the positions, where it is not the usual."""
    out: dict[str, Any] = {name: () for name in (*_OPTIONAL, *_WORDS)}
    if any(not np.array_equal(game.weights, _usual_weights(len(game.moves), game.first)) for game in games):
        out["weights"] = np.concatenate([game.weights for game in games])
    if any(not np.isnan(game.values).all() for game in games):
        out["values"] = np.concatenate([np.asarray(game.values, np.float32).reshape(-1) for game in games])
    if any(len(game.target_moves) for game in games):
        out["targeted"] = np.concatenate([np.diff(game.target_offsets) for game in games])
        for name in ("target_moves", "target_shares"):
            out[name] = np.concatenate([getattr(game, name) for game in games])
    return out


def _usual_weights(plies: int, first: int) -> NDArray[np.float32]:
    weights = np.ones(plies, np.float32)
    weights[:first] = 0
    return weights


def _nothing_found(plies: int) -> NDArray[np.float32]:
    return np.full((plies, 3), np.nan, np.float32)


def spans(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The places starts[i] to before starts[i] + lengths[i], one span after the other, and the i of each."""
    rows = np.arange(len(lengths)).repeat(lengths)
    before = np.cumsum(lengths) - lengths
    return np.arange(len(rows)) + (starts - before)[rows], rows


def _offsets(lengths: NDArray[Any]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)
