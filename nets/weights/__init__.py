"""The networks that tengen ships, each with its card NAME.toml: of photos NAME.onnx, for
`tengen.engine.evaluators.backends.load`; of Go NAME.bin.gz, which `net = auto` finds here; of
Reversi NAME.safetensors, which `alphabeta.weights = auto` does (`tengen.engine.evaluators.shipped`)."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def names() -> tuple[str, ...]:
    """Every ONNX network that is here."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.onnx")))


def path_of(name: str) -> Path:
    """The ONNX file of a network, there or not: `load` says what is missing."""
    return FOLDER / f"{name}.onnx"
