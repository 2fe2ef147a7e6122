"""`tengen selfplay` of any game: cut games into units of work and do the missing ones."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tengen.engine import atomic
from tengen.engine.config import ConfigError
from tengen.tools.executors import choice
from tengen.tools.executors.base import Collected, Result, Unit, needed
from tengen.tools.live import Live, Pace, bar
from tengen.tools.locking import within
from tengen.tools.train.data.asked import Asked, older_line
from tengen.tools.train.run.plan import seed_of


class Games(NamedTuple):
    """Games of one command. kind: of the units (`work.KINDS`). network: the file that plays, None where none is needed.
    folder: where the files of games go. size: games of a unit, at the most. facts: those of a unit of so many games,
    besides network and seed. settings: what decides the games besides the network."""

    kind: str
    network: Path | None
    folder: Path
    size: int
    facts: Callable[[int], Mapping[str, Any]]
    settings: Mapping[str, Any]

    @property
    def question(self) -> Mapping[str, Any]:
        """Return the settings that decide the games, as they are kept beside them. Raises OSError."""
        network = atomic.digest(self.network) if self.network else ""
        return {"command": "selfplay", "network": network, **self.settings}


def units_of(games: Games, values: Namespace, asked: Asked) -> list[tuple[Unit, int]]:
    """The units that are not done, each with how many games it has, for --games and --seed. Raises ConfigError where
    all are done."""
    files, units = needed(*filter(None, [games.network])), []
    for number in range(-(-values.games // games.size)):
        name, count = f"games-{values.seed}-{number:05}", min(games.size, values.games - number * games.size)
        draft = games.folder / f"{name}.npz"
        if asked.is_done(draft, count):
            continue
        facts = {"network": str(games.network or ""), "seed": seed_of(values.seed, number), **games.facts(count)}
        units.append((Unit(name, games.kind, facts, str(draft), files), count))
    if not units:
        raise ConfigError(f"'{games.folder}' has all of these games: give more --games, or another --seed")
    return units


def play(
    games: Games, values: Namespace, names: Sequence[str], tell: Callable[[Result, Mapping[str, Any]], str]
) -> Mapping[str, Any]:
    """Have all units done, here or where --executor says; the sums of the figures with these names.

    tell: after each result, with the sums so far: what is said of them beside the number of games, "" for nothing.
    Raises ConfigError also for a folder that has other games, LockError while another process works in it, WorkError,
    OSError.
    """
    from tengen.tools.train.play.work import work

    with choice.reached(values) as wire, within(games.folder, "writes games to"), Live() as live:
        asked = Asked(games.folder, games.question)
        if asked.is_older:
            live.line(older_line(games.folder))
        asked.keep()
        units = units_of(games, values, asked)
        counts = {unit.name: count for unit, count in units}
        who = choice.just_enough(wire, work, values.workers, len(units))
        executor, pace, goal, done, played, said = Collected(who, set()), Pace(), sum(counts.values()), 0, 0, ""
        total: dict[str, Any] = dict.fromkeys(names, 0)
        for unit, _ in units:
            executor.submit(unit)
        try:
            while done < len(units):
                live.update([f"{bar(played, goal)} games", said, f"{pace.left(done, len(units))} left"])
                for result in executor.poll(0.5):
                    done, played = done + 1, played + counts[result.unit.name]
                    total = {name: count + result.figures[name] for name, count in total.items()}
                    asked.keep(Path(result.unit.draft), counts[result.unit.name])
                    said = tell(result, total)
        finally:
            who.close()
    return total
