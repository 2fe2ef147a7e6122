"""Two training targets that Tengen does not have, added as CONTRIBUTING.md says, and one step learned with both.

A program of its own, since targets are read when modules are imported: `python toy_target.py TEACHER FOLDER`. It prints
a line of JSON: what was told of the step, and what the file kept.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from tengen.nets import targets

targets.TARGETS["time_left"] = targets.Target(
    0.0, "how long the game is undecided", loss="huber", delta=10.0,
    stored=targets.Stored("taught_time", ("var_time_left",)), head="number",
)  # fmt: skip
targets.TARGETS["plies_left"] = targets.Target(0.0, "moves to the end", loss="square", head="number")

from tengen.tools.train.data import targets as encoding  # noqa: E402


def plies_left(places: encoding.Places, picks: encoding.Picks, symmetries: object) -> encoding.Floats:
    """Moves until the game is over."""
    games, numbers, plies = picks
    return np.asarray(games.columns["length"][numbers] - plies, np.float32)[:, None]


encoding.ENCODERS["plies_left"] = plies_left


def main(teacher: str, folder: Path) -> None:
    from tengen.nets.learning import Learner
    from tengen.nets.models import build
    from tengen.nets.publish import export
    from tengen.tools.train.data import shards
    from tengen.tools.train.data.games import join, together
    from tengen.tools.train.data.rows import View, encode, rows_of
    from tengen.tools.train.play.evaluators import load_go
    from tengen.tools.train.run.learn import recipe_of, spec_of, told
    from tengen.tools.train.settings.config import RunConfig, merge
    from tengen.tools.train.teaching.games import Classroom
    from tengen.tools.train.teaching.lessons import Lessons

    tiny = {"model.blocks": 1, "model.channels": 8, "model.pooling": 0, "model.head": 8, "board.size": 5}
    config = merge(RunConfig(), {**tiny, "losses.time_left": 0.1, "losses.plies_left": 0.1})
    network, source = load_go(teacher, "f32", "cpu", 8), random.Random(1)
    lessons = Lessons(config.board, config.teacher, 5)
    room = Classroom(network, None, batch=8, share=0.5, symmetries=1, by_student=0.0, seed=1)
    played = list(room.games((lessons.draw(source) for _ in range(3)), 3))
    shards.write(folder / "new.npz", played)
    before = replace(played[0], taught=replace(played[0].taught, labels={}))  # type: ignore[type-var]
    shards.write(folder / "old.npz", [before])  # of a build that did not know the targets
    games = join([shards.read(folder / "old.npz"), shards.read(folder / "new.npz")])
    picks = rows_of(games)
    rows = len(picks.plies)
    batch = encode(View(network.features), picks, np.zeros(rows, np.int32), np.ones(rows, np.bool_))
    model = build(spec_of(config), network.features, (5, 5))
    figures = Learner(model, recipe_of(config), 1).step(batch)
    export(model, folder / "learned.bin.gz", {"name": "toy", "purpose": "a test", "licence": "MIT"})
    unknown = np.isnan(batch.labels["taught_time"][picks.numbers == 0])  # type: ignore[index]
    is_equal = np.array_equal(
        together(played).columns["taught_time"], shards.read(folder / "new.npz").columns["taught_time"]
    )
    print(json.dumps({
        "losses": {name: value for name, value in told(figures).items() if name.endswith("_loss")},
        "unknown": bool(unknown.all()), "kept": is_equal, "heads": sorted(model.own),
        "left": batch.labels["plies_left"][:, 0].tolist(),  # type: ignore[index]
        "plies": picks.plies.tolist(), "moves": games.columns["length"][picks.numbers].tolist(),
    }))  # fmt: skip
    network.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
