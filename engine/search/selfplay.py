"""Games by self-play: the core plays them (`engine/core/selfplay`), a network answers the leaves of all in batches.

While the network works on one batch, the next is collected. The core's class of a game is an `Actor`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from tengen.engine.evaluators.network import BatchEvaluator, Evaluation, EvaluationTicket
from tengen.engine.search.batching import Place, new_place
from tengen.engine.search.puct import errors_of

if TYPE_CHECKING:
    from numpy import bool_, float32, int8, int16, int32
    from numpy.typing import NDArray

    from tengen.engine._core import FeatureSet

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)


class Actor(Protocol[S_contra]):
    """Many games at once on boards of one size, as `bind_selfplay` of the core makes them for a game."""

    @property
    def features(self) -> FeatureSet:
        """The feature set that it encodes."""

    @property
    def plane_shape(self) -> tuple[int, int, int]:
        """(planes, height, width) of a leaf."""

    @property
    def free(self) -> int:
        """Slots without a game."""

    def start(self, state: S_contra, opening: Sequence[int], seed: int) -> int:
        """Begin a game in a free slot; its number."""

    def collect(
        self, planes: NDArray[float32], numbers: NDArray[float32] | None, is_root: NDArray[bool_] | None
    ) -> int:
        """Write leaves, at most one for each row, and return their number. 0: none before an answer comes."""

    def deliver(
        self,
        policies: NDArray[float32],
        values: NDArray[float32],
        scores: NDArray[float32] | None = None,
        owners: NDArray[float32] | None = None,
        errors: NDArray[float32] | None = None,
    ) -> None:
        """Answer the oldest batch: see `Evaluation`."""

    def finished(self) -> list[dict[str, Any]]:
        """The games that ended since it was asked last: the fields of `SelfPlayed` but `start`."""


class Start(NamedTuple):
    """The start of a game; the state is the game's own. rules, by a name or text of its game, are not looked at."""

    state: Any
    opening: Sequence[int] = ()
    seed: int = 0
    rules: str = ""


class SelfPlayed(NamedTuple):
    """A finished game of n moves. What is told of a position before a move is for its side to move.

    start: what it began with. number: of the game among those of its actor.
    moves: n dense moves. first: how many of them were an opening, given or drawn from the raw policy.
    is_full: n, whether the move had a full search, which has a target and a weight.
    weights: n, 1 on average where `is_full`, else 0.
    values: n x 3, win, draw, score; NaN where nothing was searched, and for a score that the network does not say.
    surprises: n, how far the policy was from the target (KL divergence); 0 where there was no full search.
    target_*, margin, outcome, owners: as in `PlayedGame` of `tools/train/data/game.py`.
    end: "rules", "decided" (early, since every point is), "repetition", "length" or "resigned".
    resign_ply, resigner: the first time that somebody would have resigned, and who (0 Black); -1 never.
    plays_on: whether the game went on in spite of that, so that it says how often resigning is wrong.
    visits: of all searches.
    """

    start: Start
    number: int
    seed: int
    moves: NDArray[int16]
    first: int
    weights: NDArray[float32]
    values: NDArray[float32]
    surprises: NDArray[float32]
    is_full: NDArray[bool_]
    target_offsets: NDArray[int32]
    target_moves: NDArray[int16]
    target_shares: NDArray[float32]
    margin: float
    outcome: float
    owners: NDArray[int8] | None
    end: str
    resigner: int
    resign_ply: int
    plays_on: bool
    visits: int


def play_games(
    actor: Actor[S],
    evaluator: BatchEvaluator,
    next_start: Callable[[], Start | None],
    room: int = 64,
    in_flight: int = 2,
) -> Iterator[SelfPlayed]:
    """Play games until `next_start` has no more, and yield each when it is over.

    Every slot is kept busy; `room` positions a batch, `in_flight` batches on their way at most. One thread repeats it.
    Raises ValueError unless actor and evaluator have one feature set and for a start that cannot be played, and what
    the evaluator raises: then, or when the iteration is given up, the actor is of no more use.
    """
    mine, its = actor.features, evaluator.features
    if (mine.game, mine.name) != (its.game, its.name):
        raise ValueError(f"the games encode {mine.name} of {mine.game}, the evaluator takes {its.name} of {its.game}")
    if room < 1 or in_flight < 1:
        raise ValueError("a batch has room for a position or more, and one or more are on their way")
    starts: dict[int, Start] = {}
    free = [new_place(mine, *actor.plane_shape[1:], room) for _ in range(in_flight)]
    waiting: deque[tuple[EvaluationTicket, Place]] = deque()
    while True:
        next_start = _fill(actor, next_start, starts)
        count = 0
        if free:
            place = free[-1]
            count = actor.collect(place.planes, place.numbers, place.is_root)
        if count:
            planes, numbers, is_root, _ = free.pop().first(count)
            waiting.append((evaluator.submit(planes, numbers, is_root=is_root), place))
        elif waiting:
            ticket, place = waiting.popleft()
            _deliver(actor, ticket.wait())
            free.append(place)
        games = [SelfPlayed(start=starts.pop(facts["number"]), **facts) for facts in actor.finished()]
        yield from games
        if not count and not waiting and not games and not starts:
            return


def false_resignations(games: Sequence[SelfPlayed]) -> tuple[int, int]:
    """Count the games that continued although a side would have resigned: (how many that side did not lose, all)."""
    tried = [game for game in games if game.plays_on and game.resign_ply >= 0]
    wrong = [game for game in tried if (game.outcome if game.resigner == 0 else 1 - game.outcome) > 0]
    return len(wrong), len(tried)


def _fill(
    actor: Actor[S], next_start: Callable[[], Start | None], starts: dict[int, Start]
) -> Callable[[], Start | None]:
    """Give every free slot a game; what to ask for the next start from then on."""
    for _ in range(actor.free):
        start = next_start()
        if start is None:
            return lambda: None
        starts[actor.start(start.state, list(start.opening), start.seed)] = start
    return next_start


def _deliver(actor: Actor[S], found: Evaluation) -> None:
    owners = found.extras.get("ownership")
    flat = None if owners is None else owners.reshape(len(owners), -1)
    actor.deliver(found.policies, found.values, found.scores, flat, errors_of(found))


def actor_settings(evaluator: BatchEvaluator) -> dict[str, Any]:
    """Return the facts about a network that an actor needs when it is made, besides its settings: by keyword."""
    features, suicide_in_life = evaluator.features.name, getattr(evaluator, "suicide_in_life", False)
    return {"features": features, "suicide_in_life": bool(suicide_in_life)}
