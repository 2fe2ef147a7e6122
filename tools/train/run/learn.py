"""The network of a run, learning by torch from a window of the games: implements `learning.Learning`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.engine.evaluators.backends.features import feature_set
from tengen.engine.evaluators.backends.taught import Taught
from tengen.engine.games import get_game
from tengen.nets.targets import TARGETS
from tengen.tools.train.run.learning import SETTLED, Figures
from tengen.tools.train.run.manifest import Shard, learned_from
from tengen.tools.train.settings import sections
from tengen.tools.train.settings.config import RunConfig
from tengen.tools.train.settings.kinds import PLAYERS, ending_of, features_of, kind_of

if TYPE_CHECKING:
    from tengen.nets.recipe import LearningRecipe
    from tengen.nets.spec import ModelSpec
    from tengen.tools.train.data.shards import ShardEntry
    from tengen.tools.train.data.window import WindowPlan

TOLD = (
    "loss", "policy_loss", "value_loss", "ownership_loss", "entropy", "value_error", "top1", "explained_variance",
    "margin_error",
    *SETTLED,
)  # fmt: skip
"""Figures of the learner that are told, by the names that they have there."""
HELD_ROWS = 2048
"""The rows of held-out games by which a network is judged, about."""
ALL = 10**12
"""Rows of a window that has no bound."""
MOST_KOMI = 65.0
"""Komi of lessons, either way (`teaching/lessons.py`); boards smaller than 9x9 have less."""
SPREADS = 3
"""Standard deviations of the komi of self-play that count as taught."""
FIRST_HELD = 2
"""The place of the first file of games that is held out."""


def spec_of(config: RunConfig) -> ModelSpec:
    """Return the specification of the network. Raises ConfigError, ValueError."""
    from tengen.nets.spec import ModelSpec

    shares = asdict(config.losses)
    heads = tuple(name for name, target in TARGETS.items() if target.head and shares[name])
    table = asdict(config.model) | {"kind": kind_of(config), "heads": heads}
    del table["features"]
    return ModelSpec(**table)


def recipe_of(config: RunConfig) -> LearningRecipe:
    """Return the recipe of learning."""
    from tengen.nets.recipe import KLRule, LearningRecipe, Schedule

    training = config.training
    shape = "cosine" if training.fall else "constant"
    return LearningRecipe(
        schedule=Schedule(training.rate, training.floor, training.rise, shape),
        steps=training.fall,
        optimizer=training.optimizer,
        decay=training.decay,
        momentum=training.momentum,
        clip=training.clip,
        average=training.average,
        settle=training.settle,
        precision=training.precision,
        device=training.device,
        found=training.found,
        value_loss=training.value_loss,
        weights=config.losses,
        kl=KLRule(**asdict(config.kl)) if config.kl.epochs else None,
    )


class TorchLearning:
    """Implements `Learning`. folder: of the run. warn: gets sentences about games that are left out."""

    def __init__(self, config: RunConfig, folder: Path, warn: Callable[[str], None] = lambda sentence: None) -> None:
        """A network with new weights, by the run's seed."""
        import torch

        from tengen.nets.learning import Learner
        from tengen.nets.models import build
        from tengen.tools.train.data.rows import Drawing, Rows, View
        from tengen.tools.train.data.window import Window

        self._config, self._folder = config, folder
        torch.manual_seed(config.seed)
        torch.set_num_threads(config.training.threads)
        features, spec = feature_set(config.board.name, features_of(config)), spec_of(config)
        size = config.board.sizes[0]
        self._learner = Learner(build(spec, features, (size, size)), recipe_of(config), config.seed)
        window = config.window
        self._window, self._held_window = Window(warn=warn), Window(warn=warn)
        self._view, self._warn = View(features), warn
        self._drawing = Drawing(config.training.batch, config.seed, window.without_history)
        self._rows = Rows(self._window, self._view, self._drawing, warn)
        self._held: list[Shard] = []
        self._learned: list[Shard] = []

    @property
    def steps(self) -> int:
        return self._learner.steps

    def begin_with(self, network: Path) -> None:
        """Take over the weights of a file of KataGo's format. Raises ValueError, NetworkError, OSError."""
        from tengen.nets.katago_import import import_katago

        import_katago(self._learner.model, network)
        self._learner.restart_average()

    def hold(self, shards: Sequence[Shard]) -> None:
        learned, self._held = split(shards, self._config.window.held_out)
        self._plan(learned)
        self._learned = learned
        self._window.update(self._folder / "shards", [_entry(shard) for shard in learned])

    def step(self) -> Figures:
        return told(self._learner.step(next(self._rows)))

    def judge(self) -> Figures:
        """Means over rows of the held-out games in the window's reach, drawn as those that are learned from."""
        from tengen.tools.train.data.rows import Rows

        if not self._held:
            return {}
        self._held_window.update(self._folder / "shards", [_entry(shard) for shard in self._held])
        with Rows(self._held_window, self._view, self._drawing, self._warn) as rows:
            found = [told(self._learner.evaluate(next(rows))) for _ in range(-(-HELD_ROWS // self._drawing.size))]
        return {name: sum(figures.get(name, 0.0) for figures in found) / len(found) for name in found[0]}

    def save(self, draft: Path) -> None:
        self._learner.save(draft)

    def load(self, path: Path) -> None:
        self._learner.load(path)

    def export(self, path: Path, facts: Mapping[str, Any]) -> None:
        from tengen.nets.publish import export

        board, kind = self._config.board, kind_of(self._config)
        preset = f" --preset {kind}" if kind in PLAYERS else ""
        card = {
            "name": path.name.removesuffix(ending_of(self._config)),
            "purpose": f"plays {board.name} on {board.size}",
            "licence": "MIT",
            "training": {
                "data": f"{self._data(facts)}, {facts['steps']} steps",
                "command": f"tengen train {board.name}{preset} --size {board.size}, run {facts['run']}",
            },
            "taught": self._taught().as_table(),
        }
        export(self._learner.network, path, card, (min(board.sizes), max(board.sizes)))

    def _taught(self) -> Taught:
        """What it was taught, for a card; of games of people nobody looked at their komi and rules."""
        board, has_komi = self._config.board, get_game(self._config.board.name).conventions.has_komi
        is_taught, by_people = bool(self._config.teacher.file), all(shard.is_record for shard in self._learned)
        if by_people and self._learned or not has_komi:
            return Taught(board.sizes, rules=() if by_people and self._learned else board.rule_names)
        if is_taught and self._config.teacher.absurd:
            return Taught(board.sizes, (-MOST_KOMI, MOST_KOMI), board.rule_names)
        reach = SPREADS * board.komi_spread
        return Taught(board.sizes, (board.komi - reach, board.komi + reach), board.rule_names)

    def _data(self, facts: Mapping[str, Any]) -> str:
        """What it learned from, for a card."""
        people = [shard for shard in self._learned if shard.is_record]
        own = len(people) < len(self._learned)
        found = []
        if own or not people:
            teacher = Path(self._config.teacher.file).name
            what = f"labels of the teacher {teacher}" if teacher else "self-play"
            found.append(f"{what}: {facts['games']} games, {facts['positions']} positions")
        if people:
            games, positions = sum(one.games for one in people), sum(one.positions for one in people)
            found.append(f"games of people: {games} games, {positions} positions")
        if begin := self._config.training.begin:
            found.append(f"it began with the weights of {Path(begin).name}")
        return "; ".join(found)

    def window_state(self) -> Mapping[str, Any]:
        return self._rows.state()

    def restore_window(self, state: Mapping[str, Any], shards: Sequence[Shard]) -> None:
        known = set(state["shards"])
        is_record = any(shard.is_record and _entry(shard).name in known for shard in shards)
        shards = learned_from(shards, is_record)
        held = [one for one in split(shards, self._config.window.held_out)[1] if _entry(one).name not in known]
        learned = [shard for shard in shards if shard not in held]
        self._plan(learned)
        self._learned = learned
        self._window.restore(self._folder / "shards", [_entry(shard) for shard in learned], state["shards"])
        self._rows.restore(state)
        last = max((number for number, shard in enumerate(shards) if _entry(shard).name in known), default=0)
        self._held = held if is_record else [shard for shard in held if shard in shards[: last + 1]]

    def close(self) -> None:
        self._rows.close()

    def _plan(self, shards: Sequence[Shard]) -> None:
        """Records are in the window all of them."""
        from tengen.tools.train.data.window import WindowPlan

        window = self._config.window
        is_record = any(shard.is_record for shard in shards)
        plan = WindowPlan(ALL) if is_record else window_plan(window)
        self._window.plan = self._held_window.plan = plan


def split(shards: Sequence[Shard], share: float) -> tuple[list[Shard], list[Shard]]:
    """Files of games to learn from, and those that are held out: of records those of players who are held out, of
    others every so many by its place, an early one too."""
    every = round(1 / share) if share else 0
    others = [shard for shard in shards if not shard.is_record]
    held = [shard for number, shard in enumerate(others) if every and number % every == min(FIRST_HELD, every - 1)]
    held += [shard for shard in shards if shard.is_record and shard.figures.get("held_out")]
    names = {shard.unit for shard in held}
    return [shard for shard in shards if shard.unit not in names], held


def window_plan(window: sections.Window) -> WindowPlan:
    """Return the plan of the window: how many of the newest positions are learned from."""
    from tengen.tools.train.data.window import WindowPlan

    return WindowPlan(window.minimum, window.alpha, window.beta, window.maximum)


def told(figures: Figures) -> dict[str, float]:
    """Those that are told and known; losses of heads that targets bring are."""
    own = [f"{name}_loss" for name, target in TARGETS.items() if target.head]
    return {name: figures[name] for name in (*TOLD, *own) if math.isfinite(figures.get(name, math.nan))}


def _entry(shard: Shard) -> ShardEntry:
    from tengen.tools.train.data.shards import ShardEntry

    name, rows = Path(shard.file.path).name, shard.positions
    return ShardEntry(name, shard.file.sha256, shard.games, rows, float(rows))
