"""Rules by which the referee ends games early. A new rule is a module with a `RULE`, and its line in `RULES`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tengen.engine.config import ConfigError, nearest
from tengen.tools.match.adjudication import draw, resign
from tengen.tools.match.adjudication.base import Rule, Settings, Sight, Verdict

RULES: list[Rule] = [resign.RULE, draw.RULE]
"""Asked in this order; the first verdict counts."""


def settings_of(table: Mapping[str, Any]) -> Settings:
    """Return the settings of the user, with the defaults of the rules that are switched on. Raises ConfigError,
    ValueError."""
    rules = {option.name: rule for rule in RULES for option in rule.options}
    for key in table:
        if key not in rules:
            raise ConfigError(f"unknown setting 'adjudication.{key}'{nearest(key, rules)}")
        if rules[key].switch not in table:
            raise ConfigError(f"adjudication: {key} does nothing without {rules[key].switch}")
    wanted = [option for rule in RULES if rule.switch in table for option in rule.options]
    return {one.name: one.parse(table[one.name]) if one.name in table else one.default for one in wanted}


def adjudge(settings: Settings, sight: Sight) -> Verdict | None:
    """The verdict of the first rule that has one."""
    found = (rule.verdict(settings, sight) for rule in RULES if rule.switch in settings)
    return next((verdict for verdict in found if verdict is not None), None)


def example() -> str:
    """All settings as a command line has them."""
    return " ".join(rule.example for rule in RULES)
