"""Rows of games as arrays for a network: what it sees, and what it should say of it. All is for the side to move.

The core encodes (`encode_rows_GAME_SET`, without the GIL), through a symmetry for each row; the targets turn with the
planes. Batch k of a run depends only on the seed, k and what the window then holds, however far a thread was ahead.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy import float32
from numpy.typing import NDArray

from tengen.engine import _core
from tengen.engine._core import FeatureSet
from tengen.engine.evaluators import ratings
from tengen.engine.games import get_game
from tengen.engine.games.base import Rules, State
from tengen.engine.games.hooks import hooks_of
from tengen.tools.train.data.game import PlayedGame
from tengen.tools.train.data.games import Games, spans, together
from tengen.tools.train.data.targets import Places, targets
from tengen.tools.train.data.window import Contents, Picks, Window

Floats = NDArray[float32]


class Batch(NamedTuple):
    """n rows of one size of board.

    planes: n x planes x height x width; numbers: n x globals, None where the feature set has none. policy: n x moves,
    by policy index, sums 1 (zeros: a pass that it has not). next_policy: the opponent's reply, zeros where there was
    none. value: n x 3, win, draw, loss, how the game ended. found: n x 3, the same as the search found it; NaN unknown.
    score: n, in the game's unit at its end; NaN unknown. owners: n x height x width, 1 own, -1 the opponent's; NaN
    unknown. found_score: n, the score that the search expected; NaN unknown. weight: n. labels: further
    targets (`nets.targets`), n x numbers each, by name; NaN unknown. None if there are none.
    """

    planes: Floats
    numbers: Floats | None
    policy: Floats
    next_policy: Floats
    value: Floats
    found: Floats
    score: Floats
    owners: Floats
    found_score: Floats
    weight: Floats
    labels: Mapping[str, Floats] | None = None


@dataclass(frozen=True)
class View:
    """How a network sees games. suicide_in_life: as a KataGo file's header has it."""

    features: FeatureSet
    suicide_in_life: bool = False


def encode(view: View, picks: Picks, symmetries: NDArray[np.int32], has_history: NDArray[np.bool_]) -> Batch:
    """Rows, one a pick, all of one size. Raises ValueError for an illegal game, naming its number and the ply."""
    planes, numbers = inputs(view, picks, symmetries, has_history)
    places = Places.of(view.features, *_size(picks))
    return Batch(planes, numbers, *targets(places, picks, symmetries))


def inputs(
    view: View, picks: Picks, symmetries: NDArray[np.int32], has_history: NDArray[np.bool_]
) -> tuple[Floats, Floats | None]:
    """The planes and numbers of the same."""
    features, (width, height), (games, numbers, plies) = view.features, _size(picks), picks
    planes = np.empty((len(plies), len(features.planes), height, width), np.float32)
    globals = np.empty((len(plies), len(features.globals)), np.float32) if features.globals else None
    moves, _ = spans(games.starts[numbers], plies)
    rules = games.columns["rule"][numbers].tolist()
    told = zip(rules, games.columns["komi"][numbers].tolist(), strict=True)
    arguments = [
        [_start(games.game, width, height, games.rules[rule], komi) for rule, komi in told],
        games.columns["moves"][moves], np.concatenate([[0], np.cumsum(plies, dtype=np.int64)]),
        plies.astype(np.int32), np.ascontiguousarray(symmetries, np.int32),
        np.ascontiguousarray(has_history, np.bool_), planes, globals,
    ]  # fmt: skip
    if features.name == "katago-v7":
        facts = [facts_of(name, view.suicide_in_life) for name in games.rules]
        arguments.append([facts[rule] for rule in rules])
    encoder(features)(*arguments)
    if globals is not None and ratings.are_seen_by(features):
        found = np.where(has_history[:, None], games.ratings[numbers], np.nan)
        rows, side = np.arange(len(plies)), plies % 2
        ratings.tell(features, globals, found[rows, side], found[rows, 1 - side])
    return planes, globals


def encoder(features: FeatureSet) -> Callable[..., None]:
    """The core's function for a feature set: of its own, or of its game by name."""
    parts = get_game(features.game).parts
    try:
        own: Callable[..., None] = parts.native(f"encode_rows_{features.game}_{features.name}".replace("-", "_"))
    except AttributeError:
        return partial(parts.native(f"encode_rows_{features.game}"), features.name)
    return own


def augmented(view: View, games: Sequence[PlayedGame]) -> Batch:
    """Every row of games on one size of board through every symmetry of it, those of a row side by side."""
    picks = rows_of(together(games))
    count = view.features.symmetries(*_size(picks))
    symmetries = np.tile(np.arange(count, dtype=np.int32), len(picks.plies))
    return _weighed(view, Picks(picks.games, picks.numbers.repeat(count), picks.plies.repeat(count)), symmetries)


def every(view: View, games: Games | Sequence[PlayedGame], size: int) -> Iterator[Batch]:
    """All rows of games as they are, in their order but for one size of board a batch, `size` at most in each: to
    measure a network by."""
    if not len(games):
        return
    picks = rows_of(games if isinstance(games, Games) else together(games))
    columns = picks.games.columns
    boards = (columns["width"].astype(np.int64) << 8 | columns["height"])[picks.numbers]
    places = [np.flatnonzero(boards == board) for board in np.unique(boards)]
    parts = [one[start : start + size].tolist() for one in places for start in range(0, len(one), size)]
    for part in sorted(parts, key=lambda rows: rows[-1]):
        yield _weighed(view, picks.at(part), np.zeros(len(part), np.int32))


def rows_of(games: Games) -> Picks:
    """The positions of games that count."""
    plies = [np.flatnonzero(games.weights(number)) for number in range(len(games))]
    numbers = np.arange(len(games)).repeat([len(one) for one in plies])
    return Picks(games, numbers, np.concatenate(plies))


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
        count = self.view.features.symmetries(*_size(picks))
        symmetries = random.integers(0, count, self.drawing.size, dtype=np.int32)
        has_history = (random.random(self.drawing.size) >= self.drawing.without_history) & sees_history(picks)
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

    def _legal(self, picks: Picks, symmetries: NDArray[np.int32], has_history: NDArray[np.bool_]) -> Batch:
        good: list[int] = []
        for i in range(len(picks.plies)):
            try:
                inputs(self.view, picks.at([i]), symmetries[[i]], has_history[[i]])
                good.append(i)
            except ValueError as error:
                what = str(error).partition(": ")[2] or error
                self._warn(f"a game of {picks.games.game} is not learned from: {what}")
        if not good:
            raise ValueError("no game of the window is legal")
        return encode(self.view, picks.at(good), symmetries[good], has_history[good])


def sees_history(picks: Picks) -> NDArray[np.bool_]:
    """Whether earlier moves may be told of each row."""
    games, numbers, plies = picks
    blind = games.columns["blind"]
    return blind[games.starts[numbers] + plies] == 0 if len(blind) else np.ones(len(plies), np.bool_)


def _size(picks: Picks) -> tuple[int, int]:
    """Width and height."""
    number = picks.numbers[0]
    return int(picks.games.columns["width"][number]), int(picks.games.columns["height"][number])


def _weighed(view: View, picks: Picks, symmetries: NDArray[np.int32]) -> Batch:
    """Rows that were not drawn: each weighs what it weighs."""
    batch = encode(view, picks, symmetries, sees_history(picks))
    games, numbers, plies = picks
    weights = games.columns["weights"]
    return batch._replace(weight=weights[games.starts[numbers] + plies].copy()) if len(weights) else batch


@lru_cache(maxsize=4096)
def _start(game: str, width: int, height: int, rules: str, komi: float) -> State:
    return get_game(game).new_state(width, height, _rules(game, rules), komi)


@lru_cache(maxsize=256)
def _rules(game: str, rules: str) -> Rules:
    return hooks_of(get_game(game)).parse_rules(get_game(game), rules)


@lru_cache(maxsize=256)
def facts_of(rules: str, suicide_in_life: bool) -> _core.KataFacts:
    """What katago-v7 is told of Go rules."""
    from tengen.engine.games.go.rules import parse_rules

    known, _ = parse_rules(rules)
    return _core.KataFacts(
        has_button=known.has_button, friendly_pass=known.friendly_pass, suicide_in_life=suicide_in_life
    )
