"""`tengen train label GAMES.pgn --out DIR`: positions of chess games, searched, to learn from.

    tengen train label games.pgn --out labelled --nodes 1000 --positions 4000000
    tengen train label own --teacher stockfish --out taught      those of `tengen selfplay`, by another engine
    tengen train fit labelled -o mine.safetensors --kind chess-network

A file that is in the folder is kept, so that the same command goes on where it was ended.
"""

from __future__ import annotations

import random
import shlex
import shutil
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tengen.engine import atomic
from tengen.engine.config import ConfigError
from tengen.engine.games.chess import syzygy
from tengen.engine.sentence import excerpt
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

    folder = Path(values.out or "")
    if not values.out:
        raise ConfigError("say where to write the positions: --out DIR")
    asking = _by_teacher(values, folder) if values.teacher else _of_games(values, folder)
    with choice.reached(values) as wire, within(folder, "writes positions to"), Live() as live:
        asked = Asked(folder, asking.question)
        if asked.is_older:
            live.line(older_line(folder))
        asked.keep()
        left = [unit for unit in asking.units if not asked.is_done(Path(unit.draft), 1)]
        there = [unit for unit in asking.units if asked.is_done(Path(unit.draft), 1)]
        kept = sum(len(positions.read_named(Path(unit.draft))) for unit in there)
        goal = values.positions or 0
        if not left or (goal and kept >= goal):
            raise ConfigError(f"'{folder}' has {kept} positions already: nothing is left to label")
        if wire is None:
            left = [Unit(unit.name, unit.kind, unit.facts, unit.draft) for unit in left]
        total = _label(left, choice.just_enough(wire, work, values.workers, len(left)), kept, goal, asked, live)
    print(f"{kept + total['positions']:.0f} positions; {total['positions']:.0f} of them now, {asking.told(total)}")
    return 0


WITH_A_TEACHER = {
    "beside": (0, "own searches label what a random move leads to anyway"),
    "captures": (0.0, "own searches keep quiet positions"),
    "lopsided": (1.0, "own searches keep what they label"),
}
"""Which positions a teacher labels: what each option is where it is not given, and why own searches have none."""


class Asking(NamedTuple):
    """What is to be done. question: what decides the positions, as it is kept beside them. told: the sums of the
    figures of units, in words."""

    question: Mapping[str, Any]
    units: Sequence[Unit]
    told: Callable[[Mapping[str, float]], str]


def _of_games(values: Namespace, folder: Path) -> Asking:
    """Positions of a PGN file, by own searches. Raises ValueError, OSError."""
    for name, (_, why) in WITH_A_TEACHER.items():
        if getattr(values, name) is not None:
            raise ConfigError(f"--{name} is of --teacher: {why}")
    if values.nodes == 0:
        raise ConfigError("--nodes 0 is of --teacher: own searches need one or more")
    if values.syzygy and not choice.is_elsewhere(values):
        syzygy.opened(values.syzygy)  # before anything is written, though those who search open them again
    games, usual, seed = Path(values.words[1]), Plan(), 1 if values.seed is None else values.seed
    plan = Plan(
        values.nodes or usual.nodes, values.each or usual.each, weights=values.weights or "",
        least_elo=values.least_elo or 0, syzygy=values.syzygy or "",
    )  # fmt: skip
    return Asking(_question(games, plan), _units(games, folder, plan, seed), _told_of_games)


def _told_of_games(total: Mapping[str, float]) -> str:
    share, mean = total["search_seconds"] / max(total["seconds"], 1e-9), total["scores"] / max(total["positions"], 1)
    return (
        f"of {total['games']:.0f} games and {total['searches']:.0f} searches, which took {share:.0%} of the time; "
        f"mean score {mean:+.0f} for who moves"
    )


def _by_teacher(values: Namespace, folder: Path) -> Asking:
    """Positions of folders, by another engine. Raises ValueError, OSError."""
    for name in ("each", "weights", "least_elo", "syzygy"):
        if getattr(values, name) is not None:
            raise ConfigError(f"--{name.replace('_', '-')} is of own searches, and --teacher labels by another engine")
    command, nodes = shlex.split(values.teacher), 1 if values.nodes is None else values.nodes
    program = shutil.which(command[0]) if command else None
    if program is None:
        raise ConfigError(f"there is no program {excerpt(values.teacher, 60)}: give --teacher a UCI engine")
    files = [path for name in values.words[1:] for path in sorted(Path(name).glob("*.npz"))]
    if not files:
        raise ConfigError(f"{', '.join(values.words[1:])}: no positions to label: give folders of 'tengen selfplay'")
    if any(Path(name).resolve() == folder.resolve() for name in values.words[1:]):
        raise ConfigError(f"'{folder}' is what is labelled: choose another --out")
    drawn = _drawn(values)
    facts = {"teacher": [program, *command[1:]], "nodes": nodes, **drawn}
    seed = 1 if values.seed is None else values.seed
    units = [
        Unit(name, "engine-label", {**facts, "positions": str(path), "seed": seed_of(seed, number)},
             str(folder / f"{name}.npz"), needed(path))
        for number, path in enumerate(files)
        for name in [f"{path.parent.name}-{path.stem}"]
    ]  # fmt: skip
    if len({unit.name for unit in units}) < len(units):
        raise ConfigError("two folders have the same name: their files would be written over each other")
    # A folder is gone on with that a version without some of these options began.
    asked = {name: value for name, value in drawn.items() if name == "beside" or value != WITH_A_TEACHER[name][0]}
    question = {"command": "train label --teacher", "teacher": command, "nodes": nodes, **asked, "seed": seed}
    return Asking(question, units, _told_of_teacher)


def _drawn(values: Namespace) -> dict[str, float]:
    """Which positions a teacher labels, by its options. Raises ConfigError."""
    if values.captures and not values.beside:
        raise ConfigError("--captures is of --beside: it says which moves lead there")
    given = {name: getattr(values, name) for name in WITH_A_TEACHER}
    return {name: WITH_A_TEACHER[name][0] if value is None else value for name, value in given.items()}


def _told_of_teacher(total: Mapping[str, float]) -> str:
    return f"by the teacher, whose centipawns count {total['stretch'] / max(total['positions'], 1):.2f} of ours"


def _question(games: Path, plan: Plan) -> Mapping[str, Any]:
    """What decides the positions, as it is kept beside them. Raises OSError."""
    weights = atomic.digest(Path(plan.weights)) if plan.weights else ""
    asked = {name: value for name, value in plan._asdict().items() if value or name != "syzygy"}  # as older versions
    return {"command": "train label", "games": atomic.digest(games), **asked, "weights": weights}


def _units(games: Path, folder: Path, plan: Plan, seed: int) -> list[Unit]:
    """All lots of a file, in an order of the seed, so that some of them are like all."""
    cut, files = lots(games, LOT), needed(games, *filter(None, [plan.weights]))
    numbers = list(range(len(cut)))
    random.Random(seed).shuffle(numbers)
    return [
        Unit(f"label-{seed}-{number:05}", "label", {
            "games": str(games), "begin": cut[number][0], "end": cut[number][1], "seed": seed_of(seed, number),
            "plan": plan._asdict(),
        }, str(folder / f"label-{seed}-{number:05}.npz"), files)
        for number in numbers
    ]  # fmt: skip


def _label(units: list[Unit], who: Executor, kept: int, goal: int, asked: Asked, live: Live) -> Mapping[str, float]:
    """Do units until there are so many positions; 0: all units. The sums of their figures."""
    executor, pace = Collected(who, set()), Pace()
    total, left, done = Counter[str](), list(reversed(units)), 0
    try:
        while left or who.pending:
            while left and who.pending < who.workers + 1:
                executor.submit(left.pop())
            live.update(_told(total, kept, goal, pace, done, len(units)))
            for result in executor.poll(0.5):
                done += 1
                total.update(result.figures)
                asked.keep(Path(result.unit.draft), 1)
            if goal and kept + total["positions"] >= goal:
                break
    finally:
        who.close()
        live.clear()
    return total


def _told(total: Mapping[str, Any], kept: int, goal: int, pace: Pace, done: int, units: int) -> list[str]:
    """How far it is, by positions where so many are wished for, else by units."""
    found, speed = kept + total["positions"], total["positions"] / max(total["seconds"], 1e-9)
    rest = pace.left(total["positions"], goal - kept) if goal else pace.left(done, units)
    far = f"{found:,} of {goal:,} positions" if goal else f"{bar(done, units)} parts"
    return [far, f"{found:,} positions", f"{speed:.0f}/s a worker", f"{rest} left"]
