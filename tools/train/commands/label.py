"""`tengen train label GAMES.pgn --out DIR`: positions of chess games, searched, to learn from.

    tengen train label games.pgn --out labelled --nodes 1000 --positions 4000000
    tengen train fit labelled -o mine.safetensors --kind chess-network

A file that is in the folder is kept, so that the same command goes on where it was ended.
"""

from __future__ import annotations

import random
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tengen.engine import atomic
from tengen.engine.config import ConfigError
from tengen.tools.executors import choice
from tengen.tools.executors.base import Collected, Executor, Unit, needed
from tengen.tools.live import Live, Pace, bar
from tengen.tools.locking import within
from tengen.tools.train.chess.label import Plan
from tengen.tools.train.data import positions
from tengen.tools.train.data.asked import Asked, older_line
from tengen.tools.train.records.pgn import lots
from tengen.tools.train.run.plan import seed_of

LOT = 1 << 20
"""Bytes of a unit of work: some 2,000 games, 20 seconds."""


def label(values: Namespace) -> int:
    """Search, write, print. Raises ValueError, OSError with one sentence."""
    from tengen.tools.train.play.work import work

    games, folder = Path(values.words[1]), Path(values.out or "")
    if not values.out:
        raise ConfigError("say where to write the positions: --out DIR")
    usual, seed = Plan(), 1 if values.seed is None else values.seed
    plan = Plan(
        values.nodes or usual.nodes, values.each or usual.each, weights=values.weights or "",
        least_elo=values.least_elo or 0,
    )  # fmt: skip
    with choice.reached(values) as wire, within(folder, "writes positions to"), Live() as live:
        asked = Asked(folder, _question(games, plan))
        if asked.is_older:
            live.line(older_line(folder))
        asked.keep()
        units = _units(games, folder, plan, seed)
        left = [unit for unit in units if not asked.is_done(Path(unit.draft), 1)]
        there = [unit for unit in units if asked.is_done(Path(unit.draft), 1)]
        kept = sum(len(positions.read_named(Path(unit.draft))) for unit in there)
        goal = values.positions or 0
        if not left or (goal and kept >= goal):
            raise ConfigError(f"'{folder}' has {kept} positions already: nothing is left to label")
        if wire is not None:
            files = needed(games, *filter(None, [plan.weights]))
            left = [Unit(unit.name, unit.kind, unit.facts, unit.draft, files) for unit in left]
        _label(left, choice.just_enough(wire, work, values.workers, len(left)), kept, goal, asked, live)
    return 0


def _question(games: Path, plan: Plan) -> Mapping[str, Any]:
    """What decides the positions, as it is kept beside them. Raises OSError."""
    weights = atomic.digest(Path(plan.weights)) if plan.weights else ""
    return {"command": "train label", "games": atomic.digest(games), **plan._asdict(), "weights": weights}


def _units(games: Path, folder: Path, plan: Plan, seed: int) -> list[Unit]:
    """All lots of a file, in an order of the seed, so that some of them are like all."""
    cut = lots(games, LOT)
    numbers = list(range(len(cut)))
    random.Random(seed).shuffle(numbers)
    return [
        Unit(f"label-{seed}-{number:05}", "label", {
            "games": str(games), "begin": cut[number][0], "end": cut[number][1], "seed": seed_of(seed, number),
            "plan": plan._asdict(),
        }, str(folder / f"label-{seed}-{number:05}.npz"))
        for number in numbers
    ]  # fmt: skip


def _label(units: list[Unit], who: Executor, kept: int, goal: int, asked: Asked, live: Live) -> None:
    """Do units until there are so many positions; 0: all units."""
    executor, pace = Collected(who, set()), Pace()
    total: dict[str, Any] = dict.fromkeys(("games", "searches", "positions", "scores", "search_seconds", "seconds"), 0)
    left, done = list(reversed(units)), 0
    try:
        while left or who.pending:
            while left and who.pending < who.workers + 1:
                executor.submit(left.pop())
            live.update(_told(total, kept, goal, pace, done, len(units)))
            for result in executor.poll(0.5):
                done += 1
                total = {name: count + result.figures[name] for name, count in total.items()}
                asked.keep(Path(result.unit.draft), 1)
            if goal and kept + total["positions"] >= goal:
                break
    finally:
        who.close()
        live.clear()
    share, mean = total["search_seconds"] / max(total["seconds"], 1e-9), total["scores"] / max(total["positions"], 1)
    print(
        f"{kept + total['positions']} positions; {total['positions']} of them now, of {total['games']} games and "
        f"{total['searches']} searches, which took {share:.0%} of the time; mean score {mean:+.0f} for who moves"
    )


def _told(total: Mapping[str, Any], kept: int, goal: int, pace: Pace, done: int, units: int) -> list[str]:
    """How far it is, by positions where so many are wished for, else by units."""
    found, speed = kept + total["positions"], total["positions"] / max(total["seconds"], 1e-9)
    rest = pace.left(total["positions"], goal - kept) if goal else pace.left(done, units)
    far = f"{found:,} of {goal:,} positions" if goal else f"{bar(done, units)} parts"
    return [far, f"{found:,} positions of {total['games']:,} games", f"{speed:.0f}/s a worker", f"{rest} left"]
