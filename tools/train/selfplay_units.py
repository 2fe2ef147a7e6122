"""`tengen selfplay` of any game: cuts games into units of work, leaves what is there, has the rest done."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tengen.engine.config import ConfigError
from tengen.tools.executors import choice
from tengen.tools.executors.base import Collected, Result, Unit, needed
from tengen.tools.live import Live, Pace
from tengen.tools.train.plan import seed_of


class Games(NamedTuple):
    """Games of one command. kind: of the units (`work.KINDS`). network: the file that plays. folder: where the files of
    games go. size: games of a unit, at the most. facts: those of a unit of so many games, besides network and seed."""

    kind: str
    network: Path
    folder: Path
    size: int
    facts: Callable[[int], Mapping[str, Any]]


def units_of(games: Games, values: Namespace) -> tuple[list[Unit], int]:
    """The units whose file is not in the folder yet, for --games and --seed, and how many games they are. Raises
    ConfigError where all are there."""
    files, units, left = needed(games.network), [], 0
    for number in range(-(-values.games // games.size)):
        name, count = f"games-{values.seed}-{number:05}", min(games.size, values.games - number * games.size)
        draft = games.folder / f"{name}.npz"
        if draft.exists():
            continue
        facts = {"network": str(games.network), "seed": seed_of(values.seed, number), **games.facts(count)}
        units.append(Unit(name, games.kind, facts, str(draft), files))
        left += count
    if not units:
        raise ConfigError(f"'{games.folder}' has all of these games: give more --games, or another --seed")
    return units, left


def play(
    games: Games, values: Namespace, names: Sequence[str], tell: Callable[[Result, Mapping[str, Any]], str]
) -> Mapping[str, Any]:
    """Have all units done, here or where --executor says; the sums of the figures with these names.

    tell: after each result, with the sums so far: what is said of them beside the number of games, "" for nothing.
    Raises ConfigError, WorkError, OSError.
    """
    from tengen.tools.train.work import work

    with choice.reached(values) as wire:
        units, goal = units_of(games, values)
        who = choice.just_enough(wire, work, values.workers, len(units))
        executor, live, pace, done = Collected(who, set()), Live(), Pace(), 0
        total: dict[str, Any] = dict.fromkeys(names, 0)
        for unit in units:
            executor.submit(unit)
        try:
            while done < len(units):
                for result in executor.poll(0.5):
                    done += 1
                    total = {name: count + result.figures[name] for name, count in total.items()}
                    parts = [f"{total['games']:g}/{goal} games", tell(result, total)]
                    live.update(" | ".join([*filter(None, parts), f"{pace.left(done, len(units))} left"]))
        finally:
            who.close()
            live.clear()
    return total
