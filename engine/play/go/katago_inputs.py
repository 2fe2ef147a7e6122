"""Games of Go as inputs of KataGo's networks: feature set "katago-v7" (`engine/core/go/katago_features.hpp`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from tengen.engine.games.go.rules import GoRules
from tengen.engine.history import History

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from tengen.engine._core import GoState

RECENT, EARLIER = 5, 2
"""Last moves, and positions before them, that are encoded."""


@dataclass(frozen=True)
class Facts:
    """Facts that are encoded beside the game and its rules.

    doublings: playout doubling advantage of the side to move, -3 to 3. hides_end: see a position whose next pass would
    end the game as if it did not; after one pass rules with friendly passes imply it. suicide_in_life: judge what is
    pass-alive as if suicide were legal, as newer networks want it.
    """

    doublings: float = 0.0
    hides_end: bool = False
    suicide_in_life: bool = False


def encode(
    history: History, rules: GoRules, *, symmetry: int = 0, facts: Facts = Facts()
) -> tuple[NDArray[float32], NDArray[float32]]:
    """planes x height x width and globals of the position a game has come to."""
    state = cast("GoState", history.state)
    recent = _recent(history)
    return state.katago(
        recent,
        banned(history, rules),
        [cast("GoState", before) for before in history.earlier(min(EARLIER, len(recent)))],
        symmetry,
        doublings=facts.doublings,
        has_button=rules.has_button and all(move != state.pass_move for _, move in history.moves),
        hides_end=facts.hides_end or (rules.friendly_pass and state.passes == 1),
        suicide_in_life=facts.suicide_in_life,
    )


def encode_all(
    games: Sequence[tuple[History, GoRules]], *, symmetry: int = 0, facts: Facts = Facts()
) -> tuple[NDArray[float32], NDArray[float32]]:
    """n x planes x height x width and n x globals of games with their rules; the boards have one size."""
    import numpy as np

    encoded = [encode(history, rules, symmetry=symmetry, facts=facts) for history, rules in games]
    return np.stack([planes for planes, _ in encoded]), np.stack([numbers for _, numbers in encoded])


def banned(history: History, rules: GoRules) -> list[int]:
    """The empty points that only an earlier position forbids to the side to move."""
    if rules.repetition == "none":
        return []
    state = history.state
    return [cell for cell in range(state.pass_move) if history.is_repetition(state.to_move, cell, rules.repetition)]


def _recent(history: History) -> list[int]:
    """The last moves as far back as the sides moved in turn, newest last."""
    mover, moves = history.state.to_move, list[int]()
    for colour, move in reversed(history.moves[-RECENT:]):
        if colour == mover:
            break
        moves.append(move)
        mover = colour
    return moves[::-1]
