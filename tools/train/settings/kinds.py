"""Defaults of a game's networks: the kind of model, what it sees, how its file ends."""

from __future__ import annotations

from tengen.engine.games import GAMES, get_game
from tengen.tools.train.settings.config import RunConfig
from tengen.tools.train.settings.sections import AUTO

CHESS_NETWORK = "chess-network"
"""A kind that `tengen train fit` alone learns, from labelled positions."""
LINE_NETWORK = "line-network"
"""The same, from games of Gomoku that were searched."""
KINDS = KATAGO, RESIDUAL, ALPHAZERO_GOMOKU, CLEVERGO, PATTERNS, PATTERN_NETWORK, CHESS, CHESS_FROMTO = (
    "katago", "residual", "alphazero-gomoku", "clevergo", "patterns", "pattern-network", "chess", "chess-fromto",
)  # fmt: skip
"""The kinds of models, as `tengen.nets.models` has them."""
LOOKING_AHEAD = (PATTERNS, PATTERN_NETWORK)
"""Those that learn what a position is worth, from games of alpha-beta, and are weights of an evaluator of the core."""
ONE_SIZE = (RESIDUAL, ALPHAZERO_GOMOKU, CLEVERGO, CHESS, CHESS_FROMTO, *LOOKING_AHEAD)
"""Those that a run builds for one size of board."""
FEATURES = {
    KATAGO: "katago-v7", ALPHAZERO_GOMOKU: "alphazero-gomoku-v1", CLEVERGO: "clevergo-v1",
    CHESS: "chess-v2", CHESS_FROMTO: "chess-fromto-v1",
}  # fmt: skip
"""The feature sets by kind; else the first of the game's own."""
PLAYERS = (ALPHAZERO_GOMOKU, CLEVERGO)
"""Kinds whose networks play matches by the player of that name, as their programs search; else by `puct`."""
PLAYERS_OF_CHESS = {CHESS: "human", CHESS_FROMTO: "fromto"}
"""The players by networks of chess."""
ENDINGS = KATAGO_ENDING, ONNX_ENDING, WEIGHTS_ENDING = ".bin.gz", ".onnx", ".safetensors"


def kind_of(config: RunConfig) -> str:
    """The kind of model."""
    if config.model.kind != AUTO:
        return config.model.kind
    return get_game(config.board.name).parts.model if config.board.name in GAMES else RESIDUAL


def features_of(config: RunConfig) -> str:
    """The name of the feature set that it sees."""
    wished = config.model.features
    return wished if wished != AUTO else FEATURES.get(kind_of(config), f"{config.board.name}-v1")


def ending_of(config: RunConfig) -> str:
    """Return the ending of the name of a network's file: KataGo's format, ONNX, or weights of an evaluator of the
    core."""
    if kind_of(config) in LOOKING_AHEAD:
        return WEIGHTS_ENDING
    return KATAGO_ENDING if kind_of(config) == KATAGO else ONNX_ENDING


def player_of(config: RunConfig) -> str:
    """Return the player that uses its networks in matches."""
    kind = kind_of(config)
    if kind in LOOKING_AHEAD:
        return "alphabeta"
    return kind if kind in PLAYERS else PLAYERS_OF_CHESS.get(kind, "puct")
