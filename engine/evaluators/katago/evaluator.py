"""A KataGo network as what answers the batches of a search (`network.BatchEvaluator`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tengen.engine.evaluators.backends.features import feature_set
from tengen.engine.evaluators.katago import KATAGO_FEATURES, KATAGO_GAME, ROOT_OPTIMISM, TREE_OPTIMISM
from tengen.engine.evaluators.katago.model import untold
from tengen.engine.evaluators.katago.network import KataGoNetwork, KataGoTicket
from tengen.engine.sentence import excerpt

if TYPE_CHECKING:
    from numpy import bool_, float32
    from numpy.typing import NDArray

    from tengen.engine._core import FeatureSet


class KataGoEvaluator:
    """Implements `BatchEvaluator`. values: win, no result, loss; scores: the lead; extras: see `answers.evaluation`,
    "ownership" being n x height x width."""

    def __init__(self, network: KataGoNetwork) -> None:
        """Owns the network from now on."""
        self.header = network.header
        self._features = feature_set(KATAGO_GAME, KATAGO_FEATURES)
        self._network = network

    @property
    def features(self) -> FeatureSet:
        return self._features

    @property
    def name(self) -> str:
        return self.header.name

    @property
    def told(self) -> Mapping[str, bool]:
        """The facts that a tree needs because of this network: see `KataFacts` of the core."""
        return {"suicide_in_life": self.suicide_in_life}

    @property
    def is_human(self) -> bool:
        """Whether it imitates people, so that `submit` takes metadata (`profiles.rows_of`)."""
        return self.header.has_metadata

    @property
    def suicide_in_life(self) -> bool:
        """Whether encoders judge life as if suicide were legal: see `KataFacts` of the core and `Facts` of
        `engine.play.go.katago_inputs`."""
        return self.header.has_suicide_life

    def submit(
        self,
        planes: NDArray[float32],
        numbers: NDArray[float32] | None = None,
        *,
        is_root: bool | NDArray[bool_] = False,
        optimism: float | NDArray[float32] | None = None,
        metadata: NDArray[float32] | None = None,
    ) -> KataGoTicket:
        """See `BatchEvaluator.submit`. optimism: 0 to 1, for all rows or for each (n); None: by `is_root`. metadata:
        n x METADATA of a human network, which raises NetworkError without; others are not given any. Of the policies of
        a human network only the first counts, as in KataGo: the second is no optimistic one."""
        if numbers is None:
            raise ValueError(f"the network {excerpt(self.header.name, 100)} takes planes and globals")
        if self.is_human and metadata is None:
            raise untold(self.header.name)
        if self.is_human:
            return self._network.submit(planes, numbers, metadata=metadata, optimism=0.0)
        return self._network.submit(planes, numbers, optimism=_optimism(is_root) if optimism is None else optimism)

    def is_prompt(self, planes: NDArray[float32], numbers: NDArray[float32]) -> bool:
        """See `PromptGuide.is_prompt`."""
        return not self.is_human and self._network.is_prompt(planes, numbers)

    def close(self) -> None:
        self._network.close()


def _optimism(is_root: bool | NDArray[bool_]) -> float | NDArray[float32]:
    """The optimism of rows that are roots, and of all other rows."""
    if isinstance(is_root, bool):
        return ROOT_OPTIMISM if is_root else TREE_OPTIMISM
    import numpy as np

    return np.where(is_root, np.float32(ROOT_OPTIMISM), np.float32(TREE_OPTIMISM))
