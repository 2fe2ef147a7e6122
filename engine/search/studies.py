"""Many studies answered in shared batches: leaves of as many trees as it takes fill one, and two are on their way.

The order in which studies are given is that in which they get places. Boards of one size share a batch.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, NamedTuple, cast

from tengen.engine.evaluators.backends.features import feature_set
from tengen.engine.evaluators.katago import KATAGO_FEATURES, KATAGO_GAME
from tengen.engine.evaluators.katago.profiles import rows_of
from tengen.engine.search.batching import Place, new_place
from tengen.engine.search.human_view import view_of
from tengen.engine.search.puct import spreads_of
from tengen.engine.search.study import Study

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
    from tengen.engine.evaluators.network import Evaluation
    from tengen.engine.search.guide import Guide

IN_FLIGHT = 2


class _Part(NamedTuple):
    """Rows of a batch that belong to a study."""

    study: Study
    start: int
    rows: int


class _Batch(NamedTuple):
    """On its way; its place belongs to the evaluator until the answer is there."""

    future: Future[Evaluation]
    parts: Sequence[_Part]
    place: Place


class Studies:
    """Drives studies by a network. One thread calls it; what the network raises comes out of `step`."""

    def __init__(self, guide: Guide, *, batch: int, human: KataGoEvaluator | None = None) -> None:
        """human: a human network, which says something of each position beside the search."""
        self._guide, self._rows, self._human = guide, batch, human
        self._pool = ThreadPoolExecutor(IN_FLIGHT, "analysis")
        self._views = ThreadPoolExecutor(1, "human network")
        self._waiting: deque[_Batch] = deque()
        self._free: dict[tuple[int, int], list[Place]] = {}

    def begin(self, study: Study) -> None:
        """Raises ValueError: see `Study.begin`."""
        study.begin(self._guide)
        human, inquiry = self._human, study.inquiry
        if human is not None and (inquiry.profile is not None or not human.is_human):
            study.see(self._views.submit(view_of, human, inquiry.profile, inquiry.root, range(inquiry.views)))

    def step(self, studies: Sequence[Study], patience: float) -> None:
        """Ask about one more batch, and take the answer to the oldest when no more may be asked; waits for it for at
        most so many seconds."""
        asked = len(self._waiting) < IN_FLIGHT and self._ask(studies)
        if self._waiting and (not asked or len(self._waiting) == IN_FLIGHT):
            self._take(patience)
        elif not asked:
            wait([one.awaited for one in studies if one.awaited is not None], patience, FIRST_COMPLETED)
        for study in studies:
            study.take_view()

    def close(self) -> None:
        """Nobody waits any more."""
        self._waiting.clear()
        for pool in (self._pool, self._views):
            pool.shutdown(wait=False, cancel_futures=True)

    def _ask(self, studies: Sequence[Study]) -> bool:
        for size in dict.fromkeys(study.size for study in studies):
            place = self._place(*size)
            parts = self._fill(place, [study for study in studies if study.size == size])
            if parts:
                self._waiting.append(_Batch(self._pool.submit(self._answer, place, parts), parts, place))
                return True
            self._free[size].append(place)
        return False

    def _fill(self, place: Place, studies: Sequence[Study]) -> list[_Part]:
        parts, start = list[_Part](), 0
        for study in studies:
            if start == self._rows:
                break
            if study.has_ended:
                continue
            count = study.collect(place.part(start))
            if count:
                parts.append(_Part(study, start, count))
                start += count
        return parts

    def _answer(self, place: Place, parts: Sequence[_Part]) -> Evaluation:
        rows = place.first(sum(part.rows for part in parts))
        if not getattr(self._guide, "is_human", False):
            return rows.asked(self._guide).wait()
        metadata = _metadata(place, parts)
        human = cast("KataGoEvaluator", self._guide)
        return human.submit(rows.planes, rows.numbers, is_root=rows.is_root, metadata=metadata).wait()

    def _take(self, patience: float) -> None:
        batch = self._waiting[0]
        try:
            answer = batch.future.result(patience)
        except TimeoutError:
            return
        self._waiting.popleft()
        height, width = batch.place.planes.shape[2:]
        self._free[height, width].append(batch.place)
        spreads = spreads_of(answer)
        for part in batch.parts:
            part.study.deliver(answer, spreads, part.start, part.rows)

    def _place(self, height: int, width: int) -> Place:
        free = self._free.setdefault((height, width), [])
        if free:
            return free.pop()
        return new_place(feature_set(KATAGO_GAME, KATAGO_FEATURES), height, width, self._rows)


def _metadata(place: Place, parts: Sequence[_Part]) -> NDArray[float32]:
    """Whom a human network imitates in each row: each study has its own players."""
    import numpy as np

    found, area = [], place.planes.shape[2] * place.planes.shape[3]
    for part in parts:
        profile = part.study.inquiry.profile
        assert profile is not None
        found.append(rows_of(profile, place.sides[part.start : part.start + part.rows], area))
    return np.concatenate(found)
