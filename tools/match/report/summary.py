"""The outcome of a run in plain text: score, Elo and test of two, ratings of many, how games ended, time, latency."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tengen.tools.match.openings.start import first_mover
from tengen.tools.match.run.progress import clean
from tengen.tools.match.run.standing import Standing
from tengen.tools.match.settings.table import RunSpec
from tengen.tools.match.spec import GameResult, MoveRecord, Opening
from tengen.tools.match.statistics import known


def text(spec: RunSpec, standing: Standing, openings: Sequence[Opening]) -> str:
    """All lines. Engines' own text is made harmless for a terminal."""
    lines = _match(spec, standing) if spec.kind == "pair" else _table(spec, standing)
    reasons = ", ".join(f"{count} {reason}" for reason, count in standing.reasons().most_common())
    lines.append(f"ended by: {reasons or 'no games'}")
    for name, faults in standing.faults().items():
        lines.append(f"faults of {name}: {', '.join(f'{count} {reason}' for reason, count in faults.most_common())}")
    if standing.games:
        lengths = sorted(plies(row, openings) for row in standing.games)
        lines.append(f"lengths: {lengths[0]} to {lengths[-1]} plies, median {lengths[len(lengths) // 2]}")
    lines += _time(spec.names, standing.games, openings)
    if standing.duplicates:
        lines.append(f"{standing.duplicates} games repeat an earlier one move for move and count once")
    if standing.void:
        lines.append(f"{standing.void} void games were played again")
    return "\n".join(map(clean, lines))


def _match(spec: RunSpec, standing: Standing) -> list[str]:
    one, other = spec.names
    score = standing.score(one, other)
    if not score.games:
        return [f"{one} - {other}: no game counts"]
    found = score.summary()
    low, high = found.score.low, found.score.high
    lines = [
        f"{one} - {other}: {score.points:g} of {score.games} ({score.as_text()})",
        f"score {found.score.value:.1%} (95 %: {max(0.0, low):.1%} to {min(1.0, high):.1%}), pairs {score.pentanomial}",
        f"Elo difference {found.elo.as_text(1)}, normalized {found.normalized.as_text(1)}, LOS {found.los:.1%}",
    ]
    if spec.sprt is not None:
        test, counts = spec.sprt, score.pentanomial
        lower, upper = test.bounds
        verdict = {"H0": f"H0 accepted: {test.elo0:g} Elo", "H1": f"H1 accepted: {test.elo1:g} Elo"}
        lines.append(
            f"SPRT [{test.elo0:g}, {test.elo1:g}] {test.model}: LLR {test.llr(counts):.2f} "
            f"[{lower:.2f}, {upper:.2f}], {verdict.get(test.verdict(counts), 'not decided')}"
        )
    return lines


def _table(spec: RunSpec, standing: Standing) -> list[str]:
    ratings = standing.ratings(spec.names, dict(spec.anchors))
    width = max(map(len, spec.names))
    scale = f"Elo relative to {', '.join(spec.anchors)}" if spec.anchors else "Elo relative to the mean of all engines"
    lines = [scale, f"{'':{width}}    Elo (95 %)              points/games"]
    sign = "-" if spec.anchors else "+"
    for row in ratings.players:
        elo = f"{row.elo.value:.0f}, given" if row.name in spec.anchors else row.elo.as_text(sign=sign)
        lines.append(f"{row.name:{width}}  {elo:24}  {row.points:g}/{row.games}")
    lines.append(f"moving first is worth {ratings.advantage.as_text()} Elo")
    for row in ratings.players:
        meetings = [] if row.name in spec.anchors else standing.meetings(row.name, spec.anchors)
        if meetings:
            lines += against(row.name, row.elo.value, meetings)
    return lines


def against(name: str, rating: float, meetings: Sequence[known.Meeting]) -> list[str]:
    """An engine's games with opponents of known rating, and a sentence on whether these agree."""
    width = max(len(row.name) for row in meetings)
    found = [f"{name} against"]
    found += [
        f"  {row.name:{width}}  {row.known:6.0f}  {row.points:g}/{row.games}, expected {row.expected(rating):.1f}; "
        f"by these games alone {row.alone.as_text(sign='-')}"
        for row in meetings
    ]
    chance = known.agreement(rating, meetings)
    return found if chance is None else [*found, known.sentence(chance)]


def _time(names: Sequence[str], games: Iterable[GameResult], openings: Sequence[Opening]) -> list[str]:
    """Seconds a move, wall and CPU, and latency, for each engine."""
    moves: dict[str, list[MoveRecord]] = {name: [] for name in names}
    latency: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for row in games:
        for name, move in movers(row, openings):
            if move.seconds:  # a forced pass is no move of anybody
                moves[name].append(move)
        for name, answers in row.latency.items():
            latency.setdefault(name, []).append(answers)
    lines = []
    for name in names:
        if moves[name]:
            cpu = [move.cpu for move in moves[name] if move.cpu is not None]
            line = f"{name}: {sum(move.seconds for move in moves[name]) / len(moves[name]):.4f} s a move"
            line += f" ({sum(cpu) / len(cpu):.4f} CPU s)" if cpu else ""
            if latency[name]:
                typical = sorted(pair[0] for pair in latency[name])[len(latency[name]) // 2]
                line += f", answers in {typical:.2f} ms (at most {max(pair[1] for pair in latency[name]):.1f})"
            lines.append(line)
    return lines


def plies(row: GameResult, openings: Sequence[Opening]) -> int:
    """The length of a game, its opening included."""
    return row.plies or len(opening_of(row, openings).moves) + len(row.moves)


def opening_of(row: GameResult, openings: Sequence[Opening]) -> Opening:
    """Return the opening of a game."""
    return openings[(row.round - 1) % len(openings)] if openings and row.round > 0 else Opening(row.opening)


def movers(row: GameResult, openings: Sequence[Opening]) -> list[tuple[str, MoveRecord]]:
    """Every move of a game with the name of the engine that played it."""
    opening = opening_of(row, openings)
    names = (row.first, row.second) if first_mover(opening) else (row.second, row.first)
    return [(names[number % 2], move) for number, move in enumerate(row.moves)]
