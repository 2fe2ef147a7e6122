"""Settings for choosing a move by the policy of a human network: KataGo's settings of that by KataGo's names.

What nobody sets is as in KataGo's example of a player of 5 kyu (`gtp_human5k_example.cfg`), which moves as people do;
KataGo without a configuration leaves the human network out of the choice.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from tengen.engine.options import Option, Value, check, number


class HumanChoice(NamedTuple):
    """share: of the human policy in the choice, the rest being the search's. ignores_pass: whether the search alone
    says how likely a pass is. scale: a move is e times less likely for each so much of utility (-1 to 1) that it loses.
    early, late, halflife: the temperature of the first move, of a late one, and the moves on 19x19 until it is half
    way. only_below: it changes what is less likely than this alone. symmetries: through so many a position is seen.
    """

    share: float = 1.0
    ignores_pass: bool = True
    scale: float = 1e9
    early: float = 0.85
    late: float = 0.70
    halflife: float = 80.0
    only_below: float = 0.01
    symmetries: int = 2

    def temperature(self, turn: int, cells: int) -> float:
        """After so many moves on a board of so many points."""
        halves = turn / self.halflife * 19 / math.sqrt(cells)
        return self.late + (self.early - self.late) * math.pow(0.5, halves)


class Named(NamedTuple):
    """A setting: its values, and the field of HumanChoice that it sets."""

    option: Option
    field: str


DEFAULT = HumanChoice()
NAMED = {
    named.option.name: named
    for named in (
        Named(number("humanSLChosenMoveProp", DEFAULT.share, 0, 1, "share of the human policy in the choice"), "share"),
        Named(
            check("humanSLChosenMoveIgnorePass", DEFAULT.ignores_pass, "whether the search alone chooses to pass"),
            "ignores_pass",
        ),
        Named(
            number("humanSLChosenMovePiklLambda", DEFAULT.scale, 0, 1e9, "utility whose loss makes a move rarer by e"),
            "scale",
        ),
        Named(number("chosenMoveTemperatureEarly", DEFAULT.early, 0, 5, "temperature of the first move"), "early"),
        Named(number("chosenMoveTemperature", DEFAULT.late, 0, 5, "temperature of a late move"), "late"),
        Named(
            number("chosenMoveTemperatureHalflife", DEFAULT.halflife, 0.1, 1e5, "moves until half way between"),
            "halflife",
        ),
        Named(
            number("chosenMoveTemperatureOnlyBelowProb", DEFAULT.only_below, 0, 1, "what is likelier keeps its share"),
            "only_below",
        ),
        Named(
            number("rootNumSymmetriesToSample", DEFAULT.symmetries, 1, 8, "views of the human network", is_whole=True),
            "symmetries",
        ),
    )
}


def human_choice(values: Mapping[str, Value], base: HumanChoice = DEFAULT) -> HumanChoice:
    """The settings of these names, which are in NAMED, over others. Values may be text. Raises ValueError with one
    sentence for a value that does not fit."""
    changes: dict[str, Any] = {NAMED[name].field: NAMED[name].option.parse(value) for name, value in values.items()}
    return base._replace(**changes)
