"""The human network beside a player's search: it evaluates the position while the search runs."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, NamedTuple

from tengen.engine.config import Config
from tengen.engine.evaluators.katago import KATAGO_GAME
from tengen.engine.evaluators.under_way import begun
from tengen.engine.human_choice import HumanChoice, human_choice
from tengen.engine.search.base import Root

if TYPE_CHECKING:
    from concurrent.futures import Future

    from tengen.engine._core import StopToken
    from tengen.engine.search.human_view import HumanView

LATE = "the human network was not ready in time: the search chose the move"
LEAST_SECONDS = 0.05
"""The least time to wait for it, once the search is over."""


class Asked(NamedTuple):
    """A position that a human network is asked about, and how its answer is used."""

    future: Future[HumanView | None]
    how: HumanChoice

    def answer(self, seconds: float | None, stop: StopToken) -> tuple[HumanView | None, str]:
        """Return its evaluation, or None if it has none within so many seconds; and a sentence for the user, "" for
        none."""
        from tengen.engine.search.batching import Patience

        deadline = float("inf") if seconds is None else time.monotonic() + max(LEAST_SECONDS, seconds)
        try:
            found = Patience(stop, deadline).wait(self.future)
        except (RuntimeError, ValueError, ImportError, OSError) as error:
            return None, f"{error}: the search chose the move"
        return found, LATE if found is None and not self.future.done() and not stop.is_stopped else ""


def choice_in_force(config: Config) -> HumanChoice:
    """Return the settings of the choice by a human network; a temperature of the configuration is the late one."""
    late = {} if config.temperature is None else {"chosenMoveTemperature": min(config.temperature, 5.0)}
    return human_choice({**late, **config.human})


def ask_people(config: Config, root: Root, generator: random.Random) -> Asked | None:
    """Ask the human network of a configuration about a root; None without a network or a profile."""
    from tengen.engine.play.networks import human_network_of, is_told

    if config.human_net is None or config.game != KATAGO_GAME or not is_told(config):
        return None
    how = choice_in_force(config)
    count = 8 if root.state.width == root.state.height else 4
    symmetries = generator.sample(range(count), min(how.symmetries, count))

    def seen() -> HumanView | None:
        from tengen.engine.play.networks import katago_of, profile_named
        from tengen.engine.search.human_view import view_of

        loading = human_network_of(config)
        assert loading is not None
        return view_of(katago_of(loading), profile_named(config), root, symmetries)

    return Asked(begun(seen, "human network"), how)
