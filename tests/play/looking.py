"""Searches that only look: the tiny network's policy and value, and networks that are told what to say."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import networks
import numpy as np

from tengen.engine.evaluators.network import Evaluation
from tengen.engine.games import get_game
from tengen.engine.options import Value
from tengen.engine.search import make_search
from tengen.engine.search.base import Search

GO = get_game("go")


def search(player: str, **options: Value) -> Search:
    """Repeatable, with the tiny network, which sees positions as they are."""
    named = {"network": str(networks.tiny()), "precision": "f32", "seed": 7, "symmetry": "none", **options}
    return make_search(GO, player, {f"{player}.{name}": value for name, value in named.items()})


class Asked(NamedTuple):
    """A batch that a network was shown."""

    planes: Any
    numbers: Any


class Told:
    """A network that notes what it is shown and says what a function of it says: logits, chances, points."""

    told: Mapping[str, bool] = MappingProxyType({})

    def __init__(self, says: Callable[[Asked], tuple[Any, Any, Any]]) -> None:
        self.says, self.batches = says, list[Asked]()

    def submit(self, planes: Any, numbers: Any, *, is_root: Any) -> Told:
        self.batches.append(Asked(planes.copy(), numbers.copy()))
        return self

    def wait(self) -> Evaluation:
        policies, values, scores = self.says(self.batches[-1])
        count, _, height, width = self.batches[-1].planes.shape
        owners = np.zeros((count, height, width), np.float32)
        return Evaluation(
            np.asarray(policies, np.float32),
            np.asarray(values, np.float32),
            np.asarray(scores, np.float32),
            {"ownership": owners},
        )


class Slow(Told):
    """A network that answers after a second, in an error."""

    def __init__(self) -> None:
        super().__init__(lambda asked: (None, None, None))

    def wait(self) -> Evaluation:
        time.sleep(1)
        raise RuntimeError("nobody waits for this")


def told(player: str, says: Callable[[Asked], tuple[Any, Any, Any]], **options: Value) -> tuple[Search, Told]:
    """A search with such a network."""
    named = {"seed": 7, "symmetry": "none", **options}
    made, network = make_search(GO, player, {f"{player}.{name}": value for name, value in named.items()}), Told(says)
    made.use(lambda _size: network)  # type: ignore[attr-defined]
    return made, network
