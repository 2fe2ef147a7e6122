"""Eight positions that a network is tried on when it is loaded: is what a faster precision says what f32 says?

Why: arithmetic in bf16 is silently wrong on some CPUs. The games are openings, fights and an endgame made up for this;
what matters is that they look like games, so that the network says something of them. A human network is told that each
of them is by other players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tengen.engine.evaluators.backends.features import feature_set
from tengen.engine.evaluators.katago import KATAGO_FEATURES, KATAGO_GAME
from tengen.engine.evaluators.katago.profiles import profile_of, rows_of
from tengen.engine.evaluators.network import Evaluation, EvaluationTicket, probabilities
from tengen.engine.games.go.game import GO

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from tengen.engine._core import GoState

KOMI = 7.0
PLAYERS = ("rank_20k", "rank_5k", "preaz_9d", "proyear_1950")
"""The people whom a human network imitates in the trial, game by game."""
GAMES: dict[int, tuple[str, ...]] = {
    9: (
        "",
        "E5 C3 G3 D7 F7 E3",
        "E5 E7 D7 E3 D3 F3 D6 E6 F6 F7 G6 G7 H6 D2 C2 C3 D4 B2",
        "D6 F4 F6 D4 C4 C3 C5 D3 G4 G3 G5 F3 E7 B4 B5 H4 H5 H3 E4 E3 E5 A5 A6 A4 J4 J3 J5 D5 B6",
    ),
    19: (
        "",
        "Q16 D4 Q3 D16 F17 C14 R5 O17 R14 K17 C6 F3 C11 D12",
        "D4 Q16 Q4 D16 R14 O17 S16 R17 S17 C6 F3 C9 C3 O3 R6 M4 R10 G17 Q12 K16 D11 E10 E11 F10 F11 G10",
        "Q16 D16 Q4 D4 R6 F17 O17 C12 C3 D3 C4 C5 B5 D5 B6 C2 B2 B3 B4 C7 B7 C8 B8 C9 A3 Q9 R12 O4 P3 O3 P5 L3 K17"
        " H17 N15 Q12 Q13 R11 S12 P13 Q14 S11",
    ),
}
"""Size of the board -> moves, Black first."""


class Answering(Protocol):
    """The interface that a trial needs: all that is asked of an evaluator here."""

    @property
    def suicide_in_life(self) -> bool: ...
    @property
    def is_human(self) -> bool: ...
    def submit(
        self, planes: NDArray[float32], numbers: NDArray[float32], *, metadata: NDArray[float32] | None
    ) -> EvaluationTicket: ...


class Difference(NamedTuple):
    """The mean difference of a precision from f32. policy: the Kullback-Leibler divergence; win: of the win rate."""

    policy: float
    win: float

    def is_within(self, bounds: Difference) -> bool:
        """Whether the difference is within the bounds; False for NaN."""
        return self.policy <= bounds.policy and self.win <= bounds.win

    def __str__(self) -> str:
        return f"policy {self.policy:.4f} (KL), win rate {100 * self.win:.2f} %"


def inputs(size: int, *, suicide_in_life: bool = False) -> tuple[NDArray[float32], NDArray[float32]]:
    """The positions on boards of that size, encoded as a batch: those of the next smaller size, or an empty board,
    where it has none."""
    import numpy as np

    found = [encoded(line, suicide_in_life) for line in lines(size)]
    return np.stack([planes for planes, _ in found]), np.stack([numbers for _, numbers in found])


def metadata_of(games: Sequence[Line]) -> NDArray[float32]:
    """n x METADATA of games as they stand, each by others of PLAYERS."""
    import numpy as np

    rows = [_metadata(line, PLAYERS[place % len(PLAYERS)]) for place, line in enumerate(games)]
    return np.concatenate(rows)


def _metadata(line: Line, name: str) -> NDArray[float32]:
    import numpy as np

    return rows_of(profile_of(name), np.array([line.state.to_move], np.uint8), line.state.cells)


def opinions(evaluator: Answering, go_on: Callable[[], None] = lambda: None) -> list[Evaluation]:
    """Return its evaluations of the positions, size by size. Raises RuntimeError when it says nothing that can be used.

    go_on: asked before each size; what it raises ends the trial.
    """
    found = []
    for size in GAMES:
        go_on()
        shown = inputs(size, suicide_in_life=evaluator.suicide_in_life)
        metadata = metadata_of(lines(size)) if evaluator.is_human else None
        found.append(evaluator.submit(*shown, metadata=metadata).wait())
    return found


def difference(found: list[Evaluation], right: list[Evaluation]) -> Difference:
    """Between two sets of opinions."""
    import numpy as np

    policies, wins = list[float](), list[float]()
    for mine, theirs in zip(found, right, strict=True):
        policies += _divergences(theirs.policies, mine.policies)
        wins += np.abs(mine.values[:, 0] - theirs.values[:, 0]).tolist()
    return Difference(float(np.mean(policies)), float(np.mean(wins)))


def _divergences(right: NDArray[float32], found: NDArray[float32]) -> Iterator[float]:
    import numpy as np

    p, q = (probabilities(logits).astype(np.float64) for logits in (right, found))
    least = np.finfo(np.float32).tiny
    yield from (p * (np.log(p + least) - np.log(q + least))).sum(1).tolist()


@dataclass
class Line:
    """A game under way: its position, the moves that led there, and the positions before each of them."""

    state: GoState
    moves: list[int] = field(default_factory=list)
    before: list[GoState] = field(default_factory=list)

    def play(self, move: int) -> None:
        """Play a legal move."""
        self.before.append(self.state.copy())
        self.moves.append(move)
        self.state.play(move)


def lines(size: int) -> list[Line]:
    """The games on boards of that size: those of the next smaller size, or an empty board, where it has none."""
    games = GAMES.get(max((known for known in GAMES if known <= size), default=0), ("",))
    found = []
    for text in games:
        line = Line(GO.new_state(size, size, GO.rule_sets["chinese"], KOMI))  # type: ignore[arg-type]
        for word in text.split():
            line.play(GO.move_from_text(line.state, word))
        found.append(line)
    return found


def encoded(line: Line, suicide_in_life: bool) -> tuple[NDArray[float32], NDArray[float32]]:
    """planes x height x width and globals of its position."""
    features = feature_set(KATAGO_GAME, KATAGO_FEATURES)
    recent, earlier = line.moves[-features.recent :], line.before[-features.earlier :]
    return line.state.katago(recent, [], earlier, suicide_in_life=suicide_in_life)
