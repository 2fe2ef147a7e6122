"""A network that plays as the file that the engine plays by, with its card: of the kind "katago" .bin.gz, of patterns
.safetensors, else .onnx.

What is only learned (the opponent's reply) is left out. The card says what the network is for, takes and gives; who
trains it adds name, purpose, licence, training and figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path

import torch
from torch import Tensor, nn

from tengen.engine.evaluators.backends.features import GLOBALS, OUTPUTS, PLANES
from tengen.nets.export import export as export_onnx
from tengen.nets.katago_export import export_katago
from tengen.nets.models import KataGoNet, Plays
from tengen.nets.patterns import EVALUATOR, Patterns, export_patterns

SCORE = "n x 1: the margin expected for the side to move"


def suffix(model: nn.Module) -> str:
    """The ending of its file's name."""
    if isinstance(model, Patterns):
        return ".safetensors"
    return ".bin.gz" if isinstance(model, KataGoNet) else ".onnx"


def export(model: nn.Module, path: Path, card: Mapping[str, object], boards: tuple[int, int] | None = None) -> None:
    """Write a model of `models.build` to `path`, which ends by its `suffix`, and its card. The model stays as it is.

    boards: the least and the greatest side of those that it learned, for the card."""
    plays: Plays = model.plays
    model = deepcopy(model).float().cpu().eval()
    if isinstance(model, Patterns):
        return export_patterns(model, path, {**card, "plays": {"game": plays.game, "evaluator": EVALUATOR}})
    played: dict[str, object] = {"game": plays.game, "features": plays.features}
    if boards is not None:
        played["boards"] = list(boards)
    entry = {"shape": [0, len(plays.planes), *_size(plays)], "channels": list(plays.planes), "normalisation": "none"}
    if isinstance(model, KataGoNet):
        outputs = "of KataGo's format: policy, value, score, ownership"
        return export_katago(model, path, {**card, "plays": played, "input": entry, "outputs": {"all": outputs}})
    example = {PLANES: torch.zeros(2, len(plays.planes), *_size(plays))}
    if plays.numbers:
        example[GLOBALS] = torch.zeros(2, plays.numbers)
    with torch.no_grad():
        has_score = "score" in model(*example.values())
    described = {**OUTPUTS, "score": SCORE} if has_score else dict(OUTPUTS)
    card = {**card, "plays": played, "input": entry, "outputs": described}
    return export_onnx(_Played(model, has_score=has_score), path, example, list(described), card)


def _size(plays: Plays) -> tuple[int, int]:
    """Height and width; 0: any."""
    return (0, 0) if plays.board is None else (plays.board[1], plays.board[0])


class _Played(nn.Module):
    """The answers that a card names, in its order."""

    def __init__(self, model: nn.Module, *, has_score: bool) -> None:
        super().__init__()
        self.model, self.has_score = model, has_score
        self.columns = [model.results.index(name) for name in ("win", "draw", "loss")]

    def forward(self, planes: Tensor, numbers: Tensor | None = None) -> tuple[Tensor, ...]:
        answers = self.model(planes, numbers)
        found = answers["policy"], answers["value"][:, self.columns]
        return (*found, answers["score"][:, None]) if self.has_score else found
