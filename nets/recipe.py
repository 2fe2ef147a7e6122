"""Recipes of learning, as values of a TOML file. It knows no torch."""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass
from math import cos, pi
from typing import TYPE_CHECKING, Any

from tengen.engine.options import number
from tengen.nets.targets import TARGETS, Target

OPTIMIZERS = ("adamw", "adam", "sgd", "muon")
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


def _share(target: Target) -> Any:
    """What a loss counts, and what it is about, as a setting of a run shows it."""
    return field(default=target.weight, metadata={"option": number("", target.weight, 0, 1000, target.doc)})


if TYPE_CHECKING:

    @dataclass(frozen=True, init=False)
    class LossWeights:
        """See below: type checkers cannot see the fields."""

        def __init__(self, **weights: float) -> None: ...
        def __getattr__(self, name: str) -> float: ...

else:
    LossWeights = make_dataclass(
        "LossWeights", [(name, float, _share(target)) for name, target in TARGETS.items()], frozen=True
    )
    LossWeights.__doc__ = """The weight of each target's loss, a field for each of `nets.targets.TARGETS`; a network
    without the head ignores it. Also the section `losses` of a run's settings."""


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

    optimizer: adam is that of AlphaZero_Gomoku, whose decay is a part of the gradient; muon takes orthogonal steps in
    the blocks (`nets.muon`), and those of adamw elsewhere.
    steps: after so many the schedule is at its end (0: whoever calls says how far it is). decay: of weights, not of
    norms and biases. average: share that the average of the weights keeps of itself at a step, at most. found: share of
    what the search found, against the outcome, in the value to learn. value_loss: cross-entropy of the result, or the
    squared error of the expected one. settle: from this part of the steps on, normalisations no longer go by the batch
    but by the statistics that the network plays by, which stay as they are (1: never). A batch has boards of one size
    and play has the mean over all sizes, so a network for several sizes plays otherwise than it learned without it.
    """

    schedule: Schedule = field(default_factory=lambda: Schedule(0.005))
    steps: int = 0
    optimizer: str = "adamw"
    decay: float = 1e-4
    momentum: float = 0.9
    clip: float = 5.0
    average: float = 0.998
    settle: float = 1.0
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
        if not 0 <= self.settle <= 1:
            raise ValueError("a training needs 0 <= settle <= 1")
        if not 0 <= self.found <= 1 or not 0 <= self.average < 1 or self.clip <= 0 or self.steps < 0:
            raise ValueError("a training needs 0 <= found <= 1, 0 <= average < 1, clip > 0 and steps >= 0")
