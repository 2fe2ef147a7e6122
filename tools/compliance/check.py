"""A row of the table of dialogues, and how it is asked."""

from __future__ import annotations

import re
from typing import NamedTuple

from tengen.tools.compliance.finding import Severity

OK = r"="
"""An empty success in GTP."""
ANYTHING = r"[\s\S]*"
NOTHING = r""


class Step(NamedTuple):
    """Lines to send, and the regular expression that the whole reply must match (`normal`; comments left out)."""

    send: str
    expect: str = ANYTHING


class Check(NamedTuple):
    """One question. fault: the sentence when an answer is wrong, with whom it hurts. needs: commands that the engine
    must list. games: only for these; empty: for all."""

    name: str
    steps: tuple[Step, ...]
    fault: str
    severity: Severity = Severity.MUST
    needs: tuple[str, ...] = ()
    games: tuple[str, ...] = ()


def check(name: str, dialogue: str, fault: str, *, should: bool = False, needs: str = "", games: str = "") -> Check:
    r"""A row from text: "line => regular expression" parts between "|||"; "\n" within a line separates lines; no "=>":
    any answer."""
    steps = []
    for part in dialogue.split("|||"):
        send, arrow, expect = part.strip().partition(" => ")
        send = send.removesuffix(" =>").replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t")
        steps.append(Step(send, expect if arrow else NOTHING if part.strip().endswith(" =>") else ANYTHING))
    severity = Severity.SHOULD if should else Severity.MUST
    return Check(name, tuple(steps), fault, severity, tuple(needs.split()), tuple(games.split()))


def normal(lines: list[str]) -> str:
    """A reply as the table spells it: no CR, no blank at the end of a line, no empty lines around."""
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def matches(step: Step, reply: str) -> bool:
    """Whether a reply is right."""
    return re.fullmatch(step.expect, reply) is not None
