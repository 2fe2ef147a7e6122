"""The sentences of the report: the outcome, and how, when and on what it was played."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from tengen.engine.games import get_game
from tengen.tools.match.report.data import MOST_BOARDS, ReportData
from tengen.tools.match.settings.table import RunSpec
from tengen.tools.match.statistics import known


def outcome(data: ReportData) -> str:
    """Games, and for two engines who won by how much."""
    games = len(data.standing.games)
    words = f"{games} games"
    if data.spec:
        game, time = data.spec.game, str(data.spec.time)
        words += f" of {game.game}" + (f" on {game.size}x{game.size}" if game.size else "")
        words += f", komi {game.komi:g}" if get_game(game.game).conventions.has_komi else ""
        words += f", time {time}" if time != "none" else ""
    if len(data.names) == 2 and games:
        score = data.standing.score(*data.names)
        found = score.summary()
        words += f". {data.names[0]} scored {score.points:g} ({score.as_text()}) against {data.names[1]}: "
        words += f"Elo difference {found.elo.as_text()}, LOS {found.los:.1%}"
    duplicates = data.standing.duplicates
    return words + (f". {duplicates} games repeat an earlier one and count once." if duplicates else ".")


def when(data: ReportData) -> str:
    """One sentence of the day, the seed and the machine; "" when nothing of it is known."""
    days = sorted({row.start[:10] for row in data.results if row.start})
    words = [" to ".join(dict.fromkeys((days[0], days[-1])))] if days else []
    words += [f"seed {data.spec.seed}"] if data.spec else []
    words += [f"on {machine}" for machine in dict.fromkeys(session.machine for session in data.sessions)]
    return f"Played {', '.join(words)}." if days else ""


def scale(data: ReportData) -> str:
    """Describe the reference of the table's Elo."""
    words = f"Elo with its 95 % interval, relative to {data.scale}"
    return words + (": half of the difference each." if len(data.names) == 2 and "mean" in data.scale else ".")


def agreement(data: ReportData) -> str:
    """Whether the opponents of known rating agree, for each engine that met more than one."""
    words = []
    for row in data.standing.ratings(data.names, data.anchors).players:
        if row.name not in data.anchors:
            chance = known.agreement(row.elo.value, data.standing.meetings(row.name, data.anchors))
            words += [f"{row.name}: {known.sentence(chance)}."] if chance is not None else []
    return " ".join(words)


def verdict(data: ReportData) -> str:
    """Describe the result of the test."""
    if data.spec is None or data.spec.sprt is None or len(data.names) != 2:
        return ""
    test, counts = data.spec.sprt, data.standing.score(*data.names).pentanomial
    words = {"H0": f"H0 accepted: {test.elo0:g} Elo.", "H1": f"H1 accepted: {test.elo1:g} Elo."}
    said = words.get(test.verdict(counts), "not decided.")
    return f"LLR of [{test.elo0:g}, {test.elo1:g}] {test.model} Elo: {test.llr(counts):.2f}, {said}"


def limit(data: ReportData) -> str:
    """Describe the list of games, and say when not all can be replayed."""
    more = f" The first {MOST_BOARDS} of {len(data.results)} games." if len(data.results) > MOST_BOARDS else ""
    return f"Lengths are plies, those of the opening included.{more}"


def played(data: ReportData) -> list[tuple[str, str]]:
    """(what, how) of the run, as far as it is known."""
    rows = [("date", _dates(data))]
    if data.spec:
        rows += _settings(data.spec)
    for session in {(row.machine, row.version): row for row in data.sessions}.values():
        rows.append(("machine", f"{session.machine}, {session.system}; Tengen {session.version}"))
    return [row for row in rows if row[1]]


def _dates(data: ReportData) -> str:
    """The first game's begin and the last one's."""
    starts = sorted(row.start for row in data.results if row.start)
    return "" if not starts else f"{_time(starts[0])} to {_time(starts[-1])} UTC (the first and the last game began)"


def _time(start: str) -> str:
    return start[:16].replace("T", " ")


def _settings(spec: RunSpec) -> Iterator[tuple[str, str]]:
    game = spec.game
    yield "rules", " ".join(filter(None, (game.game, game.rules)))
    yield "time", str(spec.time) if str(spec.time) != "none" else "none set: each engine takes what it likes"
    yield "seed", str(spec.seed)
    yield "openings", f"{spec.openings.file or 'random, from the seed'}; each is played with both colours"
    yield "at a time", f"{spec.concurrency} game{'s' if spec.concurrency != 1 else ''}"
    for engine in spec.engines:
        yield f"command of {engine.name}", shlex.join(engine.command)
