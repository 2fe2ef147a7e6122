"""The network of a run, learning by torch from a window of the games: implements `learning.Learning`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from tengen.engine.evaluators.backends.features import feature_set
from tengen.tools.train.config import RunConfig

if TYPE_CHECKING:
    from tengen.engine._core import FeatureSet
    from tengen.nets.recipe import LearningRecipe
    from tengen.nets.spec import ModelSpec

FEATURES = {"go": "katago-v7", "gomoku": "gomoku-v1", "reversi": "reversi-v1"}
"""What the networks of a game see."""
KINDS = {"go": "katago"}
"""What is built for a game; else "residual"."""
TOLD = ("loss", "policy_loss", "value_loss", "ownership_loss", "entropy", "value_error", "top1", "explained_variance")
"""Figures of the learner that are told, by the names that they have there."""
JUDGED = ("loss", "policy_loss", "value_loss", "entropy", "value_error", "top1", "explained_variance")
HELD_ROWS = 2048
"""Of held-out games that a network is judged by."""


def spec_of(config: RunConfig) -> ModelSpec:
    """What is built. Raises ConfigError, ValueError."""
    from tengen.nets.spec import ModelSpec

    table = asdict(config.model)
    if table["kind"] == "auto":
        table["kind"] = KINDS.get(config.board.name, "residual")
    return ModelSpec(**table)


def recipe_of(config: RunConfig) -> LearningRecipe:
    """How it learns."""
    from tengen.nets.recipe import LearningRecipe, LossWeights, Schedule

    training = config.training
    shape = "cosine" if training.fall else "constant"
    return LearningRecipe(
        schedule=Schedule(training.rate, training.floor, training.rise, shape),
        steps=training.fall,
        optimizer=training.optimizer,
        decay=training.decay,
        momentum=training.momentum,
        clip=training.clip,
        average=training.average,
        precision=training.precision,
        device=training.device,
        found=training.found,
        value_loss=training.value_loss,
        weights=LossWeights(**asdict(config.losses)),
    )


def features_of(config: RunConfig) -> FeatureSet:
    """What the network sees."""
    return feature_set(config.board.name, FEATURES[config.board.name])
