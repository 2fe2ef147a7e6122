"""A row of the table of dialogues, and what a right answer to it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tengen.tools.compliance.finding import Severity

OK = r"="
"""An empty success in GTP."""
ANYTHING = r"[\s\S]*"
NOTHING = r""
NAMED = re.compile(r"\{([a-z]+)\}")


class Step(NamedTuple):
    """Lines to send, and the regular expression that the whole reply must match (`normal`; comments left out).

    A named group of an expression is what `{name}` stands for in the steps after it.
    """

    send: str
    expect: str = ANYTHING


class Check(NamedTuple):
    """One question. fault: the sentence when an answer is wrong, with whom it hurts. needs: commands that the engine
    must list. games: only for these ("go9": of this size); empty: for all. presumes: rows without which this one would
    say nothing new. probe: seconds that an answer may take where none is no fault; 0: it must answer."""

    name: str
    steps: tuple[Step, ...]
    fault: str
    severity: Severity = Severity.MUST
    needs: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    presumes: tuple[str, ...] = ()
    probe: float = 0.0


def check(name: str, dialogue: str, fault: str, *, should: bool = False, needs: str = "", games: str = "",
          presumes: str = "") -> Check:  # fmt: skip
    r"""A row from text: "line => regular expression" parts between "|||"; "\n" within a line separates lines; no "=>":
    any answer; presumes: names between ";"."""
    steps = []
    for part in dialogue.split("|||"):
        send, arrow, expect = part.strip().partition(" => ")
        send = send.removesuffix(" =>").replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t")
        steps.append(Step(send, expect if arrow else NOTHING if part.strip().endswith(" =>") else ANYTHING))
    severity = Severity.SHOULD if should else Severity.MUST
    names = tuple(name.strip() for name in presumes.split(";") if name.strip())
    return Check(name, tuple(steps), fault, severity, tuple(needs.split()), tuple(games.split()), names)


def presuming(rows: Iterable[Check], bases: Mapping[str, str]) -> list[Check]:
    """Each row with the earlier rows that its lines build on. bases: the beginning of a line (a regular expression) ->
    the row that examines it. So a command that is broken is found once, not by every row that uses it."""
    done: list[Check] = []
    for row in rows:
        lines = [line for step in row.steps for line in step.send.split("\n")]
        used = [base for start, base in bases.items() if any(re.match(start, line) for line in lines)]
        known = {earlier.name for earlier in done}
        done.append(row._replace(presumes=row.presumes + tuple(base for base in used if base in known - {row.name})))
    return done


def normal(lines: list[str]) -> str:
    """A reply as the table spells it: no CR, no blank at the end of a line, no empty lines around."""
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def matches(step: Step, reply: str) -> bool:
    """Whether a reply is right."""
    return re.fullmatch(step.expect, reply) is not None


def captured(step: Step, reply: str) -> dict[str, str | None]:
    """The named groups of a right reply; None: a group that took no part in it."""
    found = re.fullmatch(step.expect, reply)
    return dict(found.groupdict()) if found is not None else {}


def filled(step: Step, values: Mapping[str, str | None]) -> Step | None:
    """Return the step with `{name}` replaced by captured text; None where that took no part: the row ends there."""
    names = set(NAMED.findall(step.send) + NAMED.findall(step.expect)) & set(values)
    if any(values[name] is None for name in names):
        return None
    for name in names:
        value = values[name] or ""
        pattern = f"(?i:{re.escape(value)})"
        step = Step(step.send.replace(f"{{{name}}}", value), step.expect.replace(f"{{{name}}}", pattern))
    return step
