"""The contract of an evaluator that answers batches, and the one that is a network: card, feature set and back end.

Batches are what a forest of trees collects (`engine/core/mcts/forest.hpp`, `engine/search/forest.py`). What a single
leaf's evaluator is asked is another contract: `LeafEvaluator` in `engine/core/concepts.hpp`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tengen.engine.evaluators.backends import BUCKETS, load
from tengen.engine.evaluators.backends.base import Backend, NetworkError, Precision, Ticket
from tengen.engine.evaluators.backends.cards import Card
from tengen.engine.evaluators.backends.features import GLOBALS, PLANES, feature_set
from tengen.engine.evaluators.outline import outline_of
from tengen.engine.games import GAMES, get_game
from tengen.engine.sentence import excerpt

if TYPE_CHECKING:
    from numpy import bool_, float32
    from numpy.typing import NDArray

    from tengen.engine._core import FeatureSet


class Evaluation(NamedTuple):
    """Answers for a batch of n leaves, each for its side to move.

    policies: n x moves logits by policy index, not masked. values: n x 3 probabilities of win, draw, loss. scores: n
    expected margins in the game's unit, None if the evaluator says none. extras: what else it says, by name.
    """

    policies: NDArray[float32]
    values: NDArray[float32]
    scores: NDArray[float32] | None
    extras: Mapping[str, NDArray[float32]]


class EvaluationTicket(Protocol):
    """A batch on its way. It belongs to whoever submitted it."""

    def wait(self) -> Evaluation:
        """The answers, when they are there. Raises RuntimeError when there are none that can be used."""

    def is_there(self, seconds: float) -> bool:
        """See `base.Ticket.is_there`."""


class BatchEvaluator(Protocol):
    """An evaluator of batches of encoded positions. Any thread may call it."""

    @property
    def features(self) -> FeatureSet:
        """The feature set of the planes and of the policy."""

    def submit(
        self,
        planes: NDArray[float32],
        numbers: NDArray[float32] | None = None,
        *,
        is_root: bool | NDArray[bool_] = False,
    ) -> EvaluationTicket:
        """Start on a batch and return at once; any number may be on their way.

        planes: n x planes x height x width; numbers: n x globals, where the feature set has any. is_root: whether all
        rows, or which, are the root of a search, of which some networks say something else. Arrays may be changed once
        `wait` has returned. Raises ValueError for other shapes, RuntimeError when it fails.
        """

    def close(self) -> None:
        """Give memory and threads back; may be called again."""


class NetworkEvaluator:
    """Implements `BatchEvaluator` by a network that plays; `load_evaluator` makes it."""

    def __init__(self, card: Card, backend: Backend) -> None:
        """Raises NetworkError for a card that names no feature set of this build."""
        if not card.features:
            raise NetworkError(f"the network '{card.name}' plays no game: its card names no features")
        self.card = card
        self._features = feature_set(card.game, card.features)
        self._counts_discs = card.game in GAMES and get_game(card.game).conventions.counts_discs
        self._backend = backend

    @property
    def features(self) -> FeatureSet:
        return self._features

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def told(self) -> Mapping[str, bool]:
        """The facts that a tree needs because of this network: nothing."""
        return {}

    def submit(
        self,
        planes: NDArray[float32],
        numbers: NDArray[float32] | None = None,
        *,
        is_root: bool | NDArray[bool_] = False,
    ) -> NetworkTicket:
        """See `BatchEvaluator.submit`; numbers may also have no columns. is_root makes no difference."""
        if numbers is not None and not self._features.globals and numbers.shape[1] == 0:
            numbers = None
        if planes.ndim != 4 or (numbers is None) != (not self._features.globals):
            wanted = f"{PLANES} and {GLOBALS}" if self._features.globals else f"{PLANES} alone"
            raise ValueError(f"the network '{self.card.name}' takes {wanted}, n x {len(self._features.planes)} x h x w")
        inputs = {PLANES: planes} if numbers is None else {PLANES: planes, GLOBALS: numbers}
        count, _, height, width = planes.shape
        size = self._features.policy_size(width, height)
        most = float(width * height) if self._counts_discs else math.inf
        return NetworkTicket(self._backend.submit(inputs), self.card.name, count, size, most)

    def is_prompt(self, planes: NDArray[float32], numbers: NDArray[float32]) -> bool:
        """See `PromptGuide.is_prompt`."""
        return self._backend.is_prompt(
            {PLANES: planes, GLOBALS: numbers} if self._features.globals else {PLANES: planes}
        )

    def close(self) -> None:
        self._backend.close()


class NetworkTicket(NamedTuple):
    """See `EvaluationTicket`. most: the largest margin that the game has; a network may say more."""

    ticket: Ticket
    name: str
    rows: int
    moves: int
    most: float

    def wait(self) -> Evaluation:
        """See `EvaluationTicket.wait`."""
        answers = dict(self.ticket.wait())
        policies = self._taken(answers, "policy", self.moves)
        values = self._taken(answers, "value", 3)
        scores = self._taken(answers, "score", 1)[:, 0].clip(-self.most, self.most) if "score" in answers else None
        return Evaluation(policies, probabilities(values), scores, answers)

    def is_there(self, seconds: float) -> bool:
        """See `EvaluationTicket.is_there`."""
        return self.ticket.is_there(seconds)

    def _taken(self, answers: dict[str, NDArray[float32]], output: str, width: int) -> NDArray[float32]:
        """An output as rows of `width` finite numbers, taken out of the answers. Raises RuntimeError."""
        import numpy as np

        if output not in answers:
            raise RuntimeError(f"the network '{self.name}' gave no '{output}'")
        rows = answers.pop(output).reshape(self.rows, -1)
        if rows.shape[1] != width:
            raise RuntimeError(
                f"the network '{self.name}' gave {rows.shape[1]} numbers of '{output}' a position, not {width}"
            )
        if not np.isfinite(rows).all():
            raise RuntimeError(f"the network '{self.name}' gave a '{output}' that is no number")
        return rows


def load_evaluator(
    path: Path | str,
    game: str,
    *,
    backend: str | None = None,
    threads: int | None = None,
    precision: Precision = "f32",
    buckets: Sequence[int] = BUCKETS,
) -> NetworkEvaluator:
    """The network of an ONNX file as what plays `game`; the rest as `load` has it. Raises NetworkError."""
    card, made = load(path, backend=backend, threads=threads, precision=precision, buckets=buckets)
    try:
        if card.game and card.game != game:
            raise NetworkError(f"the network '{Path(path).name}' plays {card.game}, not {game}")
        return NetworkEvaluator(card, made)
    except NetworkError:
        made.close()
        raise


class OnnxLoaded(NamedTuple):
    """A network of an ONNX file ready to play. notice: a sentence for the user, "" for none."""

    evaluator: NetworkEvaluator
    precision: Precision = "f32"
    notice: str = ""


def load_onnx(path: Path, *, wish: str, backend: str, threads: int, buckets: Sequence[int]) -> OnnxLoaded:
    """Load an ONNX network that plays. It computes in f32, whatever was wished for: other precisions are tried on
    positions of Go, those of KataGo's networks. Raises NetworkError."""
    game = outline_of(path).game
    evaluator = load_evaluator(path, game, backend=backend, threads=threads, buckets=buckets)
    if wish in ("auto", "f32"):
        return OnnxLoaded(evaluator)
    return OnnxLoaded(evaluator, notice=f"the network {excerpt(path.name, 100)} plays in f32: {wish} is for KataGo's")


def probabilities(logits: NDArray[float32]) -> NDArray[float32]:
    """Softmax of every row."""
    import numpy as np

    powers = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(powers / powers.sum(1, keepdims=True), np.float32)
