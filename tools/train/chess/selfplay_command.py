"""`tengen selfplay FILE.safetensors --out DIR` for chess: games of a network into files of labelled positions.

    tengen selfplay chess.safetensors --games 50000 --out own --set search.nodes=5000
    tengen train fit labelled own -o next.safetensors
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from tengen.engine.config import ConfigError
from tengen.tools.executors import choice
from tengen.tools.executors.base import Collected, Executor, Unit, needed
from tengen.tools.executors.local import Here
from tengen.tools.live import Live, Pace
from tengen.tools.train.chess.selfplay import plan_of
from tengen.tools.train.plan import seed_of

TABLE = "search."
UNIT_NODES, GAME_MOVES, MOST_GAMES = 45e6, 100, 200
"""Of a unit of work, half a minute: nodes, of games of so many moves, and not more games."""


def selfplay(path: Path, values: Namespace) -> int:
    """Play, write, print. Raises ValueError, OSError with one sentence."""
    from tengen.tools.train.work import work

    if not values.out or values.sgf:
        raise ConfigError("games of chess are written to learn from: give --out DIR alone")
    others = [name for name in values.set if not name.startswith(TABLE)]
    if others or values.preset or values.config or values.size:
        raise ConfigError(f"games of chess are set by {TABLE}NAME alone, not by {(*others, 'presets')[0]}")
    search = plan_of({name.removeprefix(TABLE): value for name, value in values.set.items()})
    folder = Path(values.out)
    folder.mkdir(parents=True, exist_ok=True)
    size = max(1, min(MOST_GAMES, values.games, round(UNIT_NODES / GAME_MOVES / search.nodes)))
    with choice.reached(values) as wire:
        files = needed(path)
        units = [
            Unit(f"games-{values.seed}-{number:05}", "chess-selfplay", {
                "network": str(path), "seed": seed_of(values.seed, number), "search": search._asdict(),
                "games": min(size, values.games - number * size),
            }, str(folder / f"games-{values.seed}-{number:05}.npz"), files)
            for number in range(-(-values.games // size))
        ]  # fmt: skip
        left = [unit for unit in units if not Path(unit.draft).exists()]
        if not left:
            raise ConfigError(f"'{folder}' has all of these games: give more --games, or another --seed")
        workers = min(values.workers or (0 if wire else choice.cores()), len(left))
        is_alone = wire is None and workers == 1
        _play(left, Here(work) if is_alone else choice.executor_of(wire, work, workers))
    return 0


def _play(units: list[Unit], who: Executor) -> None:
    executor, live, pace = Collected(who, set()), Live(), Pace()
    total: dict[str, Any] = {"games": 0, "moves": 0, "positions": 0, "white": 0, "drawn": 0, "seconds": 0.0}
    goal = sum(unit.facts["games"] for unit in units)
    for unit in units:
        executor.submit(unit)
    try:
        while total["games"] < goal:
            for result in executor.poll(0.5):
                total = {name: count + result.figures[name] for name, count in total.items()}
                speed, rest = total["positions"] / max(total["seconds"], 1e-9), pace.left(total["games"], goal)
                found = f"{total['positions']:,} positions, {speed:.0f}/s a worker"
                live.update(f"{total['games']}/{goal} games | {found} | {rest} left")
    finally:
        who.close()
        live.clear()
    games = total["games"]
    print(f"{games} games, {total['moves'] / games:.1f} moves each, White won {total['white'] / games:.1%}, "
          f"{total['drawn'] / games:.1%} drawn, {total['positions']} positions to learn from")  # fmt: skip
