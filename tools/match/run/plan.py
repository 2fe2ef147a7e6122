"""A run in words: what would be played, what a person should know before, what an engine cannot be told."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from tengen.engine import system
from tengen.engine.games import get_game
from tengen.tools.match.settings.engine import full, threads_of, untold
from tengen.tools.match.settings.table import RunSpec
from tengen.tools.match.spec import Opening


def warnings(spec: RunSpec, is_here: bool = True) -> list[str]:
    """Return warnings about a run before its games are played; is_here: by this machine."""
    cores = len(system.processors())
    threads = max(map(threads_of, spec.engines)) * spec.concurrency
    found = []
    if is_here and threads > cores:
        found.append(
            f"{spec.concurrency} games at a time with up to {threads // spec.concurrency} threads need {threads} cores "
            f"and there are {cores}: engines that play by the clock will be weaker"
        )
    for engine in spec.engines:
        time = engine.time or spec.time
        if engine.protocol == "nboard" and time.movetime is not None:
            found.append(
                f"{engine.name} is not told of '{time}': NBoard knows a time for the game only; "
                "an engine that does not keep to it by its own settings loses on time"
            )
    return found


def untold_lines(table: Mapping[str, Any], spec: RunSpec) -> list[str]:
    """Return the settings of `each` that engines other than ours do not get."""
    each = full(table.get("each", {}))
    rows = zip(spec.names, (untold(each, full(row)) for row in table.get("engine", ())), strict=True)
    return [
        f"{name} is not told {', '.join(f'{key}={each[key]}' for key in keys)}: only players of ours know it"
        for name, keys in rows
        if keys
    ]


def headline(table: Mapping[str, Any], spec: RunSpec) -> str:
    """Return the first line of a run: the game, and the board if nobody chose one."""
    return f"{board(spec)}, {spec.total} games{'' if 'size' in table else _unasked(spec.game.game)}"


def _unasked(game: str) -> str:
    """What is said of a board that nobody asked for, where another one is more usual."""
    kind = get_game(game)
    size = kind.conventions.match.size or kind.default_size
    if size == kind.default_size:
        return ""
    return f" (matches of {kind.conventions.title} are on {size}x{size} without --size)"


def plan(spec: RunSpec, openings: Sequence[Opening]) -> str:
    """Describe the games that would be played, in words."""
    lines = [board(spec)]
    for engine in spec.engines:
        time = engine.time or spec.time
        lines.append(f"{engine.name}: {engine.protocol}, time {time}, {shlex.join(engine.command)}")
    lines.append(f"{spec.total} games, {spec.concurrency} at a time, seed {spec.seed}")
    lines.append(f"{len(openings)} openings, each with both colours; the first: {_shown(openings[0])}")
    if spec.sprt is not None:
        low, high = spec.sprt.bounds
        lines.append(f"SPRT [{spec.sprt.elo0:g}, {spec.sprt.elo1:g}] {spec.sprt.model}, LLR {low:.2f} to {high:.2f}")
    return "\n".join(lines)


def board(spec: RunSpec) -> str:
    """ "go 9x9 tromp-taylor komi 7"."""
    game = spec.game
    facts = [game.game, f"{game.size}x{game.size}" if game.size else "", game.rules, f"komi {game.komi:g}"]
    return " ".join(filter(None, facts if get_game(game.game).conventions.has_komi else facts[:3]))


def _shown(opening: Opening) -> str:
    return " ".join([f"{opening.name}:", *filter(None, [opening.position]), *opening.moves])
