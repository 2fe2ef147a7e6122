"""What one protocol adds to the examination."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from tengen.tools.compliance.check import Check

Sentinel = tuple[str, Callable[[str], bool]]
"""Lines to send, and what the answer to them alone looks like."""


class Dialect(Protocol):
    """One protocol. No method talks to an engine: `examine` does."""

    @property
    def kind(self) -> str:
        """Its name on the command line."""

    @property
    def sanity(self) -> str:
        """The row that shows that the engine still plays a legal move from the start."""

    @property
    def quit(self) -> str:
        """The line that ends the engine."""

    @property
    def quit_seconds(self) -> float:
        """How long a GUI waits after `quit` before it kills."""

    @property
    def hello(self) -> str:
        """Lines at the start of every process, which make thinking short."""

    @property
    def busy(self) -> str:
        """Lines that start a long search."""

    @property
    def facts(self) -> Mapping[str, str]:
        """What the engine is asked about itself: name of the fact -> line."""

    def sentinel(self, number: int) -> Sentinel:
        """A question whose answer nothing else can be taken for; `number` is used once in an examination."""

    def awaited(self, send: str) -> str | None:
        """The regular expression of the line that ends the reply to the last line of `send`; None: the sentinel shows
        that nothing comes any more."""

    def is_comment(self, line: str) -> bool:
        """Whether the protocol lets an engine say that at any time."""

    def is_noise(self, line: str) -> bool:
        """Whether a line is outside the protocol."""

    def learn(self, answers: Mapping[str, str]) -> dict[str, str]:
        """Read the answers to `facts`; returns what was understood, for people. Called once, before `checks`."""

    def checks(self) -> Sequence[Check]:
        """The rows for this engine."""

    def valid(self, dice: random.Random) -> str:
        """A right line (or several) for any state of the engine; never the sentinel's or `quit`'s word."""

    def guard(self, line: str) -> str:
        """Lines that follow a line so that a strange clock cannot be thought over for hours; may be empty."""

    def audit(self, sent: Sequence[str], reply: Sequence[str]) -> str:
        """What is wrong with the framing of the reply to plain lines; empty: nothing. One sentence."""


def has_word(line: str, *words: str) -> bool:
    """Whether one of the words stands in the line, in any case."""
    return re.search(rf"(?i)(?<![a-z])(?:{'|'.join(words)})(?![a-z])", line) is not None


def no_audit(sent: Sequence[str], reply: Sequence[str]) -> str:
    """For protocols without framing."""
    return ""
