"""Evaluate every position of a game of Go by a network: all of them side by side, in shared batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from queue import SimpleQueue
from typing import TYPE_CHECKING, ClassVar

from tengen.engine.config import Config, ConfigError, merge
from tengen.engine.games.base import BLACK
from tengen.engine.games.go.rules import GoRules, parse_rules
from tengen.engine.limits import Limits
from tengen.engine.play.analyst import Analyst, Job
from tengen.engine.play.go.line import GAME, BadMove, Start, roots
from tengen.engine.records import Record, RecordError, replay
from tengen.engine.records.base import CUT
from tengen.engine.records.legal import legal
from tengen.engine.records.points import point_text
from tengen.engine.search.base import Root
from tengen.engine.search.study import Inquiry
from tengen.tools.review.grading import GO, Terms
from tengen.tools.review.position import Kind, Position

if TYPE_CHECKING:
    from tengen.engine.evaluators.background import Loading
    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
    from tengen.engine.search.guide import Guide
    from tengen.engine.search.study import Study

PARALLEL, BATCH = 32, 16
TREE_MB = 256.0
VISITS = 100


class GoReviewer:
    """Implements `Reviewer` by a network, which is loaded when the first game is reviewed.

    `review` raises ConfigError without a network and NetworkError for a bad one.
    """

    terms: ClassVar[Terms] = GO

    def __init__(self, config: Config, visits: int | None) -> None:
        """visits: of each position, VISITS where none are named."""
        self._config, self._visits = config, visits or VISITS
        self._evaluator: KataGoEvaluator | None = None

    def check(self, record: Record) -> None:
        """See `Reviewer.check`."""
        roots_of(record, rules_of(record, self._config.rules))

    def review(self, record: Record, progress: Callable[[int], None]) -> list[Position]:
        """See `Reviewer.review`."""
        roots = roots_of(record, rules_of(record, self._config.rules))
        self._evaluator = self._network(record)
        return analyse(roots, self._visits, self._evaluator, progress)

    def who(self, record: Record) -> str:
        """See `Reviewer.who`; after a review."""
        assert self._evaluator is not None
        rules = rules_of(record, self._config.rules)
        return f"Tengen with {self._evaluator.header.name}, {self._visits} visits a position, {rules.name} rules"

    def doubt(self, record: Record) -> str:
        """See `Reviewer.doubt`."""
        from tengen.engine.games import get_game
        from tengen.engine.play.outside import outside_sentence

        rules = rules_of(record, self._config.rules)
        first = roots_of(record, rules)[0]
        return outside_sentence(self._loading(record), get_game(GAME), first.state, rules)

    def _network(self, record: Record) -> KataGoEvaluator:
        from tengen.engine.play.networks import check_katago, katago_of

        check_katago(self._config)
        return katago_of(self._loading(record))

    def _loading(self, record: Record) -> Loading:
        """The network for the boards of a record. Raises ConfigError where there is none."""
        from tengen.engine.play.networks import network_of

        loading = network_of(self._config, (record.width, record.height))
        if loading is None:
            raise ConfigError("review needs a network: --net FILE, or auto")
        return loading


def rules_of(record: Record, given: str | None) -> GoRules:
    """The rules as given, else the record's where they are known, else Go's usual ones. Raises RecordError."""
    if given is not None:
        try:
            return parse_rules(given)[0]
        except ValueError as error:
            raise RecordError(str(error)) from None
    rules = replay.rules_of(record)
    assert isinstance(rules, GoRules)
    return rules


def roots_of(record: Record, rules: GoRules) -> dict[int, Root]:
    """Return the roots of the searches of all its positions, by turn; -turn: before the stones that are set up after
    it.

    Raises RecordError for a game that cannot be.
    """
    changes = {change.after: change.stones for change in record.changes}
    stones = record.setup or b""
    start = Start(record.width, record.height, rules, record.komi, stones, record.first, changes=changes)
    try:
        return roots(start, record.moves, range(len(record.moves) + 1))
    except BadMove as error:
        colour, move = record.moves[error.number]
        where = f"{'BW'[colour]} {point_text(GAME, record.width, record.height, move)}"
        raise RecordError(f"move {error.number + 1}, {where}, is illegal: {error}") from None
    except ValueError as error:
        raise RecordError(f"the game cannot be set up: {error}") from None


def analyse(found: Mapping[int, Root], visits: int, guide: Guide, progress: Callable[[int], None]) -> list[Position]:
    """Every position; progress: told how many are done. Raises RuntimeError when the network fails."""
    done: SimpleQueue[tuple[int, Study | str]] = SimpleQueue()
    analyst = Analyst(lambda: guide, parallel=PARALLEL, batch=BATCH)
    try:
        for turn, root in found.items():
            analyst.submit(Job(Inquiry(root, Limits(visits=visits), memory=TREE_MB), *_reporting(done, turn)))
        return _collected(done, len(found), progress)
    finally:
        analyst.close()


def _reporting(
    done: SimpleQueue[tuple[int, Study | str]], turn: int
) -> tuple[Callable[[Study, bool], None], Callable[[str], None]]:
    return lambda study, _: done.put((turn, study)), lambda sentence: done.put((turn, sentence))


def _collected(
    done: SimpleQueue[tuple[int, Study | str]], count: int, progress: Callable[[int], None]
) -> list[Position]:
    positions: dict[int, Position] = {}
    while len(positions) < count:
        turn, study = done.get()
        if isinstance(study, str):
            raise RuntimeError(study)
        positions[turn] = _position(study)
        progress(len(positions))
    return [_arrived(positions, turn) for turn in sorted(positions) if turn >= 0]


def _arrived(positions: Mapping[int, Position], turn: int) -> Position:
    """The position, with the one that the move before led to where stones were set up then."""
    before = positions.get(-turn) if turn else None
    return positions[turn] if before is None else replace(positions[turn], arrived=before)


def _position(study: Study) -> Position:
    info, side = study.info(), study.inquiry.root.state.to_move
    is_black = side == BLACK
    line: Sequence[int] = info.best.pv if info.best is not None else ()
    return Position(
        side,
        info.expected if is_black else 1 - info.expected,
        info.score if is_black else -info.score,
        info.visits,
        tuple((side ^ (ply & 1), move) for ply, move in enumerate(line)),
    )


def _legal(record: Record, rules: str | None) -> Record:
    """Up to the first illegal move. Raises RecordError for a game of which nothing is left."""
    found = legal(record, rules_of(record, rules))
    if found.cut and not found.moves:
        raise RecordError(found.cut.removesuffix(CUT))
    return found


KIND = Kind(
    "Go",
    frozenset(("net", "precision", "rules", "visits")),
    lambda given, values: GoReviewer(merge(Config(net="auto"), given), getattr(values, "visits", None)),
    _legal,
)
