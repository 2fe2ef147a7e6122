"""Games of self-play by made-up networks: what their answers say depends on the position alone."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.engine._core import FeatureSet, GoSelfPlay, GoState
from tengen.engine.evaluators.backends.features import feature_set
from tengen.engine.evaluators.network import Evaluation
from tengen.engine.search.selfplay import SelfPlayed, Start, play_games

Floats = NDArray[np.float32]


class Ticket:
    def __init__(self, answer: Evaluation) -> None:
        self.answer = answer

    def wait(self) -> Evaluation:
        return self.answer


class MadeUp:
    """Implements `BatchEvaluator` for Go: logits and values of a position are drawn by its encoding.

    win: that of the side to move, where it is given; liking: logits added to moves by dense move; has_scores: whether it
    says scores.
    """

    def __init__(
        self, *, win: float | None = None, liking: dict[int, float] | None = None, has_scores: bool = True, wide: float = 2.0
    ) -> None:
        self.win, self.liking, self.has_scores, self.wide = win, liking or {}, has_scores, wide
        self.features: FeatureSet = feature_set("go", "katago-v7")
        self.batches: list[int] = []
        self.roots: list[tuple[Floats, Floats]] = []

    def submit(self, planes: Floats, numbers: Floats | None = None, *, is_root: Any = False) -> Ticket:
        assert numbers is not None
        self.batches.append(len(planes))
        rows = [self.one(*row) for row in zip(planes, numbers, strict=True)]
        policies, values = (np.stack(part).astype(np.float32) for part in zip(*rows, strict=True))
        scores = 10 * (values[:, 0] - values[:, 2]) if self.has_scores else None
        return Ticket(Evaluation(policies, values, scores, {}))

    def one(self, planes: Floats, numbers: Floats) -> tuple[NDArray[Any], NDArray[Any]]:
        rng = np.random.default_rng(zlib.crc32(planes.tobytes() + numbers.tobytes()))
        policy = self.wide * rng.normal(size=planes[0].size + 1)
        for move, more in self.liking.items():
            policy[move] += more
        win = rng.random() if self.win is None else self.win
        return policy, np.array([win, 0, 1 - win])

    def close(self) -> None:
        pass


def state(size: int = 5, ko: str = "positional", komi: float = 0.5, **rules: Any) -> GoState:
    return GoState(size, size, ko=ko, komi=komi, **rules)


def starts(count: int, size: int = 5, first_seed: int = 0, **rules: Any) -> list[Start]:
    return [Start(state(size, **rules), (), first_seed + number) for number in range(count)]


def play(
    games: Sequence[Start], evaluator: Any = None, *, slots: int = 4, size: int = 5, room: int = 8, in_flight: int = 2,
    seed: int = 5, **settings: float,
) -> list[SelfPlayed]:  # fmt: skip
    """Those games, in the order of their numbers."""
    small = {"visits": 12, "cheap_visits": 4, "cache_mb": 1.0}
    actor = GoSelfPlay(slots, size, size, seed, {**small, **settings})
    left: Iterator[Start] = iter(games)
    played = list(play_games(actor, evaluator or MadeUp(), lambda: next(left, None), room, in_flight))
    return sorted(played, key=lambda game: game.number)


def same(a: SelfPlayed, b: SelfPlayed) -> bool:
    """Whether two games are the same in all but their numbers."""
    left, right = (game._replace(number=0)._asdict() for game in (a, b))
    del left["start"], right["start"]
    return all(np.array_equal(left[name], right[name], equal_nan=name == "values") for name in left)
