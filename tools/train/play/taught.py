"""Lessons as a unit of work of a run: what `generate.play_unit` does where the run has a teacher."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.tools.executors.base import Unit
from tengen.tools.train.play.evaluators import load_go
from tengen.tools.train.settings.config import RunConfig

if TYPE_CHECKING:
    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator


def teach_unit(unit: Unit, config: RunConfig) -> Mapping[str, float]:
    """Lessons into a shard; figures: games, positions (those that are labelled) and moves."""
    from tengen.tools.train.data import shards
    from tengen.tools.train.teaching.games import Classroom
    from tengen.tools.train.teaching.lessons import Lessons

    facts, teacher, play = unit.facts, config.teacher, config.selfplay
    seed = int(facts["seed"])
    size = config.board.named_sizes[seed % len(config.board.named_sizes)]
    people = shards.read(Path(facts["starts"])) if facts.get("starts") else None
    lessons, source = Lessons(config.board, teacher, size, people), random.Random(seed)
    has_learned = bool(facts["generation"] or config.training.begin)
    student = _loaded(config, facts["network"]) if has_learned and teacher.student else None
    classroom = Classroom(
        _loaded(config, facts["teacher"], is_teacher=True), student, batch=play.batch, share=teacher.share,
        symmetries=teacher.symmetries, by_student=teacher.student, seed=source.getrandbits(62),
    )  # fmt: skip
    drawn = (lessons.draw(source) for _ in range(play.unit_games))
    games = list(classroom.games(drawn, min(play.slots, play.unit_games)))
    shards.write(Path(unit.draft), games)
    positions = sum(int((game.weights > 0).sum()) for game in games)
    counted = {"games": len(games), "positions": positions, "moves": sum(len(game.moves) for game in games)}
    nobody = dict.fromkeys(("resigned", "decided", "resign_tried", "resign_wrong"), 0)
    return {**counted, **nobody, "black": sum(game.outcome for game in games), "visits": positions}


_kept: dict[bool, tuple[str, KataGoEvaluator]] = {}
"""The teacher (True) and the student of this process, with their files."""


def _loaded(config: RunConfig, path: str, *, is_teacher: bool = False) -> KataGoEvaluator:
    """A network; the one before it in its place is closed."""
    if is_teacher not in _kept or _kept[is_teacher][0] != path:
        if is_teacher in _kept:
            _kept.pop(is_teacher)[1].close()
        how = config.selfplay
        _kept[is_teacher] = path, load_go(path, how.precision, how.device, how.batch)
    return _kept[is_teacher][1]
