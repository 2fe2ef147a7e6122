"""Weights of an evaluator of the core: NAME.safetensors with its card NAME.toml, read into one shared object.

The object is handed to a native search when this is made; every thread of the search, and every tree that it makes
later, reads the same copy.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tengen.engine.evaluators.backends.base import NetworkError
from tengen.engine.evaluators.backends.cards import read_network
from tengen.engine.evaluators.safetensors import parse
from tengen.engine.sentence import excerpt

if TYPE_CHECKING:
    from tengen.engine._core import Weights


def read_weights(path: Path | str, game: str, evaluator: str) -> Weights:
    """The weights of a file for an evaluator of a game. Raises NetworkError with one sentence.

    It is raised when the file or its card is missing or damaged, when the file is not the one that the card describes
    (SHA-256), and when the card names another game or evaluator.
    """
    from tengen.engine._core import Weights

    file = Path(path)
    card, data = read_network(file)
    if (card.game, card.evaluator) != (game, evaluator):
        what = f"the evaluator {excerpt(card.evaluator)} of {excerpt(card.game)}" if card.evaluator else "no evaluator"
        raise NetworkError(f"the weights '{file.name}' are for {what}, not for '{evaluator}' of '{game}'")
    try:
        return Weights(card.name, card.sha256, parse(data), data)
    except ValueError as error:
        raise NetworkError(f"cannot read the weights '{file.name}': {error}") from None
