"""Networks of one run that played each other beside it (`tengen train rate`): who, how often, and how strong they are.

All games are fitted at once (`ratings`), with the first of the networks at 0, so that neighbours whose differences
would add up to a flattering sum are held to what those further apart made of each other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from tengen.engine import atomic
from tengen.tools.live import clock
from tengen.tools.match.statistics.elo import Interval, Summary, summary
from tengen.tools.match.statistics.ratings import fit
from tengen.tools.train.run.manifest import Lot, Manifest, Network, RunError
from tengen.tools.train.run.strength import games_of, pair_counts, points, scores_of

_FILE = re.compile(r"rated-(\d+)\.json")  # in the folder of a run, by the visits a move


COLUMNS = (
    "generation", "after", "games", "positions", "against the one before", "stronger", "Elo over the first (95 %)",
)  # fmt: skip


class Rated(NamedTuple):
    """A network that was rated. elo: over the first one. match: against the one before it, None of the first."""

    network: Network
    elo: Interval
    match: Summary | None


def chosen(found: Manifest, count: int, until: float | None = None) -> list[Network]:
    """So many networks that played, the first and the last among them, the others as evenly in time as they come; only
    those of the first `until` seconds. Raises RunError unless there are two."""
    taken = [network for network in found.networks if network.is_taken and (until is None or network.seconds <= until)]
    if len(taken) < 2 or count < 2:
        raise RunError("fewer than two networks played in that time: let the run go on first")
    if count >= len(taken):
        return taken
    begin, end = taken[0].seconds, taken[-1].seconds
    wished = [begin + (end - begin) * place / (count - 1) for place in range(count)]
    numbers = {min(range(len(taken)), key=lambda one: abs(taken[one].seconds - moment)) for moment in wished}
    return [taken[number] for number in sorted({0, len(taken) - 1, *numbers})]


def pairings(networks: Sequence[Network], games: int, far_games: int) -> list[tuple[Network, Network, int]]:
    """Pair the networks for matches, the later one first, with the number of games: neighbours `games`, all others
    `far_games`."""
    found = []
    for place, network in enumerate(networks):
        for other in range(place - 1, -1, -1):
            count = games if other == place - 1 else far_games
            found += [(network, networks[other], count)] if count else []
    return found


def rated_at(folder: Path) -> list[int]:
    """The visits a move by which networks of a run were rated."""
    found = [_FILE.fullmatch(path.name) for path in folder.iterdir()]
    return sorted(int(name[1]) for name in found if name)


def read(folder: Path, visits: int) -> list[Lot]:
    """Read the matches that were played. Raises RunError for a file that is none of ours."""
    path = _path(folder, visits)
    if not path.exists():
        return []
    try:
        rows = json.loads(path.read_bytes())
        return [_lot(row) for row in rows]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise RunError(f"'{path}' is not what tengen wrote: delete it, and rate the run again") from None


def _lot(row: Mapping[str, Any]) -> Lot:
    scores = {str(int(number)): float(score) for number, score in row["scores"].items()}
    if not all(0 <= score <= 1 for score in scores.values()):
        raise ValueError("a score is from 0 to 1")
    return Lot(str(row["unit"]), int(row["first"]), str(int(row["second"])), scores)


def write(folder: Path, visits: int, lots: Sequence[Lot]) -> None:
    """Write the matches that were played. Raises OSError."""
    atomic.write(_path(folder, visits), json.dumps([asdict(lot) for lot in lots]).encode())


def _path(folder: Path, visits: int) -> Path:
    return folder / f"rated-{visits}.json"


def ratings(found: Manifest, lots: Sequence[Lot]) -> list[Rated]:
    """The networks of these games, in order; none where there are no games."""
    matches: dict[tuple[int, int], list[Lot]] = {}
    for lot in lots:
        matches.setdefault((lot.first, int(lot.second)), []).append(lot)
    scores = {pair: scores_of(rows) for pair, rows in matches.items()}
    known = {network.generation: network for network in found.networks}
    scores = {pair: row for pair, row in scores.items() if row and known.keys() >= set(pair)}
    generations = sorted({one for pair in scores for one in pair})
    if not generations:
        return []
    games = [game for (first, second), row in scores.items() for game in games_of(f"{first}", f"{second}", row)]
    elo = {int(row.name): row.elo for row in fit(games, {f"{generations[0]}": 0.0}).players}
    rows = []
    for before, one in zip([-1, *generations], generations, strict=False):
        match = scores.get((one, before))
        rows.append(Rated(known[one], elo[one], summary(pair_counts(match)) if match else None))
    return rows


def table(rows: Iterable[Rated]) -> list[Sequence[str]]:
    """A line for each network, as COLUMNS has it."""
    return [
        (f"{network.generation}", clock(network.seconds), f"{network.games}", f"{network.positions}",
         points(match), f"{match.los:.1%}" if match else "", elo.as_text())
        for network, elo, match in rows
    ]  # fmt: skip
