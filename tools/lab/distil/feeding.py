"""Processes that draw rows while the device labels those before."""

from __future__ import annotations

import multiprocessing
import queue
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tengen.tools.lab.distil.positions import Positions, Rows

AHEAD = 6
"""Tasks of a worker that are asked for before their rows are needed."""
PATIENCE = 600.0
"""Seconds without any rows after which the workers are taken for dead."""


class Sizes:
    """Which size of board comes next, so that each gets its share of the points."""

    def __init__(self, shares: Mapping[int, float], rows: Mapping[int, int]) -> None:
        self._shares, self._rows = shares, rows
        self._points = dict.fromkeys(shares, 0)

    def next(self) -> int:
        size = min(self._shares, key=lambda one: self._points[one] / self._shares[one])
        self._points[size] += self._rows[size] * size * size
        return size


def rows_without_end(
    files: Sequence[Path], rules: Sequence[str], shares: Mapping[int, float], rows: Mapping[int, int], workers: int,
    seed: int,
) -> Generator[tuple[int, Rows], None, None]:  # fmt: skip
    """(size, rows of it), drawn by so many processes; close the iterator to end them. shares: of the points that each
    size gets. rows: of a size at once. Raises RuntimeError with what a worker could not do."""
    if workers < 1:
        raise ValueError("positions need a worker or more")
    context = multiprocessing.get_context("spawn")
    tasks, done = context.Queue(), context.Queue(maxsize=4 * workers)
    sizes = Sizes(shares, rows)
    told = (tuple(files), tuple(rules), dict(rows))
    processes = [
        context.Process(target=_work, args=(*told, seed * 1000 + number, tasks, done), daemon=True)
        for number in range(workers)
    ]
    for process in processes:
        process.start()
    try:
        for _ in range(AHEAD * workers):
            tasks.put(sizes.next())
        while True:
            try:
                size, found = done.get(timeout=PATIENCE)
            except queue.Empty:
                raise RuntimeError(f"no worker has drawn positions for {PATIENCE:.0f} s") from None
            if isinstance(found, str):
                raise RuntimeError(found)
            tasks.put(sizes.next())
            yield size, found
    finally:
        tasks.cancel_join_thread()
        for process in processes:
            process.terminate()


def _work(
    files: Sequence[Path], rules: Sequence[str], rows: Mapping[int, int], seed: int, tasks: Any, done: Any
) -> None:
    drawn: dict[int, Positions] = {}
    while True:
        size = tasks.get()
        try:
            if size not in drawn:
                drawn[size] = Positions(files, rules, size, seed)
            done.put((size, drawn[size].draw(rows[size])))
        except (ValueError, OSError) as error:
            done.put((size, str(error)))
            return
