"""One position under analysis: its tree (`_core.GoTree`), its request and its results so far.

Many of them are answered in shared batches by `studies.py`. A study begins once and ends once; one thread drives it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tengen.engine.evaluators.katago.model import untold
from tengen.engine.info import Info
from tengen.engine.limits import Limits
from tengen.engine.search.base import Root
from tengen.engine.search.batching import VISITS_A_LEAF, Place
from tengen.engine.search.katago_facts import tell
from tengen.engine.search.native import info_of, terms_of
from tengen.engine.search.puct import errors_of

if TYPE_CHECKING:
    from concurrent.futures import Future

    from numpy import float32
    from numpy.typing import NDArray

    from tengen.engine.evaluators.katago.profiles import Profile
    from tengen.engine.evaluators.network import Evaluation
    from tengen.engine.search.guide import Guide
    from tengen.engine.search.human_view import HumanView

BYTES_A_POINT = 20
"""The memory of the tree, for each visit and point of the board: an edge for every move, and room to spare."""
LEAST_MB = 2.0
CACHE_MB = 4.0
"""The memory for the answers of one study, which come again where moves are transposed."""


@dataclass(frozen=True)
class Inquiry:
    """A request to analyse a position.

    held_back: for Black and White, by move, the ply of the search before which it may not be played; () holds nothing
    back. options: settings of the tree by name (`GoTree.options`). moves_owners: owners for each move too. memory: the
    most megabytes that the tree may take. profile: whom human networks imitate, None: nobody. views: through how many
    symmetries the one beside the search sees the position.
    """

    root: Root
    limits: Limits
    held_back: tuple[Sequence[int], Sequence[int]] = ((), ())
    options: Mapping[str, float] = field(default_factory=dict)
    moves_owners: bool = False
    memory: float = 256.0
    profile: Profile | None = None
    views: int = 1


@dataclass(frozen=True)
class Sums:
    """Over the answers below a move, or of all. Owners, and how far they scatter, are by cell; the score is that of the
    end of the game in self-play; all for Black."""

    answers: int
    score_mean: float
    score_stdev: float
    owners: Sequence[float]
    scatter: Sequence[float]


class Study:
    """The tree of one inquiry."""

    def __init__(self, inquiry: Inquiry) -> None:
        self.inquiry = inquiry
        self.raw: dict[str, float] = {}
        """The network's own evaluation of the root, for the side to move: the columns of `Evaluation` by name, and
        "win", "no_result", "loss" and "lead"."""
        self.human: HumanView | None = None
        """The evaluation of the root by the human network beside the search."""
        self.in_flight = 0
        self.has_ended = False
        self._tree: Any = None
        self._seeing: Future[HumanView | None] | None = None

    def begin(self, guide: Guide) -> None:
        """Make the tree, for answers of a network. Raises ValueError for an option that does not fit, and NetworkError
        for a human network without a profile."""
        from tengen.engine._core import GoTree, StopToken

        tree: Any = GoTree()
        self._tree = tree
        own = {"memory_mb": self._memory(), "cache_mb": CACHE_MB}
        for name, value in {**own, **self.inquiry.options}.items():
            tree.set(name, value)
        for player, plies in enumerate(self.inquiry.held_back):
            tree.hold_back(player, list(plies))
        root = self.inquiry.root
        if getattr(guide, "is_human", False) and self.inquiry.profile is None:
            raise untold(getattr(guide, "name", ""))
        tell(tree, root, guide)
        tree.begin(root.state, list(root.earlier), *terms_of(root, self.inquiry.limits), StopToken())
        tree.study(self.inquiry.moves_owners)

    @property
    def size(self) -> tuple[int, int]:
        """(height, width) of the board."""
        state = self.inquiry.root.state
        return state.height, state.width

    @property
    def visits(self) -> int:
        return int(self._tree.visits) if self._tree is not None else 0

    @property
    def is_over(self) -> bool:
        """Whether a limit or a proof ended it, and nothing is on its way."""
        return self.has_ended or (self.in_flight == 0 and self._tree.is_over and self.awaited is None)

    @property
    def awaited(self) -> Future[HumanView | None] | None:
        """The pending answer of the human network."""
        return self._seeing

    def see(self, seeing: Future[HumanView | None]) -> None:
        """Add the future answer of the human network to this study."""
        self._seeing = seeing

    def take_view(self) -> None:
        """Take what the human network has said by now. Raises what it raised."""
        if self._seeing is not None and self._seeing.done():
            seeing, self._seeing = self._seeing, None
            self.human = seeing.result()

    def collect(self, place: Place) -> int:
        """Write leaves into the first rows, fewer the less is known, and return how many."""
        room = min(len(place.planes), max(1, self.visits // VISITS_A_LEAF) - self.in_flight)
        if room <= 0:
            return 0
        count = int(self._tree.collect(*place.first(room)))
        self.in_flight += count
        return count

    def deliver(self, answer: Evaluation, spreads: NDArray[float32] | None, start: int, count: int) -> None:
        """Take the rows of an answer that are this study's; nothing once it has ended."""
        if self.has_ended:
            return
        self.in_flight -= count
        if not self.raw:
            self.raw = _raw(answer, start)
        rows = slice(start, start + count)
        owners = answer.extras["ownership"][rows].reshape(count, -1)
        assert answer.scores is not None
        scores, errors = answer.scores[rows], errors_of(answer)
        its = None if errors is None else errors[rows]
        spread = None if spreads is None else spreads[rows]
        self._tree.deliver(answer.policies[rows], answer.values[rows], scores, owners, its, spreads=spread)

    def end(self) -> None:
        """Take back visits in flight; reports continue."""
        if not self.has_ended and self._tree is not None:
            self._tree.end()
        self.has_ended = True

    def info(self) -> Info:
        """Lines best first, those that were visited (or the first alone), and totals."""
        return info_of(self._tree.info(0, False))

    def sums(self, move: int = -1) -> Sums:
        """Below a move of the root, -1: of all. Owners of a move only where the inquiry asked for them."""
        return Sums(*self._tree.sums_of(move))

    def policy(self) -> list[float]:
        """Logits of the root by move, also of illegal ones."""
        return list(self._tree.root_policy())

    def visits_along(self, line: Sequence[int]) -> list[int]:
        """Return the visits of each position of a line."""
        return list(self._tree.visits_along(list(line)))

    def _memory(self) -> float:
        limits, state = self.inquiry.limits, self.inquiry.root.state
        visits = min(limits.visits or limits.playouts or 2**40, 2**40)
        return min(self.inquiry.memory, LEAST_MB + visits * BYTES_A_POINT * (state.cells + 1) / 2**20)


def _raw(answer: Evaluation, row: int) -> dict[str, float]:
    assert answer.scores is not None
    found = {name: float(rows[row]) for name, rows in answer.extras.items() if rows.ndim == 1}
    win, no_result, loss = answer.values[row].tolist()
    return {**found, "win": win, "no_result": no_result, "loss": loss, "lead": float(answer.scores[row])}
