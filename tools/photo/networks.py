"""The shipped networks of `tengen photo`, each loaded when it is first used."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tengen.engine.evaluators.backends import Network, NetworkError, load
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
    """The network photo-NAME with its card. Raises NetworkError when it cannot be used."""
    path = path_of(f"photo-{name}")
    if not path.exists():
        raise NetworkError(
            f"the networks that read photos are not installed ('{path.name}' is missing): they are in the wheel "
            "tengen_engine_photo, beside that of Tengen"
        )
    return load(path, buckets=BUCKETS.get(name, (1,)))
