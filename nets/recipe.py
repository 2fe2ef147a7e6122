"""Recipes of learning, as values of a TOML file. It knows no torch."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, pi
from typing import Any

from tengen.engine.options import number

OPTIMIZERS = ("adamw", "adam", "sgd")
PRECISIONS = ("auto", "bf16", "f32")
SHAPES = ("cosine", "constant", "pieces")
VALUE_LOSSES = ("cross-entropy", "square")


@dataclass(frozen=True)
class Schedule:
    """The learning rate: up to `largest` in `rise` steps, then by its shape.

    cosine: down half a cosine to `floor` of it at the end; constant; pieces: (part done, share of the largest) from
    there on, the parts ascending. Raises ValueError with one sentence.
    """

    largest: float
    floor: float = 0.02
    rise: int = 100
    shape: str = "cosine"
    pieces: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise ValueError(f"a learning rate has no shape '{self.shape}'; there are {', '.join(SHAPES)}")
        if list(self.pieces) != sorted(self.pieces) or (self.shape == "pieces") != bool(self.pieces):
            raise ValueError("the pieces of a learning rate must ascend, and belong to the shape 'pieces'")

    def rate(self, step: int, part: float) -> float:
        """Return the rate of a step, counted from 0, when this part of the training (0 to 1) is done."""
        return self.largest * min(1.0, (step + 1) / max(self.rise, 1)) * self._share(min(part, 1.0))

    def _share(self, part: float) -> float:
        if self.shape == "pieces":
            return next((share for begin, share in reversed(self.pieces) if part >= begin), 1.0)
        if self.shape == "constant":
            return 1.0
        return self.floor + (1 - self.floor) * (0.5 * (1 + cos(pi * part)))


def _share(usual: float, doc: str) -> Any:
    """What a loss counts, and what it is about, as a setting of a run shows it."""
    return field(default=usual, metadata={"option": number("", usual, 0, 1000, doc)})


@dataclass(frozen=True)
class LossWeights:
    """The weight of each head's loss (`LOSSES` of `nets.losses`); a network without the head ignores it. Also the
    section `losses` of a run's settings. KataGo's figures (the module metrics_pytorch of its training), margins in the
    game's unit."""

    policy: float = _share(1.0, "the policy")
    next_policy: float = _share(0.15, "the opponent's reply")
    soft_policy: float = _share(8.0, "the softened policy")
    value: float = _share(1.2, "the result")
    score: float = _share(0.006, "the lead")
    score_mean: float = _share(0.0015, "the mean of the margin")
    score_stdev: float = _share(0.001, "its standard deviation")
    ownership: float = _share(1.5, "who owns each point")
    value_error: float = _share(2.0, "the error to come of the value")
    score_error: float = _share(0.00002, "the error to come of the lead")
    evaluation: float = _share(0.01, "the margin, of patterns")


@dataclass(frozen=True)
class KLRule:
    """A learning rate that follows how far the policy moves, as AlphaZero_Gomoku's (github.com/junxiaosong).

    A batch is learned from `epochs` times, less if the divergence exceeds four times `target`; the rate's multiplier is
    divided by `factor` above twice the target and multiplied below half of it, within `least` and `most`.
    """

    target: float = 0.02
    epochs: int = 5
    factor: float = 1.5
    least: float = 0.1
    most: float = 10.0

    def multiplier(self, now: float, divergence: float) -> float:
        """Return the multiplier of the next batch."""
        if divergence > 2 * self.target and now > self.least:
            return now / self.factor
        if divergence < self.target / 2 and now < self.most:
            return now * self.factor
        return now


@dataclass(frozen=True)
class LearningRecipe:
    """The recipe by which a network that plays learns from games. Raises ValueError with one sentence.

    optimizer: adam is that of AlphaZero_Gomoku, whose decay is a part of the gradient.
    steps: after so many the schedule is at its end (0: whoever calls says how far it is). decay: of weights, not of
    norms and biases. average: share that the average of the weights keeps of itself at a step, at most. found: share of
    what the search found, against the outcome, in the value to learn. value_loss: cross-entropy of the result, or the
    squared error of the expected one.
    """

    schedule: Schedule = field(default_factory=lambda: Schedule(0.005))
    steps: int = 0
    optimizer: str = "adamw"
    decay: float = 1e-4
    momentum: float = 0.9
    clip: float = 5.0
    average: float = 0.998
    precision: str = "auto"
    device: str = "auto"
    found: float = 0.5
    value_loss: str = "cross-entropy"
    weights: LossWeights = field(default_factory=LossWeights)
    kl: KLRule | None = None

    def __post_init__(self) -> None:
        chosen = (self.optimizer, OPTIMIZERS), (self.precision, PRECISIONS), (self.value_loss, VALUE_LOSSES)
        for value, choices in chosen:
            if value not in choices:
                raise ValueError(f"a training knows no '{value}'; there are {', '.join(choices)}")
        if not 0 <= self.found <= 1 or not 0 <= self.average < 1 or self.clip <= 0 or self.steps < 0:
            raise ValueError("a training needs 0 <= found <= 1, 0 <= average < 1, clip > 0 and steps >= 0")
