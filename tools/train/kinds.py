"""What the networks of a game are, where a run leaves it open: the kind of model, what it sees, how its file ends."""

from __future__ import annotations

from tengen.engine.config import ConfigError
from tengen.tools.train.config import AUTO, RunConfig

KATAGO, RESIDUAL = "katago", "residual"
KINDS = {"go": KATAGO}
"""By game; else RESIDUAL."""
FEATURES = {
    KATAGO: "katago-v7", "alphazero-gomoku": "alphazero-gomoku-v1", "clevergo": "clevergo-v1",
}  # fmt: skip
"""By kind; else those of the game."""
GAME_FEATURES = {"go": "katago-v7", "gomoku": "gomoku-v1", "reversi": "reversi-v1"}
KATAGO_ENDING, ONNX_ENDING = ".bin.gz", ".onnx"


def kind_of(config: RunConfig) -> str:
    """The kind of model."""
    return config.model.kind if config.model.kind != AUTO else KINDS.get(config.board.name, RESIDUAL)


def features_of(config: RunConfig) -> str:
    """The name of the feature set that it sees. Raises ConfigError for a game that has none."""
    if config.model.features != AUTO:
        return config.model.features
    name = FEATURES.get(kind_of(config)) or GAME_FEATURES.get(config.board.name)
    if name is None:
        raise ConfigError(f"networks of {config.board.name} need model.features, the name of what they see")
    return name


def ending_of(config: RunConfig) -> str:
    """Of the name of a network's file: KataGo's format, or ONNX."""
    return KATAGO_ENDING if kind_of(config) == KATAGO else ONNX_ENDING
