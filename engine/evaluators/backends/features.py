"""Whether a network that plays fits this build: its card names a game and a feature set, its file takes and gives what
networks of that set do.

Inputs: "planes", n x planes x height x width, and "globals", n x numbers, where the set has any. Outputs: those of
OUTPUTS, and what else the card describes.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from tengen.engine.evaluators.backends.base import Backend, NetworkError
from tengen.engine.evaluators.backends.cards import Card
from tengen.engine.games import GAMES, get_game
from tengen.engine.sentence import excerpt

if TYPE_CHECKING:
    from tengen.engine._core import FeatureSet

PLANES, GLOBALS = "planes", "globals"
OUTPUTS: Mapping[str, str] = {
    "policy": "n x moves: logits by policy index (`FeatureSet.policy_index`), not masked",
    "value": "n x 3: logits of win, draw, loss for the side to move",
}
"""The outputs of every network that plays. One may give "score" too: n x 1, the margin expected for the side to
move."""


def feature_set(game: str, name: str) -> FeatureSet:
    """The set of that name. Raises NetworkError unless this build encodes it for that game."""
    from tengen.engine import _core

    if game in GAMES:
        import_module(get_game(game).parts.core)  # which adds the sets of its games
    known = {features.name: features for features in _core.feature_sets() if features.game == game}
    if name not in known:
        kin = {one for one in known for other in known if one.startswith(f"{other}-")}
        there = ", ".join(one for one in known if one not in kin) or "none"
        raise NetworkError(
            f"this build has no feature set {excerpt(name, 40)} of {excerpt(game, 40)}; there is {there}: "
            "take a network that this version of tengen knows"
        )
    return known[name]


def check(card: Card, backend: Backend, name: str) -> None:
    """Raise NetworkError with one sentence unless the network `name` is what its card says."""
    if card.evaluator:
        reader = excerpt(card.evaluator, 40)
        raise NetworkError(f"the card of '{name}' is one of weights for {reader}, not of a network")
    if not card.features:
        return
    features = feature_set(card.game, card.features)
    wanted = {PLANES: (4, len(features.planes))}
    if features.globals:
        wanted[GLOBALS] = (2, len(features.globals))
    if set(backend.inputs) != set(wanted):
        raise NetworkError(
            f"the network '{name}' takes {', '.join(backend.inputs)}; one of {features.name} takes {', '.join(wanted)}"
        )
    for port, (rank, channels) in wanted.items():
        shape = backend.inputs[port]
        if len(shape) != rank or shape[1] not in (0, channels):
            got = "x".join(("n", *(str(side or "any") for side in shape[1:])))
            raise NetworkError(
                f"the network '{name}' takes '{port}' of {got}; {features.name} of {features.game} has {channels}"
            )
    for output in OUTPUTS:
        if output not in backend.outputs:
            raise NetworkError(f"the network '{name}' plays {features.game} but has no output '{output}'")
