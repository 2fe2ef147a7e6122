"""Settings that change during a conversation: KataGo's kata-*-param, and the same for GoGui's parameter dialog.

A parameter that does nothing here is refused, so that a controller knows; except the few that GUIs set whenever
they attach, which are kept and whose lack of effect is told once on stderr.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from tengen.engine.human_choice import NAMED
from tengen.engine.options import Option, Value, check, choice, number, text
from tengen.engine.options import shown as plain
from tengen.protocols.gtp.framing import GtpError, Request, quoted
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.registry import GO, command

if TYPE_CHECKING:
    from tengen.engine.config import Config

UNLIMITED = 10**15
"""The least value that is no limit, as KataGo's own defaults mean it."""


FULL = "full"
"""The level of a player that plays at full strength."""


class Parameter(NamedTuple):
    """One parameter: its values, its source in the configuration, and the effect of setting it."""

    option: Option
    read: Callable[[Config], Value]
    change: Callable[[Any, Config], dict[str, Any]]


def _limit(value: float) -> float | None:
    return None if value >= UNLIMITED else value


def _threads(config: Config) -> Value:
    from tengen.engine.config import default_threads

    return config.threads or default_threads()


def _resign(value: bool, config: Config) -> dict[str, Any]:
    return {"resign": (config.resign or type(config).resign) if value else 0.0}


def _count(name: str, high: float, doc: str) -> Option:
    return number(name, None, 1, high, doc, is_whole=True)


PARAMETERS = {
    parameter.option.name: parameter
    for parameter in (
        Parameter(
            _count("maxVisits", math.inf, "visits of the position, those of earlier searches counted"),
            lambda c: c.visits or UNLIMITED,
            lambda value, c: {"visits": _limit(value)},
        ),
        Parameter(
            _count("maxPlayouts", math.inf, "playouts for a move"),
            lambda c: c.playouts or UNLIMITED,
            lambda value, c: {"playouts": _limit(value)},
        ),
        Parameter(
            number("maxTime", None, 0.001, math.inf, "seconds for a move"),
            lambda c: c.time or float(UNLIMITED),
            lambda value, c: {"time": _limit(value)},
        ),
        Parameter(_count("numSearchThreads", 256, "search threads"), _threads, lambda value, c: {"threads": value}),
        Parameter(check("allowResignation", None, "whether to resign"), lambda c: c.resign > 0, _resign),
        Parameter(
            number("resignThreshold", None, -1, 1, "win less loss below which to resign"),
            lambda c: 2 * c.resign - 1,
            lambda value, c: {"resign": (value + 1) / 2},
        ),
        Parameter(
            check("ponderingEnabled", None, "think in the opponent's time"),
            lambda c: c.ponder,
            lambda value, c: {"ponder": value},
        ),
        Parameter(
            number("chosenMoveTemperature", None, 0, 100, "variety of the moves"),
            lambda c: c.temperature or 0.0,
            lambda value, c: {"temperature": value},
        ),
    )
}
"""KataGo's name -> the parameter."""

IDLE = ("analysisWideRootNoise", "wideRootNoise", "playoutDoublingAdvantage")
"""Parameters that GUIs ask for and set when they attach, without effect here; 0 is the value that asks for none."""
EXPLORING = tuple(
    f"humanSL{where}ExploreProb{weight}" for where in ("Root", "Pla", "Opp") for weight in ("Weightless", "Weightful")
) + ("humanSLCpuctExploration", "humanSLCpuctPermanent")
"""The same of human networks, which have no say in the search here."""


def idle(config: Config) -> tuple[str, ...]:
    """The parameters that are accepted without effect."""
    return IDLE if config.human_net is None else IDLE + EXPLORING


def parameters(config: Config) -> dict[str, Parameter]:
    """KataGo's, and the levels of the player."""
    from tengen.engine.games import get_game
    from tengen.engine.games.naming import player_of

    entry = player_of(get_game(config.game), config.player)[1]
    levels = entry.levels
    known = {**PARAMETERS, **_of_people(config)}
    if not levels:
        return known
    level = Parameter(
        choice("level", FULL, (*map(str, levels), FULL), "strength for people"),
        lambda c: str(c.level or FULL),
        lambda value, c: {"level": None if value == FULL else int(value), "rank": None},
    )
    known = {**known, "level": level}
    if not entry.ranks:
        return known
    rank = Parameter(
        choice("rank", FULL, (*entry.ranks, FULL), "strength as people of a rank have it"),
        lambda c: c.rank or FULL,
        lambda value, c: {"rank": None if value == FULL else value, "level": None},
    )
    return {**known, "rank": rank}


PROFILE = Parameter(
    text("humanSLProfile", None, "whom a human network imitates"),
    lambda c: c.human_profile or "",
    lambda value, c: {"human_profile": value if value not in ("_", '""') else None},
)


def _of_people(config: Config) -> dict[str, Parameter]:
    """Of a human network whom it imitates, and of one beside the search how a move is chosen by it."""
    if config.game not in GO or (config.human_net is None and not config.human_profile):
        return {}
    found = {PROFILE.option.name: PROFILE}
    return found if config.human_net is None else {**found, **{name: _of_choice(name) for name in NAMED}}


def _of_choice(name: str) -> Parameter:
    named = NAMED[name]

    def read(config: Config) -> Value:
        from tengen.engine.play.human_network import choice_in_force

        found: Value = getattr(choice_in_force(config), named.field)
        return found

    return Parameter(named.option, read, lambda value, config: {"human": {**config.human, name: value}})


@command("kata-list-params")
def list_params(gtp: Gtp, request: Request) -> str:
    """Answer the names of the parameters."""
    return " ".join([*parameters(gtp.player.config), *idle(gtp.player.config)])


@command("kata-get-param")
def get_param(gtp: Gtp, request: Request) -> str:
    """Answer the value of one parameter."""
    return _shown(_get(gtp, request.rest))


@command("kata-get-params")
def get_params(gtp: Gtp, request: Request) -> str:
    """Answer all parameters as a JSON object."""
    values = {name: _shown(_get(gtp, name)) for name in (*parameters(gtp.player.config), *idle(gtp.player.config))}
    return json.dumps(values, sort_keys=True, separators=(",", ":"))


@command("kata-set-param")
def set_param(gtp: Gtp, request: Request) -> str:
    """Set one parameter."""
    words = request.words
    if len(words) != 2:
        raise GtpError("Expected a parameter and its value")
    _set(gtp, {words[0]: words[1]})
    return ""


@command("kata-set-params")
def set_params(gtp: Gtp, request: Request) -> str:
    """Set the parameters of a JSON object, all of them or none."""
    try:
        values = json.loads(request.rest)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise GtpError("Expected a JSON object of parameters")
    _set(gtp, {name: json.dumps(value).strip('"') for name, value in values.items()})
    return ""


@command("tengen-param")
def tengen_param(gtp: Gtp, request: Request) -> str:
    """Answer every parameter as `[type/restriction] name value`, for GoGui's dialog; with arguments, set one."""
    if request.rest:
        words = request.words
        _set(gtp, {words[0]: " ".join(words[1:])})
        return ""
    return "\n" + "\n".join(_line(row, gtp.player.config) for row in parameters(gtp.player.config).values())


def _line(parameter: Parameter, config: Config) -> str:
    """GoGui shows a check as a box to tick and a choice as a list; all else is text to it."""
    option, value = parameter.option, parameter.read(config)
    kinds = {"check": "bool", "choice": "/".join(("list", *option.choices))}
    text = str(int(value)) if isinstance(value, bool) else _shown(value)
    return f"[{kinds.get(option.kind, 'string')}] {option.name} {text}"


@command("clear_cache")
def clear_cache(gtp: Gtp, request: Request) -> str:
    """Forget the search tree."""
    gtp.player.forget()
    return ""


def _get(gtp: Gtp, name: str) -> Value:
    if name in idle(gtp.player.config):
        return gtp.idle_parameters.get(name, 0.0)
    return _parameter(gtp, name).read(gtp.player.config)


def _parameter(gtp: Gtp, name: str) -> Parameter:
    parameter = parameters(gtp.player.config).get(name)
    if parameter is None:
        raise GtpError(f"Invalid parameter: {quoted(name)}")
    return parameter


def _set(gtp: Gtp, values: dict[str, str]) -> None:
    """Change the player's configuration; all of `values` or none."""
    config, kept = gtp.player.config, dict[str, float]()
    for name, word in values.items():
        if name in idle(config):
            kept[name] = float(_parsed(number(name, 0, -math.inf, math.inf, "no effect"), word))
            continue
        parameter = _parameter(gtp, name)
        config = replace(config, **parameter.change(_parsed(parameter.option, word), config))
    if config != gtp.player.config:
        try:
            gtp.player.configure(config)
        except ValueError as error:
            raise GtpError(f"Could not set params: {error}") from None
    for name, value in kept.items():
        if value and name not in gtp.idle_parameters:
            gtp.session.complain(f"{gtp.name}: {name} has no effect")
        gtp.idle_parameters[name] = value


def _parsed(option: Option, word: str) -> Value:
    try:
        return option.parse(word)
    except ValueError as error:
        raise GtpError(f"Could not set params: {error}") from None


def _shown(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else plain(value)
