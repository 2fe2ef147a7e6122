"""The interface of one protocol in the examination."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from tengen.tools.compliance.check import Check

STRAY = "noise on stdout"
STRAY_SENTENCE = "It writes lines that are outside the protocol; some controllers take them for an answer."


class Sentinel(NamedTuple):
    """Lines to send; whether a line ends the answer to them; how many answers they get."""

    question: str
    is_end: Callable[[str], bool]
    answers: int = 1


class Reading(NamedTuple):
    """A reply without unrequested lines: the rest of it, those lines, and the finding about them."""

    answer: str
    strays: tuple[str, ...]
    name: str = STRAY
    sentence: str = STRAY_SENTENCE


class Dialect(Protocol):
    """One protocol. No method talks to an engine: `examine` does."""

    @property
    def kind(self) -> str:
        """Its name on the command line."""

    @property
    def own_lines(self) -> str:
        """The sentinel, for people who read a conversation."""

    @property
    def sanity(self) -> str:
        """The row that shows that the engine still plays a legal move from the start."""

    @property
    def quit(self) -> str:
        """The line that ends the engine."""

    @property
    def quit_seconds(self) -> float:
        """The seconds that a GUI waits after `quit` before it kills."""

    @property
    def hello(self) -> str:
        """Lines at the start of every process, which make thinking short."""

    @property
    def busy(self) -> str:
        """Lines that start a long search."""

    @property
    def busy_ends(self) -> bool:
        """Whether that search ends by itself."""

    @property
    def fresh(self) -> str:
        """The row that shows that a new game forgets the last one; where it fails, every row gets a fresh process."""

    @property
    def is_framed(self) -> bool:
        """Whether an empty line ends every answer, so that a line outside of one shows by where it stands."""

    @property
    def has_numbers(self) -> bool:
        """Whether plain lines get a number that the answer repeats."""

    @property
    def facts(self) -> Mapping[str, str]:
        """The questions to the engine about itself: name of the fact -> line."""

    def sentinel(self, number: int) -> Sentinel:
        """A question whose answer nothing else can be taken for; `number` is used once in an examination."""

    def awaited(self, send: str) -> str | None:
        """The regular expression of the line that ends the reply to the last line of `send`; None: the sentinel shows
        that nothing comes any more."""

    def without_numbers(self) -> bool:
        """From now on ask without numbers; whether that makes a difference."""

    def readings(self, send: str, lines: Sequence[str]) -> Iterator[Reading]:
        """Yield the possible meanings of the reply to `send` when unrequested lines are left out."""

    def late(self, send: str) -> float:
        """Seconds in which more could come after the answer to `send` and the sentinel's."""

    def is_comment(self, line: str) -> bool:
        """Whether the protocol lets an engine say that at any time."""

    def is_noise(self, line: str) -> bool:
        """Whether a line is outside the protocol."""

    def learn(self, answers: Mapping[str, str]) -> dict[str, str]:
        """Read the answers to `facts`; return the understood facts, for people. Called once, before `checks`."""

    def checks(self) -> Sequence[Check]:
        """The rows for this engine."""

    def valid(self, dice: random.Random) -> str:
        """A right line (or several) for any state of the engine; never the sentinel's or `quit`'s word."""

    def guard(self, line: str) -> str:
        """Lines that follow a line so that a strange clock cannot be thought over for hours; may be empty."""

    def audit(self, sent: Sequence[str], reply: Sequence[str]) -> str:
        """Check the framing of the reply to plain lines; empty: nothing. One sentence."""


def has_word(line: str, *words: str) -> bool:
    """Whether one of the words stands in the line, in any case."""
    return re.search(rf"(?i)(?<![a-z])(?:{'|'.join(words)})(?![a-z])", line) is not None


def without_noise(lines: Sequence[str], is_noise: Callable[[str], bool]) -> Iterator[Reading]:
    """The one reading of a protocol in which a line shows by itself that it is outside."""
    strays = tuple(line for line in lines if line and is_noise(line))
    if strays:
        yield Reading("\n".join(line for line in lines if not is_noise(line)).strip("\n"), strays)


class Unframed:
    """Common parts of protocols without framing and without numbers."""

    is_framed = False
    has_numbers = False
    fresh = ""

    def without_numbers(self) -> bool:
        """There are none."""
        return False

    def is_noise(self, line: str) -> bool:
        """See Dialect."""
        raise NotImplementedError

    def readings(self, send: str, lines: Sequence[str]) -> Iterator[Reading]:
        """Without the lines that are outside the protocol."""
        return without_noise(lines, self.is_noise)

    def late(self, send: str) -> float:
        """The sentinel shows that nothing comes any more."""
        return 0.0


def no_audit(sent: Sequence[str], reply: Sequence[str]) -> str:
    """Return no fault: protocols without framing."""
    return ""
