"""Networks for tests of players: a tiny one of KataGo's kind with random weights, and what names it."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path

from checkout import needs_openvino
from katago_files import file_of, network
from onnx_files import write_player

from tengen.engine.games.base import Game
from tengen.engine.search.guide import Guide

FIRST = {"go": "go-v1", "gomoku": "gomoku-v1", "reversi": "reversi-v1"}


@lru_cache(maxsize=1)
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="networks")


def tiny() -> Path:
    """The file of a network that says something else of every position."""
    path = Path(_folder().name) / "tiny.bin.gz"
    if not path.exists():
        path.write_bytes(file_of(network(("ordinary", "pooling"), 8, activation="relu")))
    return path


def onnx(game: str, features: str = "") -> Path:
    """The file of one of ours for a game: by a feature set, or by the first of the game."""
    name = features or FIRST[game]
    path = Path(_folder().name) / f"{name}.onnx"
    return path if path.exists() else write_player(path.parent, game, name)


def guide() -> Guide:
    """That network, loaded in f32."""
    from tengen.engine.evaluators.background import loading_of

    return loading_of(str(tiny()), wish="f32").get().evaluator


def settings(game: Game, player: str) -> dict[str, str]:
    """What a player has to be told to play: the network, where it needs one. Skips without what runs it."""
    entry = game.players[player]
    if not entry.needs_network or entry.weights is not None:
        return {}
    needs_openvino()
    file = tiny() if game.name == "go" and not entry.features else onnx(game.name, *entry.features[:1])
    return {f"{entry.search}.network": str(file), f"{entry.search}.precision": "f32"}
