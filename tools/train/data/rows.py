"""Rows of games as arrays for a network: what it sees, and what it should say of it. All is for the side to move.

The core encodes (`encode_rows_GAME_SET`, without the GIL), through a symmetry for each row; the targets turn with the
planes. Batch k of a run depends only on the seed, k and what the window then holds, however far a thread was ahead.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy import float32
from numpy.typing import NDArray

from tengen.engine import _core
from tengen.engine._core import FeatureSet
from tengen.engine.games import get_game
from tengen.engine.games.base import Rules, State
from tengen.engine.games.hooks import hooks_of
from tengen.tools.train.data.game import PlayedGame
from tengen.tools.train.data.window import Contents, Pick, Window

Floats = NDArray[float32]


class Batch(NamedTuple):
    """n rows of one size of board.

    planes: n x planes x height x width; numbers: n x globals, None where the feature set has none. policy: n x moves,
    by policy index, sums 1 (zeros: a pass that it has not). next_policy: the opponent's reply, zeros where there was
    none. value: n x 3, win, draw, loss, how the game ended. found: n x 3, the same as the search found it; NaN unknown.
    score: n, in the game's unit at its end; NaN unknown. owners: n x height x width, 1 own, -1 the opponent's; NaN
    unknown. weight: n.
    """

    planes: Floats
    numbers: Floats | None
    policy: Floats
    next_policy: Floats
    value: Floats
    found: Floats
    score: Floats
    owners: Floats
    weight: Floats


@dataclass(frozen=True)
class View:
    """How a network sees games. suicide_in_life: as a KataGo file's header has it."""

    features: FeatureSet
    suicide_in_life: bool = False


def encode(view: View, picks: Sequence[Pick], symmetries: NDArray[np.int32], has_history: NDArray[np.bool_]) -> Batch:
    """Rows, one a pick, all of one size. Raises ValueError for an illegal game, naming its number and the ply."""
    planes, numbers = inputs(view, picks, symmetries, has_history)
    game = picks[0].game
    return Batch(planes, numbers, *_targets(_Places.of(view.features, game.width, game.height), picks, symmetries))


def inputs(
    view: View, picks: Sequence[Pick], symmetries: NDArray[np.int32], has_history: NDArray[np.bool_]
) -> tuple[Floats, Floats | None]:
    """The planes and numbers of the same."""
    features, size = view.features, (picks[0].game.height, picks[0].game.width)
    planes = np.empty((len(picks), len(features.planes), *size), np.float32)
    numbers = np.empty((len(picks), len(features.globals)), np.float32) if features.globals else None
    moves = [pick.game.moves[: pick.ply] for pick in picks]
    plies = np.array([pick.ply for pick in picks], np.int32)
    arguments = [
        [_start(pick.game.game, pick.game.width, pick.game.height, pick.game.rules, pick.game.komi) for pick in picks],
        np.concatenate(moves).astype(np.int16), np.concatenate([[0], np.cumsum(plies, dtype=np.int64)]), plies,
        np.ascontiguousarray(symmetries, np.int32), np.ascontiguousarray(has_history, np.bool_), planes, numbers,
    ]  # fmt: skip
    if features.name == "katago-v7":
        arguments.append([_facts(pick.game.rules, view.suicide_in_life) for pick in picks])
    encoder(features)(*arguments)
    return planes, numbers


def encoder(features: FeatureSet) -> Callable[..., None]:
    """The core's function for a feature set. Raises ValueError when it has none."""
    found = getattr(_core, f"encode_rows_{features.game}_{features.name}".replace("-", "_"), None)
    if found is None:
        raise ValueError(f"this build makes no rows of {features.game}'s feature set {features.name}")
    return found  # type: ignore[no-any-return]


def augmented(view: View, games: Iterable[PlayedGame]) -> Batch:
    """Every row of games on one size of board through every symmetry of it, the eight of a row side by side."""
    picks = [pick for game in games for pick in rows_of(game)]
    width, height = picks[0].game.width, picks[0].game.height
    count = view.features.symmetries(width, height)
    picks = [pick for pick in picks for _ in range(count)]
    symmetries = np.tile(np.arange(count, dtype=np.int32), len(picks) // count)
    batch = encode(view, picks, symmetries, np.ones(len(picks), np.bool_))
    return batch._replace(weight=_weights(picks))


def every(view: View, games: Iterable[PlayedGame], size: int) -> Iterator[Batch]:
    """All rows of games as they are, in order, `size` at most in a batch: to measure a network by."""
    waiting: dict[tuple[int, int], list[Pick]] = {}
    for game in games:
        picks = waiting.setdefault((game.width, game.height), [])
        picks += rows_of(game)
        while len(picks) >= size:
            yield _plain(view, picks[:size])
            del picks[:size]
    for picks in waiting.values():
        if picks:
            yield _plain(view, picks)


def rows_of(game: PlayedGame) -> list[Pick]:
    """The positions of a game that count."""
    return [Pick(game, int(ply)) for ply in np.flatnonzero(game.weights)]


@dataclass(frozen=True)
class Drawing:
    """How batches are drawn. without_history: the share of rows that are not told of earlier moves. ahead: batches that
    are made while the one before is learned from, by so many threads."""

    size: int = 256
    seed: int = 0
    without_history: float = 0.05
    ahead: int = 2
    threads: int = 1


class Rows(Iterator[Batch]):
    """Batches drawn from a window, without end. Close it, or use it in a `with`."""

    def __init__(
        self, window: Window, view: View, drawing: Drawing = Drawing(), warn: Callable[[str], None] = warnings.warn
    ) -> None:
        self.window, self.view, self.drawing = window, view, drawing
        self._warn = warn
        self._drawn = 0
        self._ahead: deque[Future[Batch]] = deque()
        self._contents = window.contents
        self._pool = ThreadPoolExecutor(drawing.threads, thread_name_prefix="rows")

    def __enter__(self) -> Rows:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __next__(self) -> Batch:
        """The next batch. Raises ValueError when the window is empty."""
        if self._contents is not self.window.contents:
            self._forget()
        while len(self._ahead) <= self.drawing.ahead:
            number = self._drawn + len(self._ahead)
            self._ahead.append(self._pool.submit(self.batch, self._contents, number))
        batch = self._ahead.popleft().result()
        self._drawn += 1
        return batch

    def batch(self, contents: Contents, number: int) -> Batch:
        """Batch `number`. A row of an illegal game is left out, with a warning. Raises ValueError when none is left."""
        random = np.random.default_rng([self.drawing.seed, number])
        picks = contents.draw(self.drawing.size, random)
        width, height = picks[0].game.width, picks[0].game.height
        count = self.view.features.symmetries(width, height)
        symmetries = random.integers(0, count, len(picks), dtype=np.int32)
        has_history = random.random(len(picks)) >= self.drawing.without_history
        try:
            return encode(self.view, picks, symmetries, has_history)
        except ValueError:
            return self._legal(picks, symmetries, has_history)

    def state(self) -> dict[str, Any]:
        """What `restore` needs to go on with the very next batch: plain numbers and names."""
        return {"seed": self.drawing.seed, "drawn": self._drawn, "shards": list(self.window.contents.names)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a state; the window must hold its shards again (`Window.restore`). Raises ValueError."""
        if state["seed"] != self.drawing.seed or tuple(state["shards"]) != self.window.contents.names:
            raise ValueError("the state is of another seed or window")
        self._drawn = int(state["drawn"])
        self._forget()

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._ahead.clear()

    def _forget(self) -> None:
        """Batches that were made too early."""
        for future in self._ahead:
            future.cancel()
        self._ahead.clear()
        self._contents = self.window.contents

    def _legal(self, picks: list[Pick], symmetries: NDArray[np.int32], has_history: NDArray[np.bool_]) -> Batch:
        good: list[int] = []
        for i, pick in enumerate(picks):
            try:
                inputs(self.view, [pick], symmetries[i : i + 1], has_history[i : i + 1])
                good.append(i)
            except ValueError as error:
                self._warn(f"a game of {pick.game.game} is not learned from: {str(error).partition(': ')[2] or error}")
        if not good:
            raise ValueError("no game of the window is legal")
        return encode(self.view, [picks[i] for i in good], symmetries[good], has_history[good])


def _plain(view: View, picks: Sequence[Pick]) -> Batch:
    batch = encode(view, picks, np.zeros(len(picks), np.int32), np.ones(len(picks), np.bool_))
    return batch._replace(weight=_weights(picks))


def _weights(picks: Sequence[Pick]) -> Floats:
    return np.array([pick.game.weights[pick.ply] for pick in picks], np.float32)


@dataclass(frozen=True, eq=False)
class _Places:
    """Where the moves of one size of board are in a policy: symmetries x moves."""

    policy: NDArray[np.int64]
    cells: int
    shape: tuple[int, int]

    @classmethod
    def of(cls, features: FeatureSet, width: int, height: int) -> _Places:
        key = (features.game, features.name, width, height)
        if key not in _PLACES:
            moves = range(features.policy_size(width, height))
            symmetries = range(features.symmetries(width, height))
            places = [[features.policy_index(move, width, height, turn) for move in moves] for turn in symmetries]
            _PLACES[key] = cls(np.array(places), width * height, (height, width))
        return _PLACES[key]


_PLACES: dict[tuple[str, str, int, int], _Places] = {}


def _targets(places: _Places, picks: Sequence[Pick], symmetries: NDArray[np.int32]) -> tuple[Floats, ...]:
    """policy, next_policy, value, found, score, owners, weight."""
    n, moves = len(picks), places.policy.shape[1]
    policy, reply = np.zeros((n, moves), np.float32), np.zeros((n, moves), np.float32)
    value, found = np.zeros((n, 3), np.float32), np.full((n, 3), np.nan, np.float32)
    score, owners = np.full(n, np.nan, np.float32), np.full((n, places.cells), np.nan, np.float32)
    for i, (game, ply) in enumerate(picks):
        place, sign = places.policy[symmetries[i]], -1 if ply % 2 else 1
        _put(policy[i], place, game, ply)
        if ply + 1 < len(game.moves):
            _put(reply[i], place, game, ply + 1)
        value[i, round(2 * (1 - game.outcome if sign > 0 else game.outcome))] = 1
        if np.isfinite(game.margin):
            score[i] = sign * game.margin
        if game.owners is not None:
            owners[i, place[: places.cells]] = sign * game.owners.ravel()
        win, draw, _ = game.values[ply]
        found[i] = win, draw, 1 - win - draw
    return policy, reply, value, found, score, owners.reshape(n, *places.shape), np.ones(n, np.float32)


def _put(policy: Floats, place: NDArray[np.int64], game: PlayedGame, ply: int) -> None:
    """What the policy should be before a move: what the search said, else the move."""
    start, end = game.target_offsets[ply : ply + 2]
    moves, shares = game.target_moves[start:end], game.target_shares[start:end]
    if end == start:
        moves, shares = game.moves[ply : ply + 1], np.ones(1, np.float32)
    if moves.max() >= len(place):  # a pass, which this policy has not
        moves, shares = moves[moves < len(place)], shares[moves < len(place)]
    total = shares.sum()
    if total > 0:
        policy[place[moves]] = shares / total


@lru_cache(maxsize=4096)
def _start(game: str, width: int, height: int, rules: str, komi: float) -> State:
    return get_game(game).new_state(width, height, _rules(game, rules), komi)


@lru_cache(maxsize=256)
def _rules(game: str, rules: str) -> Rules:
    return hooks_of(get_game(game)).parse_rules(get_game(game), rules)


@lru_cache(maxsize=256)
def _facts(rules: str, suicide_in_life: bool) -> _core.KataFacts:
    """What katago-v7 is told of Go rules."""
    from tengen.engine.games.go_rules import GoRules

    known = _rules("go", rules)
    assert isinstance(known, GoRules)
    return _core.KataFacts(
        has_button=known.has_button, friendly_pass=known.friendly_pass, suicide_in_life=suicide_in_life
    )
