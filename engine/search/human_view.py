"""A human network with a profile of the players: as the guide of a search, or beside one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tengen.engine.evaluators.katago import KATAGO_GAME
from tengen.engine.evaluators.katago.profiles import Profile, rows_of
from tengen.engine.limits import Limits
from tengen.engine.search.base import Root
from tengen.engine.search.batching import new_place
from tengen.engine.search.katago_facts import new_tree, tell
from tengen.engine.search.native import terms_of
from tengen.engine.search.views import turned

if TYPE_CHECKING:
    from numpy import bool_, float32, uint8
    from numpy.typing import NDArray

    from tengen.engine._core import FeatureSet
    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
    from tengen.engine.evaluators.network import Evaluation, EvaluationTicket


class HumanGuide:
    """Implements `Guide` and `SidedGuide` by a network that imitates one profile. The network belongs to others too."""

    def __init__(self, evaluator: KataGoEvaluator, profile: Profile) -> None:
        self._evaluator, self._profile = evaluator, profile

    @property
    def features(self) -> FeatureSet:
        return self._evaluator.features

    @property
    def name(self) -> str:
        return self._evaluator.name

    @property
    def told(self) -> Mapping[str, bool]:
        return self._evaluator.told

    def submit(
        self, planes: NDArray[float32], numbers: NDArray[float32], *, is_root: bool | NDArray[bool_] = False
    ) -> EvaluationTicket:
        """Raises NetworkError: it has to know who is to move (`submit_for`)."""
        return self._evaluator.submit(planes, numbers, is_root=is_root)

    def submit_for(
        self,
        sides: NDArray[uint8],
        planes: NDArray[float32],
        numbers: NDArray[float32],
        *,
        is_root: bool | NDArray[bool_],
    ) -> EvaluationTicket:
        metadata = rows_of(self._profile, sides, planes.shape[2] * planes.shape[3])
        return self._evaluator.submit(planes, numbers, is_root=is_root, metadata=metadata)


class HumanView(NamedTuple):
    """The evaluation of a position by a human network, for the side to move.

    policies: for each symmetry that it was seen through, logits by move, also of illegal ones. win, loss: of all games;
    score_mean, score_stdev: of the end of the game in points, games without result counting 0; errors: of the result
    (from a loss to a win 2) and of points, in the next moves, None where the network does not say.
    """

    policies: Sequence[Sequence[float]]
    win: float
    loss: float
    score_mean: float
    score_stdev: float
    errors: tuple[float, float] | None

    def shares(self, moves: Sequence[int]) -> dict[int, float]:
        """The policy of these moves alone, which sum to 1."""
        found = dict.fromkeys(moves, 0.0)
        for logits in self.policies:
            most = max(logits[move] for move in moves)
            powers = {move: math.exp(logits[move] - most) for move in moves}
            total = sum(powers.values()) * len(self.policies)
            for move, power in powers.items():
                found[move] += power / total
        return found


def view_of(
    evaluator: KataGoEvaluator, profile: Profile | None, root: Root, symmetries: Sequence[int] = (0,)
) -> HumanView | None:
    """Evaluate a root; None if its game is over. Raises what the evaluator raises, so NetworkError for a human network
    without a profile; others need none."""
    import numpy as np

    state = root.state
    tree = new_tree(KATAGO_GAME, evaluator.features.name)
    for name, value in (("memory_mb", 1), ("cache_mb", 0), ("symmetries", 0)):
        tree.set(name, value)
    tell(tree, root, evaluator)
    place = new_place(evaluator.features, state.height, state.width, 1)
    tree.begin(state, list(root.earlier), *terms_of(root, Limits(visits=1)))
    count = tree.collect(*place)
    tree.end()
    if not count:
        return None
    metadata = None if profile is None else rows_of(profile, place.sides, state.cells)
    answers = [
        evaluator.submit(
            np.ascontiguousarray(turned(place.planes, one)), place.numbers, is_root=True, metadata=metadata
        ).wait()
        for one in symmetries
    ]
    seen = zip(symmetries, answers, strict=True)
    return _view(answers, [_policy(evaluator.features, root, one, answer) for one, answer in seen])


def _policy(features: FeatureSet, root: Root, symmetry: int, answer: Evaluation) -> list[float]:
    state = root.state
    places = [features.policy_index(move, state.width, state.height, symmetry) for move in range(state.move_bound)]
    return [float(logit) for logit in answer.policies[0, places]]


def _view(answers: Sequence[Evaluation], policies: Sequence[Sequence[float]]) -> HumanView:
    """The mean of what was said through each symmetry."""

    def mean(name: str) -> float:
        return math.fsum(float(one.extras[name][0]) for one in answers) / len(answers)

    def squares(one: Evaluation) -> float:
        decided = 1 - float(one.values[0, 1])
        first, deviation = (float(one.extras[name][0]) for name in ("score_mean", "score_stdev"))
        return first**2 / max(decided, 1e-6) + deviation**2 * decided

    win, loss = (math.fsum(float(one.values[0, column]) for one in answers) / len(answers) for column in (0, 2))
    score = mean("score_mean")
    square = math.fsum(squares(one) for one in answers) / len(answers)
    names = "shortterm_value_error", "shortterm_score_error"
    errors = (mean(names[0]), mean(names[1])) if all(name in answers[0].extras for name in names) else None
    return HumanView(policies, win, loss, score, math.sqrt(max(0.0, square - score**2)), errors)
