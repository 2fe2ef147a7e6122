"""The two contracts of an evaluator, and the name of what a network sees.

**LeafEvaluator** (C++, inline; `engine/core/concepts.hpp` holds the concept). A small object per search thread with

    void start(const State& root);                 // follow this position from now on
    void play(State& state, Move move);            // play it on the state and update, at a few nanoseconds
    Result evaluate(State& state, Random& random); // value for the side to move, score, and ownership when asked
    float prior(const State& state, Move move);    // how good a move looks, before any visit

It owns no memory per position, allocates nothing after `start`, never throws and never calls Python.

**BatchEvaluator** (Python, below): planes of many leaves in, policies and values out. Both give every value for the
side to move at the leaf; only protocols flip.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


@dataclass(frozen=True)
class FeatureSet:
    """How a position becomes planes; named by a network's card, encoded in the core.

    A set never changes once a network used it: a new meaning is a new version. planes: channels of height x width.
    recent: how many last moves it encodes. has_komi, has_rules: whether komi (from the mover's view), scoring, ko
    rule and suicide are among the planes; all that is encoded belongs into the key of a cache of answers.
    """

    game: str
    name: str
    version: int
    planes: int
    recent: int = 0
    has_komi: bool = True
    has_rules: bool = True

    @property
    def id(self) -> str:
        """ "go-v1"."""
        return f"{self.name}-v{self.version}"


class Evaluation(NamedTuple):
    """Answers for a batch of n leaves, each for its side to move.

    policies: n x (cells + 1) logits, pass last, not masked. values: n x 3 probabilities (win, draw, loss).
    scores: n expected margins in the game's unit. extras: more heads by name, such as "ownership" (n x height x
    width, -1..1, +1 = the mover's).
    """

    policies: NDArray[float32]
    values: NDArray[float32]
    scores: NDArray[float32]
    extras: Mapping[str, NDArray[float32]]


class BatchEvaluator(Protocol):
    """A policy-value network behind some back end. One thread calls it at a time."""

    @property
    def features(self) -> FeatureSet:
        """What the planes must hold."""

    @property
    def buckets(self) -> tuple[int, ...]:
        """Batch sizes it was prepared for, ascending; callers pad to one of them."""

    def evaluate(self, planes: NDArray[float32]) -> Evaluation:
        """Evaluate n x planes x height x width, C-contiguous. Raises RuntimeError when the back end fails."""

    def close(self) -> None:
        """Give memory and threads back."""
