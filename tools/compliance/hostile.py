"""Batches of mutated and hostile lines, a sentinel after each, and the shortest part of a batch that still kills."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from tengen.tools.compliance.dialect import STRAY, STRAY_SENTENCE, Dialect
from tengen.tools.compliance.finding import Finding, Report, Severity, of_death
from tengen.tools.compliance.interview import Ended, Hangs, Interview
from tengen.tools.compliance.lines import Sent, line
from tengen.tools.compliance.row import Asker

BATCH = 20
SANITY_EVERY = 5
REPLAYS = 40
"""Fresh processes that the search for the shortest lines may take."""
HANG_REPLAYS = 8
MOST_DEATHS = 5
CONTROL = re.compile(r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f]")
BROKEN = re.compile(r"[\ud800-\udfff]")
NO_MOVE = "After strange lines it plays no legal move from the start any more: the game goes on without it."
CONTROLS = "It writes control characters, which change the terminal of whoever reads its log."
NO_UTF8 = "It writes bytes that are no UTF-8; controllers in Python and Java stop at them."


def batch(dialect: Dialect, dice: random.Random, level: int, size: int) -> list[Sent]:
    """Lines with the guards that keep a strange clock from being thought over for hours."""
    lines = []
    for _ in range(size):
        sent = line(dialect, dice, level)
        lines.append(sent)
        guard = dialect.guard(sent.data.decode("latin-1"))
        lines += [Sent(guard.encode(), True)] if guard else []
    return lines


def numbered(dialect: Dialect, lines: Sequence[Sent], first: int) -> list[Sent]:
    """Plain lines with a number, where the protocol has them, so that every answer can be told."""
    if not dialect.has_numbers:
        return list(lines)
    return [
        Sent(b"%d " % (first + i) + sent.data, True) if sent.is_plain and b"\n" not in sent.data else sent
        for i, sent in enumerate(lines)
    ]


def attack(
    interview: Interview, *, lines: int, seed: int, level: int, until: float, report: Report,
    tell: Callable[[int], None], failed: Collection[str] = (),
) -> int:  # fmt: skip
    """Send about `lines` lines and report what happens; returns how many were sent. Ends early at `until` (monotonic
    seconds) and after MOST_DEATHS deaths. A single line that kills is not sent again. failed: names of rows that are
    known to be wrong."""
    dice = random.Random(seed)
    sent = deaths = rounds = 0
    sanity = next(row for row in interview.dialect.checks() if row.name == interview.dialect.sanity)
    deadly = {one.sent[0].encode() for one in report.findings if len(one.sent) == 1}
    interview.restart()
    interview.transcript.note("hostile lines")
    while sent < lines and deaths < MOST_DEATHS and time.monotonic() < until:
        drawn = batch(interview.dialect, dice, level, min(BATCH, lines - sent))
        now = numbered(interview.dialect, [one for one in drawn if one.data not in deadly], 1000 + sent * 3)
        sent += BATCH
        rounds += 1
        interview.transcript.mark()
        try:
            reply = interview.burst([one.data for one in now])
            talk = interview.transcript.excerpt
            for finding in judge(interview.dialect, now, reply):
                report.add(replace(finding, talk=talk))
            if rounds % SANITY_EVERY == 0 and sanity.name not in failed:
                interview.say(interview.dialect.hello)
                wrong = Asker(interview).ask(sanity)
                if wrong is not None and wrong.stray is None:
                    talk += interview.transcript.excerpt
                    name = "no move after hostile lines"
                    report.add(Finding(Severity.MUST, name, NO_MOVE, wrong.sent, wrong.got, talk))
                    interview.restart()
        except (Ended, Hangs) as death:
            deaths += 1
            minimal, is_alone = shortest(interview, [one.data for one in now], death, until)
            report.add(describe(death, minimal, is_alone))
            if is_alone and len(minimal) == 1:
                deadly.add(re.sub(rb"^\d+ ", b"", minimal[0]))
            interview.restart()
        tell(min(sent, lines))
    return min(sent, lines)


def judge(dialect: Dialect, sent: Sequence[Sent], reply: Sequence[str]) -> list[Finding]:
    """Find faults in the answers to a batch that did not end the engine."""
    found = []
    texts = tuple(one.data.decode("utf-8", "surrogateescape") for one in sent)
    if all(one.is_plain for one in sent) and (fault := dialect.audit(texts, reply)):
        found.append(Finding(Severity.MUST, "framing", fault, texts, "\n".join(reply)))
    for text in reply:
        for name, is_wrong, sentence in (
            ("control characters", CONTROL.search(text) is not None, CONTROLS),
            ("no UTF-8", BROKEN.search(text) is not None, NO_UTF8),
            (STRAY, dialect.is_noise(text), STRAY_SENTENCE),
        ):
            if is_wrong:
                found.append(Finding(Severity.SHOULD, name, sentence, texts, text))
    return found


def describe(death: Ended | Hangs, lines: Sequence[bytes], is_alone: bool) -> Finding:
    """A death as a finding; is_alone: whether the lines show it in a fresh process."""
    shown = tuple(one.decode("utf-8", "surrogateescape") for one in lines)
    note = "" if is_alone else " (these lines alone do not show it: it depends on what came before)"
    if isinstance(death, Ended):
        sentence = f"It ends over a line that it should refuse: {death}{note}. In a GUI or a match the game is lost."
        return of_death(Severity.MUST, "ends over a line", sentence, shown, death.errors)
    sentence = f"It does not answer any more: {death}{note}. In a GUI or a match the game is lost."
    return of_death(Severity.MUST, "hangs over a line", sentence, shown, death.errors)


def shortest(interview: Interview, lines: list[bytes], death: Ended | Hangs, until: float) -> tuple[list[bytes], bool]:
    """Drop ever smaller parts of the batch while fresh processes still die of the rest. The second value: whether the
    batch kills a fresh process at all; otherwise its last lines come back."""
    budget = HANG_REPLAYS if isinstance(death, Hangs) else REPLAYS

    def kills(part: list[bytes]) -> bool:
        nonlocal budget
        budget -= 1
        return interview.dies_of(part, type(death))

    if not kills(lines):
        return lines[-5:], False
    size = max(1, len(lines) // 2)
    while budget > 0 and time.monotonic() < until + 30:
        at, has_changed = 0, False
        while at < len(lines) and budget > 0:
            rest = lines[:at] + lines[at + size :]
            if rest and kills(rest):
                lines, has_changed = rest, True
            else:
                at += size
        if size == 1 and not has_changed:
            break
        size = max(1, size // 2)
    return lines, True
