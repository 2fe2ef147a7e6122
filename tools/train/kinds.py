"""What the networks of a game are, where a run leaves it open: the kind of model, what it sees, how its file ends."""

from __future__ import annotations

from tengen.tools.train.config import AUTO, RunConfig

KATAGO, RESIDUAL = "katago", "residual"
KINDS = {"go": KATAGO}
"""By game; else RESIDUAL."""
FEATURES = {
    KATAGO: "katago-v7", "alphazero-gomoku": "alphazero-gomoku-v1", "clevergo": "clevergo-v1",
}  # fmt: skip
"""By kind; else the first of the game's own."""
KATAGO_ENDING, ONNX_ENDING = ".bin.gz", ".onnx"


def kind_of(config: RunConfig) -> str:
    """The kind of model."""
    return config.model.kind if config.model.kind != AUTO else KINDS.get(config.board.name, RESIDUAL)


def features_of(config: RunConfig) -> str:
    """The name of the feature set that it sees."""
    wished = config.model.features
    return wished if wished != AUTO else FEATURES.get(kind_of(config), f"{config.board.name}-v1")


def ending_of(config: RunConfig) -> str:
    """Of the name of a network's file: KataGo's format, or ONNX."""
    return KATAGO_ENDING if kind_of(config) == KATAGO else ONNX_ENDING
