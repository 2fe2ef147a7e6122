"""Games of self-play: as a unit of work of a run, and by themselves (`tengen selfplay`)."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tengen.engine.evaluators.network import BatchEvaluator
from tengen.engine.games import get_game
from tengen.engine.search.selfplay import SelfPlayed, Start, actor_settings, false_resignations, play_games
from tengen.tools.executors.base import Unit
from tengen.tools.match.openings.drawn import setting_of
from tengen.tools.train.data.selfplayed import played_game
from tengen.tools.train.play.evaluators import load
from tengen.tools.train.play.search import actor_class, settings
from tengen.tools.train.play.starts import Starts
from tengen.tools.train.play.watch import Window
from tengen.tools.train.settings.config import RunConfig, merge
from tengen.tools.train.settings.kinds import LOOKING_AHEAD, kind_of


def play_unit(unit: Unit) -> Mapping[str, Any]:
    """Games of a network into a shard; figures: games, positions, seconds and how games ended."""
    from tengen.tools.train.data import shards

    facts = unit.facts
    config = merge(RunConfig(), facts["config"])
    begun, cpu = time.monotonic(), time.process_time()
    if kind_of(config) in LOOKING_AHEAD:
        told = lookahead_unit(unit, config)
        return {**told, "seconds": round(time.monotonic() - begun, 3), "cpu": round(time.process_time() - cpu, 3)}
    if config.teacher.file:
        from tengen.tools.train.play.taught import teach_unit

        told = dict(teach_unit(unit, config))
        return {**told, "seconds": round(time.monotonic() - begun, 3), "cpu": round(time.process_time() - cpu, 3)}
    evaluator = loaded(config, facts["network"])
    window = Window(facts["board"], facts["generation"]) if facts.get("board") else None
    games = list(play(config, evaluator, config.selfplay.unit_games, facts["seed"], window))
    shards.write(Path(unit.draft), [played_game(config.board.name, game) for game in games])
    spent = {"seconds": round(time.monotonic() - begun, 3), "cpu": round(time.process_time() - cpu, 3)}
    return {**counts(games), **spent}


def lookahead_unit(unit: Unit, config: RunConfig) -> dict[str, float]:
    """The same by looking ahead. The first network knows nothing: its games are played by what the run begins with."""
    from tengen.tools.train.data import shards
    from tengen.tools.train.play import lookahead

    weights = unit.facts["network"] if unit.facts["generation"] else None
    games = list(lookahead.play(config, weights, config.selfplay.unit_games, unit.facts["seed"]))
    shards.write(Path(unit.draft), games)
    return lookahead.counts(games)


def play(
    config: RunConfig, evaluator: BatchEvaluator, count: int, seed: int, window: Window | None = None
) -> Iterator[SelfPlayed]:
    """So many games on one of the run's sizes, as they end. What they are depends on the network and the seed."""
    source = random.Random(seed)
    board, selfplay = config.board, config.selfplay
    size = board.sizes[seed % len(board.sizes)]
    rules = board.rule_names or tuple(filter(None, [setting_of(board.name).rules]))
    starts = Starts(get_game(board.name), size, rules, board.komi, board.komi_spread)
    slots = min(selfplay.slots, count)
    actor = actor_class(board.name)(slots, size, size, seed, settings(config), **actor_settings(evaluator))
    left = iter(range(count))

    def next_start() -> Start | None:
        return None if next(left, None) is None else starts.draw(source)

    for game in play_games(actor, evaluator, next_start, selfplay.batch):
        yield game
        if window is not None:
            _show(actor, slots, game, window)


def _show(actor: Any, slots: int, ended: SelfPlayed, window: Window) -> None:
    """The longest of the games that go on; all of a unit are on boards of one size."""
    games = [found for slot in range(slots) if (found := actor.game(slot)) is not None]
    if games:
        _, moves = max(games, key=lambda found: len(found[1]))
        window.show(ended.start, moves)


def counts(games: list[SelfPlayed]) -> dict[str, float]:
    """Count the games for a report. positions: those that are learned from."""
    wrong, tried = false_resignations(games)
    ends = [game.end for game in games]
    return {
        "games": len(games), "positions": sum(int((game.weights > 0).sum()) for game in games),
        "moves": sum(len(game.moves) for game in games), "visits": sum(game.visits for game in games),
        "black": sum(game.outcome for game in games),
        "resigned": ends.count("resigned"), "decided": ends.count("decided"),
        "resign_tried": tried, "resign_wrong": wrong,
    }  # fmt: skip


_kept: dict[str, BatchEvaluator] = {}
"""The network that this process played by last: units come with the same one again and again."""


def loaded(config: RunConfig, path: str) -> BatchEvaluator:
    """The network of a file; the one before is closed."""
    if path not in _kept:
        for old in _kept.values():
            old.close()
        _kept.clear()
        how = config.selfplay
        _kept[path] = load(path, config.board.name, how.precision, how.device, how.batch)
    return _kept[path]
