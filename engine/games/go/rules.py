"""Rules of Go: KataGo's named rule sets, its JSON form (kata-get-rules, kata-set-rules, kata-set-rule) and its text.

The table follows https://lightvector.github.io/KataGo/rules.html. The komi that goes with a rule set is the game's
default for its scoring and is not part of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tengen.engine.sentence import excerpt


@dataclass(frozen=True)
class GoRules:
    """One set of rules.

    ko: "simple", "positional", "situational". scoring: "area", "territory". tax: "none", "seki", "all".
    suicide: of several stones. white_handicap_bonus: "0", "N-1", "N" points for N handicap stones.
    friendly_pass: dead stones need not be captured before the game ends. has_button: the first pass is worth half a
    point (area scoring).
    """

    name: str
    ko: str = "simple"
    scoring: str = "area"
    tax: str = "none"
    suicide: bool = False
    white_handicap_bonus: str = "0"
    friendly_pass: bool = True
    has_button: bool = False

    @property
    def repetition(self) -> str:
        """The kind of repetition that History forbids: nothing beyond the simple ko, or a superko."""
        return "none" if self.ko == "simple" else self.ko

    @property
    def removes_dead(self) -> bool:
        """Whether dead stones are taken off by agreement when the game ends."""
        return self.friendly_pass or self.scoring == "territory"

    def handicap_bonus(self, stones: int) -> int:
        """Points White gets for `stones` handicap stones."""
        if stones < 2 or self.white_handicap_bonus == "0":
            return 0
        return stones if self.white_handicap_bonus == "N" else stones - 1


def _territory(name: str) -> GoRules:
    return GoRules(name, scoring="territory", tax="seki", friendly_pass=False)


def _aga(name: str, has_button: bool = False) -> GoRules:
    return GoRules(name, ko="situational", white_handicap_bonus="N-1", has_button=has_button)


RULE_SETS: Mapping[str, GoRules] = {
    rules.name: rules
    for rules in (
        GoRules("chinese", white_handicap_bonus="N"),
        GoRules("chinese-ogs", ko="positional", white_handicap_bonus="N"),
        GoRules("chinese-kgs", ko="positional", white_handicap_bonus="N"),
        GoRules("tromp-taylor", ko="positional", suicide=True, friendly_pass=False),
        _territory("japanese"),
        _territory("korean"),
        GoRules("stone-scoring", tax="all"),
        _aga("aga"),
        _aga("bga"),
        _aga("aga-button", has_button=True),
        GoRules("new-zealand", ko="situational", suicide=True),
    )
}
"""The sets of rules by name, the default first."""

_JSON_FIELDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "ko": ("ko", ("SIMPLE", "POSITIONAL", "SITUATIONAL")),
    "scoring": ("scoring", ("AREA", "TERRITORY")),
    "tax": ("tax", ("NONE", "SEKI", "ALL")),
    "whiteHandicapBonus": ("white_handicap_bonus", ("0", "N", "N-1")),
}
_KATAGO_FIELD = re.compile(
    r"(ko|score|tax|sui|button|whb|fpok|komi)"
    r"(SIMPLE|POSITIONAL|SITUATIONAL|AREA|TERRITORY|NONE|SEKI|ALL|N-1|N|true|false|-?\d{1,6}(?:\.\d{1,6})?)",
    re.IGNORECASE,
)
_KATAGO = re.compile(f"(?:{_KATAGO_FIELD.pattern})+", re.IGNORECASE)
_KATAGO_KEYS = {
    "score": "scoring", "sui": "suicide", "button": "hasButton", "whb": "whiteHandicapBonus", "fpok": "friendlyPassOk",
}  # fmt: skip
_JSON_FLAGS = {"suicide": "suicide", "hasButton": "has_button", "friendlyPassOk": "friendly_pass"}


def parse_rules(text: str) -> tuple[GoRules, float | None]:
    """Read a name (`rule_names`), KataGo's JSON, or its text (`koSIMPLEscoreAREA...`) whose komi is returned beside.

    Raises ValueError("Unknown rules 'x'"). What an object or text does not name is tromp-taylor's, as KataGo's.
    """
    rules, komi, note = read_rules(text)
    if note:
        raise ValueError(f"Unknown rules '{text.strip()}'")
    return rules, komi


def read_rules(text: str) -> tuple[GoRules, float | None, str]:
    """The same of a record, where the nearest rules do: with a sentence when they are not those that are named."""
    from tengen.engine.games.go.rule_names import named

    unknown = ValueError(f"Unknown rules '{text.strip()}'")
    try:
        if text.lstrip()[:1] == "{":
            return *_from_json(text), ""
        if _KATAGO.fullmatch("".join(text.split())):
            return *_from_katago("".join(text.split())), ""
    except (ValueError, TypeError, RecursionError):
        raise unknown from None
    name = named(text)
    if name is None or not _counts(RULE_SETS[name.rules], name.scoring):
        raise unknown
    note = "" if name.is_exact else f"the rules {excerpt(text.strip(), 40)} are read as {name.rules}, which are nearest"
    return RULE_SETS[name.rules], None, note


def _counts(rules: GoRules, scoring: str) -> bool:
    """Whether the rules count in that way; by those of the AGA both lead to the same."""
    return not scoring or rules.scoring == scoring or rules.name.startswith("aga")


def rules_to_json(rules: GoRules) -> str:
    """KataGo's one-line JSON: sorted keys, no blanks, no komi."""
    import json

    values: dict[str, object] = {key: getattr(rules, name) for key, name in _JSON_FLAGS.items()}
    values |= {key: getattr(rules, name).upper() for key, (name, _) in _JSON_FIELDS.items()}
    return json.dumps(values, sort_keys=True, separators=(",", ":"))


def with_rule(rules: GoRules, key: str, value: str) -> GoRules:
    """Change one field by its JSON name (kata-set-rule). Raises ValueError with one sentence."""
    names = {name.lower(): name for name in (*_JSON_FIELDS, *_JSON_FLAGS)}
    known = names.get(key.strip().lower())
    if known is None:
        raise ValueError(f"Unknown rules option '{key}'")
    text = value.strip()
    truth = {"true": True, "false": False}.get(text.lower())
    return _named(_with_value(rules, known, text if truth is None else truth))


def _from_json(text: str) -> tuple[GoRules, float | None]:
    import json

    values = json.loads(text)
    if not isinstance(values, dict):
        raise ValueError("not an object")
    return _changed(values)


def _from_katago(text: str) -> tuple[GoRules, float | None]:
    """KataGo's rules on one line, as it writes them into RU."""
    values: dict[str, object] = {}
    for key, value in _KATAGO_FIELD.findall(text):
        name = _KATAGO_KEYS.get(key.lower(), key.lower())
        is_flag = name in _JSON_FLAGS
        values[name] = value.lower() in ("1", "true") if is_flag else value
    return _changed(values)


def _changed(values: Mapping[str, Any]) -> tuple[GoRules, float | None]:
    """The rules of KataGo's fields, and the komi beside them."""
    rules, komi = RULE_SETS["tromp-taylor"], None
    for key, value in values.items():
        if key == "komi":
            komi = float(value)
            if not abs(komi) < 1e6:
                raise ValueError("unacceptable komi")
            continue
        rules = _with_value(rules, key, value)
    return _named(rules), komi


def _with_value(rules: GoRules, key: str, value: object) -> GoRules:
    """Change one field. Raises ValueError naming what it may be."""
    if key in _JSON_FLAGS:
        if not isinstance(value, bool):
            raise ValueError(f"{key} must be true or false")
        return _replaced(rules, _JSON_FLAGS[key], value)
    if key not in _JSON_FIELDS:
        raise ValueError(f"Unknown rules option '{key}'")
    name, allowed = _JSON_FIELDS[key]
    text = str(value).upper()
    if text not in allowed:
        raise ValueError(f"{key} must be one of {' '.join(allowed)}")
    return _replaced(rules, name, text if name == "white_handicap_bonus" else text.lower())


def _replaced(rules: GoRules, name: str, value: str | bool) -> GoRules:
    changes: dict[str, str | bool] = {name: value}
    return replace(rules, **changes)  # type: ignore[arg-type]


def _named(rules: GoRules) -> GoRules:
    """Give rules the name of the set they equal, or "custom"."""
    for known in RULE_SETS.values():
        if replace(rules, name=known.name) == known:
            return known
    return replace(rules, name="custom")
