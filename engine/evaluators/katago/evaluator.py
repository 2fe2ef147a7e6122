"""A KataGo network as what answers the batches of a search (`network.BatchEvaluator`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.engine.evaluators.backends.features import feature_set
from tengen.engine.evaluators.katago.model import check_plays
from tengen.engine.evaluators.katago.network import KataGoNetwork, KataGoTicket
from tengen.engine.sentence import excerpt

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from tengen.engine._core import FeatureSet

GAME, FEATURES = "go", "katago-v7"
TREE_OPTIMISM, ROOT_OPTIMISM = 1.0, 0.2
"""Of the policy at positions below a root and at a root, where a network has an optimistic one: KataGo's defaults,
`policyOptimism` and `rootPolicyOptimism` (and what `kata-raw-nn` shows)."""


class KataGoEvaluator:
    """Implements `BatchEvaluator`. values: win, no result, loss; scores: the lead; extras: see `answers.evaluation`,
    "ownership" being n x height x width."""

    def __init__(self, network: KataGoNetwork) -> None:
        """Owns the network from now on. Raises NetworkError for one that has to be told of the players."""
        header = network.header
        check_plays(header)
        self.header = header
        self._features = feature_set(GAME, FEATURES)
        self._network = network

    @property
    def features(self) -> FeatureSet:
        return self._features

    @property
    def suicide_in_life(self) -> bool:
        """What encoders have to be told: see `KataFacts` of the core and `Facts` of `engine/play/katago_inputs.py`."""
        return self.header.has_suicide_life

    def submit(
        self,
        planes: NDArray[float32],
        numbers: NDArray[float32] | None = None,
        *,
        optimism: float | NDArray[float32] = TREE_OPTIMISM,
    ) -> KataGoTicket:
        """See `BatchEvaluator.submit`. optimism: 0 to 1, for all rows or for each (n)."""
        if numbers is None:
            raise ValueError(f"the network {excerpt(self.header.name, 100)} takes planes and globals")
        return self._network.submit(planes, numbers, optimism=optimism)

    def close(self) -> None:
        self._network.close()
