"""Settings by KataGo's names: of its configuration files, of -override-config and of a query's overrideSettings.

What we do is in `NUMBERS`, `CHECKS`, `TREE_CHECKS`, `SIDES` and `HUMAN`; what has no meaning here is taken in silence
(`IDLE`); what would change the search and is not there is told (`MISSING`), and unknown names are too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

from tengen.engine.games.base import BLACK, WHITE
from tengen.engine.human_choice import NAMED, HumanChoice, human_choice
from tengen.engine.options import Option, Value

SIDES: Mapping[str, int | None] = {"BLACK": BLACK, "B": BLACK, "WHITE": WHITE, "W": WHITE, "SIDETOMOVE": None}


@dataclass(frozen=True)
class Params:
    """The settings of a search. perspective: whose view values are in, None: of the side to move. tree: options of the
    tree by name. has_people: whether there is a human network. profile: whom it imitates, "" nobody. human: how its
    policy counts in what speaks for a move.
    """

    visits: int = 500
    playouts: int | None = None
    seconds: float | None = None
    perspective: int | None = None
    pv_length: int = 15
    ignores_history: bool = True
    warns_of_fields: bool = True
    parallel: int | None = None
    batch: int | None = None
    tree: Mapping[str, float] = field(default_factory=dict)
    has_people: bool = False
    profile: str = ""
    human: HumanChoice = HumanChoice(share=0, ignores_pass=False, symmetries=1)


DEFAULTS = Params()


class Number(NamedTuple):
    """A number: its bounds, and its target: a field of Params, or an option of the tree, scaled (KataGo counts from a
    loss to a win as 2, we as 1) and then shifted. idle: the value at which it makes no difference."""

    low: float
    high: float
    field: str = ""
    option: str = ""
    scale: float = 1.0
    shift: float = 0.0
    idle: float | None = None
    is_whole: bool = False


NUMBERS = {
    "maxVisits": Number(1, 2**50, "visits", is_whole=True),
    "maxPlayouts": Number(1, 2**50, "playouts", is_whole=True),
    "maxTime": Number(0, 1e20, "seconds"),
    "analysisPVLen": Number(1, 1000, "pv_length", is_whole=True),
    "numAnalysisThreads": Number(1, 16384, "parallel", is_whole=True),
    "nnMaxBatchSize": Number(1, 65536, "batch", is_whole=True),
    "cpuctExploration": Number(0, 10, option="c", scale=0.5),
    "cpuctExplorationLog": Number(0, 10, option="c_log", scale=0.5),
    "cpuctExplorationBase": Number(10, 100000, option="c_base"),
    "fpuReductionMax": Number(0, 2, option="fpu_reduction", scale=0.5),
    "rootFpuReductionMax": Number(0, 2, option="root_fpu_reduction", scale=0.5),
    "rootPolicyTemperature": Number(0.01, 100, option="root_temperature", idle=1),
    "rootPolicyTemperatureEarly": Number(0.01, 100, option="root_temperature", idle=1),
    "wideRootNoise": Number(0, 5, option="root_temperature", scale=4, shift=1, idle=0),
}
"""Settings that are numbers. With wide noise, the root gets the flatter policy that it means in KataGo, and no
noise."""
CHECKS = {"ignorePreRootHistory": "ignores_history", "warnUnusedFields": "warns_of_fields"}
TREE_CHECKS = {"nnRandomize": "symmetries", "useLcbForSelection": "lcb"}
MISSING = {
    "playoutDoublingAdvantage": "0", "dynamicPlayoutDoublingAdvantageCapPerOppLead": "0", "antiMirror": "false",
    "rootNumSymmetriesToSample": "1", "staticScoreUtilityFactor": "", "dynamicScoreUtilityFactor": "",
    "winLossUtilityFactor": "1", "rootNoiseEnabled": "false", "rootSymmetryPruning": "",
    "avoidRepeatedPatternUtility": "0", "avoidSgfPatternUtility": "0", "drawEquivalentWinsForWhite": "0.5",
    "noResultUtilityForWhite": "", "policyOptimism": "1", "rootPolicyOptimism": "0.2", "nnPolicyTemperature": "1",
    "friendlyPassOk": "", "preventCleanupPhase": "true", "rootEndingBonusPoints": "", "enablePassingHacks": "",
    "assumeMultipleStartingBlackMovesAreHandicap": "true", "rootDesiredPerChildVisitsCoeff": "0", "fpuLossProp": "0",
    "rootFpuLossProp": "0", "fillDameBeforePass": "", "useGraphSearch": "", "subtreeValueBiasFactor": "",
    "useUncertainty": "", "useNoisePruning": "", "dynamicScoreCenterZeroWeight": "", "dynamicScoreCenterScale": "",
    "cpuctUtilityStdevScale": "", "lcbStdevs": "", "minVisitPropForLCB": "",
    "humanSLRootExploreProbWeightless": "0", "humanSLRootExploreProbWeightful": "0",
    "humanSLPlaExploreProbWeightless": "0", "humanSLPlaExploreProbWeightful": "0",
    "humanSLOppExploreProbWeightless": "0", "humanSLOppExploreProbWeightful": "0",
    "humanSLCpuctExploration": "1", "humanSLCpuctPermanent": "0",
}  # fmt: skip
"""KataGo's settings that we do not have, and the value at which each makes no difference, where there is one."""
IDLE = set("homeDataDir reportAnalysisWinratesAs ponderingEnabled lagBuffer conservativePass searchFactorAfterOnePass "
           "searchFactorAfterTwoPass resignThreshold allowResignation rules komi koRules scoringRules taxRules "
           "multiStoneSuicideLegals hasButtons forDeterministicTesting treeReuseCarryOverTimeFactor "
           "chosenMoveTemperature chosenMoveTemperatureEarly searchRandSeed defaultBoardSize".split())  # fmt: skip
IDLE_PREFIXES = ("log", "nn", "num", "cuda", "opencl", "trt", "metal", "eigen", "openvino", "delayMove", "chosenMove")
HUMAN, PROFILE, VIEWS = "humanSL", "humanSLProfile", "rootNumSymmetriesToSample"
NO_PROFILE = ("", "_", '""')


class BadParam(ValueError):
    """A setting that cannot be used; the message is one sentence."""


def with_values(base: Params, values: Mapping[str, Any]) -> tuple[Params, list[str]]:
    """Settings over others, by KataGo's names, and what to warn of. Values may be text. Raises BadParam."""
    fields: dict[str, Any] = {}
    tree, unknown, missing = dict(base.tree), [], []
    choices: dict[str, Value] = {}
    for name, value in values.items():
        word = _text(value)
        if name == "reportAnalysisWinratesAs":
            if word.upper() not in SIDES:
                raise BadParam(f"{name} must be BLACK, WHITE or SIDETOMOVE, not '{word[:60]}'")
            fields["perspective"] = SIDES[word.upper()]
        elif name in NUMBERS:
            kind = NUMBERS[name]
            found = _number(name, word, kind)
            if kind.field:
                fields[kind.field] = int(found) if kind.is_whole else found
            elif kind.option in tree_options():
                tree[kind.option] = _clipped(kind.option, found * kind.scale + kind.shift)
            elif found != kind.idle:
                missing.append(name)
        elif name in CHECKS:
            fields[CHECKS[name]] = _truth(name, word)
        elif name in TREE_CHECKS:
            tree[TREE_CHECKS[name]] = float(_truth(name, word))
        elif name.startswith(HUMAN) and not base.has_people:
            if word not in NO_PROFILE:
                raise BadParam(f"{name} needs a network that imitates people: -human-model FILE")
        elif name == PROFILE:
            fields["profile"] = _profile(word)
        elif name in NAMED and (name.startswith(HUMAN) or (name == VIEWS and base.has_people)):
            choices[name] = word
        elif name in MISSING:
            if not _is_same(MISSING[name], word):
                missing.append(name)
        elif name not in IDLE and not name.startswith(IDLE_PREFIXES):
            unknown.append(name)
    warnings = [f"Unknown config params: {','.join(unknown)[:500]}"] if unknown else []
    if missing:
        warnings.append(f"Not available in tengen, without effect: {','.join(missing)}")
    return replace(base, **fields, tree=tree, human=_choice(choices, base.human)), warnings


def _profile(word: str) -> str:
    """The name of a profile that there is, "" for none."""
    from tengen.engine.evaluators.katago.profiles import profile_of

    if word in NO_PROFILE:
        return ""
    try:
        return profile_of(word).name
    except ValueError as error:
        raise BadParam(f"{PROFILE}: {error}") from None


def _choice(values: Mapping[str, Value], base: HumanChoice) -> HumanChoice:
    try:
        return human_choice(values, base)
    except ValueError as error:
        raise BadParam(str(error)) from None


@cache
def tree_options() -> Mapping[str, Option]:
    """The options of a tree that can be set."""
    from tengen.engine._core import GoTree
    from tengen.engine.search.native import option_of

    return {option.name: option for facts in GoTree().options() for option in [option_of("", *facts)]}


def _clipped(name: str, value: float) -> float:
    option = tree_options()[name]
    return min(max(value, option.low), option.high)


def _number(name: str, word: str, kind: Number) -> float:
    try:
        found = float(word)
    except ValueError:
        raise BadParam(f"{name} must be a number, not '{word[:60]}'") from None
    if not kind.low <= found <= kind.high or (kind.is_whole and not found.is_integer()):
        what = "a whole number" if kind.is_whole else "a number"
        raise BadParam(f"{name} must be {what} from {kind.low:g} to {kind.high:g}, not '{word[:60]}'")
    return found


def _truth(name: str, word: str) -> bool:
    if word.lower() not in ("true", "false", "1", "0", "yes", "no", "t", "f"):
        raise BadParam(f"{name} must be true or false, not '{word[:60]}'")
    return word.lower() in ("true", "1", "yes", "t")


def _is_same(idle: str, word: str) -> bool:
    try:
        return word.lower() == idle or float(word) == float(idle)
    except ValueError:
        return False


def _text(value: object) -> str:
    """A value of JSON as KataGo's configuration has it."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value).strip()
