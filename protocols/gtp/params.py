"""Settings that change during a conversation: KataGo's kata-*-param, and the same for GoGui's parameter dialog.

A parameter that does nothing here is refused, so that a controller knows; except the few that GUIs set whenever
they attach, which are kept and whose lack of effect is told once on stderr.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tengen.protocols.gtp.framing import GtpError, Request, quoted
from tengen.protocols.gtp.handler import Gtp
from tengen.protocols.gtp.registry import command

if TYPE_CHECKING:
    from tengen.engine.config import Config

Value = bool | int | float
UNLIMITED = 10**15
"""From here on a limit is no limit, as KataGo's own defaults mean it."""


@dataclass(frozen=True)
class Parameter:
    """One parameter: how it is read from the configuration, and what setting it changes there.

    kind: bool, int or float; low, high: the bounds of a number, both included.
    """

    kind: type
    read: Callable[[Config], Value]
    change: Callable[[Value, Config], dict[str, Any]]
    low: float = 0
    high: float = math.inf


def _limit(value: Value) -> Value | None:
    return None if value >= UNLIMITED else value


def _threads(config: Config) -> Value:
    from tengen.engine.config import default_threads

    return config.threads or default_threads()


def _resign(value: Value, config: Config) -> dict[str, Any]:
    return {"resign": (config.resign or type(config).resign) if value else 0.0}


PARAMETERS = {
    "maxVisits": Parameter(int, lambda c: c.playouts or UNLIMITED, lambda value, c: {"playouts": _limit(value)}, low=1),
    "maxPlayouts": Parameter(
        int, lambda c: c.playouts or UNLIMITED, lambda value, c: {"playouts": _limit(value)}, low=1
    ),
    "maxTime": Parameter(float, lambda c: c.time or UNLIMITED, lambda value, c: {"time": _limit(value)}, low=0.001),
    "numSearchThreads": Parameter(int, _threads, lambda value, c: {"threads": value}, 1, 1024),
    "allowResignation": Parameter(bool, lambda c: c.resign > 0, _resign),
    "resignThreshold": Parameter(float, lambda c: 2 * c.resign - 1, lambda v, c: {"resign": (v + 1) / 2}, -1, 1),
    "ponderingEnabled": Parameter(bool, lambda c: c.ponder, lambda value, c: {"ponder": value}),
    "chosenMoveTemperature": Parameter(
        float, lambda c: c.temperature or 0.0, lambda value, c: {"temperature": value}, 0, 100
    ),
}
"""KataGo's name -> the parameter. Visits are counted as playouts of the move's own search."""

IDLE = ("analysisWideRootNoise", "wideRootNoise", "playoutDoublingAdvantage")
"""Parameters that GUIs ask for and set when they attach, without effect here; 0 is the value that asks for none."""


@command("kata-list-params")
def list_params(gtp: Gtp, request: Request) -> str:
    return " ".join([*PARAMETERS, *IDLE])


@command("kata-get-param")
def get_param(gtp: Gtp, request: Request) -> str:
    return _shown(_get(gtp, request.rest))


@command("kata-get-params")
def get_params(gtp: Gtp, request: Request) -> str:
    values = {name: _shown(_get(gtp, name)) for name in (*PARAMETERS, *IDLE)}
    return json.dumps(values, sort_keys=True, separators=(",", ":"))


@command("kata-set-param")
def set_param(gtp: Gtp, request: Request) -> str:
    words = request.words
    if len(words) != 2:
        raise GtpError("Expected a parameter and its value")
    _set(gtp, {words[0]: words[1]})
    return ""


@command("kata-set-params")
def set_params(gtp: Gtp, request: Request) -> str:
    """A JSON object; all of the parameters or none."""
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
    """GoGui's dialog: every parameter as `[type/restriction] name value`; with arguments, sets one."""
    if request.rest:
        words = request.words
        truth = {"0": "false", "1": "true"}
        known = PARAMETERS.get(words[0])
        value = " ".join(words[1:])
        _set(gtp, {words[0]: truth.get(value, value) if known is not None and known.kind is bool else value})
        return ""
    lines = []
    for name, parameter in PARAMETERS.items():
        current = _get(gtp, name)
        is_flag = parameter.kind is bool
        lines.append(f"[{'bool' if is_flag else 'string'}] {name} {int(current) if is_flag else _shown(current)}")
    return "\n" + "\n".join(lines)


@command("clear_cache")
def clear_cache(gtp: Gtp, request: Request) -> str:
    """Forget the search tree."""
    gtp.player.forget()
    return ""


def _get(gtp: Gtp, name: str) -> Value:
    if name in IDLE:
        return gtp.idle_parameters.get(name, 0.0)
    parameter = PARAMETERS.get(name)
    if parameter is None:
        raise GtpError(f"Invalid parameter: {quoted(name)}")
    return parameter.read(gtp.player.config)


def _set(gtp: Gtp, values: dict[str, str]) -> None:
    """Change the player's configuration; all of `values` or none."""
    config, idle = gtp.player.config, dict[str, float]()
    for name, word in values.items():
        if name in IDLE:
            idle[name] = _number(name, word, -math.inf, math.inf)
            continue
        parameter = PARAMETERS.get(name)
        if parameter is None:
            raise GtpError(f"Invalid parameter: {quoted(name)}")
        config = replace(config, **parameter.change(_parsed(name, parameter, word), config))
    if config != gtp.player.config:
        gtp.player.configure(config)
    for name, value in idle.items():
        if value and name not in gtp.idle_parameters:
            gtp.session.complain(f"{gtp.name}: {name} has no effect")
        gtp.idle_parameters[name] = value


def _parsed(name: str, parameter: Parameter, word: str) -> Value:
    if parameter.kind is bool:
        truth = {"true": True, "false": False}.get(word.lower())
        if truth is None:
            raise GtpError(f"Could not set params: {name} is true or false")
        return truth
    value = _number(name, word, parameter.low, parameter.high)
    if parameter.kind is float:
        return value
    if value != int(value):
        raise GtpError(f"Could not set params: {name} is an integer")
    return int(value)


def _number(name: str, word: str, low: float, high: float) -> float:
    from tengen.protocols.gtp.arguments import number

    value = number(word, f"Could not set params: {name} is a number")
    if not low <= value <= high:
        raise GtpError(f"Could not set params: {name} is {low:g} to {high:g}")
    return value


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else f"{value:g}"
