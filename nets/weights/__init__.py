"""The networks that Tengen ships, each with its card NAME.toml.

Photos: NAME.onnx, opened by `tengen.engine.evaluators.backends.load`. Go: NAME.bin.gz, found by `net = auto`.
Reversi, chess and Gomoku: NAME.safetensors, found by `alphabeta.weights = auto` (`tengen.engine.evaluators.shipped`).
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def names() -> tuple[str, ...]:
    """Every ONNX network that is here."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.onnx")))


def path_of(name: str) -> Path:
    """Return the path of a network's ONNX file, also of a missing one: `load` reports it."""
    return FOLDER / f"{name}.onnx"
