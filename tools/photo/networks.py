"""The shipped networks of `tengen photo`, each loaded when it is first used."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tengen.engine.evaluators.backends import Network, load
from tengen.nets.weights import path_of

Array = NDArray[np.float32]
BUCKETS = {"compare": (64,), "sides": (8,)}
"""Rows that a network is run on at a time, one if none is said: a whole picture or board is work enough, and scratch
memory, which is kept for every size of it, is then that of one row instead of a board's eight symmetries."""


def run(name: str, inputs: Array) -> Mapping[str, Array]:
    """The outputs of the network photo-NAME, by name. Raises NetworkError when it cannot be used."""
    return network(name).backend.run(inputs)


@lru_cache(maxsize=8)
def network(name: str) -> Network:
    """The network photo-NAME with its card."""
    return load(path_of(f"photo-{name}"), buckets=BUCKETS.get(name, (1,)))
