"""Games of people to begin other games with: a bounded number, drawn from all that lie below a folder."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic

from tengen.tools.jobs import Jobs
from tengen.tools.train.data.game import PlayedGame
from tengen.tools.train.records.from_record import Choice
from tengen.tools.train.records.gathering import Summary, found_in

MOST = 20_000
"""Games that are kept: about 10 MB in a file, 100 MB while they are gathered."""


def lines(
    source: Path, choice: Choice, seed: int, *, most: int = MOST, tell: Callable[[Summary], None] = lambda summary: None
) -> tuple[list[PlayedGame], Summary]:
    """Draw at most `most` games, each with the same chance; the same files and seed give the same games. tell: is
    called now and then. Raises OSError if the source does not exist."""
    summary, begun, dice = Summary(), monotonic(), random.Random(seed)
    kept: list[PlayedGame] = []
    with Jobs(1) as jobs:
        for found in found_in(jobs, source, choice):
            summary.count(found)
            for game in found.games or ():
                summary.games += 1
                place = len(kept) if len(kept) < most else dice.randrange(summary.games)
                if place < most:  # a copy: what was read with it is not kept
                    kept[place : place + 1] = [replace(game, moves=game.moves.copy(), weights=game.weights.copy())]
            summary.seconds = monotonic() - begun
            tell(summary)
    return kept, summary


def sentences(kept: int, summary: Summary) -> list[str]:
    """Return sentences for the user: the games, each reason to leave some out, and the skipped files."""
    out = [f"{kept} games of people to begin with, of {summary.games} in {summary.files} files"]
    out += [f"left out: {count} games, {reason}" for reason, count in summary.left_out.most_common()]
    if summary.bad:
        first = summary.named[0]
        out.append(f"{summary.bad} files or games are skipped, the first of them {first.name}: {first.reason}")
    return out
