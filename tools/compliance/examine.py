"""The whole examination of one engine: start, table, hostile lines, ending, files."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import IO, NamedTuple

from tengen.tools.compliance.check import Check
from tengen.tools.compliance.dialect import STRAY, Dialect
from tengen.tools.compliance.finding import Finding, Report, Severity, of_death
from tengen.tools.compliance.gomocup import Gomocup
from tengen.tools.compliance.gtp import FILES, FRAMING, Gtp
from tengen.tools.compliance.hostile import attack
from tengen.tools.compliance.interview import Ended, Hangs, Interview
from tengen.tools.compliance.lifecycle import SLOW_START, endings, start_up
from tengen.tools.compliance.nboard import NBoard
from tengen.tools.compliance.row import Asker
from tengen.tools.compliance.scratch import Scratch
from tengen.tools.compliance.transcript import Transcript
from tengen.tools.compliance.uci import Uci
from tengen.tools.compliance.xboard import XBoard

DIALECTS: dict[str, Callable[[], Dialect]] = {
    "gtp": Gtp, "gomocup": Gomocup, "nboard": NBoard, "uci": Uci, "xboard": XBoard,
}  # fmt: skip
BANNER = {"gtp": FRAMING, "gomocup": STRAY}
"""The fault of a line before the first answer, by protocol; UCI engines greet, and NBoard ignores it."""
BANNER_SENTENCE = "It greets with lines that nobody asked for: controllers take them for the first answer."
ALONE = "A listed command without arguments needs an error for an answer."
NO_END = "Its answers do not end with an empty line: controllers wait for it and hang."


class CannotStart(Exception):
    """The engine gave no first answer; the message is one sentence."""


class Terms(NamedTuple):
    """lines: hostile ones, of the kinds of that level and below, drawn by the seed. seconds: for one answer; longest:
    for the hostile lines. memory_mb: of address space, 0 for any."""

    lines: int
    seed: int = 1
    level: int = 3
    seconds: float = 30.0
    longest: float = 600.0
    memory_mb: int = 8192


def examine(
    words: list[str], dialect: Dialect, terms: Terms, *, tell: Callable[[str], None] = lambda text: None,
    transcript: IO[str] | None = None,
) -> Report:  # fmt: skip
    """Examine the engine that `words` start. tell: hears how far it is. transcript: gets every line sent and received.
    Raises CannotStart."""
    scratch = Scratch()
    interview = Interview(
        words, dialect, scratch, seconds=terms.seconds, memory_mb=terms.memory_mb, transcript=Transcript(transcript)
    )
    report = Report(" ".join(words), dialect.kind)
    tell("starting the engine")
    try:
        for name, data in FILES.items() if dialect.kind == "gtp" else ():
            scratch.put(name, data)
        _begin(interview, report)
        failed = _table(interview, report, tell)
        report.figures["lines sent"] = attack(
            interview, lines=terms.lines, seed=terms.seed, level=terms.level, until=time.monotonic() + terms.longest,
            report=report, failed=failed, tell=lambda count: tell(f"{count} of {terms.lines} hostile lines"),
        )  # fmt: skip
        _stderr(interview, report)
        _escaped(scratch, report, ())
        tell("ending")
        for finding in endings(interview):
            _count(report, finding)
    except (Ended, Hangs) as death:
        raise CannotStart(f"it does not start again: {death}") from death
    finally:
        interview.close()
        scratch.remove()
    return report


def _begin(interview: Interview, report: Report) -> None:
    dialect = interview.dialect
    try:
        took, banner = start_up(interview)
        answers = {name: "\n".join(interview.say(line)).strip() for name, line in dialect.facts.items()}
    except (Ended, Hangs, OSError) as death:
        said = [line[2:] for line in interview.transcript.excerpt if line.startswith("< ") and line != "< "]
        errors = getattr(death, "errors", "") or " / ".join(said[:3])
        raise CannotStart(f"{death}" + (f"; it says: {errors}" if errors else "")) from death
    report.figures["seconds to the first answer"] = round(took, 2)
    if took > SLOW_START:
        sentence = f"The first answer takes {took:.0f} s: users take it for dead, and managers do after 3 to 10 s."
        report.add(Finding(Severity.SHOULD, "slow start", sentence))
    if banner and dialect.kind in BANNER:
        report.add(Finding(Severity.MUST, BANNER[dialect.kind], BANNER_SENTENCE, (), "\n".join(banner)))
    if interview.lacks_end:
        report.add(Finding(Severity.MUST, FRAMING, NO_END, talk=interview.transcript.excerpt))
    report.understood |= dialect.learn(answers)
    report.own_lines = dialect.own_lines


def _table(interview: Interview, report: Report, tell: Callable[[str], None]) -> set[str]:
    """Ask all rows; the names of those that failed."""
    interview.restart()
    dialect, asker = interview.dialect, Asker(interview)
    failed = {FRAMING} if interview.lacks_end else set()
    was_probe = False
    rows = dialect.checks()
    for number, row in enumerate(rows, 1):
        if failed.intersection(row.presumes):
            report.unasked += [] if row.name in report.unasked else [row.name]
            continue
        tell(f"row {number} of {len(rows)}: {row.name}")
        if dialect.fresh in failed or was_probe and not row.probe:
            interview.restart()
        was_probe = row.probe > 0
        finding = _row(interview, asker, row)
        sent = tuple(line for step in row.steps for line in step.send.split("\n"))
        is_clean = _escaped(interview.scratch, report, sent)
        if finding is None:
            report.passed += is_clean
            continue
        failed |= {finding.name} & {row.name} | ({row.steps[0].send} if row.probe else set())
        report.add(finding, join=row.probe > 0 and finding.name == row.name)
    return failed


def _row(interview: Interview, asker: Asker, row: Check) -> Finding | None:
    """Ask one row; afterwards a process runs that nothing is known against."""
    try:
        wrong = asker.ask(row)
    except (Ended, Hangs) as death:
        if row.probe and isinstance(death, Hangs):
            finding = None
        else:
            what = "It ends" if isinstance(death, Ended) else "It hangs"
            lines = _guilty(interview, death.sent, death)
            name, fault = (f"{lines[0]} alone", ALONE) if row.probe else (row.name, row.fault)
            finding = of_death(Severity.MUST, name, f"{what} over this ({death}). {fault}", lines, death.errors)
        interview.restart()
        return finding
    if wrong is None:
        return None
    talk = interview.transcript.excerpt
    if wrong.stray is not None:
        return Finding(row.severity, wrong.stray.name, wrong.stray.sentence, wrong.sent, wrong.got, talk)
    interview.restart()
    return Finding(row.severity, row.name, row.fault, wrong.sent, wrong.got, talk)


def _guilty(interview: Interview, sent: tuple[str, ...], death: Ended | Hangs) -> tuple[str, ...]:
    """The one line of a row that does it alone, where there is one."""
    if isinstance(death, Hangs) or len(sent) == 1:
        return sent
    alone = (line for line in sent if interview.dies_of([line.encode()], Ended))
    return next(((line,) for line in alone), sent)


def _escaped(scratch: Scratch, report: Report, sent: tuple[str, ...]) -> bool:
    files = scratch.escaped()
    if files:
        sentence = (
            "It writes files outside its folder when the protocol names them: whoever can send it a line can overwrite "
            "the user's files."
        )
        shown = tuple(line.replace("{top}", str(scratch.top)) for line in sent)
        severity = Severity.SHOULD if report.kind == "uci" else Severity.MUST  # UCI: the user typed the option
        report.add(Finding(severity, "files outside its folder", sentence, shown, "\n".join(files)))
    return not files


def _stderr(interview: Interview, report: Report) -> None:
    if interview.dialect.kind != "gomocup":
        return
    interview.restart()
    errors = list(interview.process.errors)
    sentence = "It writes to stderr in normal use; Piskvork and c-gomoku-cli read that as an answer."
    talk = tuple(f"! {line}" for line in errors[:3])
    _count(report, Finding(Severity.SHOULD, "stderr", sentence, (), "\n".join(errors[:3]), talk) if errors else None)


def _count(report: Report, finding: Finding | None) -> None:
    if finding is None:
        report.passed += 1
    else:
        report.add(finding)
