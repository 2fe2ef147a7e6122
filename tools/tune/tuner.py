"""The run: iterations of paired games between two sides of the point, then a match of the result against the start.

Everything that happened is in the journal, one line an iteration or verification game, so that a killed run goes on
where it was. Iterations depend on the seed and their number only: where `playouts` bounds the moves, a run that was
killed ends as one that was not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import count
from typing import Any

from tengen.engine.config import Config
from tengen.tools.jobs import Jobs
from tengen.tools.journal import Journal
from tengen.tools.match.own.game import Played, as_json, from_json, tally
from tengen.tools.match.own.match import by_jobs, play
from tengen.tools.match.own.sides import Match, digests
from tengen.tools.match.statistics.tally import Tally
from tengen.tools.tune.space import Parameter
from tengen.tools.tune.spsa import Point, Spsa, result

VERIFY_SEED = 5_000
"""Added to the seed's thousand for the last match: openings that the tuning did not see."""
_NO_MATTER = ("seed", "ponder", "name", "version_string", "file_root", "log", "analysis_seconds")  # of a player's games


@dataclass(frozen=True)
class Plan:
    """The plan of a run. base: the player with its start values. pairs: of games in an iteration. verify: games."""

    base: Config
    parameters: tuple[Parameter, ...]
    spsa: Spsa
    pairs: int
    verify: int
    size: int | None = None
    plies: int | None = None

    def header(self) -> dict[str, Any]:
        """The settings that must be the same when a run is continued."""
        base, spsa = self.base, self.spsa
        return {
            "tune": {
                "game": base.game, "player": base.player, "playouts": base.playouts, "time": base.time,
                "rules": base.rules, "set": dict(base.set), "size": self.size, "plies": self.plies,
                "pairs": self.pairs, "iterations": spsa.iterations, "seed": spsa.seed, "step": spsa.step,
                "rate": spsa.rate, "parameters": [list(parameter) for parameter in self.parameters],
            }
        }  # fmt: skip

    def whole_header(self) -> dict[str, Any]:
        """The same with what earlier versions did not keep: other settings of the player, and SHA-256 of the files that
        it plays by. Raises OSError."""
        told = self.header()["tune"]
        rest = (one.name for one in fields(Config) if one.name not in (*told, *_NO_MATTER))
        usual = Config()
        others = {name: value for name in rest if (value := getattr(self.base, name)) != getattr(usual, name)}
        named = {"config": others, "files": digests(self.base)}
        return {"tune": {**told, **{name: table for name, table in named.items() if table}}}

    def values(self, point: Point) -> dict[str, float]:
        """The options at a point of the scales."""
        return {row.name: row.value(unit) for row, unit in zip(self.parameters, point, strict=True)}

    def config(self, values: Mapping[str, float]) -> Config:
        """The player with these options."""
        return replace(self.base, set={**self.base.set, **values})

    def start(self) -> Config:
        """The player that is to become better."""
        return self.config({row.name: row.start for row in self.parameters})


@dataclass(frozen=True)
class Step:
    """One iteration as it is told and kept. score: -1..1 of the side with the signs."""

    iteration: int
    score: float
    point: Point
    values: Mapping[str, float]
    games: Tally


def run(
    plan: Plan, journal: Journal, jobs: Jobs, on_step: Callable[[Step], None], on_tuned: Callable[[Config], None],
    on_game: Callable[[Sequence[Played]], None], on_part: Callable[[int, int], None] = lambda iteration, games: None,
) -> tuple[Config, Tally]:  # fmt: skip
    """The tuned player and its match against the start; what the journal holds is not played again.

    on_part is told the iteration in progress and how many of its games are done, on_step when it ends; on_tuned comes
    before the match, on_game with all its games so far. Raises ValueError for a journal that does not
    fit.
    """
    points, verified = _known(plan, journal)
    for iteration in range(len(points) - 1, plan.spsa.iterations):
        step = _iterate(plan, points[-1], iteration, jobs, partial(on_part, iteration))
        points.append(step.point)
        journal.write(
            {"iteration": iteration, "score": step.score, "point": list(step.point), "values": dict(step.values)}
        )
        on_step(step)
    tuned = plan.config(plan.values(result(points)))
    on_tuned(tuned)
    return tuned, tally(_verify(plan, tuned, verified, journal, jobs, on_game))


def _iterate(plan: Plan, point: Point, iteration: int, jobs: Jobs, on_games: Callable[[int], None]) -> Step:
    """Play one comparison and move the point."""
    numbers = count(1)
    on_games(0)
    plus, minus = (plan.config(plan.values(side)) for side in plan.spsa.sides(point, iteration))
    seed = plan.spsa.seed * 10_000 + iteration
    match = Match(plus, minus, 2 * plan.pairs, seed, plan.size, plan.plies)
    games = tally(play(match, by_jobs(jobs), on_game=lambda game: on_games(next(numbers))))
    score = 2 * games.score - 1
    moved = plan.spsa.update(point, iteration, score)
    return Step(iteration, score, moved, plan.values(moved), games)


def _verify(
    plan: Plan, tuned: Config, done: Sequence[Played], journal: Journal, jobs: Jobs,
    on_game: Callable[[Sequence[Played]], None],
) -> list[Played]:  # fmt: skip
    match = Match(tuned, plan.start(), plan.verify, plan.spsa.seed * 10_000 + VERIFY_SEED, plan.size, plan.plies)
    known = list(done)

    def told(game: Played) -> None:
        journal.write({"verify": as_json(game)})
        known.append(game)
        on_game(known)

    return play(match, by_jobs(jobs), [game for game in done if game.number < plan.verify], told)


def _known(plan: Plan, journal: Journal) -> tuple[list[Point], list[Played]]:
    """The points so far, the start first, and the verification games."""
    points: list[Point] = [tuple(row.unit(row.start) for row in plan.parameters)]
    games: list[Played] = []
    try:
        for row in journal.rows:
            if "verify" in row:
                games.append(from_json(row["verify"]))
                continue
            point = tuple(float(unit) for unit in row["point"])
            if row["iteration"] != len(points) - 1 or len(point) != len(plan.parameters):
                raise ValueError
            points.append(point)
    except (KeyError, TypeError, ValueError, IndexError):
        raise ValueError("the state file is damaged: remove it to begin anew") from None
    return points, games
